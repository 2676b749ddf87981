/* The exact sum of any number of doubles, rounded once.
 *
 * A finite double is a whole multiple of 2^-1074 below 2^1024. Positive and negative terms are added separately, as big
 * integers in units of 2^-1074. A limb has radix 2^32 and 64 bits; the upper half holds pending carries. The difference
 * of the two integers is the sum, and their sum is the sum of magnitudes.
 */
#ifndef WAVEFOLD_ORACLE_EXACT_SUM_H
#define WAVEFOLD_ORACLE_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest double ends at bit 2098; 70 limbs have 2240 bits, room for 2^141 of the largest doubles. */
enum { EXACT_LIMBS = 70 };

typedef struct exact_sum {
    uint64_t limb[2][EXACT_LIMBS]; /* [0]: positive terms, [1]: negative terms */
    bool infinite[2];              /* a term was +infinity, -infinity */
    bool nan;
    bool any_term;
    bool any_other_than_minus_zero;
} exact_sum;

/* Zero-initialise to begin. */
void exact_sum_add(exact_sum *sum, const double *terms, size_t count);
/* Adds the terms of another sum. */
void exact_sum_merge(exact_sum *sum, const exact_sum *next);

/* The sum, rounded once, to nearest even. NaN if a term is NaN or the terms have both infinities; -0 only if there are
 * terms and all are -0. */
float exact_sum_f32(const exact_sum *sum);
double exact_sum_f64(const exact_sum *sum);
/* The sum divided by count (from 1 to 2^63 - 1), rounded once; NaN and zeros as above. */
float exact_mean_f32(const exact_sum *sum, uint64_t count);
double exact_mean_f64(const exact_sum *sum, uint64_t count);

/* The functions below use only the finite terms. */

/* The sum of their magnitudes, rounded up to 53 bits, also beyond the range of double. */
long double exact_sum_magnitudes(const exact_sum *sum);
/* The distance of x, which must be finite, from their sum, rounded to nearest. */
double exact_sum_distance(const exact_sum *sum, double x);
/* The same for x·y, half of which must be finite. The part of the product below 2^-1074 is omitted. */
double exact_sum_distance_product(const exact_sum *sum, double x, double y);

#endif
