// What a platform has an instruction for, or a word to its compiler, and others spell out. A platform's file offers:
//
//   f16_to_f32(bits)              the float of 16 bits of f16; exact
//   add_bytes<Byte>(bytes, total) the sum of a word's four bytes and of total
//   add_squares_of_bytes(bytes, total)
//                                 that of their squares, without signs
//   leading_zeros(word)           of 64 bits that are not all 0
//   larger_of_pairs(a, b)         of each half of the words, two unsigned numbers of 16 bits, the larger one
//   smaller_of_pairs(a, b)        the smaller one
//   one_less_of_pairs(a)          each half less 1; 0 becomes the largest number
//   add_product(a, b, total)      adds the product of two words to three, the lowest one first
//   add_down(a, b), add_up(a, b)  the sum of doubles, rounded to the number below, or above; of 0 the sign is any
//   add_zero_times_halves(word, halves)
//                                 the f16 in both halves of the word times 0, and added to halves' f16
//   product_rounded(a, b)         the product of doubles, or floats, rounded before something is added to it
//   opaque(value)                 optimisation barrier: the compiler must treat the value as unknown, where that makes
//                                 better code
//   compute_anew(word)            optimisation barrier: what depends on the unsigned word is not kept in registers from
//                                 before
//   compute_barrier(number)       optimisation barrier: the double is computed before the code that follows
//   compute_first(number, index)  optimisation barrier: the double is computed before the index is used
#ifndef WAVEFOLD_INSTRUCTIONS_HPP
#define WAVEFOLD_INSTRUCTIONS_HPP

#include "float_format.hpp"
#include "gpu.hpp"

#define WF_HALF_FUNCTION static __device__ __forceinline__
#include "half.h"

#include <cstring>
#include <type_traits>

namespace wf {

// For platforms without such an instruction.
template <class Byte>
__device__ __forceinline__ int32_t add_each_byte(uint32_t bytes, int32_t total) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        total += int32_t(Byte(bytes >> shift));
    return total;
}
__device__ __forceinline__ uint32_t add_square_of_each_byte(uint32_t bytes, uint32_t total) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        total += uint32_t(uint8_t(bytes >> shift)) * uint8_t(bytes >> shift);
    return total;
}
__device__ __forceinline__ void add_product_in_words(uint32_t a, uint32_t b, uint32_t (&total)[3]) {
    const uint64_t product = uint64_t(a) * b;
    const uint64_t lower = (uint64_t(total[1]) << 32 | total[0]) + product;
    total[2] += lower < product ? 1 : 0;
    total[1] = uint32_t(lower >> 32);
    total[0] = uint32_t(lower);
}

// The same for pairs.
template <class Operation>
__device__ __forceinline__ uint32_t each_of_pair(uint32_t a, uint32_t b, const Operation &operation) {
    return uint32_t(uint16_t(operation(a >> 16, b >> 16))) << 16 | uint16_t(operation(a & 0xffffu, b & 0xffffu));
}
__device__ __forceinline__ uint32_t larger_of_each(uint32_t a, uint32_t b) {
    return each_of_pair(a, b, [](uint32_t x, uint32_t y) { return x > y ? x : y; });
}
__device__ __forceinline__ uint32_t smaller_of_each(uint32_t a, uint32_t b) {
    return each_of_pair(a, b, [](uint32_t x, uint32_t y) { return x < y ? x : y; });
}
__device__ __forceinline__ uint32_t one_less_of_each(uint32_t a) {
    return each_of_pair(a, 0, [](uint32_t x, uint32_t) { return x - 1; });
}

// And for sums: a step further where what the hardware's rounding left off (Knuth's TwoSum) says so.
template <bool Up>
__device__ __forceinline__ double add_rounded(double a, double b) {
    const double sum = a + b, added = sum - a, left = (a - (sum - added)) + (b - added);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (Up ? left > 0 : left < 0) // then the sum is not 0
        bits += (sum < 0) == Up ? ~uint64_t(0) : 1;
    double rounded;
    memcpy(&rounded, &bits, sizeof rounded);
    return rounded;
}
// What is not finite becomes NaN.
__device__ __forceinline__ uint32_t add_zero_times_each(uint32_t word, uint32_t halves) {
    constexpr uint32_t exponents = float_format<f16>::infinity, not_a_number = 0x7fff;
    const uint32_t high = (word >> 16 & exponents) == exponents ? not_a_number : 0;
    return halves | high << 16 | ((word & exponents) == exponents ? not_a_number : 0);
}

__device__ __forceinline__ uint32_t product_rounded(uint32_t a, uint32_t b) {
    return a * b; // integers wrap
}

} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_instructions.hpp"
#elif defined(WF_AMD_DEVICE)
#include "amd/amd_instructions.hpp"
#elif defined(WF_NVIDIA_DEVICE)
#include "nvidia/nvidia_instructions.hpp"
#endif

#endif
