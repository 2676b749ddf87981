/* Rounds a sum, or a sum divided by a count, once. It uses only integer arithmetic, so no floating-point mode
 * (rounding, flushing of subnormals) affects it. C, C++ and device code. */
#ifndef WAVEFOLD_EXACT_ROUND_SUM_H
#define WAVEFOLD_EXACT_ROUND_SUM_H

#include "algebra.h"

/* The functions' specifiers; device code defines others. */
#ifndef WF_EXACT_FUNCTION
#define WF_EXACT_FUNCTION static inline
#endif
/* Precedes rare or long loops. Device code does not unroll them, which would cost registers and instruction fetches. */
#ifndef WF_EXACT_LOOP
#define WF_EXACT_LOOP
#define WF_EXACT_LOOP_BY_4 /* the same for loops with independent iterations */
#endif

/* The layout of an IEEE 754 float; digits is the number of bits of the significand, with the hidden bit. */
typedef struct wf_float_format {
    int digits, exponent_bits;
} wf_float_format;

/* The number (high 2^64 + low + rest) 2^exponent, with 0 <= rest < 1. has_rest: rest is not 0; then high's top bit is
 * set. */
typedef struct wf_magnitude {
    uint64_t high, low;
    int exponent;
    bool has_rest;
} wf_magnitude;

/* The word must not be 0. */
#ifndef WF_LEADING_ZEROS
#define WF_LEADING_ZEROS(word) __builtin_clzll(word)
#endif
WF_EXACT_FUNCTION int wf_leading_zeros(uint64_t word) {
    return WF_LEADING_ZEROS(word);
}

/* Shifts x so that high's top bit is set. x must not be 0. */
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

/* One digit of radix 2^32: the quotient (remainder 2^32 + below) / divisor, where below < 2^32, remainder < divisor,
 * and the divisor's top bit is set. Updates the remainder. The estimate by the divisor's upper half is at most 2 too
 * large (Knuth, The Art of Computer Programming, 4.3.1, D). */
WF_EXACT_FUNCTION uint64_t wf_quotient_digit(uint64_t *remainder, uint64_t below, uint64_t divisor) {
    const uint64_t upper = divisor >> 32, lower = divisor & UINT32_MAX, radix = UINT64_C(1) << 32;
    uint64_t digit = *remainder / upper, rest = *remainder - digit * upper;
    WF_EXACT_LOOP
    while (rest < radix && (digit >= radix || digit * lower > (rest << 32 | below))) {
        digit--;
        rest += upper;
    }
    *remainder = (*remainder << 32 | below) - digit * divisor; /* modulo 2^64: the new remainder is below 2^64 */
    return digit;
}

/* The quotient, with at least 62 whole bits; the bits below only show whether there is a rest. Both operands have
 * their top bit set. */
WF_EXACT_FUNCTION wf_magnitude wf_divided(wf_magnitude x, uint64_t divisor) {
    const int zeros = wf_leading_zeros(divisor);
    divisor <<= zeros;
    /* Half of x is divided, so that 64 bits hold the quotient; the dropped bit becomes part of the rest. The divisor is
     * an integer, so a rest changes no bit of the quotient. */
    x.has_rest = x.has_rest || (x.low & 1) != 0;
    uint64_t remainder = x.high >> 1;
    const uint64_t below = x.high << 63 | x.low >> 1;
    uint64_t quotient = 0;
    WF_EXACT_LOOP
    for (int i = 32; i >= 0; i -= 32)
        quotient = quotient << 32 | wf_quotient_digit(&remainder, below >> i & UINT32_MAX, divisor);
    /* The quotient is stored in high, 64 bits above the exponent; a bit of low stands for the rest. */
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

/* x / divisor as bits of a float, rounded to nearest even. */
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
        return 0; /* x is less than half of the smallest subnormal */
    uint64_t kept = kept_bits == 0 ? 0 : x.high >> (64 - kept_bits);
    const uint64_t off = x.high << kept_bits; /* the bits that are rounded off, from the top bit down */
    const bool at_least_half = off >> 63 != 0, more = off << 1 != 0 || x.low != 0 || x.has_rest;
    if (at_least_half && (more || (kept & 1) != 0))
        kept++;
    /* The hidden bit adds 1 to the exponent, as does a carry out of the digits. */
    const uint64_t bits = is_normal ? ((uint64_t)(top + bias - 1) << (digits - 1)) + kept : kept;
    return bits < infinity ? bits : infinity;
}

#endif
