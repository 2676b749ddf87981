/* The running sum of floats, as the sum of two doubles: it is read after every element, for which exact sums are too
 * slow. */
#ifndef WAVEFOLD_ORACLE_RUNNING_SUM_H
#define WAVEFOLD_ORACLE_RUNNING_SUM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct running_sum {
    double high, low;       /* their sum approximates the sum of the finite terms */
    bool is_scaled;         /* high and low are scaled by 2^-64, since the sum came near the largest double */
    long double magnitudes; /* approximates the sum of the terms' magnitudes, also beyond the range of double */
    uint64_t terms;         /* number of terms and merges */
    bool infinite[2];       /* a term was +infinity, -infinity */
    bool nan;
} running_sum;

/* Zero-initialise to begin. */
void running_sum_add(running_sum *sum, double term);
/* Adds the terms of another sum. */
void running_sum_merge(running_sum *sum, const running_sum *next);
/* The sum of all terms as a double, NaN and infinities included. */
double running_sum_value(const running_sum *sum);
/* The distance of x, which must be finite, from the sum of the finite terms. */
double running_sum_distance(const running_sum *sum, double x);
/* An upper bound of the sum of magnitudes. */
long double running_sum_magnitudes(const running_sum *sum);
/* A bound of the error of running_sum_distance. */
double running_sum_error(const running_sum *sum);

#endif
