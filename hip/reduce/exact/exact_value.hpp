// The values of an exact sum at every level (docs/exact.md has the proofs).
//
//   term_layout    the positions of the terms that an operator adds
//   exact_part     a sum of terms that fit a window, in units of 2^(WF_SUM_UNIT + base): of a thread, a wave, a tile
//   exact_value    an exact_part as a tile publishes it
#ifndef WAVEFOLD_REDUCE_EXACT_EXACT_VALUE_HPP
#define WAVEFOLD_REDUCE_EXACT_EXACT_VALUE_HPP

#include "../../float_format.hpp"
#include "../reduce_operators.hpp"
#include "wide_integer.hpp"

#include <cstdint>

#define WF_EXACT_FUNCTION static __device__ __forceinline__
#define WF_EXACT_LOOP _Pragma("unroll 1")
#define WF_EXACT_LOOP_BY_4 _Pragma("unroll 4")
#define WF_LEADING_ZEROS(word) wf::leading_zeros(word)
#include "exact/sum_words.h"
#include "message/message_check.h"
#include "reduce/request.h"

namespace wf {

// Terms: elements, or their squares. A term is significand 2^(WF_SUM_UNIT + position).
template <class Element, bool Squares>
struct term_layout : float_format<Element> {
    using element = Element;
    using format = float_format<Element>;
    static constexpr bool squares = Squares;
    static constexpr int power = Squares ? 2 : 1;
    static constexpr int digits = power * format::digits;
    static constexpr uint64_t hidden = uint64_t(1) << (format::digits - 1);
    // The position of a term whose element has this stored exponent.
    static constexpr int position_of(int exponent) {
        return power * (exponent - format::bias - (format::digits - 1)) - WF_SUM_UNIT;
    }
};

// Each term of a window is below 2^window_end units. A launch has 2^34 terms at most, so their sum stays below 2^127.
constexpr int window_end = 93;
static_assert(WF_REDUCE_BYTES / 2 <= uint64_t(1) << (127 - window_end), "elements have two bytes or more");

// A wide in pieces of 26 bits: waves and tiles add 64 of them without a carry. The last piece has the sign.
constexpr unsigned exact_pieces = 5, piece_bits = 26;
__device__ __forceinline__ void split(const wide &sum, uint32_t (&pieces)[exact_pieces]) {
    constexpr uint32_t mask = (1u << piece_bits) - 1;
    pieces[0] = uint32_t(sum.low) & mask;
    pieces[1] = uint32_t(sum.low >> piece_bits) & mask;
    pieces[2] = uint32_t(sum.low >> 2 * piece_bits | sum.high << (64 - 2 * piece_bits)) & mask;
    pieces[3] = uint32_t(sum.high >> (3 * piece_bits - 64)) & mask;
    pieces[4] = uint32_t(sum.high >> (4 * piece_bits - 64));
}
__device__ __forceinline__ void carry(uint32_t (&pieces)[exact_pieces]) {
#pragma unroll
    for (unsigned k = 0; k + 1 < exact_pieces; k++) {
        pieces[k + 1] += pieces[k] >> piece_bits;
        pieces[k] &= (1u << piece_bits) - 1;
    }
}
// The pieces must be carried.
__device__ __forceinline__ wide joined(const uint32_t (&pieces)[exact_pieces]) {
    const uint64_t third = pieces[2];
    return {uint64_t(pieces[0]) | uint64_t(pieces[1]) << piece_bits | third << 2 * piece_bits,
            third >> (64 - 2 * piece_bits) | uint64_t(pieces[3]) << (3 * piece_bits - 64) |
                uint64_t(pieces[4]) << (4 * piece_bits - 64)};
}

enum exact_flags : uint32_t {
    exact_others = 1u << 30, // some term is not -0
    exact_spilled = 1u << 31 // some term is not in the window
};

// The sum of a thread, a wave or a tile.
struct exact_part {
    uint32_t pieces[exact_pieces];
    uint32_t flags; // of exact_flags
};

// What a tile publishes: carried pieces, with the flags above the first one.
struct exact_value {
    uint32_t words[exact_pieces];
};
static_assert(sizeof(exact_value) == WF_EXACT_VALUE_BYTES, "the library makes room for it");

} // namespace wf
#endif
