#include "data.h"

#include "numbers.h"
#include "oracle/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wavefold_ladder.h>

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

size_t data_kinds(const wf_reduce_spec *spec) {
    if (!number_is_float(spec->type))
        return is_ordered(spec->op) ? 1 : INTEGER_KINDS;
    return is_ordered(spec->op) ? SIGNED + 1 : spec->op == WF_PRODUCT ? NOT_A_NUMBER + 1 : FLOAT_KINDS;
}

/* In [-1, 1]. */
static double uniform_at(size_t i, uint64_t seed) {
    return (double)(int64_t)data_hash(seed ^ (i * 2 + 1)) * 0x1p-63;
}

/* ---- Floats ---- */

/* Whole numbers so small that no partial sum needs more bits than the accumulator has, nor an element more than its
 * type has, whatever the order. */
static double exact_term(wf_op op, wf_type type, wf_type accumulator, size_t i, size_t count, uint64_t seed) {
    const double most = (double)(UINT64_C(1) << number_precision(type));
    const double most_term = (double)(UINT64_C(1) << number_precision(accumulator)) / (double)(count ? count : 1);
    const double limit = op == WF_SUMSQ ? sqrt(most_term) : most_term;
    return trunc(uniform_at(i, seed) * fmin(most, limit));
}

/* Products that are exact: 1 or -1, and now and then a small factor; or of any factors near 1. */
static double factor(size_t kind, size_t i, size_t count, uint64_t seed) {
    static const double small[] = {3, -5, 0.5, 2, 3};
    const uint64_t random = data_hash(seed ^ (i * 2 + 1));
    if (kind == SIGNED) { /* a bf16 has 7 bits of fraction; some 2048 factors other than 1 stay in an f32's range */
        const bool is_one = (random >> 32) % (1 + count / 2048) != 0;
        return (random & 1 ? 1 : -1) * (is_one ? 1 : 1 + ((double)(random >> 8 & 7) - 3.5) * 0x1p-7);
    }
    for (size_t s = 0; s < 5; s++)
        if (i == data_hash(seed + s) % count)
            return small[s];
    return random & 1 ? 1 : -1;
}

static double float_value(const dataset *data, size_t i, uint64_t seed) {
    const wf_type type = data->spec.type;
    const size_t count = data->count;
    const size_t special = count ? data_hash(seed) % count : 0;
    const double uniform = uniform_at(i, seed);
    if (data->spec.op == WF_PRODUCT && data->kind <= SIGNED)
        return factor(data->kind, i, count, seed);
    switch (data->kind) {
    case EXACT:
        return exact_term(data->spec.op, type, data->info.accumulator, i, count, seed);
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
    const wf_type type = data->spec.type;
    const size_t scalars = data->info.result_values;
    const bool is_matrix = data->spec.op == WF_MATMUL;
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

/* ---- Bits ---- */

/* Of any weights "and" is soon 0, and "or" all bits. Here each bit of either is one element's, the first's and the
 * last's too. */
static void put_bits(const dataset *data, uint64_t seed) {
    const wf_type type = data->spec.type;
    for (size_t i = 0; i < data->count; i++)
        number_put_integer(type, data->values, i, data->spec.op == WF_AND ? UINT64_MAX : 0);
    for (size_t bit = 0; bit < 8 * wf_type_size(type) && data->count != 0; bit++) {
        const size_t place = bit == 0 ? 0 : bit == 1 ? data->count - 1 : data_hash(seed + bit) % data->count;
        number_put_integer(type, data->values, place, number_integer(type, data->values, place) ^ UINT64_C(1) << bit);
    }
}

/* ---- All of them ---- */

dataset data_make(const wf_reduce_spec *spec, size_t kind, size_t count, uint64_t seed) {
    const bool is_float = number_is_float(spec->type);
    dataset data = {
        .name = is_float ? float_names[kind] : integer_names[kind], .spec = *spec, .kind = kind, .count = count};
    if (wf_reduction_get_info(spec, &data.info) != WF_OK)
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
        if (spec->op == WF_PRODUCT) /* even factors would soon make every product 0 */
            weight |= 1;
        if (is_ordered(spec->op))
            ordered_element(&data, i, seed);
        else if (is_float)
            number_put_float(spec->type, data.values, i, float_value(&data, i, seed));
        else
            number_put_integer(spec->type, data.values, i, weight);
    }
    if ((spec->op == WF_AND || spec->op == WF_OR) && kind == WEIGHTS)
        put_bits(&data, seed);
    return data;
}

void data_free(dataset *data) {
    free(data->values);
    data->values = NULL;
}

/* ---- What the result should be ---- */

/* Sums, products and chains of these data are exact in every order; a mean rounds, squares of subnormal numbers do,
 * and a device may flush. */
static bool is_exact(const dataset *data, const wf_rung_report *report) {
    const bool rounds = data->spec.op == WF_MEAN || (data->spec.op == WF_SUMSQ && data->kind == SUBNORMAL);
    return number_is_float(data->spec.type) && data->kind != SIGNED && !rounds && report->flushes == 0;
}

static void tell(const fold *of, const result *expected, const result *got, const judgement *judged, char *difference,
                 size_t capacity) {
    size_t used = 0;
    for (size_t i = 0; i < of->info.result_values && used < capacity; i++) {
        char wanted[VALUE_TEXT], found[VALUE_TEXT];
        value_format(of->info.result_type, result_value(of, expected, i), wanted);
        value_format(of->info.result_type, result_value(of, got, i), found);
        used += (size_t)snprintf(difference + used, capacity - used, "expected %s, got %s; ", wanted, found);
    }
    if (of->info.has_index && used < capacity)
        used += (size_t)snprintf(difference + used, capacity - used, "at %llu, got %llu; ",
                                 (unsigned long long)result_index(expected), (unsigned long long)result_index(got));
    if (used < capacity)
        snprintf(difference + used, capacity - used, "error %g, bound %g", judged->error, judged->bound);
}

bool data_agrees(const dataset *data, const void *got, const wf_rung_report *report, char *difference,
                 size_t capacity) {
    const fold of = {data->spec, data->info};
    reference exact;
    reference_begin(&exact, &of);
    reference_add(&exact, data->values, data->count);
    const result expected = reference_result(&exact);
    result found = {{0}};
    memcpy(&found, got, data->info.result_bytes);
    const judgement judged = verify(&exact, &found, report);
    tell(&of, &expected, &found, &judged, difference, capacity);
    return judged.compared && judged.accepted && (!is_exact(data, report) || isnan(judged.error) || judged.error == 0);
}

bool data_half_floats_agree(char *difference, size_t capacity) {
    static const wf_type halves[] = {WF_F16, WF_BF16};
    for (size_t t = 0; t < sizeof halves / sizeof halves[0]; t++)
        for (uint32_t pattern = 0; pattern <= UINT16_MAX; pattern++) {
            const uint16_t bits = (uint16_t)pattern;
            const double expected = number_float(halves[t], &bits, 0);
            const double got = value_to_double(halves[t], value_at(halves[t], &bits, 0));
            if (isnan(expected) ? isnan(got) : memcmp(&got, &expected, sizeof got) == 0)
                continue;
            snprintf(difference, capacity, "%s %#x: expected %g, got %g", wf_type_name(halves[t]), pattern, expected,
                     got);
            return false;
        }
    return true;
}
