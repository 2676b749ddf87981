/* The exact sum of any number of doubles (floats are doubles too), rounded once.
 *
 * A finite double is a whole multiple of 2^-1074 below 2^1024. So positive and negative terms are added up, apart from
 * each other, as big integers in units of 2^-1074, in limbs of radix 2^32 kept in 64 bits: carries wait in the upper
 * half. Apart, because then both the sum (their difference) and the sum of magnitudes (their sum) are there.
 */
#ifndef WAVEFOLD_ORACLE_EXACT_SUM_H
#define WAVEFOLD_ORACLE_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest double ends at bit 2098; 70 limbs are 2240 bits: room for 2^141 of them. */
enum { EXACT_LIMBS = 70 };

typedef struct exact_sum {
    uint64_t limb[2][EXACT_LIMBS]; /* [0] of the positive terms, [1] of the negative ones */
    bool infinite[2];              /* +infinity, -infinity was among the terms */
    bool nan;
    bool any_term;
    bool any_other_than_minus_zero;
} exact_sum;

/* Zero-initialise to begin. */
void exact_sum_add(exact_sum *sum, const double *terms, size_t count);
/* The terms of another sum as well. */
void exact_sum_merge(exact_sum *sum, const exact_sum *next);

/* The sum, rounded once, to nearest even. NaN if a term is NaN or both infinities are among them; -0 only if every term
 * is -0, and there is one. */
float exact_sum_f32(const exact_sum *sum);
double exact_sum_f64(const exact_sum *sum);
/* The sum divided by count, which is at least 1 and below 2^63, rounded once; else the same. */
float exact_mean_f32(const exact_sum *sum, uint64_t count);
double exact_mean_f64(const exact_sum *sum, uint64_t count);

/* Of the finite terms only: */
/* the sum of their magnitudes, rounded up to 53 bits, beyond the range of double too; */
long double exact_sum_magnitudes(const exact_sum *sum);
/* how far x, which must be finite, lies from their sum, to nearest. */
double exact_sum_distance(const exact_sum *sum, double x);
/* the same of x·y, half of which must be finite; what of the product lies below 2^-1074 is left out. */
double exact_sum_distance_product(const exact_sum *sum, double x, double y);

#endif
