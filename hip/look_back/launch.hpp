// Launches of scans: the rung look_back.
#ifndef WAVEFOLD_LOOK_BACK_LAUNCH_HPP
#define WAVEFOLD_LOOK_BACK_LAUNCH_HPP

#include "look_back/request.h"
#include "progression/29_look_back.hip"
#include "visit.hpp"

namespace wf {

template <class T, class Op, class Queue>
void launch_look_back(const wf_look_back_request &what, Queue queue) {
    static_assert(tile_status_array<T, narrow_wave>::words == sizeof(T) / WF_STATUS_VALUE_BYTES,
                  "as the library reserves them");
    const array_view<const T> source(static_cast<const T *>(what.source), what.count);
    const array_view<T> result(static_cast<T *>(what.result), what.count);
    const word_view tile_status_words(static_cast<uint64_t *>(what.tile_status), what.tile_status_words);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const wf_launch_head &head = what.head;
    launch_on(queue,
              head.wave_width == narrow_wave ? look_back<T, Op, narrow_wave, WF_SCAN_PACKS>
                                             : look_back<T, Op, wide_wave, WF_SCAN_PACKS>,
              head.tiles, head.tile_size, (head.wave_width + 2) * sizeof(T), source, result, tile_status_words, ticket,
              what.exclusive != 0, what.source == what.result, what.polls);
}

template <class Queue>
using look_back_launcher = void (*)(const wf_look_back_request &, Queue);

// Null for operators that scans do not have.
template <class T, class Queue>
look_back_launcher<Queue> look_back_launcher_of(wf_op op) {
    return visit_element_op<T, look_back_launcher<Queue>>(
        op, [](auto element, auto combine) -> look_back_launcher<Queue> {
            return &launch_look_back<typename decltype(element)::type, typename decltype(combine)::type, Queue>;
        });
}

template <class Queue>
look_back_launcher<Queue> find_launcher(const wf_look_back_request &what) {
    return visit_type<look_back_launcher<Queue>>(what.type, [&](auto tag) -> look_back_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (is_core_type<type> && is_built_type<type>)
            return look_back_launcher_of<type, Queue>(what.op);
        else
            return nullptr;
    });
}

} // namespace wf
#endif
