// Launches of scans: wf_scan and its kin, and the rung scan_fixed_order.
#ifndef WAVEFOLD_SCAN_LAUNCH_HPP
#define WAVEFOLD_SCAN_LAUNCH_HPP

#include "mark_begins.hip"
#include "progression/38_scan_fixed_order.hip"
#include "scan_rows.hip"
#include "visit_scan.hpp"

namespace wf {

struct flag_view {
    array_view<const uint8_t> flags;
    __device__ __forceinline__ bool operator()(uint64_t i) const { return flags[i] != 0; }
};

template <class Op>
scan_arguments<Op> scan_arguments_of(const wf_scan_request &what, const Op &op) {
    static_assert(sizeof(typename Op::value) <= WF_SCAN_VALUE_BYTES, "the library makes room for it");
    return {op,
            initial_of(what),
            what.exclusive,
            what.narrow,
            uint64_t(-what.lowest),
            static_cast<unsigned char *>(what.result) + what.lowest_result * int64_t(what.result_bytes),
            uint64_t(-what.lowest_result),
            uint64_t(what.highest_result - what.lowest_result) + 1,
            what.stride,
            what.result_stride,
            what.rows,
            what.length,
            what.first_tile,
            what.kept};
}

template <class Op>
array_view<const typename Op::element> scan_source_of(const wf_scan_request &what) {
    return {static_cast<const typename Op::element *>(what.source) + what.lowest,
            uint64_t(what.highest - what.lowest) + 1};
}

template <unsigned Sections, class Queue, class Op>
void launch_scan_by_sections(const wf_scan_request &what, Queue queue, const Op &op) {
    const scan_tiles tiles = {what.tiles / what.rows,
                              what.tiles,
                              what.row_sections,
                              what.draws,
                              ticket_view(static_cast<unsigned *>(what.ticket), 1),
                              word_view(static_cast<uint64_t *>(what.words), WF_SCAN_WORDS),
                              word_view(static_cast<uint64_t *>(what.tile_status), 2 * what.half_words),
                              what.used_words};
    launch_on(queue,
              what.head.wave_width == narrow_wave ? scan_fixed_order<Op, narrow_wave, Sections>
                                                  : scan_fixed_order<Op, wide_wave, Sections>,
              what.head.tiles, what.head.tile_size, (scan_cells<Sections>::half + 1) * sizeof(typename Op::value),
              scan_source_of<Op>(what), scan_arguments_of(what, op), tiles);
}

template <class Queue, class Op>
void launch_scan_by_tiles(const wf_scan_request &what, Queue queue, const Op &op) {
    constexpr unsigned most = scan_cut<Op>::most_sections;
    if (what.sections == most)
        launch_scan_by_sections<most, Queue>(what, queue, op);
    else
        launch_scan_by_sections<1, Queue>(what, queue, op);
}

template <class Queue, class Op>
void launch_scan(const wf_scan_request &what, Queue queue) {
    const Op op = scan_op_of(what, type_tag<Op>());
    if (what.lanes != 0)
        launch_on(queue, what.head.wave_width == narrow_wave ? scan_rows<Op, narrow_wave> : scan_rows<Op, wide_wave>,
                  what.head.tiles, what.head.tile_size, 0, scan_source_of<Op>(what), scan_arguments_of(what, op),
                  unsigned(what.lanes));
    else if (what.flags == nullptr)
        launch_scan_by_tiles<Queue>(what, queue, op);
    else
        launch_scan_by_tiles<Queue>(
            what, queue, flagged_of(what, op, flag_view{{static_cast<const uint8_t *>(what.flags), what.length}}));
}

template <class Queue, class Offset>
void launch_mark_begins(const wf_scan_request &what, Queue queue) {
    launch_on(queue, mark_begins<Offset>, what.head.tiles, what.head.tile_size, 0,
              array_view<const Offset>(static_cast<const Offset *>(what.begins), what.begin_count),
              array_view<uint8_t>(const_cast<uint8_t *>(static_cast<const uint8_t *>(what.flags)), what.length),
              what.first_tile);
}

template <class Queue>
using scan_launcher = void (*)(const wf_scan_request &, Queue);

// Null for operators that scans do not have.
template <class Queue>
scan_launcher<Queue> scan_launcher_of(const wf_scan_request &what) {
    if (what.begins != nullptr)
        return what.offset_bytes == 8 ? &launch_mark_begins<Queue, uint64_t> : &launch_mark_begins<Queue, uint32_t>;
    return visit_scan<scan_launcher<Queue>>(
        what, [](auto tag) -> scan_launcher<Queue> { return &launch_scan<Queue, typename decltype(tag)::type>; });
}

template <class Queue>
scan_launcher<Queue> find_launcher(const wf_scan_request &what) {
    return scan_launcher_of<Queue>(what);
}

} // namespace wf
#endif
