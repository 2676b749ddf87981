// Launches of wf_reduce and wf_describe: each unpacks a request for its kernel, chooses the instance for the
// wave's width and the array's address, and launches it.
#ifndef WAVEFOLD_REDUCE_LAUNCH_HPP
#define WAVEFOLD_REDUCE_LAUNCH_HPP

#include "describe.hpp"
#include "exact/exact_launch.hpp"
#include "launch_choices.hpp"
#include "reduce/request.h"
#include "visit.hpp"

#include "progression/21_last_block_ordered.hip"
#include "reduce.hip"

namespace wf {

// The parameters of wide operators.
template <class Element, class Accumulator, wf_term Term>
void set_up(adds<Element, Accumulator, Term> &op, const wf_reduce_request &what) {
    op.averages = what.op == WF_MEAN ? 1 : 0;
}

template <class Element, class Accumulator>
void set_up(multiplies<Element, Accumulator> &, const wf_reduce_request &) {}

template <class Element>
void set_up(bits_or<Element> &op, const wf_reduce_request &what) {
    using bits = typename bits_or<Element>::bits;
    op.flip = what.op == WF_AND ? bits(~bits(0)) : bits(0);
}

template <class Element>
void set_up(bits_xor<Element> &, const wf_reduce_request &) {}

// The sign of each element in a word, where numbers with a sign are folded as such without one: with it turned round
// they are ordered alike.
template <class Element>
uint64_t turned_signs(wf_type type) {
    if (!std::is_unsigned_v<Element> || !wf_type_is_signed(type))
        return 0;
    return sizeof(Element) == 1   ? 0x80808080u
           : sizeof(Element) == 2 ? 0x80008000u
                                  : uint64_t(1) << (8 * sizeof(Element) - 1);
}

template <class Element>
void set_up(extreme<Element> &op, const wf_reduce_request &what, bool largest) {
    using rank = typename extreme<Element>::rank;
    const auto turned = rank(turned_signs<Element>(what.type));
    op.flip = largest ? rank(~turned) : turned;
    op.nan = what.nan == WF_NAN_IGNORE ? ranks<Element>::most : ranks<Element>::least;
}

template <class Element>
void set_up(extreme<Element> &op, const wf_reduce_request &what) {
    set_up(op, what, what.op == WF_MAX);
}

template <class Element>
void set_up(extremes<Element> &op, const wf_reduce_request &what) {
    set_up(op.low, what, false);
    set_up(op.high, what, true);
}

template <class Element>
void set_up(first_extreme<Element> &op, const wf_reduce_request &what) {
    set_up(op.which, what, what.op == WF_ARGMAX);
}

template <class Element>
void set_up(describes<Element> &op, const wf_reduce_request &what) {
    set_up(op.low.which, what, false);
    set_up(op.high.which, what, true);
    op.bias = wf_type_is_signed(what.type) ? uint64_t(1) << (8 * sizeof(Element) - 1) : 0;
    op.share = share_of(what.whole_count);
}

template <class Op, bool Aligned, class Queue>
void launch_reduce_packs(const wf_reduce_request &what, Queue queue,
                         const reduce_result<typename Op::result> &finished) {
    using element = typename Op::element;
    using value = decltype(Op::identity());
    const packed_array<element, Aligned> source({static_cast<const element *>(what.source), what.source_count});
    const word_view tile_status_words(static_cast<uint64_t *>(what.tile_status), what.tile_status_words);
    static_assert(sizeof(found_of<Op>) <= WF_CARRY_BYTES, "the library makes room for it");
    const word_view carry_words(static_cast<uint64_t *>(what.carry), sizeof(found_of<Op>) / sizeof(uint32_t));
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const bool is_alone = what.head.tiles == 1 && what.is_first != 0 && what.is_last != 0;
    const reduce_part part = {what.first, what.whole_count, what.is_first, what.is_last};
    const launch_shape shape = {what.head.tile_size, what.head.tiles};
    const size_t cells_bytes = what.head.tile_size / what.head.wave_width * sizeof(value);
    Op op;
    set_up(op, what);
    if constexpr (Aligned && short_packs<Op> != 0) {
        const auto given = [&]() -> single_tile_arguments<Op> {
            if constexpr (needed_for_elements<Op>)
                return {source, op, finished};
            else
                return {finished, op, source};
        };
        if constexpr (cluster_blocks(narrow_wave) != 0) {
            constexpr unsigned blocks = cluster_blocks(narrow_wave);
            if (is_alone && what.is_cluster != 0 && source.is_short(blocks * what.head.tile_size, short_packs<Op>) &&
                launch_cluster_on(queue, reduce_cluster_tile<Op, narrow_wave>, what.head.tile_size,
                                  blocks * cells_bytes, given()))
                return;
        }
        if (is_alone && source.is_short(what.head.tile_size, short_packs<Op>)) {
            const auto kernel = what.head.wave_width == narrow_wave ? reduce_single_tile<Op, narrow_wave>
                                                                    : reduce_single_tile<Op, wide_wave>;
            return launch_early_on(queue, kernel, 1, what.head.tile_size, cells_bytes, given());
        }
    }
    launch_early_on(queue,
                    what.head.wave_width == narrow_wave ? reduce<Op, narrow_wave, Aligned>
                                                        : reduce<Op, wide_wave_of<Aligned>, Aligned>,
                    what.head.tiles, what.head.tile_size, cells_bytes + sizeof(unsigned),
                    reduce_arguments<Op, Aligned>{shape, is_alone, lets_next_start(queue), source, op,
                                                  tile_status_words, carry_words, part, finished, ticket});
}

// A result of whatever type, for one kernel that writes all of that size.
template <size_t Size, size_t Alignment>
struct alignas(Alignment) result_bytes {
    uint8_t bytes[Size];
};

template <class Result, class Queue>
void launch_none(const wf_reduce_request &what, Queue queue) {
    using bytes = result_bytes<sizeof(Result), alignof(Result)>;
    bytes of_none;
    memcpy(&of_none, what.of_none, sizeof of_none);
    const array_view<bytes> there(static_cast<bytes *>(what.result), 1);
    launch_on(queue, reduce_none<bytes>, 1, what.head.wave_width, 0, of_none, there);
}

template <class Op, class Queue>
void launch_values(const wf_reduce_request &what, Queue queue) {
    using element = typename Op::element;
    using result = typename Op::result;
    auto *const to = static_cast<result *>(what.result);
    if (what.whole_count == 0)
        return launch_none<result, Queue>(what, queue);
    const reduce_result<result> finished = {to, static_cast<uint64_t *>(what.notice), what.notice_number};
    if constexpr (may_be_unaligned<element>)
        if (is_unaligned<element>(what))
            return launch_reduce_packs<Op, false, Queue>(what, queue, finished);
    launch_reduce_packs<Op, true, Queue>(what, queue, finished);
}

// A description of floats is an exact sum with an extra accumulator.
template <class Element, class Queue>
void launch_description(const wf_reduce_request &what, Queue queue) {
    if constexpr (!is_float<Element>) {
        using bits = std::make_unsigned_t<Element>;
        static_assert(sizeof(typename describes<bits>::value) <= WF_DESCRIBE_VALUE_BYTES);
        launch_values<describes<bits>, Queue>(what, queue);
    } else if (what.whole_count == 0) {
        launch_none<wf_description, Queue>(what, queue);
    } else {
        launch_float_description<Element, Queue>(what, queue);
    }
}

// ---- Which of them a request needs ----------------------------------------------------------------------------------

template <class Queue>
using reduce_launcher = void (*)(const wf_reduce_request &, Queue);

// The 4-byte and the 8-byte accumulator of the element's kind.
template <class Element>
using narrow_accumulator =
    std::conditional_t<is_float<Element>, float, std::conditional_t<std::is_unsigned_v<Element>, uint32_t, int32_t>>;
template <class Element>
using wide_accumulator =
    std::conditional_t<is_float<Element>, double, std::conditional_t<std::is_unsigned_v<Element>, uint64_t, int64_t>>;

template <class Element, template <class, class> class Op, class Queue>
reduce_launcher<Queue> accumulating_launcher(const wf_reduce_request &what) {
    const bool is_wide = what.accumulator == WF_I64 || what.accumulator == WF_U64 || what.accumulator == WF_F64;
    if constexpr (sizeof(Element) <= 4) {
        if (!is_wide)
            return &launch_values<Op<Element, narrow_accumulator<Element>>, Queue>;
    }
    return &launch_values<Op<Element, wide_accumulator<Element>>, Queue>;
}

// What has no sign is its magnitude.
template <class Element>
constexpr wf_term term_for(wf_term term) {
    return std::is_unsigned_v<Element> && term == WF_TERM_MAGNITUDE ? WF_TERM_ELEMENT : term;
}

#define WF_TERM_SUM(ENUM, expression)                                                                                  \
    template <class Element, class Accumulator>                                                                        \
    using sum_of_##ENUM = adds<Element, Accumulator, term_for<Element>(WF_TERM_##ENUM)>;
WF_TERM_MAP(WF_TERM_SUM)
#undef WF_TERM_SUM

template <class Element, class Queue>
reduce_launcher<Queue> sum_launcher(const wf_reduce_request &what) {
    if constexpr (!is_float<Element>) {
        if (what.accumulator == WF_F64) // a mean
            return &launch_values<adds<Element, double>, Queue>;
    }
    switch (wf_facts_of_op(what.op).term) {
#define WF_TERM_CASE(ENUM, expression)                                                                                 \
    case WF_TERM_##ENUM:                                                                                               \
        return accumulating_launcher<Element, sum_of_##ENUM, Queue>(what);
        WF_TERM_MAP(WF_TERM_CASE)
#undef WF_TERM_CASE
    }
    return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> bitwise_launcher(const wf_reduce_request &what) {
    if constexpr (std::is_integral_v<Element>) {
        using bits = std::make_unsigned_t<Element>;
        return what.op == WF_XOR ? &launch_values<bits_xor<bits>, Queue> : &launch_values<bits_or<bits>, Queue>;
    } else {
        return nullptr;
    }
}

// Numbers with a sign by the kernels of those without one, for fewer kernels: see turned_signs.
template <class Element, class Queue>
reduce_launcher<Queue> extreme_launcher(const wf_reduce_request &what) {
    if constexpr (std::is_integral_v<Element> && std::is_signed_v<Element>) {
        return extreme_launcher<std::make_unsigned_t<Element>, Queue>(what);
    } else {
        const wf_op_facts facts = wf_facts_of_op(what.op);
        return facts.has_index     ? &launch_values<first_extreme<Element>, Queue>
               : facts.values == 2 ? &launch_values<extremes<Element>, Queue>
                                   : &launch_values<extreme<Element>, Queue>;
    }
}

template <class Element, class Queue>
reduce_launcher<Queue> wide_launcher(const wf_reduce_request &what) {
    switch (wf_facts_of_op(what.op).op_class) {
    case WF_CLASS_SUM:
        return sum_launcher<Element, Queue>(what);
    case WF_CLASS_PRODUCT:
        return accumulating_launcher<Element, multiplies, Queue>(what);
    case WF_CLASS_EXTREME:
        return extreme_launcher<Element, Queue>(what);
    case WF_CLASS_BITWISE:
        return bitwise_launcher<Element, Queue>(what);
    case WF_CLASS_ORDERED: // another kernel's
        return nullptr;
    }
    return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> exact_launcher(const wf_reduce_request &what) {
    if constexpr (is_float<Element>) {
        if (wf_facts_of_op(what.op).term != WF_TERM_SQUARE)
            return &launch_exact<Element, false, Queue>;
        if constexpr (sizeof(Element) < 8)
            return &launch_exact<Element, true, Queue>;
    }
    return nullptr; // sums of integers are exact as they are
}

// Operators that do not commute, by the kernel of the rung last_block_ordered.
template <class T, class Op, class Queue>
void launch_ordered(const wf_reduce_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> partials(static_cast<T *>(what.partials), what.head.tiles);
    const array_view<T> result(static_cast<T *>(what.result), 1);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const auto kernel = what.head.wave_width == narrow_wave ? last_block_ordered<T, Op, narrow_wave, 1>
                                                            : last_block_ordered<T, Op, wide_wave, 1>;
    const size_t cells = what.head.tile_size + what.head.wave_width / 2;
    launch_on(queue, kernel, what.head.tiles, what.head.tile_size, cells * sizeof(T), source, partials, result, ticket);
}

template <class Element, class Queue>
reduce_launcher<Queue> ordered_launcher(const wf_reduce_request &what) {
    if constexpr (is_core_type<Element>)
        return visit_element_op<Element, reduce_launcher<Queue>>(
            what.op, [](auto element, auto combine) -> reduce_launcher<Queue> {
                using type = typename decltype(element)::type;
                if constexpr (std::is_same_v<type, Element>)
                    return nullptr; // it commutes
                else
                    return &launch_ordered<type, typename decltype(combine)::type, Queue>;
            });
    else
        return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> reduce_launcher_of(const wf_reduce_request &what) {
    switch (what.kind) {
    case WF_REDUCE_VALUES:
        return wide_launcher<Element, Queue>(what);
    case WF_REDUCE_EXACT:
        return exact_launcher<Element, Queue>(what);
    case WF_REDUCE_DESCRIBE:
        return &launch_description<Element, Queue>;
    case WF_REDUCE_ORDERED:
        return ordered_launcher<Element, Queue>(what);
    }
    return nullptr;
}

// Null for what the table of reductions does not have.
template <class Queue>
reduce_launcher<Queue> find_launcher(const wf_reduce_request &what) {
    return visit_type<reduce_launcher<Queue>>(what.type, [&](auto tag) -> reduce_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (is_built_type<type>)
            return reduce_launcher_of<type, Queue>(what);
        else
            return nullptr;
    });
}

} // namespace wf
#endif
