// Sums of floats that no pair of doubles holds, digit by digit: for each digit of radix 2^32, from the lowest on, lanes
// add up what their terms have there, and carry. That reads the terms once for a digit, and needs no memory.
//
//   digit_slot       such a sum in device memory, for who joins parts of a row
//   sum_by_digits    of the terms of some lanes
#ifndef WAVEFOLD_AXES_SUM_DIGITS_HPP
#define WAVEFOLD_AXES_SUM_DIGITS_HPP

#include "../wave.hpp"
#include "pair_sums.hpp"

namespace wf {

// Of the 2098 bits of doubles, and of 2^64 terms, in two's complement; one more, at most_digits, repeats the sign. The
// first begins at 2^-1074.
constexpr int most_digits = 69;

struct sum_flags {
    enum : uint32_t { nan = 1, infinity = 2, negative_infinity = 4, not_negative_zero = 8 };
    uint32_t bits;
};

// A finite term is digits 2^(position - 1074).
struct finite_term {
    uint64_t digits;
    int position;
    bool is_negative;

    explicit __device__ __forceinline__ finite_term(double term) {
        const auto stored = bits_as<uint64_t>(term);
        const auto exponent = int(stored >> 52 & 2047);
        const uint64_t hidden = uint64_t(1) << 52, fraction = stored & (hidden - 1);
        digits = exponent != 0 ? fraction | hidden : fraction;
        position = exponent != 0 ? exponent - 1 : 0;
        is_negative = stored >> 63 != 0;
    }
    // What it adds to digit k.
    __device__ __forceinline__ int64_t digit(int k) const {
        const int shift = 32 * k - position;
        uint64_t found = 0;
        if (shift > -32 && shift < 53)
            found = uint32_t(shift >= 0 ? digits >> shift : digits << -shift);
        return is_negative ? -int64_t(found) : int64_t(found);
    }
};

__device__ __forceinline__ uint32_t flags_of(double term) {
    const auto stored = bits_as<uint64_t>(term);
    uint32_t flags = stored == uint64_t(1) << 63 ? 0 : uint32_t(sum_flags::not_negative_zero);
    if ((stored >> 52 & 2047) == 2047)
        flags |= stored << 12 != 0   ? sum_flags::nan
                 : stored >> 63 != 0 ? sum_flags::negative_infinity
                                     : sum_flags::infinity;
    return flags;
}

// The last six digits that are not yet known to repeat the sign, and whether one below them is not 0.
class digit_window {
  public:
    __device__ __forceinline__ void take(uint32_t digit) {
        if ((digit == 0 || digit == ~uint32_t(0)) && (repeats_ == 0 || digit == repeated_)) {
            repeated_ = digit;
            repeats_++;
            return;
        }
        take_repeats(0);
        if (digit == 0 || digit == ~uint32_t(0)) {
            repeated_ = digit;
            repeats_ = 1;
        } else {
            push(digit);
        }
    }
    // The magnitude of the number, when all digits are taken; the last ones repeat the sign.
    __device__ __forceinline__ wf_magnitude magnitude(bool is_negative) {
        const uint32_t sign = is_negative ? ~uint32_t(0) : 0;
        take_repeats(repeats_ != 0 && repeated_ == sign ? repeats_ : 0);
        push(sign);
        uint64_t carry = is_negative && !has_lower_ ? 1 : 0;
        uint64_t parts[6];
#pragma unroll
        for (unsigned k = 6; k-- > 0;) {
            carry += is_negative ? uint32_t(~digits_[k]) : digits_[k];
            parts[k] = uint32_t(carry);
            carry >>= 32;
        }
        // The sign's own digit counts for a number whose others are all 0.
        const bool has_first = parts[0] != 0;
        uint64_t highest[5];
#pragma unroll
        for (unsigned k = 0; k < 5; k++)
            highest[k] = has_first ? parts[k] : parts[k + 1];
        const bool has_lower = has_lower_ || (has_first && parts[5] != 0);
        return wf_magnitude_of_top(highest, has_first ? taken_ - 1 : taken_ - 2, has_lower);
    }

  private:
    // All but the last ones of them.
    __device__ __forceinline__ void take_repeats(int but) {
        for (; repeats_ > but; repeats_--)
            push(repeated_);
        repeats_ = 0;
    }
    __device__ __forceinline__ void push(uint32_t digit) {
        has_lower_ |= digits_[5] != 0;
#pragma unroll
        for (unsigned k = 5; k > 0; k--)
            digits_[k] = digits_[k - 1];
        digits_[0] = digit;
        taken_++;
    }

    uint32_t digits_[6] = {}; // the highest one first
    int taken_ = 0;           // digits from the lowest one on
    int repeats_ = 0;         // that follow, all alike
    uint32_t repeated_ = 0;
    bool has_lower_ = false;
};

// The bits of the rounded sum, or of the mean of count terms.
__device__ __forceinline__ uint64_t round_digits(uint32_t flags, digit_window &window, bool is_negative, uint64_t count,
                                                 bool averages, wf_float_format to) {
    constexpr uint32_t both = sum_flags::infinity | sum_flags::negative_infinity;
    const uint64_t infinity = wf_infinity_of(to), sign = wf_sign_of(to);
    if ((flags & sum_flags::nan) != 0 || (flags & both) == both)
        return infinity | uint64_t(1) << (to.digits - 2);
    if ((flags & both) != 0)
        return (flags & sum_flags::negative_infinity) != 0 ? infinity | sign : infinity;
    const wf_magnitude magnitude = window.magnitude(is_negative);
    if (magnitude.high == 0 && magnitude.low == 0)
        return (flags & sum_flags::not_negative_zero) != 0 ? 0 : sign;
    const uint64_t bits = wf_rounded_magnitude(magnitude, averages ? count : 1, to);
    return is_negative ? bits | sign : bits;
}

// A part of a row that is lost: its digits, in device memory.
struct digit_slot {
    static constexpr unsigned words = 72; // flags, sign, digits
    array_view<uint32_t> cells;
    uint64_t first;

    __device__ __forceinline__ void store_head(uint32_t flags, bool is_negative) const {
        cells[first] = flags;
        cells[first + 1] = is_negative ? ~uint32_t(0) : 0;
    }
    __device__ __forceinline__ void store(int k, uint32_t digit) const {
        if (k < most_digits)
            cells[first + 2 + unsigned(k)] = digit;
    }
    __device__ __forceinline__ uint32_t flags() const { return cells[first]; }
    // What it adds to digit k, up to the one behind the last.
    __device__ __forceinline__ int64_t digit(int k) const {
        if (k < most_digits)
            return int64_t(uint32_t(cells[first + 2 + unsigned(k)]));
        return uint32_t(cells[first + 1]) != 0 ? -1 : 0;
    }
};

template <unsigned Width, class T, class Fold>
__device__ __forceinline__ T fold_lanes(const tiled_index &tidx, T value, unsigned lanes, const Fold &fold) {
    for (unsigned mask = (lanes < Width ? lanes : Width) / 2; mask > 0; mask /= 2)
        value = fold(value, shuffle_xor<Width>(tidx, value, mask));
    return value;
}

struct digit_range {
    int lowest, highest;
};

// Neighbouring lanes, a power of two, add up their terms; all lanes of the wave take part.
//   terms.flags()     of a lane's terms
//   terms.range()     which of their digits may not be 0
//   terms.digit(k)    the sum of digits k
//   take(k, digit)    is given each digit that may not repeat the sign
// Returns whether the sum is negative.
template <unsigned Width, class Terms, class Take>
__device__ __forceinline__ bool sum_by_digits(const tiled_index &tidx, unsigned lanes, const Terms &terms,
                                              uint32_t &flags, const Take &take) {
    flags = fold_lanes<Width>(tidx, terms.flags(), lanes, [](uint32_t a, uint32_t b) { return a | b; });
    const digit_range mine = terms.range();
    const auto smaller = [](int a, int b) { return a < b ? a : b; };
    const auto greater = [](int a, int b) { return a > b ? a : b; };
    // The same in all lanes of the wave, for the loop.
    const int lowest = fold_lanes<Width>(tidx, mine.lowest, Width, smaller);
    const int highest = fold_lanes<Width>(tidx, mine.highest, Width, greater);
    for (int k = 0; k < lowest; k++)
        take(k, 0);
    int64_t carried = 0;
    // Two digits behind the last one hold what 2^64 terms carry.
    for (int k = lowest; k <= most_digits && k <= highest + 3; k++) {
        carried += fold_lanes<Width>(tidx, terms.digit(k), lanes, [](int64_t a, int64_t b) { return a + b; });
        take(k, uint32_t(carried));
        carried >>= 32;
    }
    for (int k = highest + 4; k <= most_digits; k++)
        take(k, uint32_t(carried));
    return carried < 0;
}

} // namespace wf
#endif
