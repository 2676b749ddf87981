// What the kernels of reductions along axes are given: where rows, their elements and their results lie.
#ifndef WAVEFOLD_AXES_AXES_ARGUMENTS_HPP
#define WAVEFOLD_AXES_AXES_ARGUMENTS_HPP

#include "axis_folds.hpp"
#include "pair_sums.hpp"
#include "sum_digits.hpp"

#include "axes/request.h"

namespace wf {

// Of one size in every regime: enough loads in flight, and registers for them.
constexpr unsigned axes_tile_bits = 8, axes_tile = 1u << axes_tile_bits;
// Elements that a lane takes at once.
constexpr unsigned axes_in_flight = 4;

template <size_t Bytes>
using unsigned_of_size =
    std::conditional_t<Bytes == 8, uint64_t,
                       std::conditional_t<Bytes == 4, uint32_t, std::conditional_t<Bytes == 2, uint16_t, uint8_t>>>;

// An operator whose value may not hold the result: sums of floats.
template <class Op>
constexpr bool may_be_lost = false;
template <class Element, bool Squares>
constexpr bool may_be_lost<pair_sum<Element, Squares>> = true;

// Operators that are seldom used do without loads of 16 bytes, for fewer instructions to compile. (The library knows,
// src/axes/choose_regime.c.)
template <class Op>
constexpr bool is_seldom = false;
template <class Element>
constexpr bool is_seldom<integer_term_sum<Element>> = true;
template <class Element>
constexpr bool is_seldom<integer_product<Element>> = true;
template <class Element, class Accumulator>
constexpr bool is_seldom<float_product<Element, Accumulator>> = true;
template <class Element>
constexpr bool is_seldom<integer_bits<Element>> = true;

template <class Op>
struct axes_arguments {
    array_view<const typename Op::element> source; // from the lowest element to the highest
    uint64_t origin;                               // the element at index 0 of every axis
    Op op;
    wf_axis_list kept, reduced;
    uint64_t rows, length, first_tile;
    uint32_t lane_bits;   // 2^lane_bits lanes share a row; columns: rows that a tile takes at once
    uint32_t is_packed;   // packs of 16 bytes are loaded
    uint32_t has_edges;   // rows may begin or end within a pack
    uint32_t parts;       // of a row
    uint32_t values;      // of a row in partials; 0: there is one part, whose value is the result
    uint32_t interleaved; // see reduce_columns; else 1
    uint64_t part_length; // elements of a part
    array_view<typename Op::value> partials;
    array_view<uint32_t> digits; // a digit_slot for each value of partials
    void *results;
    uint64_t result_origin, result_count; // in results: the one at index 0, and from the lowest to the highest
    uint32_t part_bytes;                  // of a number of a result
    result_parts of_none;
};

__device__ __forceinline__ uint64_t quotient_of(uint64_t number, uint64_t divisor) {
    if ((number | divisor) >> 32 == 0)
        return uint32_t(number) / uint32_t(divisor);
    return number / divisor;
}

struct axis_place {
    int64_t element, result; // offsets
};

// Of an index that counts along all axes of a list.
__device__ __forceinline__ axis_place place_of(const wf_axis_list &axes, uint64_t index) {
    axis_place at = {0, 0};
    for (uint32_t d = axes.length; d-- > 0;) {
        const wf_axis &axis = axes.axis[d];
        const uint64_t rest = d == 0 ? 0 : quotient_of(index, axis.count);
        const auto along = int64_t(index - rest * axis.count);
        at.element += along * axis.stride;
        at.result += along * axis.result_stride;
        index = rest;
    }
    return at;
}

__device__ __forceinline__ uint64_t element_offset(const wf_axis_list &reduced, uint64_t index) {
    return uint64_t(reduced.length == 1 ? int64_t(index) * reduced.axis[0].stride : place_of(reduced, index).element);
}

template <class Bits>
__device__ __forceinline__ void store_numbers(void *results, uint64_t count, uint64_t at, unsigned parts,
                                              const result_parts &numbers) {
    const array_view<Bits> view(static_cast<Bits *>(results), count * parts);
    view[at * parts] = Bits(numbers.part[0]);
    if (parts == 2)
        view[at * 2 + 1] = Bits(numbers.part[1]);
}

// Result number `at` of results.
template <class Op>
__device__ __forceinline__ void store_result(const axes_arguments<Op> &given, uint64_t at,
                                             const result_parts &numbers) {
    void *const to = given.results;
    const uint64_t count = given.result_count;
    if (given.part_bytes == 8)
        store_numbers<uint64_t>(to, count, at, Op::parts, numbers);
    else if (given.part_bytes == 4)
        store_numbers<uint32_t>(to, count, at, Op::parts, numbers);
    else if (given.part_bytes == 2)
        store_numbers<uint16_t>(to, count, at, Op::parts, numbers);
    else
        store_numbers<uint8_t>(to, count, at, Op::parts, numbers);
}

// The number of a thread's team, of 2^lane_bits neighbours.
template <class Op>
__device__ __forceinline__ uint64_t team_of(const tiled_index &tidx, const axes_arguments<Op> &given) {
    return ((given.first_tile + tidx.tile) << (axes_tile_bits - given.lane_bits)) + (tidx.local >> given.lane_bits);
}

// Where what was folded of a row, or of a part of it, goes.
struct row_target {
    bool exists;
    uint64_t result; // in results
    uint64_t length; // of the whole row
    uint64_t slot;   // in partials
};

template <class Op>
__device__ __forceinline__ void store_value(const axes_arguments<Op> &given, const row_target &to,
                                            const typename Op::value &total) {
    if (given.values != 0)
        given.partials[to.slot] = total;
    else
        store_result(given, to.result, to.length == 0 ? given.of_none : given.op.finish(total, to.length));
}

// Whether the sum of a team is lost, for all of its lanes: the bits of its first lane count. (The others folded in
// another order, in which the rest may have been rounded.)
template <unsigned Width, class Op>
__device__ __forceinline__ bool team_is_lost(const tiled_index &tidx, const row_target &to,
                                             const typename Op::value &total, unsigned lanes) {
    const unsigned lane = lane_of<Width>(tidx), first = lane & ~((lanes < Width ? lanes : Width) - 1);
    return shuffle<Width>(to.exists && Op::is_lost(total) ? 1u : 0u, first) != 0;
}

// The result of a sum that is rounded already. Operators that do more with it overload this.
template <class Op>
__device__ __forceinline__ result_parts finish_rounded(const Op &, uint64_t bits) {
    return {{bits, 0}};
}

// The number of a row's elements, for results: under a mask of those that count. Operators with one overload this.
template <class Op>
__device__ __forceinline__ uint64_t counted_length(const Op &, const typename Op::value &, uint64_t length) {
    return length;
}
// The value of a part that is lost, of `length` elements. Operators whose value is no pair overload this.
template <class Op>
__device__ __forceinline__ wf_sum_pair lost_value(const Op &, uint64_t) {
    return {0, not_a_number()};
}

// A sum that is lost, from its terms. lanes: that share it; leads: the one that stores it.
template <unsigned Width, class Op, class Terms>
__device__ __forceinline__ void store_by_digits(const tiled_index &tidx, const axes_arguments<Op> &given,
                                                unsigned lanes, const Terms &terms, const row_target &to, bool leads) {
    uint32_t flags;
    if (given.values != 0) {
        const digit_slot slot = {given.digits, to.slot * digit_slot::words};
        const bool is_negative = sum_by_digits<Width>(tidx, lanes, terms, flags, [&](int k, uint32_t digit) {
            if (leads)
                slot.store(k, digit);
        });
        if (leads) {
            slot.store_head(flags, is_negative);
            given.partials[to.slot] = lost_value(given.op, to.length);
        }
    } else {
        digit_window window;
        const bool is_negative =
            sum_by_digits<Width>(tidx, lanes, terms, flags, [&](int, uint32_t digit) { window.take(digit); });
        if (leads)
            store_result(given, to.result,
                         finish_rounded(given.op, round_digits(flags, window, is_negative, to.length,
                                                               given.op.averages != 0, given.op.to)));
    }
}

// The terms of some elements of a row; each(visit) visits what this lane has of them.
template <class Op, class Each>
struct element_terms {
    const Op &op;
    const Each &each;

    __device__ __forceinline__ uint32_t flags() const {
        uint32_t all = 0;
        each([&](typename Op::element x) { all |= flags_of(op.term(x)); });
        return all;
    }
    __device__ __forceinline__ digit_range range() const {
        digit_range found = {most_digits, -1};
        each([&](typename Op::element x) {
            const finite_term term(op.term(x));
            const int low = term.position / 32, high = (term.position + 52) / 32;
            if (term.digits != 0) {
                found.lowest = low < found.lowest ? low : found.lowest;
                found.highest = high > found.highest ? high : found.highest;
            }
        });
        return found;
    }
    __device__ __forceinline__ int64_t digit(int k) const {
        int64_t all = 0;
        each([&](typename Op::element x) { all += finite_term(op.term(x)).digit(k); });
        return all;
    }
};
template <class Op, class Each>
__device__ __forceinline__ element_terms<Op, Each> terms_of(const Op &op, const Each &each) {
    return {op, each};
}

// For element_terms whose visits are given terms.
struct term_as_is {
    using element = double;
    __device__ __forceinline__ double term(double x) const { return x; }
};

} // namespace wf
#endif
