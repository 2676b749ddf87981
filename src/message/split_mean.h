/* A mean in two numbers: what stands for most of it, and what that lacks. One double is off by its own last place.
 * Where a mean is large beside the distances from it, so is that, and what is joined of several means squares it.
 * C, C++ and device code. */
#ifndef WAVEFOLD_MESSAGE_SPLIT_MEAN_H
#define WAVEFOLD_MESSAGE_SPLIT_MEAN_H

#include "message_bits.h"
#include "message_part.h"

typedef struct wf_split_mean {
    uint64_t bulk; /* of floats the bits of a double, of integers one of their kind */
    double beyond;
} wf_split_mean;

/* x 2^exponent, of which both halves are exponents of doubles; rounded once at the most. */
WF_EXACT_FUNCTION double wf_times_power(double x, int exponent) {
    const int half = exponent / 2;
    return x * wf_double_of((uint64_t)(1023 + half) << 52) * wf_double_of((uint64_t)(1023 + exponent - half) << 52);
}

/* What the mean of floats lacks: (sum - count mean) / count, rounded a few times. mean: the sum's, rounded once. */
WF_EXACT_FUNCTION double wf_beyond_mean(wf_magnitude sum, bool negative, uint64_t count, double mean) {
    const uint64_t bits = wf_bits_of(mean), hidden = UINT64_C(1) << 52, lower_half = UINT32_MAX;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (count == 0 || exponent == 0x7ff || (sum.high == 0 && sum.low == 0))
        return 0;
    /* The sum below 2^126 units. The product, which is off it by the count or by its 2^53rd part, is below 2^128, and
     * the mean's last place is a unit at the least. */
    sum = wf_with_top_bit(sum);
    const uint64_t high = sum.high >> 2, low = sum.low >> 2 | sum.high << 62;
    const int unit = sum.exponent + 2, shift = (exponent != 0 ? exponent : 1) - 1075 - unit;
    const uint64_t significand = (bits & (hidden - 1)) | (exponent != 0 ? hidden : 0);
    const uint64_t crossed =
        (significand >> 32) * (count & lower_half) + ((significand & lower_half) * (count & lower_half) >> 32);
    const uint64_t crossed_too = (significand & lower_half) * (count >> 32) + (crossed & lower_half);
    const uint64_t upper = (significand >> 32) * (count >> 32) + (crossed >> 32) + (crossed_too >> 32);
    const uint64_t lower = significand * count;
    /* By up to 127: where it is 64 or more, the product has 64 bits at the most. */
    const int up = shift & 63;
    const uint64_t over = shift < 64 && up != 0 ? lower >> (64 - up) : 0;
    const uint64_t product_high = shift < 64 ? upper << up | over : lower << up;
    const uint64_t product_low = shift < 64 ? lower << up : 0;
    uint64_t rest_low = low - product_low, rest_high = high - product_high - (low < product_low ? 1 : 0);
    const bool is_below = rest_high >> 63 != 0;
    if (is_below) {
        rest_low = -rest_low;
        rest_high = ~rest_high + (rest_low == 0 ? 1 : 0);
    }
    const double rest = ((double)rest_high * 0x1p64 + (double)rest_low) / (double)count;
    return wf_times_power(is_below != negative ? -rest : rest, unit);
}

WF_EXACT_FUNCTION wf_split_mean wf_split_mean_of_floats(double mean, double beyond) {
    const wf_split_mean split = {wf_bits_of(mean), beyond};
    return split;
}

/* The whole part of a number, as an integer that may have a sign, or none: of what is beyond those, which no mean of
 * theirs is but a foreign message may have, the nearest; of NaN the largest. */
WF_EXACT_FUNCTION uint64_t wf_signed_part(double x) {
    return x < -0x1p63 ? (uint64_t)INT64_MIN : x < 0x1p63 ? (uint64_t)(int64_t)x : (uint64_t)INT64_MAX;
}
WF_EXACT_FUNCTION uint64_t wf_unsigned_part(double x) {
    return x < 0 ? 0 : x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
}

/* sum: modulo 2^64. mean: a double that is close, so that what count times its whole part lacks is below 2^63. That
 * part is the bulk. */
WF_EXACT_FUNCTION wf_split_mean wf_split_at_mean(const wf_message_entry *of, uint64_t sum, uint64_t count,
                                                 double mean) {
    wf_split_mean split = {0, 0};
    if (count == 0)
        return split;
    split.bulk = of->number == WF_KIND_SIGNED ? wf_signed_part(mean) : wf_unsigned_part(mean);
    split.beyond = (double)(int64_t)(sum - count * split.bulk) / (double)count;
    return split;
}

/* The same, with less than 1 beyond the bulk, as near 2^63 no double has: of hundreds there, a variance of last places
 * would lack some of its own. */
WF_EXACT_FUNCTION wf_split_mean wf_split_mean_of_integers(const wf_message_entry *of, uint64_t sum, uint64_t count,
                                                          double mean) {
    wf_split_mean split = wf_split_at_mean(of, sum, count, mean);
    if (count == 0)
        return split;
    split.bulk += wf_signed_part(split.beyond);
    split.beyond = (double)(int64_t)(sum - count * split.bulk) / (double)count;
    return split;
}

/* Of integers: the mean as a double, of one that is close. Where large means of both signs left that one, it lacks
 * hundreds, whose last place the first step's result is off by; the second step lacks next to nothing. */
WF_EXACT_FUNCTION double wf_mean_nearby(const wf_message_entry *of, uint64_t sum, uint64_t count, double mean) {
    for (int step = 0; step < 2; step++) {
        const wf_split_mean split = wf_split_at_mean(of, sum, count, mean);
        mean = (of->number == WF_KIND_SIGNED ? (double)(int64_t)split.bulk : (double)split.bulk) + split.beyond;
    }
    return mean;
}

/* a - b */
WF_EXACT_FUNCTION double wf_means_apart(const wf_message_entry *of, wf_split_mean a, wf_split_mean b) {
    const bool is_below = of->number == WF_KIND_SIGNED ? (int64_t)a.bulk < (int64_t)b.bulk : a.bulk < b.bulk;
    double bulk;
    if (of->number == WF_KIND_FLOAT)
        bulk = wf_double_of(a.bulk) - wf_double_of(b.bulk);
    else
        bulk = is_below ? -(double)(b.bulk - a.bulk) : (double)(a.bulk - b.bulk);
    return bulk + (a.beyond - b.beyond);
}

#endif
