/* The error bounds of results, and their derivation.
 *
 * Integers, bits, extremes and indices must be exact. For all other results, u is half the distance from 1 to the next
 * number of the accumulator's type. Each operation has a relative error of at most u, and f operations on the path of a
 * term one of at most (1 + u)^f - 1. This file uses exp(f u) - 1, which is never smaller, at most f u/(1 - f u), and
 * always finite.
 *
 * Sums. A term passes through at most depth additions, so the error is at most ((1 + u)^depth - 1) times the sum of
 * magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1 and section 4.2). Subnormal
 * results of additions are exact. A device that flushes subnormals to 0 (the report's flushes) shifts an f32 sum by
 * less than 3 times 2^-126 per operation (two operands and a result); later additions affect this shift like any term.
 * Integers that are summed as floats are rounded once more, before the sum.
 *
 * A run that reports a depth of 0 has an exact sum: only the exact sum rounded once is accepted, and the bound is its
 * distance from the sum.
 *
 * Squares are rounded once more, before they are added. A subnormal square loses less than the type's last place: the
 * computed square and the reference lose half of it each.
 *
 * The error is the distance from the exact sum, not from its rounding, and is rounded once to nearest. Rounding is
 * monotonic and the bound is rounded up to a double, so no error within the bound appears to exceed it.
 *
 * Overflow. No partial sum exceeds exp(depth u) times the sum of magnitudes. Only if this product is beyond the type's
 * range can a partial sum overflow, and meet the other infinity later; then infinity and NaN are accepted. A finite
 * result never passed an infinity, and must meet the bound.
 *
 * Means. The error is the sum's error divided by the count, plus at most 3 roundings: of the sum's conversion, of the
 * count's, and of the quotient; one may be of a subnormal. They add up to 3 u/(1 - 3 u) of the result, which is finite
 * even if the sum is beyond the range of double.
 *
 * Products. n - 1 multiplications in any order, each with a relative error of u, if no partial product leaves the range
 * of normal numbers. The product of the factors of at least 1, and that of the factors below 1, bound all partial
 * products. If one can leave the range, every result is accepted.
 *
 * Chains (matmul, affine). Each component is a sum of products of n factors: a term passes n - 1 multiplications and at
 * most depth additions, and the bound is a factor times the chain of magnitudes. Underflow loses less than the smallest
 * normal number's last place in each of at most 12 operations per element; the elements before and after amplify this
 * loss. If a chain of neighbours may overflow, every result is accepted.
 */
#include "verify.h"
#include "wavefold_ladder.h"

#include <float.h>
#include <math.h>

static double unit_roundoff(wf_type type) {
    return type == WF_F32 ? 0x1p-24 : 0x1p-53;
}

static double largest_of(wf_type type) {
    return type == WF_F32 ? (double)FLT_MAX : DBL_MAX;
}

/* The last place of subnormals. */
static double smallest_of(wf_type type) {
    return type == WF_F32 ? 0x1p-149 : 0x1p-1074;
}

/* An upper bound of a product that four roundings, each by less than 2^-52, have led to. */
static double rounded_up(double product) {
    return product > 0 ? nextafter(product * (1 + 0x1p-50), INFINITY) : 0;
}

typedef struct sum_error {
    double bound;
    bool may_overflow;
} sum_error;

sum_growth sum_growth_of(const fold *of, const wf_rung_report *launch) {
    wf_type accumulator = of->info.accumulator;
    bool squares = wf_facts_of_op(of->spec.op).term == WF_TERM_SQUARE;
    double depth = (double)launch->depth + !wf_type_is_float(of->spec.type) + squares;
    double growth = depth * unit_roundoff(accumulator);
    double flushes = accumulator == WF_F32 ? (double)launch->flushes : 0;
    return (sum_growth){
        .relative = expm1(growth), .factor = exp(growth), .flushed = rounded_up(3 * 0x1p-126 * flushes * exp(growth))};
}

static sum_error error_of_sum(const fold *of, long double magnitudes, const sum_growth *growth) {
    sum_error error;
    /* 0 times an infinite factor is NaN, and the sum of zeros has no error. */
    error.bound =
        (magnitudes > 0 ? rounded_up((double)((long double)growth->relative * magnitudes)) : 0) + growth->flushed;
    error.may_overflow = magnitudes > 0 && !(rounded_up((double)((long double)growth->factor * magnitudes)) <=
                                             largest_of(of->info.accumulator));
    return error;
}

static sum_error error_of_exact_sum(const reference *exact, const wf_rung_report *launch) {
    sum_growth growth = sum_growth_of(&exact->of, launch);
    sum_error error = error_of_sum(&exact->of, exact_sum_magnitudes(&exact->sum), &growth);
    if (wf_facts_of_op(exact->of.spec.op).term == WF_TERM_SQUARE)
        error.bound +=
            rounded_up((double)exact->count * smallest_of(exact->of.info.accumulator) * rounded_up(growth.factor));
    return error;
}

static bool any_infinite(const bool infinite[2]) {
    return infinite[0] || infinite[1];
}

/* terms_infinite: a term is infinite. expected is NaN or infinite only if terms are. */
static judgement judge_sum(double x, double expected, bool terms_infinite, sum_error allowed, double distance) {
    judgement judged = {.compared = true, .error = NAN, .bound = allowed.bound};
    if (isnan(expected)) {
        judged.accepted = isnan(x);
    } else if (terms_infinite) {
        judged.accepted = x == expected || (allowed.may_overflow && isnan(x));
    } else if (!isfinite(x) || isnan(distance)) {
        judged.accepted = allowed.may_overflow;
    } else {
        judged.error = distance;
        judged.accepted = judged.error <= judged.bound;
    }
    return judged;
}

static judgement verify_exact(wf_type type, value expected, value got) {
    bool both_nan = value_is_nan(type, expected) && value_is_nan(type, got);
    bool same = both_nan || value_same_bits(type, expected, got);
    return (judgement){.compared = true, .accepted = same, .error = same ? 0 : NAN};
}

/* Compares bits: -0 differs from +0. */
static judgement verify_rounded_once(const reference *exact, value expected, value got) {
    const wf_type type = exact->of.info.result_type;
    const double x = value_to_double(type, got), wanted = value_to_double(type, expected);
    judgement judged = verify_exact(type, expected, got);
    judged.error = NAN;
    if (!isfinite(x) || !isfinite(wanted))
        return judged;
    const double distance = exact_sum_distance(&exact->sum, x);
    judged.bound = exact_sum_distance(&exact->sum, wanted);
    if (judged.accepted || distance > judged.bound) /* otherwise it is the other side of a tie, or the other zero */
        judged.error = distance;
    return judged;
}

static judgement verify_sum(const reference *exact, double x, double expected, const wf_rung_report *launch) {
    sum_error allowed = error_of_exact_sum(exact, launch);
    return judge_sum(x, expected, any_infinite(exact->sum.infinite), allowed,
                     isfinite(x) ? exact_sum_distance(&exact->sum, x) : (double)NAN);
}

static judgement verify_mean(const reference *exact, double x, double expected, const wf_rung_report *launch) {
    wf_type accumulator = exact->of.info.accumulator;
    double count = (double)exact->count;
    sum_error allowed = error_of_exact_sum(exact, launch);
    double roundings = 3 * unit_roundoff(accumulator);
    double division = isfinite(x) ? roundings / (1 - roundings) * fabs(x) : 0;
    allowed.bound = rounded_up(allowed.bound / count + division) + smallest_of(accumulator);
    /* x * count may slightly exceed the largest double although the sum was finite; it is never twice as large. */
    double distance =
        isfinite(x * (count / 2)) ? exact_sum_distance_product(&exact->sum, x, count) / count : (double)INFINITY;
    return judge_sum(x, expected, any_infinite(exact->sum.infinite), allowed, distance);
}

/* The accumulator of integers is exact; its conversion and the division round. */
static judgement verify_integer_mean(double x, double expected) {
    judgement judged = {.compared = true, .error = fabs(x - expected), .bound = 0x1p-51 * fabs(expected)};
    judged.accepted = judged.error <= judged.bound;
    return judged;
}

static judgement nothing_known(void) {
    return (judgement){.accepted = true, .error = NAN, .bound = INFINITY};
}

static judgement verify_product(const reference *exact, double x) {
    const exact_product *product = &exact->product;
    wf_type accumulator = exact->of.info.accumulator;
    long double expected = exact_product_value(product);
    double growth = (double)product->factors * unit_roundoff(accumulator);
    double slack = exp(growth + exact_product_error(product));
    long double normal = accumulator == WF_F32 ? (long double)FLT_MIN : (long double)DBL_MIN;
    if (!product->nan && !(exact_product_largest(product) * slack <= (long double)largest_of(accumulator) &&
                           exact_product_smallest(product) >= normal * slack))
        return nothing_known();
    judgement judged = {.compared = true, .error = NAN};
    if (isnan(expected)) {
        judged.accepted = isnan(x);
    } else if (isinf(expected) || expected == 0) {
        judged.accepted = (long double)x == expected && !signbit(x) == !product->negative;
        judged.error = judged.accepted ? 0 : NAN;
    } else {
        judged.error = (double)fabsl((long double)x - expected);
        judged.bound = rounded_up(expm1(growth + exact_product_error(product)) * rounded_up((double)fabsl(expected)));
        judged.accepted = judged.error <= judged.bound;
    }
    return judged;
}

static judgement verify_chain(const reference *exact, size_t component, double x, const wf_rung_report *launch) {
    const exact_chain *chain = &exact->chain;
    wf_type accumulator = exact->of.info.accumulator;
    double operations = (double)chain->count + (double)launch->depth;
    double growth = operations * unit_roundoff(accumulator) + 2 * exact_chain_error(chain);
    long double grown = expl((long double)growth);
    if (!(chain->largest * grown <= (long double)largest_of(accumulator)))
        return nothing_known();
    double underflow = rounded_up((double)(12 * (long double)chain->count * (long double)smallest_of(accumulator) *
                                           exact_chain_amplification(chain) * grown));
    judgement judged = {.compared = true};
    judged.error = (double)fabsl((long double)x - chain->value[component]);
    judged.bound = rounded_up(expm1(growth) * rounded_up((double)chain->magnitudes[component])) + underflow;
    judged.accepted = judged.error <= judged.bound;
    return judged;
}

static judgement verify_value(const reference *exact, size_t i, value expected, value got,
                              const wf_rung_report *launch) {
    wf_type type = exact->of.info.result_type;
    double x = value_to_double(type, got), wanted = value_to_double(type, expected);
    bool rounds = reference_rounds(exact);
    if (exact->of.spec.op == WF_MEAN && exact->count > 0)
        return rounds ? verify_mean(exact, x, wanted, launch) : verify_integer_mean(x, wanted);
    if (!rounds || exact->count == 0)
        return verify_exact(type, expected, got);
    switch (wf_facts_of_op(exact->of.spec.op).op_class) {
    case WF_CLASS_SUM:
        return launch->depth == 0 ? verify_rounded_once(exact, expected, got) : verify_sum(exact, x, wanted, launch);
    case WF_CLASS_PRODUCT:
        return verify_product(exact, x);
    case WF_CLASS_ORDERED:
        return verify_chain(exact, i, x, launch);
    case WF_CLASS_EXTREME: /* do not round */
    case WF_CLASS_BITWISE:
        break;
    }
    return verify_exact(type, expected, got);
}

static void count_ulps(wf_type type, value expected, value got, judgement *judged) {
    bool nan = value_is_nan(type, expected), got_nan = value_is_nan(type, got);
    judged->ulps_known = wf_type_is_float(type) ? nan == got_nan : judged->accepted;
    judged->ulps = nan || !judged->ulps_known || !wf_type_is_float(type) ? 0 : value_ulps(type, expected, got);
}

/* True if only a is refused, or a's error is larger in relation to its bound. */
static bool is_worse(const judgement *a, const judgement *b) {
    if (a->accepted != b->accepted)
        return b->accepted;
    if (isnan(a->error) || isnan(b->error))
        return isnan(a->error) && !isnan(b->error);
    double share = a->error * b->bound, other = b->error * a->bound;
    return share > other || (share == other && a->bound > b->bound);
}

void judgement_merge(judgement *into, const judgement *one, bool is_first) {
    uint64_t ulps = !is_first && into->ulps > one->ulps ? into->ulps : one->ulps;
    bool known = one->ulps_known && (is_first || into->ulps_known);
    bool compared = one->compared && (is_first || into->compared);
    if (is_first || is_worse(one, into))
        *into = *one;
    into->ulps = ulps;
    into->ulps_known = known && compared;
    into->compared = compared;
}

judgement verify(const reference *exact, const result *got, const wf_rung_report *launch) {
    wf_type type = exact->of.info.result_type;
    result expected = reference_result(exact);
    judgement all = {.accepted = false};
    for (size_t i = 0; i < exact->of.info.result_values; i++) {
        value wanted = result_value(&exact->of, &expected, i), found = result_value(&exact->of, got, i);
        judgement one = verify_value(exact, i, wanted, found, launch);
        count_ulps(type, wanted, found, &one);
        judgement_merge(&all, &one, i == 0);
    }
    if (exact->of.info.has_index && result_index(&expected) != result_index(got)) {
        all.accepted = all.ulps_known = false;
        all.error = NAN;
    }
    return all;
}

judgement verify_running_sum(const fold *of, const running_sum *sum, value got, const sum_growth *growth) {
    wf_type type = of->spec.type;
    double x = value_to_double(type, got), expected = running_sum_value(sum);
    sum_error allowed = error_of_sum(of, running_sum_magnitudes(sum), growth);
    allowed.bound += running_sum_error(sum);
    double distance = isfinite(x) ? running_sum_distance(sum, x) : (double)NAN;
    judgement judged = judge_sum(x, expected, any_infinite(sum->infinite), allowed, distance);
    count_ulps(type, value_of_double(type, expected), got, &judged);
    return judged;
}
