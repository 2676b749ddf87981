// Launches of reductions along axes of two arrays.
#ifndef WAVEFOLD_AXES_LAUNCH_PAIRS_HPP
#define WAVEFOLD_AXES_LAUNCH_PAIRS_HPP

#include "launch.hpp"
#include "mask_folds.hpp"
#include "pair_folds.hpp"
#include "pair_rows.hip"

#include "axes/second_array.h"

namespace wf {

template <class Queue, class Op>
void launch_pairs(const wf_axes_request &what, Queue queue, const Op &op) {
    static_assert(sizeof(typename Op::value) <= WF_AXES_PAIR_VALUE_BYTES, "the library makes room for it");
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const size_t cells = what.head.tile_size * sizeof(typename Op::value);
    const axes_arguments<Op> first = axes_arguments_of(what, op);
    if (what.regime == WF_AXES_JOIN)
        return launch_early_on(queue, is_narrow ? axes_join_parts<Op, narrow_wave> : axes_join_parts<Op, wide_wave>,
                               what.head.tiles, what.head.tile_size, cells, first, what.values);
    if (what.regime == WF_AXES_JOIN_SEGMENTS)
        return launch_early_on(queue,
                               is_narrow ? axes_join_segments<Op, narrow_wave> : axes_join_segments<Op, wide_wave>,
                               what.head.tiles, what.head.tile_size, cells, first, segment_list_of(what));
    const wf_axes_second &second = *what.second;
    const bool is_empty = what.length == 0;
    const auto *const source = static_cast<const typename Op::second *>(second.source);
    pair_arguments<Op> given = {
        first,
        {is_empty ? nullptr : source + second.lowest, is_empty ? 0 : uint64_t(second.highest - second.lowest) + 1},
        uint64_t(-second.lowest),
        {},
        {},
        second.neighbours_first,
        segment_list_of(what)};
    for (unsigned d = 0; d < WF_MOST_DIMENSIONS; d++) {
        given.kept[d] = second.kept[d];
        given.reduced[d] = second.reduced[d];
    }
    launch_early_on(queue, is_narrow ? axes_pair_rows<Op, narrow_wave> : axes_pair_rows<Op, wide_wave>, what.head.tiles,
                    what.head.tile_size, cells, given);
}

template <class Element, bool IsMask, class Queue>
void launch_float_pairs(const wf_axes_request &what, Queue queue) {
    using bits = unsigned_of_size<sizeof(Element)>;
    const wf_term term = wf_facts_of_op(what.op).term;
    const bits all = bits(~bits(0)), kept = term == WF_TERM_MAGNITUDE ? bits(all >> 1) : all;
    const wf_type to = is_float<Element> ? what.accumulator : WF_F64;
    const wf_type_facts facts = wf_facts_of_type(to), f64 = wf_facts_of_type(WF_F64);
    const wf_float_format rounded = {facts.digits, facts.exponent_bits}, wide = {f64.digits, f64.exponent_bits};
    const bool is_norm = what.second->use == WF_SECOND_NORM;
    const double *const extremes = what.second->extremes;
    launch_pairs<Queue>(what, queue,
                        float_pairs<Element, IsMask>{kept,
                                                     wf_type_is_signed(what.type) ? 1u : 0u,
                                                     term == WF_TERM_SQUARE ? 1u : 0u,
                                                     what.op == WF_MEAN ? 1u : 0u,
                                                     is_norm ? wide : rounded,
                                                     is_norm ? 1u : 0u,
                                                     rounded,
                                                     {extremes, extremes != nullptr ? size_t(2) : size_t(0)},
                                                     1});
}

template <class Element, class Queue>
void launch_integer_pairs(const wf_axes_request &what, Queue queue) {
    launch_pairs<Queue>(what, queue, integer_pairs<Element>{sign_of_type<Element>(what.type)});
}

// ---- Masks ----------------------------------------------------------------------------------------------------------

template <class Queue, class Op>
void launch_masked(const wf_axes_request &what, Queue queue, const Op &op) {
    launch_pairs<Queue>(what, queue, masked<Op>{op, {{what.of_none[0], what.of_none[1]}}});
}

// Extremes of numbers of one size by their bits.
template <class Element, class Queue>
void launch_masked_extremes(const wf_axes_request &what, Queue queue) {
    const wf_op_facts facts = wf_facts_of_op(what.op);
    const auto rule = [&](bool largest) { return rank_rule_of<Element>(what.type, what.nan, largest); };
    if (facts.has_index)
        return launch_masked<Queue>(what, queue, axis_first_extreme<Element>{rule(what.op == WF_ARGMAX)});
    if (facts.values == 2)
        return launch_masked<Queue>(what, queue, axis_extremes<Element>{rule(false), rule(true)});
    launch_masked<Queue>(what, queue, axis_extreme<Element>{rule(what.op == WF_MAX)});
}

template <class Element, class Queue>
void launch_masked_integers(const wf_axes_request &what, Queue queue) {
    const wf_op_facts facts = wf_facts_of_op(what.op);
    const mask_fold fold = what.op == WF_AND                    ? mask_fold::bit_and
                           : what.op == WF_OR                   ? mask_fold::bit_or
                           : what.op == WF_XOR                  ? mask_fold::bit_xor
                           : facts.op_class == WF_CLASS_PRODUCT ? mask_fold::product
                           : facts.term == WF_TERM_MAGNITUDE    ? mask_fold::magnitude
                           : facts.term == WF_TERM_SQUARE       ? mask_fold::square
                                                                : mask_fold::sum;
    launch_pairs<Queue>(what, queue, masked_integers<Element>{sign_of_type<Element>(what.type), fold});
}

template <class Element, class Queue>
void launch_masked_products(const wf_axes_request &what, Queue queue) {
    launch_masked<Queue>(what, queue, masked_product<Element>{what.accumulator == WF_F32 ? 1u : 0u});
}

template <class Element, class Queue>
axes_launcher<Queue> axes_launcher_of_masked(wf_op op) {
    using bits = unsigned_of_size<sizeof(Element)>;
    const wf_op_class op_class = wf_facts_of_op(op).op_class;
    if (op_class == WF_CLASS_EXTREME)
        return &launch_masked_extremes<bits, Queue>;
    if constexpr (is_float<Element>)
        return op_class == WF_CLASS_PRODUCT ? &launch_masked_products<Element, Queue>
                                            : &launch_float_pairs<Element, true, Queue>;
    else
        return op == WF_MEAN ? &launch_float_pairs<bits, true, Queue> : &launch_masked_integers<bits, Queue>;
}

template <class Queue>
axes_launcher<Queue> axes_launcher_of_pairs(const wf_axes_request &what) {
    return visit_type<axes_launcher<Queue>>(what.type, [&](auto tag) -> axes_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (!is_built_type<type>) {
            return nullptr;
        } else {
            if (what.second->use == WF_SECOND_MASK)
                return axes_launcher_of_masked<type, Queue>(what.op);
            if constexpr (is_float<type>)
                return &launch_float_pairs<type, false, Queue>;
            else
                return &launch_integer_pairs<unsigned_of_size<sizeof(type)>, Queue>;
        }
    });
}

} // namespace wf
#endif
