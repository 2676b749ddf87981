// Launches of scans: wf_scan and its kin, and the rung scan_fixed_order.
#ifndef WAVEFOLD_SCAN_LAUNCH_HPP
#define WAVEFOLD_SCAN_LAUNCH_HPP

#include "progression/38_scan_fixed_order.hip"
#include "scan_rows.hip"
#include "visit_scan.hpp"

namespace wf {

template <class Queue, class Op>
void launch_scan(const wf_scan_request &what, Queue queue, const Op &op) {
    using element = typename Op::element;
    static_assert(sizeof(typename Op::value) <= WF_SCAN_VALUE_BYTES, "requests have room for it");
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const array_view<const element> source(static_cast<const element *>(what.source) + what.lowest,
                                           uint64_t(what.highest - what.lowest) + 1);
    const scan_arguments<Op> given = {op,
                                      initial_of(what, op),
                                      what.exclusive,
                                      what.narrow,
                                      uint64_t(-what.lowest),
                                      static_cast<unsigned char *>(what.result) +
                                          what.lowest_result * int64_t(what.result_bytes),
                                      uint64_t(-what.lowest_result),
                                      uint64_t(what.highest_result - what.lowest_result) + 1,
                                      what.stride,
                                      what.result_stride,
                                      what.rows,
                                      what.length,
                                      what.first_tile,
                                      what.kept};
    if (what.lanes != 0)
        return launch_on(queue, is_narrow ? scan_rows<Op, narrow_wave> : scan_rows<Op, wide_wave>, what.head.tiles,
                         what.head.tile_size, 0, source, given, unsigned(what.lanes));
    const scan_tiles tiles = {what.tiles / what.rows,
                              what.tiles,
                              what.draws,
                              ticket_view(static_cast<unsigned *>(what.ticket), 1),
                              word_view(static_cast<uint64_t *>(what.words), WF_SCAN_WORDS),
                              word_view(static_cast<uint64_t *>(what.tile_status), 2 * what.half_words),
                              what.used_words};
    launch_on(queue, is_narrow ? scan_fixed_order<Op, narrow_wave> : scan_fixed_order<Op, wide_wave>, what.head.tiles,
              what.head.tile_size, (scan_teams + 2) * sizeof(typename Op::value), source, given, tiles);
}

template <class Queue>
using scan_launcher = void (*)(const wf_scan_request &, Queue);

// Null for operators that scans do not have.
template <class Queue>
scan_launcher<Queue> scan_launcher_of(const wf_scan_request &what) {
    if (!visit_scan(what, [](const auto &) {}))
        return nullptr;
    return [](const wf_scan_request &request, Queue queue) {
        visit_scan(request, [&](const auto &op) { launch_scan<Queue>(request, queue, op); });
    };
}

template <class Queue>
scan_launcher<Queue> find_launcher(const wf_scan_request &what) {
    return scan_launcher_of<Queue>(what);
}

} // namespace wf
#endif
