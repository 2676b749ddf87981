// Launches of reductions along axes.
#ifndef WAVEFOLD_AXES_LAUNCH_HPP
#define WAVEFOLD_AXES_LAUNCH_HPP

#include "axes/request.h"
#include "visit.hpp"

#include "columns.hip"
#include "describe_rows.hip"
#include "join_parts.hip"
#include "ordered_rows.hip"
#include "rows.hip"
#include "segments.hip"
#include "tiny_rows.hip"

namespace wf {

template <class Op>
axes_arguments<Op> axes_arguments_of(const wf_axes_request &what, const Op &op) {
    using element = typename Op::element;
    const auto *const source = static_cast<const element *>(what.source);
    static_assert(digit_slot::words == WF_AXES_SLOT_WORDS && axes_tile == WF_AXES_TILE, "as the library counts");
    const bool is_empty = what.length == 0;
    unsigned lane_bits = 0;
    while (1u << lane_bits < what.lanes)
        lane_bits++;
    return {{is_empty ? nullptr : source + what.lowest, is_empty ? 0 : uint64_t(what.highest - what.lowest) + 1},
            uint64_t(-what.lowest),
            op,
            what.kept,
            what.reduced,
            what.rows,
            what.length,
            what.first_tile,
            lane_bits,
            what.is_packed,
            what.has_edges,
            what.parts,
            what.regime == WF_AXES_JOIN || what.regime == WF_AXES_JOIN_SEGMENTS ? 0 : what.values,
            what.interleaved,
            what.part_length,
            {static_cast<typename Op::value *>(what.partials), what.all_values},
            {static_cast<uint32_t *>(what.digits), may_be_lost<Op> ? what.all_values * digit_slot::words : 0},
            static_cast<unsigned char *>(what.result) + what.lowest_result * int64_t(what.result_bytes),
            uint64_t(-what.lowest_result),
            uint64_t(what.highest_result - what.lowest_result) + 1,
            what.result_bytes / Op::parts,
            {{what.of_none[0], what.of_none[1]}}};
}

inline segment_list segment_list_of(const wf_axes_request &what) {
    return {what.begins,
            what.ends,
            what.rows,
            what.offset_bytes == 8 ? 1u : 0u,
            what.most_of_team,
            what.chunk,
            {static_cast<uint64_t *>(what.marks), what.all_marks}};
}

// Segments: one of three kernels.
template <class Queue, class Op>
void launch_segments(const wf_axes_request &what, Queue queue, const axes_arguments<Op> &given) {
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const auto kernel = what.regime == WF_AXES_SEGMENTS
                            ? (is_narrow ? axes_segments<Op, narrow_wave> : axes_segments<Op, wide_wave>)
                        : what.regime == WF_AXES_LONG_SEGMENTS
                            ? (is_narrow ? axes_long_segments<Op, narrow_wave> : axes_long_segments<Op, wide_wave>)
                            : (is_narrow ? axes_join_segments<Op, narrow_wave> : axes_join_segments<Op, wide_wave>);
    launch_early_on(queue, kernel, what.head.tiles, what.head.tile_size,
                    what.head.tile_size * sizeof(typename Op::value), given, segment_list_of(what));
}

template <class Queue, class Op>
void launch_axes(const wf_axes_request &what, Queue queue, const Op &op) {
    static_assert(sizeof(typename Op::value) <= WF_AXES_VALUE_BYTES, "the library makes room for it");
    const axes_arguments<Op> given = axes_arguments_of(what, op);
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const unsigned tiles = what.head.tiles, tile_size = what.head.tile_size;
    const size_t cells = tile_size * sizeof(typename Op::value);
    switch (what.regime) {
    case WF_AXES_ROWS:
        return launch_early_on(queue, is_narrow ? axes_rows<Op, narrow_wave> : axes_rows<Op, wide_wave>, tiles,
                               tile_size, cells, given);
    case WF_AXES_COLUMNS:
        return launch_early_on(queue, is_narrow ? axes_columns<Op, narrow_wave> : axes_columns<Op, wide_wave>, tiles,
                               tile_size, cells, given);
    case WF_AXES_TINY_ROWS:
        if constexpr (!is_seldom<Op>)
            launch_early_on(queue, is_narrow ? axes_tiny_rows<Op, narrow_wave> : axes_tiny_rows<Op, wide_wave>, tiles,
                            tile_size, 0, given);
        return;
    case WF_AXES_JOIN:
        return launch_early_on(queue, is_narrow ? axes_join_parts<Op, narrow_wave> : axes_join_parts<Op, wide_wave>,
                               tiles, tile_size, cells, given, what.values);
    case WF_AXES_SEGMENTS:
    case WF_AXES_LONG_SEGMENTS:
    case WF_AXES_JOIN_SEGMENTS:
        return launch_segments<Queue>(what, queue, given);
    case WF_AXES_ORDERED:
    case WF_AXES_DESCRIBE_ROWS:
        break;
    }
}

template <class Element, class Op, class Queue>
void launch_ordered_rows(const wf_axes_request &what, Queue queue) {
    const bool is_empty = what.length == 0;
    const auto *const source = static_cast<const Element *>(what.source);
    const ordered_arguments<Element> given = {
        {is_empty ? nullptr : source + what.lowest, is_empty ? 0 : uint64_t(what.highest - what.lowest) + 1},
        uint64_t(-what.lowest),
        what.kept,
        what.reduced,
        what.rows,
        what.length,
        what.first_tile,
        {static_cast<Element *>(what.result) + what.lowest_result,
         uint64_t(what.highest_result - what.lowest_result) + 1},
        uint64_t(-what.lowest_result),
        segment_list_of(what)};
    launch_early_on(queue,
                    what.head.wave_width == narrow_wave ? axes_ordered_rows<Element, Op, narrow_wave>
                                                        : axes_ordered_rows<Element, Op, wide_wave>,
                    what.head.tiles, what.head.tile_size, 0, given);
}

template <class Queue>
using axes_launcher = void (*)(const wf_axes_request &, Queue);

// ---- Which operator a request needs ---------------------------------------------------------------------------------

template <class Element>
Element sign_of_type(wf_type type) {
    return wf_type_is_signed(type) ? Element(Element(1) << (8 * sizeof(Element) - 1)) : Element(0);
}

// Numbers of one size by their bits.
template <class Element, class Queue>
void launch_integer_axes(const wf_axes_request &what, Queue queue) {
    const auto sign = sign_of_type<Element>(what.type);
    const wf_op_facts facts = wf_facts_of_op(what.op);
    if (facts.op_class == WF_CLASS_PRODUCT)
        return launch_axes<Queue>(what, queue, integer_product<Element>{sign});
    if (facts.op_class == WF_CLASS_BITWISE) {
        using value = typename integer_bits<Element>::value;
        const value flip = what.op == WF_AND ? value(Element(~Element(0))) : value(0);
        return launch_axes<Queue>(what, queue, integer_bits<Element>{flip, what.op == WF_XOR ? 1u : 0u});
    }
    if (facts.term == WF_TERM_ELEMENT || (facts.term == WF_TERM_MAGNITUDE && sign == 0))
        return launch_axes<Queue>(what, queue, integer_sum<Element>{sign, what.op == WF_MEAN ? 1u : 0u});
    launch_axes<Queue>(what, queue, integer_term_sum<Element>{sign, facts.term == WF_TERM_SQUARE ? 1u : 0u});
}

template <class Element, class Queue>
void launch_extreme_axes(const wf_axes_request &what, Queue queue) {
    const wf_op_facts facts = wf_facts_of_op(what.op);
    const auto rule = [&](bool largest) { return rank_rule_of<Element>(what.type, what.nan, largest); };
    if (facts.has_index)
        return launch_axes<Queue>(what, queue, axis_first_extreme<Element>{rule(what.op == WF_ARGMAX)});
    if (facts.values == 2)
        return launch_axes<Queue>(what, queue, axis_extremes<Element>{rule(false), rule(true)});
    launch_axes<Queue>(what, queue, axis_extreme<Element>{rule(what.op == WF_MAX)});
}

// Floats, and integers whose mean is rounded as a double's.
template <class Element, class Queue>
void launch_pair_sums(const wf_axes_request &what, Queue queue) {
    using bits = typename unsigned_of_bytes<sizeof(Element)>::type;
    const wf_term term = wf_facts_of_op(what.op).term;
    const bits all = bits(~bits(0)), kept = term == WF_TERM_MAGNITUDE ? bits(all >> 1) : all;
    const wf_type_facts facts = wf_facts_of_type(what.accumulator);
    const wf_float_format to = {facts.digits, facts.exponent_bits};
    const uint32_t averages = what.op == WF_MEAN ? 1 : 0, is_signed = wf_type_is_signed(what.type) ? 1 : 0;
    if constexpr (is_float<Element>)
        if (term == WF_TERM_SQUARE)
            return launch_axes<Queue>(what, queue, pair_sum<Element, true>{kept, is_signed, averages, to});
    launch_axes<Queue>(what, queue, pair_sum<Element, false>{kept, is_signed, averages, to});
}

template <class Element, class Queue>
void launch_float_products(const wf_axes_request &what, Queue queue) {
    if constexpr (sizeof(Element) < 8)
        if (what.accumulator == WF_F32)
            return launch_axes<Queue>(what, queue, float_product<Element, float>{});
    launch_axes<Queue>(what, queue, float_product<Element, double>{});
}

template <class Element, class Queue>
axes_launcher<Queue> axes_launcher_of_ordered(wf_op op) {
    if constexpr (is_core_type<Element>)
        return visit_element_op<Element, axes_launcher<Queue>>(
            op, [](auto element, auto combine) -> axes_launcher<Queue> {
                using type = typename decltype(element)::type;
                if constexpr (std::is_same_v<type, Element>)
                    return nullptr; // it commutes
                else
                    return &launch_ordered_rows<type, typename decltype(combine)::type, Queue>;
            });
    else
        return nullptr;
}

// Integers of one size by their bits, or floats.
template <class Element, class Queue>
void launch_describe_rows(const wf_axes_request &what, Queue queue) {
    using bits = typename described<Element>::bits;
    static_assert(sizeof(wf_description) == words_of_description * sizeof(uint64_t), "as kernels store it");
    const auto rule = [&](bool largest) { return rank_rule_of<bits>(what.type, what.nan, largest); };
    described<Element> op = {{{rule(false)}, {rule(true)}}, {}};
    if constexpr (is_float<Element>)
        op.ignores_nan = what.nan == WF_NAN_IGNORE ? 1 : 0;
    else
        op.bias = sign_of_type<Element>(what.type);
    const auto *const source = static_cast<const Element *>(what.source);
    const bool is_empty = what.length == 0;
    const uint64_t results = uint64_t(what.highest_result - what.lowest_result) + 1;
    unsigned lane_bits = 0;
    while (1u << lane_bits < what.lanes)
        lane_bits++;
    const describe_arguments<Element> given = {
        {is_empty ? nullptr : source + what.lowest, is_empty ? 0 : uint64_t(what.highest - what.lowest) + 1},
        uint64_t(-what.lowest),
        op,
        what.kept,
        what.reduced,
        what.rows,
        what.length,
        what.first_tile,
        lane_bits,
        {static_cast<uint64_t *>(what.result) + what.lowest_result * words_of_description,
         results * words_of_description},
        uint64_t(-what.lowest_result),
        what.of_none[0],
        what.of_none[1]};
    const size_t cells = what.head.tile_size * description_cell_bytes;
    launch_early_on(queue,
                    what.head.wave_width == narrow_wave ? axes_describe_rows<Element, narrow_wave>
                                                        : axes_describe_rows<Element, wide_wave>,
                    what.head.tiles, what.head.tile_size, cells, given);
}

// Of elements of one size, by their bits.
template <class Bits, class Queue>
axes_launcher<Queue> axes_launcher_of_bits(const wf_axes_request &what) {
    if (what.regime == WF_AXES_DESCRIBE_ROWS)
        return &launch_describe_rows<Bits, Queue>;
    const bool is_extreme = wf_facts_of_op(what.op).op_class == WF_CLASS_EXTREME;
    if constexpr (sizeof(Bits) >= 4)
        if (!is_extreme && what.op == WF_MEAN && what.accumulator == WF_F64)
            return &launch_pair_sums<Bits, Queue>;
    return is_extreme ? &launch_extreme_axes<Bits, Queue> : &launch_integer_axes<Bits, Queue>;
}

// Of floats whose values count.
template <class Element, class Queue>
axes_launcher<Queue> axes_launcher_of_floats(const wf_axes_request &what) {
    if (what.regime == WF_AXES_DESCRIBE_ROWS)
        return &launch_describe_rows<Element, Queue>;
    return wf_facts_of_op(what.op).op_class == WF_CLASS_PRODUCT ? &launch_float_products<Element, Queue>
                                                                : &launch_pair_sums<Element, Queue>;
}

// Of reductions of two arrays (launch_pairs.hpp).
template <class Queue>
axes_launcher<Queue> axes_launcher_of_pairs(const wf_axes_request &what);

template <class Queue>
axes_launcher<Queue> find_launcher(const wf_axes_request &what) {
    if (what.second != nullptr)
        return axes_launcher_of_pairs<Queue>(what);
    return visit_type<axes_launcher<Queue>>(what.type, [&](auto tag) -> axes_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (!is_built_type<type>) {
            return nullptr;
        } else {
            if (what.regime == WF_AXES_ORDERED)
                return axes_launcher_of_ordered<type, Queue>(what.op);
            if constexpr (is_float<type>)
                if (what.regime == WF_AXES_DESCRIBE_ROWS || wf_facts_of_op(what.op).op_class != WF_CLASS_EXTREME)
                    return axes_launcher_of_floats<type, Queue>(what);
            return axes_launcher_of_bits<unsigned_of_size<sizeof(type)>, Queue>(what);
        }
    });
}

} // namespace wf
#endif
