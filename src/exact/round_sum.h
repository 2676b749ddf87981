/* Rounds a sum, or a sum divided by a count, once: in integers alone, so that no mode of the processor (rounding,
 * subnormals taken for 0) has a say. C, C++ and device code. */
#ifndef WAVEFOLD_EXACT_ROUND_SUM_H
#define WAVEFOLD_EXACT_ROUND_SUM_H

#include "algebra.h"

/* What stands before the functions: device code has words of its own. */
#ifndef WF_EXACT_FUNCTION
#define WF_EXACT_FUNCTION static inline
#endif
/* What stands before loops that are seldom run, or long: device code is not to unroll them, for the registers that
 * takes, and the time to fetch the instructions. */
#ifndef WF_EXACT_LOOP
#define WF_EXACT_LOOP
#define WF_EXACT_LOOP_BY_4 /* the same, of words that need not wait for each other */
#endif

/* A float laid out as IEEE 754 says; digits of the significand with the hidden one. */
typedef struct wf_float_format {
    int digits, exponent_bits;
} wf_float_format;

/* (high 2^64 + low + rest) 2^exponent, where 0 <= rest < 1. has_rest: rest is not 0; then high's top bit is set. */
typedef struct wf_magnitude {
    uint64_t high, low;
    int exponent;
    bool has_rest;
} wf_magnitude;

/* Of a word that is not 0. */
#ifndef WF_LEADING_ZEROS
#define WF_LEADING_ZEROS(word) __builtin_clzll(word)
#endif
WF_EXACT_FUNCTION int wf_leading_zeros(uint64_t word) {
    return WF_LEADING_ZEROS(word);
}

/* The top bit becomes that of high. Not for 0. */
WF_EXACT_FUNCTION wf_magnitude wf_with_top_bit(wf_magnitude x) {
    if (x.high == 0) {
        x.high = x.low;
        x.low = 0;
        x.exponent -= 64;
    }
    const int zeros = wf_leading_zeros(x.high);
    if (zeros > 0) {
        x.high = x.high << zeros | x.low >> (64 - zeros);
        x.low <<= zeros;
        x.exponent -= zeros;
    }
    return x;
}

/* A digit of radix 2^32 of the quotient (remainder 2^32 + below) / divisor, where below < 2^32 and remainder < divisor,
 * whose top bit is set. The remainder becomes what is left. Knuth (The Art of Computer Programming, 4.3.1, D): the
 * estimate by the divisor's upper half is too large by 2 at the most. */
WF_EXACT_FUNCTION uint64_t wf_quotient_digit(uint64_t *remainder, uint64_t below, uint64_t divisor) {
    const uint64_t upper = divisor >> 32, lower = divisor & UINT32_MAX, radix = UINT64_C(1) << 32;
    uint64_t digit = *remainder / upper, rest = *remainder - digit * upper;
    WF_EXACT_LOOP
    while (rest < radix && (digit >= radix || digit * lower > (rest << 32 | below))) {
        digit--;
        rest += upper;
    }
    *remainder = (*remainder << 32 | below) - digit * divisor; /* modulo 2^64, which what is left is below */
    return digit;
}

/* The quotient, of which at least 62 bits are whole; then rest is exact about whether there is one. Both operands have
 * their top bit set. */
WF_EXACT_FUNCTION wf_magnitude wf_divided(wf_magnitude x, uint64_t divisor) {
    const int zeros = wf_leading_zeros(divisor);
    divisor <<= zeros;
    /* Half of x, so that 64 bits hold the quotient; the bit that falls off is part of the rest. Since divisor is whole,
     * what lies below the last bit changes no bit of the quotient. */
    x.has_rest = x.has_rest || (x.low & 1) != 0;
    uint64_t remainder = x.high >> 1;
    const uint64_t below = x.high << 63 | x.low >> 1;
    uint64_t quotient = 0;
    WF_EXACT_LOOP
    for (int i = 32; i >= 0; i -= 32)
        quotient = quotient << 32 | wf_quotient_digit(&remainder, below >> i & UINT32_MAX, divisor);
    /* The quotient is high, so that it ends 64 bits above the exponent; the rest is a bit below it. */
    wf_magnitude result;
    result.high = quotient;
    result.low = x.has_rest || remainder != 0 ? 1 : 0;
    result.exponent = x.exponent + 1 + zeros - 64;
    result.has_rest = false;
    return wf_with_top_bit(result);
}

WF_EXACT_FUNCTION uint64_t wf_infinity_of(wf_float_format format) {
    return ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1);
}
WF_EXACT_FUNCTION uint64_t wf_sign_of(wf_float_format format) {
    return UINT64_C(1) << (format.digits - 1 + format.exponent_bits);
}

/* x / divisor (1: x itself) as bits of a float, to nearest even. */
WF_EXACT_FUNCTION uint64_t wf_rounded_magnitude(wf_magnitude x, uint64_t divisor, wf_float_format format) {
    if (x.high == 0 && x.low == 0)
        return 0;
    x = wf_with_top_bit(x);
    if (divisor != 1)
        x = wf_divided(x, divisor);
    const int digits = format.digits, bias = (1 << (format.exponent_bits - 1)) - 1, least_normal = 1 - bias;
    const uint64_t infinity = wf_infinity_of(format);
    const int top = x.exponent + 127; /* the exponent of the top bit */
    const bool is_normal = top >= least_normal;
    const int kept_bits = is_normal ? digits : digits - (least_normal - top); /* subnormals have fewer */
    if (top > bias)
        return infinity;
    if (kept_bits < 0)
        return 0; /* less than half of the least number */
    uint64_t kept = kept_bits == 0 ? 0 : x.high >> (64 - kept_bits);
    const uint64_t off = x.high << kept_bits; /* what is rounded off begins with its top bit */
    const bool at_least_half = off >> 63 != 0, more = off << 1 != 0 || x.low != 0 || x.has_rest;
    if (at_least_half && (more || (kept & 1) != 0))
        kept++;
    /* The hidden bit adds 1 to the exponent, and so does a carry out of the digits. */
    const uint64_t bits = is_normal ? ((uint64_t)(top + bias - 1) << (digits - 1)) + kept : kept;
    return bits < infinity ? bits : infinity;
}

#endif
