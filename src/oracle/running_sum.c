#include "running_sum.h"

#include <float.h>
#include <math.h>

/* a + b = *rounded + *rest, exactly (Knuth, The Art of Computer Programming, volume 2, section 4.2.2). */
static void two_sum(double a, double b, double *rounded, double *rest) {
    double sum = a + b, of_b = sum - a;
    *rest = (a - (sum - of_b)) + (b - of_b);
    *rounded = sum;
}

static const double scale = 0x1p-64;

/* Scales the sum before a term that might overflow it. Scaling loses less than 2^-1010 of each small term, which is
 * negligible against the error of sums of such magnitudes. */
static void scale_for(running_sum *sum, double term) {
    if (sum->is_scaled || fabs(sum->high) + fabs(term) < 0x1p1021)
        return;
    sum->high *= scale;
    sum->low *= scale;
    sum->is_scaled = true;
}

void running_sum_add(running_sum *sum, double term) {
    double rest;
    sum->terms++;
    if (!isfinite(term)) {
        sum->nan |= isnan(term) != 0;
        sum->infinite[0] |= term > 0;
        sum->infinite[1] |= term < 0;
        return;
    }
    sum->magnitudes += (long double)fabs(term);
    scale_for(sum, term);
    two_sum(sum->high, sum->is_scaled ? term * scale : term, &sum->high, &rest);
    two_sum(sum->high, sum->low + rest, &sum->high, &sum->low);
}

void running_sum_merge(running_sum *sum, const running_sum *next) {
    double rest;
    sum->terms += next->terms + 1;
    sum->magnitudes += next->magnitudes;
    sum->nan |= next->nan;
    sum->infinite[0] |= next->infinite[0];
    sum->infinite[1] |= next->infinite[1];
    scale_for(sum, next->is_scaled ? DBL_MAX : next->high);
    const double factor = sum->is_scaled && !next->is_scaled ? scale : 1;
    two_sum(sum->high, next->high * factor, &sum->high, &rest);
    two_sum(sum->high, sum->low + next->low * factor + rest, &sum->high, &sum->low);
}

double running_sum_value(const running_sum *sum) {
    if (sum->nan || (sum->infinite[0] && sum->infinite[1]))
        return NAN;
    if (sum->infinite[0] || sum->infinite[1])
        return sum->infinite[0] ? INFINITY : -INFINITY;
    return sum->is_scaled ? sum->high / scale : sum->high;
}

double running_sum_distance(const running_sum *sum, double x) {
    return sum->is_scaled ? fabs((sum->high - x * scale) + sum->low) / scale : fabs((sum->high - x) + sum->low);
}

/* Each addition rounds once. */
long double running_sum_magnitudes(const running_sum *sum) {
    return sum->magnitudes * (1 + 0x1p-51L * (long double)sum->terms);
}

/* Each term rounds low once, by at most 2^-53 of a value that is at most 2^-53 of the magnitudes. Each merge rounds
 * twice, sums of two and three such small numbers: less than 2^-103 of the magnitudes. The distance rounds twice,
 * relative to itself or to low. */
double running_sum_error(const running_sum *sum) {
    return (double)(0x1p-102L * ((long double)sum->terms + 2) * running_sum_magnitudes(sum));
}
