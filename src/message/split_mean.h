/* A mean as the sum of two numbers, bulk and remainder. A single double rounds off its last place; if the mean is large
 * compared with the distances from it, this error is large, too, and joining variances squares it.
 * C, C++ and device code. */
#ifndef WAVEFOLD_MESSAGE_SPLIT_MEAN_H
#define WAVEFOLD_MESSAGE_SPLIT_MEAN_H

#include "message_bits.h"
#include "message_part.h"

typedef struct wf_split_mean {
    uint64_t bulk; /* floats: the bits of a double; integers: an integer of their kind */
    double beyond; /* the remainder: the mean minus bulk */
} wf_split_mean;

/* x 2^exponent, rounded at most once. Both halves of the exponent must be exponents of doubles. */
WF_EXACT_FUNCTION double wf_times_power(double x, int exponent) {
    const int half = exponent / 2;
    return x * wf_double_of((uint64_t)(1023 + half) << 52) * wf_double_of((uint64_t)(1023 + exponent - half) << 52);
}

/* The remainder of a mean of floats: (sum - count mean) / count, rounded a few times. mean: the mean rounded once. */
WF_EXACT_FUNCTION double wf_beyond_mean(wf_magnitude sum, bool negative, uint64_t count, double mean) {
    const uint64_t bits = wf_bits_of(mean), hidden = UINT64_C(1) << 52, lower_half = UINT32_MAX;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (count == 0 || exponent == 0x7ff || (sum.high == 0 && sum.low == 0))
        return 0;
    /* The sum is below 2^126 units. The product count * mean differs from it by at most the count or a 2^-53 part, so
     * it is below 2^128. The mean's last place is at least one unit. */
    sum = wf_with_top_bit(sum);
    const uint64_t high = sum.high >> 2, low = sum.low >> 2 | sum.high << 62;
    const int unit = sum.exponent + 2, shift = (exponent != 0 ? exponent : 1) - 1075 - unit;
    const uint64_t significand = (bits & (hidden - 1)) | (exponent != 0 ? hidden : 0);
    const uint64_t crossed =
        (significand >> 32) * (count & lower_half) + ((significand & lower_half) * (count & lower_half) >> 32);
    const uint64_t crossed_too = (significand & lower_half) * (count >> 32) + (crossed & lower_half);
    const uint64_t upper = (significand >> 32) * (count >> 32) + (crossed >> 32) + (crossed_too >> 32);
    const uint64_t lower = significand * count;
    /* Shifts by up to 127. From 64 on, the product has at most 64 bits. */
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

/* The whole part of a number as a signed or an unsigned integer, clamped to its range; NaN becomes the largest integer.
 * Means of integers are in range, but a corrupt message may hold any number. */
WF_EXACT_FUNCTION uint64_t wf_signed_part(double x) {
    return x < -0x1p63 ? (uint64_t)INT64_MIN : x < 0x1p63 ? (uint64_t)(int64_t)x : (uint64_t)INT64_MAX;
}
WF_EXACT_FUNCTION uint64_t wf_unsigned_part(double x) {
    return x < 0 ? 0 : x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
}

/* Splits the mean sum / count. sum is modulo 2^64. The bulk is the whole part of `mean`, an approximation so close that
 * sum - count bulk is below 2^63. */
WF_EXACT_FUNCTION wf_split_mean wf_split_at_mean(const wf_message_entry *entry, uint64_t sum, uint64_t count,
                                                 double mean) {
    wf_split_mean split = {0, 0};
    if (count == 0)
        return split;
    split.bulk = entry->number == WF_KIND_SIGNED ? wf_signed_part(mean) : wf_unsigned_part(mean);
    split.beyond = (double)(int64_t)(sum - count * split.bulk) / (double)count;
    return split;
}

/* The same with a remainder below 1. Near 2^63 doubles are hundreds apart, and a remainder of hundreds would lose
 * digits that the variance needs. */
WF_EXACT_FUNCTION wf_split_mean wf_split_mean_of_integers(const wf_message_entry *entry, uint64_t sum, uint64_t count,
                                                          double mean) {
    wf_split_mean split = wf_split_at_mean(entry, sum, count, mean);
    if (count == 0)
        return split;
    split.bulk += wf_signed_part(split.beyond);
    split.beyond = (double)(int64_t)(sum - count * split.bulk) / (double)count;
    return split;
}

/* The mean of integers as a double, from an approximation. If large means of both signs were combined, the
 * approximation may be off by hundreds; the first step reduces its error to their last place, the second to almost
 * none. */
WF_EXACT_FUNCTION double wf_mean_nearby(const wf_message_entry *entry, uint64_t sum, uint64_t count, double mean) {
    for (int step = 0; step < 2; step++) {
        const wf_split_mean split = wf_split_at_mean(entry, sum, count, mean);
        mean = (entry->number == WF_KIND_SIGNED ? (double)(int64_t)split.bulk : (double)split.bulk) + split.beyond;
    }
    return mean;
}

/* a - b */
WF_EXACT_FUNCTION double wf_means_apart(const wf_message_entry *entry, wf_split_mean a, wf_split_mean b) {
    const bool is_below = entry->number == WF_KIND_SIGNED ? (int64_t)a.bulk < (int64_t)b.bulk : a.bulk < b.bulk;
    double bulk;
    if (entry->number == WF_KIND_FLOAT)
        bulk = wf_double_of(a.bulk) - wf_double_of(b.bulk);
    else
        bulk = is_below ? -(double)(b.bulk - a.bulk) : (double)(a.bulk - b.bulk);
    return bulk + (a.beyond - b.beyond);
}

#endif
