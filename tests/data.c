#include "data.h"

#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT, SIGNED, NOT_A_NUMBER, INFINITE, BOTH_INFINITE, ZEROS, SUBNORMAL, ALL_NAN, FLOAT_KINDS };
enum { WEIGHTS, FEW_VALUES, INTEGER_KINDS };

static const char *const float_names[] = {"exact",           "signed",       "NaN",       "infinite",
                                          "both infinities", "signed zeros", "subnormal", "all NaN"};
static const char *const integer_names[] = {"weights", "few values"};

/* splitmix64's finaliser. */
uint64_t data_hash(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

data_share data_share_of(int argc, char **argv, int position) {
    if (argc < position + 2)
        return (data_share){1, 0};
    const size_t every = strtoul(argv[position], NULL, 10), first = strtoul(argv[position + 1], NULL, 10);
    return (data_share){every > 0 ? every : 1, first};
}

bool data_takes(data_share share, size_t number) {
    return number % share.every == share.first % share.every;
}

static bool is_ordered(wf_op op) {
    return op == WF_MATMUL || op == WF_AFFINE;
}

static bool accumulates(wf_op op) {
    return op == WF_SUM || op == WF_PRODUCT || op == WF_MEAN;
}

size_t data_kinds(const wf_reduce_spec *what) {
    if (!number_is_float(what->type))
        return is_ordered(what->op) ? 1 : INTEGER_KINDS;
    return is_ordered(what->op) ? SIGNED + 1 : what->op == WF_PRODUCT ? NOT_A_NUMBER + 1 : FLOAT_KINDS;
}

/* In [-1, 1]. */
static double uniform_at(size_t i, uint64_t seed) {
    return (double)(int64_t)data_hash(seed ^ (i * 2 + 1)) * 0x1p-63;
}

/* ---- Floats ---- */

/* Whole numbers so small that no partial sum needs more bits than the accumulator has, nor an element more than its type
 * has, whatever the order. */
static double exact_term(wf_type type, wf_type accumulator, size_t i, size_t count, uint64_t seed) {
    const double most = (double)(UINT64_C(1) << number_precision(type));
    const double limit = (double)(UINT64_C(1) << number_precision(accumulator)) / (double)(count ? count : 1);
    return trunc(uniform_at(i, seed) * fmin(most, limit));
}

/* Products that are exact: 1 or -1, and now and then a small factor; or of any factors near 1. */
static double factor(size_t kind, size_t i, size_t count, uint64_t seed) {
    static const double small[] = {3, -5, 0.5, 2, 3};
    const uint64_t random = data_hash(seed ^ (i * 2 + 1));
    if (kind == SIGNED) /* a bf16 has 7 bits of fraction */
        return (random & 1 ? 1 : -1) * (1 + (double)(random >> 8 & 3) * 0x1p-7);
    for (size_t s = 0; s < 5; s++)
        if (i == data_hash(seed + s) % count)
            return small[s];
    return random & 1 ? 1 : -1;
}

static double float_value(const dataset *data, size_t i, uint64_t seed) {
    const wf_type type = data->what.type;
    const size_t count = data->count;
    const size_t special = count ? data_hash(seed) % count : 0;
    const double uniform = uniform_at(i, seed);
    if (data->what.op == WF_PRODUCT && data->kind <= SIGNED)
        return factor(data->kind, i, count, seed);
    switch (data->kind) {
    case EXACT:
        return exact_term(type, data->info.accumulator, i, count, seed);
    case NOT_A_NUMBER:
        return i == special ? (double)NAN : uniform;
    case INFINITE:
        return i == special ? (seed % 2 ? (double)INFINITY : -(double)INFINITY) : uniform;
    case BOTH_INFINITE:
        return i == special ? (double)INFINITY : i == (special + 1) % count ? -(double)INFINITY : uniform;
    case ZEROS:
        return i == special ? 0.0 : -0.0;
    case SUBNORMAL: /* whole multiples of the smallest one: their sums are exact */
        return trunc(uniform * 100) * number_smallest(type);
    case ALL_NAN:
        return (double)NAN;
    default:
        return uniform;
    }
}

/* ---- Ordered elements ---- */

/* Powers of two along a walk that stays between 1 and 8, and small whole numbers: every composition of neighbours is
 * exact. Where neighbours differ, so does what comes of them in the other order. */
static void exact_map(size_t i, size_t count, uint64_t seed, double map[2]) {
    const double limit = fmax(1, 4096.0 / (double)count);
    const int here = (int)(data_hash(seed ^ i) % 4), next = (int)(data_hash(seed ^ (i + 1)) % 4);
    map[0] = ldexp(data_hash(seed + i) & 16 ? 1 : -1, next - here);
    map[1] = round(uniform_at(i, seed) * fmin(limit, 250));
}

static void ordered_element(const dataset *data, size_t i, uint64_t seed) {
    const wf_type type = data->what.type;
    const size_t scalars = data->info.result_values;
    const bool is_matrix = data->what.op == WF_MATMUL;
    if (type == WF_I32) {
        uint32_t *element = (uint32_t *)data->values + i * scalars;
        for (size_t k = 0; k < scalars; k++)
            element[k] = (uint32_t)data_hash(seed ^ ((i * scalars + k) * 2 + 1));
        /* Odd a (and determinants): else a long product loses its bits one by one, and ends as 0. */
        element[0] |= 1;
        if (is_matrix) {
            element[3] |= 1;
            element[1] &= ~1u;
        }
        return;
    }
    double element[4];
    if (data->kind == EXACT) {
        double map[2];
        exact_map(i, data->count, seed, map);
        const double matrix[4] = {map[0], map[1], 0, data_hash(seed - i) & 1 ? 1 : -1};
        memcpy(element, is_matrix ? matrix : map, sizeof matrix / (is_matrix ? 1 : 2));
    } else {
        for (size_t k = 0; k < scalars; k++)
            element[k] = uniform_at(i * scalars + k, seed);
    }
    for (size_t k = 0; k < scalars; k++)
        number_put_float(type, data->values, i * scalars + k, element[k]);
}

/* ---- All of them ---- */

dataset data_make(const wf_reduce_spec *what, size_t kind, size_t count, uint64_t seed) {
    const bool is_float = number_is_float(what->type);
    dataset data = {
        .name = is_float ? float_names[kind] : integer_names[kind], .what = *what, .kind = kind, .count = count};
    if (wf_reduction_get_info(what, &data.info) != WF_OK)
        abort();
    data.values = malloc(count * data.info.element_bytes + 1);
    if (data.values == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        uint64_t weight = data_hash(seed ^ (i * 2 + 1));
        if (kind == FEW_VALUES) /* ties for argmin, and bits that and and or leave */
            weight = weight % 3 == 0   ? UINT64_C(0x5555555555555555)
                     : weight % 3 == 1 ? UINT64_C(0xd5d5d5d5d5d5d5d5)
                                       : 21;
        if (what->op == WF_PRODUCT) /* even factors would soon make every product 0 */
            weight |= 1;
        if (is_ordered(what->op))
            ordered_element(&data, i, seed);
        else if (is_float)
            number_put_float(what->type, data.values, i, float_value(&data, i, seed));
        else
            number_put_integer(what->type, data.values, i, weight);
    }
    return data;
}

void data_free(dataset *data) {
    free(data->values);
    data->values = NULL;
}

/* ---- What the result should be ---- */

typedef struct text {
    char *at;
    size_t capacity;
} text;

static bool bits_agree(uint64_t got, uint64_t expected, const text *difference) {
    snprintf(difference->at, difference->capacity, "expected %#llx, got %#llx", (unsigned long long)expected,
             (unsigned long long)got);
    return got == expected;
}

static bool integers_agree(const dataset *data, const void *result, const text *difference) {
    const wf_type type = data->what.type;
    const wf_op op = data->what.op;
    uint64_t expected = op == WF_AND ? UINT64_MAX : op == WF_PRODUCT;
    for (size_t i = 0; i < data->count; i++) {
        const uint64_t value = number_integer(type, data->values, i);
        expected = op == WF_PRODUCT ? expected * value
                   : op == WF_AND   ? expected & value
                   : op == WF_OR    ? expected | value
                   : op == WF_XOR   ? expected ^ value
                                    : expected + value;
    }
    const wf_type of = data->info.result_type;
    if (op == WF_MEAN) { /* in 64 bits, which the narrow types of the tests do not leave; then one division */
        const bool is_signed = data->info.accumulator == WF_I32 || data->info.accumulator == WF_I64;
        const double sum = is_signed ? (double)(int64_t)expected : (double)expected;
        const double mean = sum / (double)data->count, got = number_float(of, result, 0);
        snprintf(difference->at, difference->capacity, "expected %.17g, got %.17g", mean, got);
        return got == mean || (isnan(mean) && isnan(got));
    }
    char wrapped[8] = {0};
    number_put_integer(of, wrapped, 0, expected);
    return bits_agree(number_integer(of, result, 0), number_integer(of, wrapped, 0), difference);
}

/* Sums, products and means in floats. Twice the precision of the terms (80-bit extended) is not exact, but its own error
 * is part of the bound. */
static bool arithmetic_agrees(const dataset *data, const void *result, const wf_rung_report *report,
                              const text *difference) {
    const wf_op op = data->what.op;
    const wf_type accumulator = data->info.accumulator;
    long double total = op == WF_PRODUCT ? 1 : 0, magnitude = 0;
    for (size_t i = 0; i < data->count; i++) {
        const long double value = number_value(data->what.type, data->values, i);
        total = op == WF_PRODUCT ? total * value : total + value;
        magnitude += fabsl(value);
    }
    const double got = number_float(data->info.result_type, result, 0);
    if (op == WF_MEAN && data->count == 0)
        return isnan(got);
    if (!isfinite((double)total)) {
        snprintf(difference->at, difference->capacity, "expected %Lg, got %g", total, got);
        return isnan(total) ? isnan(got) : got == (double)total;
    }
    const long double unit = ldexpl(1, -number_precision(accumulator));
    const long double operations = op == WF_PRODUCT ? (long double)data->count : (long double)report->depth;
    const bool exact = number_is_float(data->what.type) && data->kind != SIGNED;
    long double bound = 0;
    if (!exact) {
        bound = operations * unit < 1 ? operations * unit / (1 - operations * unit) : (long double)INFINITY;
        bound += (long double)data->count * 0x1p-63L;
        bound *= op == WF_PRODUCT ? fabsl(total) : magnitude;
    }
    if (accumulator == WF_F32)
        bound += 3 * 0x1p-126L * (long double)report->flushes;
    if (op == WF_MEAN) { /* the division rounds once in f64 and once to the result's type, which may be subnormal */
        total /= (long double)data->count;
        bound = bound / (long double)data->count + 2.1L * unit * fabsl(total) + number_smallest(accumulator);
    }
    const long double error = fabsl((long double)got - total);
    snprintf(difference->at, difference->capacity, "expected %.20Lg, got %.17g: error %Lg, bound %Lg", total, got,
             error, bound);
    return error <= bound;
}

/* Where the first of the least or largest elements stands; count if NaN are passed over and there is nothing else. */
static size_t extreme_of(const dataset *data, bool least) {
    const wf_type type = data->what.type;
    size_t found = data->count;
    for (size_t i = 0; i < data->count; i++) {
        if (number_is_nan(type, data->values, i)) {
            if (data->what.nan == WF_NAN_PROPAGATE)
                return i;
        } else if (found == data->count ||
                   (least ? number_less(type, data->values, i, found) : number_less(type, data->values, found, i))) {
            found = i;
        }
    }
    return found;
}

static bool extreme_agrees(const dataset *data, bool least, const void *result, size_t number, const text *difference) {
    const wf_type type = data->what.type;
    const size_t at = extreme_of(data, least);
    const bool ignore = data->what.nan == WF_NAN_IGNORE && number_is_float(type);
    if (at == data->count) { /* the identity */
        if (ignore)
            return number_is_nan(type, result, number);
        return bits_agree(number_bits(type, result, number), number_extreme(type, least), difference);
    }
    if (number_is_nan(type, data->values, at))
        return number_is_nan(type, result, number);
    return bits_agree(number_bits(type, result, number), number_bits(type, data->values, at), difference);
}

static bool index_agrees(const dataset *data, const void *result, const text *difference) {
    const bool least = data->what.op == WF_ARGMIN;
    const size_t at = extreme_of(data, least);
    uint64_t index;
    memcpy(&index, (const char *)result + 8, sizeof index);
    return extreme_agrees(data, least, result, 0, difference) &&
           bits_agree(index, at == data->count ? UINT64_MAX : at, difference);
}

static bool ordered_integers_agree(const dataset *data, const void *result, const text *difference) {
    const bool is_matrix = data->what.op == WF_MATMUL;
    uint32_t p[4] = {1, 0, is_matrix ? 0 : 0, 1};
    for (size_t i = 0; i < data->count; i++) {
        const uint32_t *m = (const uint32_t *)data->values + i * (is_matrix ? 4 : 2);
        const uint32_t product[4] = {p[0] * m[0] + p[1] * m[2], p[0] * m[1] + p[1] * m[3], p[2] * m[0] + p[3] * m[2],
                                     p[2] * m[1] + p[3] * m[3]};
        const uint32_t composed[4] = {m[0] * p[0], m[0] * p[1] + m[1], 0, 0};
        memcpy(p, is_matrix ? product : composed, sizeof p);
    }
    for (uint32_t k = 0; k < data->info.result_values; k++)
        if (!bits_agree(((const uint32_t *)result)[k], p[k], difference))
            return false;
    return true;
}

/* The value and, in m, the same with every number replaced by its magnitude: each entry is a sum of products of one
 * number per element, which pass through at most count - 1 multiplications and depth additions. */
static bool ordered_floats_agree(const dataset *data, const void *result, const wf_rung_report *report,
                                 const text *difference) {
    const wf_type type = data->what.type;
    const bool is_matrix = data->what.op == WF_MATMUL;
    const size_t scalars = data->info.result_values;
    long double p[2][4] = {{1, 0, 0, 1}, {1, 0, 0, 1}};
    for (size_t i = 0; i < data->count; i++)
        for (int magnitude = 0; magnitude < 2; magnitude++) {
            long double m[4] = {0}, *q = p[magnitude];
            for (size_t k = 0; k < scalars; k++) {
                m[k] = number_value(type, data->values, i * scalars + k);
                if (magnitude)
                    m[k] = fabsl(m[k]);
            }
            const long double product[4] = {q[0] * m[0] + q[1] * m[2], q[0] * m[1] + q[1] * m[3],
                                            q[2] * m[0] + q[3] * m[2], q[2] * m[1] + q[3] * m[3]};
            const long double composed[4] = {m[0] * q[0], m[0] * q[1] + m[1], 0, 0};
            memcpy(q, is_matrix ? product : composed, sizeof product);
        }
    const long double operations = (long double)data->count + (long double)report->depth;
    for (size_t k = 0; k < scalars; k++) {
        long double bound = 0;
        if (data->kind == SIGNED) { /* a product may leave the normal numbers on the way */
            bound = p[1][k] * (expm1l(operations * ldexpl(1, -number_precision(type))) + operations * 0x1p-62L);
            bound += operations * 4 * number_smallest(type) * (1 + (long double)data->count);
        }
        const double got = number_float(type, result, k);
        const long double error = fabsl((long double)got - p[0][k]);
        snprintf(difference->at, difference->capacity, "number %zu: expected %.20Lg, got %.17g: error %Lg, bound %Lg",
                 k, p[0][k], got, error, bound);
        if (!(error <= bound))
            return false;
    }
    return true;
}

bool data_agrees(const dataset *data, const void *result, const wf_rung_report *report, char *difference,
                 size_t capacity) {
    const text said = {difference, capacity};
    const wf_op op = data->what.op;
    if (is_ordered(op))
        return data->what.type == WF_I32 ? ordered_integers_agree(data, result, &said)
                                         : ordered_floats_agree(data, result, report, &said);
    if (op == WF_MINMAX)
        return extreme_agrees(data, true, result, 0, &said) && extreme_agrees(data, false, result, 1, &said);
    if (op == WF_MIN || op == WF_MAX)
        return extreme_agrees(data, op == WF_MIN, result, 0, &said);
    if (op == WF_ARGMIN || op == WF_ARGMAX)
        return index_agrees(data, result, &said);
    return accumulates(op) && number_is_float(data->info.accumulator) ? arithmetic_agrees(data, result, report, &said)
                                                                      : integers_agree(data, result, &said);
}
