/* The sum of floats so far, element by element, as the sum of two doubles, for which the exact sum would be too slow.
 */
#ifndef WAVEFOLD_ORACLE_RUNNING_SUM_H
#define WAVEFOLD_ORACLE_RUNNING_SUM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct running_sum {
    double high, low;       /* the sum of the finite terms, nearly; */
    bool is_scaled;         /* times 2^-64, once it has come near the largest double */
    long double magnitudes; /* of these, nearly, beyond the range of double too */
    uint64_t terms;         /* and sums merged */
    bool infinite[2];       /* +infinity, -infinity was among the terms */
    bool nan;
} running_sum;

/* Zero-initialise to begin. */
void running_sum_add(running_sum *sum, double term);
/* The terms of another sum as well. */
void running_sum_merge(running_sum *sum, const running_sum *next);
/* What the sum of all terms is, to a double: NaN and infinity as they come. */
double running_sum_value(const running_sum *sum);
/* How far x, which must be finite, lies from the sum of the finite terms. */
double running_sum_distance(const running_sum *sum, double x);
/* At least the sum of magnitudes. */
long double running_sum_magnitudes(const running_sum *sum);
/* The distance is off by less than this. */
double running_sum_error(const running_sum *sum);

#endif
