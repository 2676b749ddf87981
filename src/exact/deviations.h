/* The variance of a row of floats, whose bits do not depend on the order of additions. C, C++ and device code.
 *
 * The pivot is the mean, rounded to double. Distances from it are scaled to less than 2, and they and their squares are
 * rounded to fixed-point numbers, whose sums are exact. The sum of the distances corrects the rounding of the pivot. */
#ifndef WAVEFOLD_EXACT_DEVIATIONS_H
#define WAVEFOLD_EXACT_DEVIATIONS_H

#include "norm_scale.h"

#include <math.h>
#include <stdint.h>

/* Sums of fixed-point numbers of 128 bits: squares in units of 2^-60, distances in units of 2^-61. */
typedef struct wf_deviations {
    uint64_t squares, squares_above;
    uint64_t distances, distances_above; /* in two's complement */
} wf_deviations;

/* How a row is scaled: by 2^-exponent. */
typedef struct wf_deviation_scale {
    double pivot;
    int exponent;
    int is_needed; /* 0: the variance follows from the extremes alone; no padding, as it moves between lanes */
    double variance;
} wf_deviation_scale;

/* The square of what lies below 2^-960 is 0 as a double, also if it is the sum of 2^64 of them. */
enum { WF_LEAST_DEVIATION = -960 };

WF_EXACT_FUNCTION wf_deviation_scale wf_deviation_scale_of(double least, double most, double mean) {
    const double below = mean - least, above = most - mean, largest = below > above ? below : above;
    wf_deviation_scale scale = {mean, 0, 0, 0};
    if (!(mean - mean == 0)) {
        scale.variance = mean - mean;
    } else if (largest != 0) {
        const double square = largest * largest;
        scale.is_needed = square - square == 0 ? 1 : 0;
        scale.variance = square;
        const int exponent = (int)(wf_bits_of_double(largest) >> 52 & 2047) - 1023;
        scale.exponent = exponent > WF_LEAST_DEVIATION ? exponent : WF_LEAST_DEVIATION;
    }
    return scale;
}

/* power: 2^-exponent. */
WF_EXACT_FUNCTION void wf_add_deviation(wf_deviations *all, double x, double pivot, double power) {
    const double distance = (x - pivot) * power;
    const uint64_t square = (uint64_t)(int64_t)(distance * distance * 0x1p60);
    const int64_t units = (int64_t)(distance * 0x1p61);
    all->squares += square;
    all->squares_above += all->squares < square ? 1 : 0;
    all->distances += (uint64_t)units;
    all->distances_above += (uint64_t)(units >> 63) + (all->distances < (uint64_t)units ? 1 : 0);
}

WF_EXACT_FUNCTION wf_deviations wf_joined_deviations(const wf_deviations *a, const wf_deviations *b) {
    wf_deviations both = *a;
    both.squares += b->squares;
    both.squares_above += b->squares_above + (both.squares < b->squares ? 1 : 0);
    both.distances += b->distances;
    both.distances_above += b->distances_above + (both.distances < b->distances ? 1 : 0);
    return both;
}

WF_EXACT_FUNCTION double wf_variance_of_deviations(const wf_deviations *all, int exponent, uint64_t count) {
    const bool is_negative = all->distances_above >> 63 != 0;
    const uint64_t low = is_negative ? 0 - all->distances : all->distances;
    const uint64_t high = is_negative ? ~all->distances_above + (low == 0 ? 1 : 0) : all->distances_above;
    const double n = (double)count, power = wf_power_of_two(exponent);
    const double distances = fma((double)high, 0x1p64, (double)low) * 0x1p-61; /* its sign does not matter */
    const double squares = fma((double)all->squares_above, 0x1p64, (double)all->squares) * 0x1p-60;
    const double about_mean = fma(-distances, distances / n, squares);
    return (about_mean > 0 ? about_mean : 0) * power * power / n;
}

#endif
