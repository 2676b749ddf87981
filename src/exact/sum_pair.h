/* An exact sum of few terms as a pair of doubles, and what it is rounded to. C, C++ and device code.
 *
 * `sum` is the rounded sum of the terms so far, `rest` the sum of what its additions rounded off. Knuth's two-sum gives
 * that exactly (The Art of Computer Programming, 4.2.2, theorem C); only an addition to `rest` may round: then the pair
 * is lost, and the terms must be added up in another way. So must terms that are not finite. */
#ifndef WAVEFOLD_EXACT_SUM_PAIR_H
#define WAVEFOLD_EXACT_SUM_PAIR_H

#include "round_sum.h"

#include <string.h>

/* Of no terms sum is -0, since -0 + -0 is -0, and -0 + 0 is 0. */
typedef struct wf_sum_pair {
    double sum, rest;
} wf_sum_pair;

/* a + b, rounded, and what that rounded off. */
WF_EXACT_FUNCTION double wf_two_sum(double a, double b, double *rest) {
    const double sum = a + b, of_b = sum - a;
    *rest = (a - (sum - of_b)) + (b - of_b);
    return sum;
}

WF_EXACT_FUNCTION uint64_t wf_bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The magnitude of high + rest, where |rest| is at most half of the last digit of high: a finite sum, not 0. */
WF_EXACT_FUNCTION wf_magnitude wf_magnitude_of_pair(double high, double rest) {
    const uint64_t hidden = UINT64_C(1) << 52, fraction = hidden - 1;
    const uint64_t of_high = wf_bits_of_double(high), of_rest = wf_bits_of_double(rest);
    const int high_exponent = (int)(of_high >> 52 & 2047), rest_exponent = (int)(of_rest >> 52 & 2047);
    wf_magnitude x;
    x.high = ((of_high & fraction) | (high_exponent != 0 ? hidden : 0)) << 11;
    x.low = 0;
    x.exponent = (high_exponent != 0 ? high_exponent : 1) - 1075 - 75;
    x.has_rest = false;
    uint64_t digits = (of_rest & fraction) | (rest_exponent != 0 ? hidden : 0);
    if (digits == 0)
        return x;
    /* The lowest bit of rest stands `place` above that of x.low. Below it is what only counts as more than nothing. */
    const int place = (rest_exponent != 0 ? rest_exponent : 1) - 1075 - x.exponent;
    uint64_t upper = 0, lower = 0;
    if (place >= 64) {
        upper = digits << (place - 64);
    } else if (place >= 0) {
        lower = digits << place;
        upper = place == 0 ? 0 : digits >> (64 - place);
    } else {
        lower = place > -64 ? digits >> -place : 0;
        x.has_rest = place <= -64 || digits << (64 + place) != 0;
    }
    if (((of_high ^ of_rest) >> 63) == 0) {
        x.low += lower;
        x.high += upper + (x.low < lower ? 1 : 0);
        return x;
    }
    if (x.has_rest) /* what is taken away ends above the next unit */
        lower++, upper += lower == 0 ? 1 : 0;
    x.high -= upper + (x.low < lower ? 1 : 0);
    x.low -= lower;
    return x;
}

/* A double that rounds as high + rest does, in formats with fewer digits: where rest is not 0, its last bit is 1
 * (rounding to odd). |rest| is at most half of the last digit of high. */
WF_EXACT_FUNCTION uint64_t wf_rounded_to_odd(double high, double rest) {
    const uint64_t bits = wf_bits_of_double(high);
    if (rest == 0 || (bits & 1) != 0)
        return bits;
    return (rest < 0) == (high < 0) ? bits | 1 : bits - 1;
}

/* A double's bits, rounded to nearest even in a format of at most 51 digits; false if the result may be subnormal, or
 * too large. */
WF_EXACT_FUNCTION bool wf_round_usual_double(uint64_t of, wf_float_format format, uint64_t *rounded) {
    const int off = 53 - format.digits, bias = (1 << (format.exponent_bits - 1)) - 1;
    const int exponent = (int)(of >> 52 & 2047) - 1023;
    const uint64_t magnitude = (of << 1 >> 1) - ((uint64_t)(1023 - bias) << 52);
    const uint64_t up = (UINT64_C(1) << (off - 1)) - 1 + (magnitude >> off & 1);
    *rounded = (magnitude + up) >> off | of >> 63 << (format.digits - 1 + format.exponent_bits);
    return exponent > -bias && exponent < bias;
}

/* The bits of the sum of count terms, or of their mean, rounded once; of a pair that is not lost, and
 * whose sum + rest is finite. */
WF_EXACT_FUNCTION uint64_t wf_round_pair(const wf_sum_pair *pair, uint64_t count, bool averages,
                                         wf_float_format format) {
    const uint64_t sign = wf_sign_of(format);
    double rest;
    const double high = wf_two_sum(pair->sum, pair->rest, &rest);
    if (count == 0)
        return averages ? wf_infinity_of(format) | UINT64_C(1) << (format.digits - 2) : 0;
    if (high == 0) /* then so is pair->rest, or it is -pair->sum; the sign of a sum of zeros is pair->sum's */
        return pair->sum == 0 && wf_bits_of_double(pair->sum) >> 63 != 0 ? sign : 0;
    if (!averages && format.digits == 53)
        return wf_bits_of_double(high);
    uint64_t usual;
    if (!averages && wf_round_usual_double(wf_rounded_to_odd(high, rest), format, &usual))
        return usual;
    const uint64_t bits = wf_rounded_magnitude(wf_magnitude_of_pair(high, rest), averages ? count : 1, format);
    return high < 0 ? bits | sign : bits;
}

#endif
