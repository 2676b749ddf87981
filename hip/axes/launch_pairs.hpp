// Launches of reductions along axes of two arrays.
#ifndef WAVEFOLD_AXES_LAUNCH_PAIRS_HPP
#define WAVEFOLD_AXES_LAUNCH_PAIRS_HPP

#include "launch.hpp"
#include "pair_folds.hpp"
#include "pair_rows.hip"

#include "axes/second_array.h"

namespace wf {

template <class Queue, class Op>
void launch_pairs(const wf_axes_request &what, Queue queue, const Op &op) {
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const size_t cells = what.head.tile_size * sizeof(typename Op::value);
    const axes_arguments<Op> first = axes_arguments_of(what, op);
    if (what.regime == WF_AXES_JOIN)
        return launch_early_on(queue, is_narrow ? axes_join_parts<Op, narrow_wave> : axes_join_parts<Op, wide_wave>,
                               what.head.tiles, what.head.tile_size, cells, first, what.values);
    const wf_axes_second &second = *what.second;
    const bool is_empty = what.length == 0;
    const auto *const source = static_cast<const typename Op::second *>(second.source);
    pair_arguments<Op> given = {
        first,
        {is_empty ? nullptr : source + second.lowest, is_empty ? 0 : uint64_t(second.highest - second.lowest) + 1},
        uint64_t(-second.lowest),
        {},
        {},
        second.neighbours_first};
    for (unsigned d = 0; d < WF_MOST_DIMENSIONS; d++) {
        given.kept[d] = second.kept[d];
        given.reduced[d] = second.reduced[d];
    }
    launch_early_on(queue, is_narrow ? axes_pair_rows<Op, narrow_wave> : axes_pair_rows<Op, wide_wave>, what.head.tiles,
                    what.head.tile_size, cells, given);
}

template <class Element, bool IsMask, class Queue>
void launch_float_pairs(const wf_axes_request &what, Queue queue) {
    using bits = typename unsigned_of_bytes<sizeof(Element)>::type;
    const wf_term term = wf_facts_of_op(what.op).term;
    const bits all = bits(~bits(0)), kept = term == WF_TERM_MAGNITUDE ? bits(all >> 1) : all;
    const wf_type_facts facts = wf_facts_of_type(what.accumulator), f64 = wf_facts_of_type(WF_F64);
    const wf_float_format rounded = {facts.digits, facts.exponent_bits}, wide = {f64.digits, f64.exponent_bits};
    const bool is_norm = what.second->use == WF_SECOND_NORM;
    const double *const extremes = what.second->extremes;
    launch_pairs<Queue>(what, queue,
                        float_pairs<Element, IsMask>{kept,
                                                     term == WF_TERM_SQUARE ? 1u : 0u,
                                                     0,
                                                     is_norm ? wide : rounded,
                                                     {{what.of_none[0], what.of_none[1]}},
                                                     is_norm ? 1u : 0u,
                                                     rounded,
                                                     {extremes, extremes != nullptr ? size_t(2) : size_t(0)},
                                                     1});
}

template <class Element, class Queue>
void launch_integer_pairs(const wf_axes_request &what, Queue queue) {
    launch_pairs<Queue>(what, queue, integer_pairs<Element>{sign_of_type<Element>(what.type)});
}

template <class Queue>
axes_launcher<Queue> axes_launcher_of_pairs(const wf_axes_request &what) {
    return visit_type<axes_launcher<Queue>>(what.type, [&](auto tag) -> axes_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (!is_built_type<type>)
            return nullptr;
        else if constexpr (is_float<type>)
            return &launch_float_pairs<type, false, Queue>;
        else
            return &launch_integer_pairs<unsigned_of_size<sizeof(type)>, Queue>;
    });
}

} // namespace wf
#endif
