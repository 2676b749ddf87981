/* What a result may differ by, and why.
 *
 * Integers, and every min and max, must be the exact value. A sum of floats is judged as follows. Each addition errs
 * by a factor of at most 1 + u, u being half the distance from 1 to the next number; a term passes through at most
 * depth additions. So the sum is off by at most ((1 + u)^depth - 1) times the sum of magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., lemma 3.1 and section 4.2), for which this file takes
 * exp(depth u) - 1: never smaller, never larger than depth u/(1 - depth u), and finite where that is not. Subnormal
 * results need nothing more: additions that give them are exact, unless the device takes subnormals for 0 (the report's
 * flushes), which shifts a sum of f32 by less than 3 times 2^-126 each: two operands and a result. What is shifted is
 * then added to like any term.
 *
 * The error is the distance from the exact sum itself, not from its rounding, and rounded once to nearest. Rounding is
 * monotonic and the bound is rounded up to a double, so an error within the bound is never seen outside of it.
 *
 * Overflow: no partial sum exceeds exp(depth u) times the sum of magnitudes. Only if that is beyond the type's range
 * can a partial sum overflow where the exact sum need not, and meet the other infinity later; then an infinity or NaN
 * is accepted, since it is what the type can say. A finite result never passed an infinity, and is held to the bound.
 */
#include "verify.h"

#include <float.h>
#include <math.h>

static double unit_roundoff(wf_type type) {
    return type == WF_F32 ? 0x1p-24 : 0x1p-53;
}

/* Three roundings are behind it, each by less than 2^-52. */
static double rounded_up(double product) {
    return product > 0 ? nextafter(product * (1 + 0x1p-50), INFINITY) : 0;
}

static judgement verify_sum(const reference *exact, value result, const wf_rung_report *launch) {
    double x = value_to_double(exact->type, result);
    double expected = value_to_double(exact->type, reference_value(exact));
    double magnitudes = exact_sum_magnitudes(&exact->sum);
    double growth = (double)launch->depth * unit_roundoff(exact->type);
    double largest = exact->type == WF_F32 ? (double)FLT_MAX : DBL_MAX;
    judgement judged = {.error = NAN};

    /* 0 times an infinite factor is NaN, and the sum of zeros has no error. */
    judged.bound = magnitudes > 0 ? rounded_up(expm1(growth) * magnitudes) : 0;
    if (exact->type == WF_F32 && launch->flushes)
        judged.bound += rounded_up(3 * 0x1p-126 * (double)launch->flushes * exp(growth));
    bool may_overflow = magnitudes > 0 && !(rounded_up(exp(growth) * magnitudes) <= largest);
    bool terms_infinite = exact->sum.infinite[0] || exact->sum.infinite[1];

    if (isnan(expected)) {
        judged.accepted = isnan(x);
    } else if (terms_infinite) {
        judged.accepted = x == expected || (may_overflow && isnan(x));
    } else if (!isfinite(x)) {
        judged.accepted = may_overflow;
    } else {
        judged.error = exact_sum_distance(&exact->sum, x);
        judged.accepted = judged.error <= judged.bound;
    }
    return judged;
}

judgement verify(const reference *exact, value result, const wf_rung_report *launch) {
    value expected = reference_value(exact);
    bool nan = value_is_nan(exact->type, expected), result_nan = value_is_nan(exact->type, result);
    judgement judged;
    if (type_is_float(exact->type) && exact->op == WF_SUM) {
        judged = verify_sum(exact, result, launch);
    } else {
        bool same = (nan && result_nan) || value_same_bits(exact->type, expected, result);
        judged = (judgement){.accepted = same, .error = same ? 0 : NAN};
    }
    if (type_is_float(exact->type)) {
        judged.ulps_known = nan == result_nan;
        judged.ulps = nan || result_nan ? 0 : value_ulps(exact->type, expected, result);
    } else {
        judged.ulps_known = judged.accepted;
    }
    return judged;
}
