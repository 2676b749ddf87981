// What exact sums are made of (docs/exact.md has the proofs).
//
//   term_layout    where the terms lie that an operator adds of elements: significand 2^(WF_SUM_UNIT + position)
//   wide           an integer of 128 bits
//   exact_part     the sum of what fits a window, in units of 2^(WF_SUM_UNIT + base)
//   exact_value    the same as a tile publishes it
#ifndef WAVEFOLD_REDUCE_EXACT_VALUE_HPP
#define WAVEFOLD_REDUCE_EXACT_VALUE_HPP

#include "reduce_operators.hpp"

#include <cstdint>

#define WF_EXACT_FUNCTION static __device__ __forceinline__
#define WF_EXACT_LOOP _Pragma("unroll 1")
#define WF_EXACT_LOOP_BY_4 _Pragma("unroll 4")
#define WF_LEADING_ZEROS(word) wf::leading_zeros(word)
#include "exact/sum_words.h"
#include "message/message_check.h"
#include "reduce/request.h"

namespace wf {

template <class Element>
struct float_layout;
template <>
struct float_layout<float> {
    static constexpr int digits = 24, exponent_bits = 8;
    using bits = uint32_t;
};
template <>
struct float_layout<double> {
    static constexpr int digits = 53, exponent_bits = 11;
    using bits = uint64_t;
};
template <>
struct float_layout<f16> {
    static constexpr int digits = 11, exponent_bits = 5;
    using bits = uint16_t;
};
template <>
struct float_layout<bf16> {
    static constexpr int digits = 8, exponent_bits = 8;
    using bits = uint16_t;
};

// Of the terms of elements, or of their squares.
template <class Element, bool Squares>
struct term_layout : float_layout<Element> {
    using element = Element;
    using layout = float_layout<Element>;
    static constexpr bool squares = Squares;
    static constexpr int power = Squares ? 2 : 1, bias = (1 << (layout::exponent_bits - 1)) - 1;
    static constexpr int digits = power * layout::digits;
    static constexpr uint64_t hidden = uint64_t(1) << (layout::digits - 1);
    static constexpr unsigned most_exponent = (1u << layout::exponent_bits) - 1;
    // Where a term with exponent bits e ends.
    static constexpr int position_of(int e) { return power * (e - bias - (layout::digits - 1)) - WF_SUM_UNIT; }
};

// All terms of a window, of all threads, end below 2^so many units: 2^34 of them, and a launch takes no more, then stay
// below 2^127.
constexpr int window_end = 93;
static_assert(WF_REDUCE_BYTES / 2 <= uint64_t(1) << (127 - window_end), "elements have two bytes or more");

// 128 bits, in two's complement where there is a sign. (Not __int128: for RDNA clang 19 crashes on those that are the
// same in all lanes.)
struct wide {
    uint64_t low, high;
};
__device__ __forceinline__ wide operator+(const wide &a, const wide &b) {
    const uint64_t low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}
__device__ __forceinline__ wide operator-(const wide &a) {
    return {uint64_t(0) - a.low, ~a.high + (a.low == 0 ? 1u : 0u)};
}
__device__ __forceinline__ bool is_negative(const wide &a) {
    return a.high >> 63 != 0;
}
__device__ __forceinline__ wide magnitude_of(const wide &a) {
    return is_negative(a) ? -a : a;
}
// By 0 to 127.
__device__ __forceinline__ wide shifted(uint64_t word, int shift) {
    const uint64_t to = word << (shift & 63), over = word >> 1 >> (63 - (shift & 63));
    return shift < 64 ? wide{to, over} : wide{0, to};
}
__device__ __forceinline__ wide shifted(const wide &by, int shift) {
    const wide low = shifted(by.low, shift), high = shifted(by.high, shift);
    return {low.low, low.high | high.low};
}
__device__ __forceinline__ wide widened(int64_t word) {
    return {uint64_t(word), uint64_t(word >> 63)};
}
__device__ __forceinline__ wide product(uint64_t a, uint64_t b) {
    const uint64_t a_low = uint32_t(a), a_high = a >> 32, b_low = uint32_t(b), b_high = b >> 32;
    return wide{a_low * b_low, a_high * b_high} + shifted(a_low * b_high, 32) + shifted(a_high * b_low, 32);
}
// Rounded once or twice.
__device__ __forceinline__ double double_of(const wide &a) {
    const wide magnitude = magnitude_of(a);
    const double rounded = std::fma(double(magnitude.high), 0x1p64, double(magnitude.low));
    return is_negative(a) ? -rounded : rounded;
}
__device__ __forceinline__ bool is_zero(const wide &a) {
    return (a.low | a.high) == 0;
}

// The same in pieces of 26 bits, of which waves and tiles add up 64 without a carry. The last one has the sign.
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
// Of pieces that are carried.
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

// What a thread, a wave or a tile has.
struct exact_part {
    uint32_t pieces[exact_pieces];
    uint32_t flags; // of exact_flags
};

// What a tile publishes: carried pieces, the flags above the first one.
struct exact_value {
    uint32_t words[exact_pieces];
};
static_assert(sizeof(exact_value) == WF_EXACT_VALUE_BYTES, "the library makes room for it");

} // namespace wf
#endif
