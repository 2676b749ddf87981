// Rounds usual sums by a few instructions: round_to_f32(), round_to_f64(), round_to_any().
#ifndef WAVEFOLD_REDUCE_EXACT_EXACT_ROUNDING_HPP
#define WAVEFOLD_REDUCE_EXACT_EXACT_ROUNDING_HPP

#include "exact_value.hpp"

namespace wf {

// Fast path for normal results: the hardware rounds, to nearest even. A small sum waits for each of these instructions.
// Returns false if the slow path must round. Proof: docs/exact.md, "The end".
__device__ __forceinline__ bool round_to_f32(const wide &total, int base, uint64_t &bits) {
    // 64 bits that contain the highest one: from 2^0, 2^32 or 2^64 on. The bits below them are jammed into their last.
    const bool is_low = total.high == uint64_t(int64_t(total.low) >> 63);
    const bool is_middle = (total.high + (uint64_t(1) << 31)) >> 32 == 0;
    const uint64_t middle = total.high << 32 | total.low >> 32;
    const uint64_t rest = is_low ? 0 : is_middle ? total.low << 32 : total.low;
    const uint64_t whole = is_low ? total.low : is_middle ? middle : total.high;
    const auto rounded = bits_as<uint32_t>(float(int64_t(whole | (rest != 0 ? 1 : 0))));
    const int up = (is_low ? 0 : is_middle ? 32 : 64) + WF_SUM_UNIT + base;
    const auto exponent = int(float_format<float>::exponent_of(rounded));
    bits = rounded + (uint32_t(up) << 23);
    return rounded != 0 && exponent + up > 0 && exponent + up < int(float_format<float>::most_exponent);
}
__device__ __forceinline__ bool round_to_f64(const wide &total, int base, uint64_t &bits) {
    const uint64_t lower = total.low >> 11 | ((total.low & 0x7ff) != 0 ? 1 : 0);
    const auto upper = double(int64_t(total.high)); // exact, or it is too large
    const auto rounded = bits_as<uint64_t>(std::fma(upper, 0x1p53, double(int64_t(lower))));
    using format = float_format<double>;
    constexpr int bias = format::bias;
    const auto exponent = int(format::exponent_of(rounded));
    bits = rounded + (uint64_t(11 + WF_SUM_UNIT + base) << 52);
    return exponent >= bias + 56 && exponent < bias + 105; // windows end below 2^942: no number overflows
}
// The same for any type.
__device__ __forceinline__ bool round_to_any(const wide &total, int base, wf_float_format to, uint64_t &bits) {
    const wide magnitude = magnitude_of(total);
    // Of the magnitude's four words of 32 bits, those from the highest one on that is not 0.
    const bool has_fourth = magnitude.high >> 32 != 0, has_third = magnitude.high != 0;
    const uint64_t shorter = has_third ? magnitude.high << 32 | magnitude.low >> 32 : magnitude.low;
    const uint64_t high = has_fourth ? magnitude.high : shorter;
    const uint64_t low = has_fourth ? magnitude.low : has_third ? magnitude.low << 32 : 0;
    if (high == 0)
        return false;
    const int zeros = leading_zeros(high); // 32 and more only where low is 0
    const uint64_t top = high << zeros | low >> 32 >> (32 - zeros % 32), rest = low << zeros;
    const int bias = (1 << (to.exponent_bits - 1)) - 1;
    const int exponent = (has_fourth ? 127 : has_third ? 95 : 63) - zeros + WF_SUM_UNIT + base + bias;
    if (exponent < 1 || exponent > 2 * bias)
        return false;
    const uint64_t kept = top >> (64 - to.digits), off = top << to.digits;
    const bool up = off >> 63 != 0 && ((off << 1 | rest) != 0 || (kept & 1) != 0);
    const uint64_t sign = is_negative(total) ? 1 : 0;
    // The hidden bit adds 1 to the exponent, and so does a carry out of the digits, which makes infinity of the
    // largest.
    bits = (uint64_t(exponent - 1) << (to.digits - 1)) + kept + (up ? 1 : 0) +
           (sign << (to.digits - 1 + to.exponent_bits));
    return true;
}

template <class Element>
__device__ __forceinline__ bool round_usual(const wide &total, int base, wf_float_format to, uint64_t &bits) {
    if constexpr (sizeof(Element) == 8)
        return round_to_f64(total, base, bits);
    else if constexpr (sizeof(Element) == 4)
        return round_to_f32(total, base, bits);
    else
        return to.digits == 24 ? round_to_f32(total, base, bits) : round_to_any(total, base, to, bits);
}

} // namespace wf
#endif
