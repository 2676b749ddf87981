/* Data, and the check of one reduction. */
#include "numbers.h"
#include "pairs_tests.h"

#include <wavefold_sum.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

const uint64_t edge_counts[13] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257};

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void fill_numbers(wf_type type, void *array, size_t count, pair_data kind, uint64_t *seed) {
    const size_t bytes = wf_type_size(type);
    for (size_t i = 0; i < count; i++) {
        uint64_t random = next_random(seed);
        if (!number_is_float(type)) {
            number_put_integer(type, array, i, random);
            continue;
        }
        if (kind == WIDE) {
            const uint64_t exponents = number_extreme(type, true);
            random = (random & exponents) == exponents ? random ^ exponents : random;
            memcpy((char *)array + i * bytes, &random, bytes);
            continue;
        }
        if (kind == NEAR_ONE) {
            const double near_one = 0.9375 + (double)(random % 9) / 64;
            number_put_float(type, array, i, random / 9 % 2 == 0 ? near_one : -near_one);
            continue;
        }
        static const double specials[] = {0.0, -0.0, 1e-41, -3e-6, 65504.0, 1e30, 1e-310};
        double value = ((double)(random >> 11) * 0x1p-53 - 0.5) * (double)(1u << (random % 9));
        if (random % 17 == 0)
            value = specials[random / 17 % (kind == WILD ? 7 : 2)];
        number_put_float(type, array, i, value);
        if (kind == WILD && random % 197 == 0) {
            uint64_t infinity = number_extreme(type, random / 197 % 2 == 0);
            if (random % 3 == 0)
                infinity++; /* a NaN, of either sign */
            memcpy((char *)array + i * bytes, &infinity, bytes);
        }
    }
}

/* An array of two dimensions in memory of the device, and the same on the host. */
typedef struct placed {
    char *here, *block, *there;
    int64_t strides[2];
    size_t first, span; /* elements */
} placed;

static placed place(const uint64_t *counts, size_t element, unsigned strides, uint64_t seed) {
    placed of = {.strides = {(int64_t)counts[1], 1}};
    if (strides != 0) {
        const int64_t pad = 1 + (int64_t)(strides % 3);
        of.strides[0] = (int64_t)counts[1] * pad + (int64_t)(strides % 2);
        of.strides[1] = pad;
        for (unsigned d = 0; d < 2; d++)
            of.strides[d] = strides / 3 % 5 == d ? 0 : strides / 3 % 5 == d + 2 ? -of.strides[d] : of.strides[d];
    }
    int64_t lowest = 0, highest = 0;
    for (unsigned d = 0; d < 2; d++) {
        const int64_t reach = counts[d] == 0 ? 0 : ((int64_t)counts[d] - 1) * of.strides[d];
        *(reach < 0 ? &lowest : &highest) += reach;
    }
    of.first = (size_t)-lowest;
    of.span = (size_t)(highest - lowest + 1);
    of.here = malloc(of.span * element);
    /* Elements begin at any address that is aligned to their type. */
    const size_t past = seed % 2 == 0 ? 0 : seed / 2 % 16 / element * element;
    require(wf_malloc(context, (void **)&of.block, past + of.span * element));
    of.there = of.block + past;
    return of;
}

static void release(placed *of) {
    free(of->here);
    require(wf_free(context, of->block));
}

/* The sum of products: of integers in 64 bits, of floats as a sum of f64, rounded once. */
static void sum_products(const wf_reduction_info *info, wf_type type, const void *x, const void *y, size_t count,
                         void *result) {
    if (!number_is_float(type)) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += number_integer(type, x, i) * number_integer(type, y, i);
        number_put_integer(info->result_type, result, 0, sum);
        return;
    }
    double *const terms = malloc((count + 1) * sizeof *terms);
    for (size_t i = 0; i < count; i++)
        terms[i] = number_float(type, x, i) * number_float(type, y, i);
    wf_sum_state state;
    wf_sum_state_init(&state);
    const wf_reduce_spec sum = {.type = WF_F64, .op = WF_SUM};
    require(wf_sum_state_accumulate(host, &sum, terms, count, &state));
    require(wf_sum_state_round(&state, WF_SUM, info->result_type, result, info->result_bytes));
    free(terms);
}

/* Integers are rounded to f64; the sum of these is exact, and divided and rounded once. */
static void average_integers(wf_type type, const void *x, size_t count, void *result) {
    double *const terms = malloc((count + 1) * sizeof *terms);
    for (size_t i = 0; i < count; i++)
        terms[i] = (double)number_value(type, x, i);
    wf_sum_state state;
    wf_sum_state_init(&state);
    const wf_reduce_spec mean = {.type = WF_F64, .op = WF_MEAN};
    require(wf_sum_state_accumulate(host, &mean, terms, count, &state));
    require(wf_sum_state_round(&state, WF_MEAN, WF_F64, result, sizeof(double)));
    free(terms);
}

/* Fast sums of floats are rounded once along axes: into the accumulator's type. */
static wf_reduce_spec expected_spec(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    wf_reduce_spec expected = *spec;
    const bool is_sum = spec->op == WF_SUM || spec->op == WF_MEAN || spec->op == WF_ASUM || spec->op == WF_SUMSQ;
    if (number_is_float(spec->type) && is_sum && spec->accuracy == WF_ACCURACY_FAST) {
        expected.accuracy = WF_ACCURACY_EXACT;
        if (info->accumulator != spec->type)
            expected.accumulator = info->accumulator == WF_F64 ? WF_ACCUMULATE_F64 : WF_ACCUMULATE_F32;
    }
    return expected;
}

/* The result of the elements that count, gathered; its index among all. */
static void reduce_those_that_count(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *x,
                                    const unsigned char *mask, size_t count, void *result) {
    const size_t element = info->element_bytes;
    char *const kept = malloc(count * element + 1);
    uint64_t *const indices = malloc((count + 1) * sizeof *indices), index;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        if (mask[i] != 0) {
            memcpy(kept + length * element, (const char *)x + i * element, element);
            indices[length++] = i;
        }
    if (spec->op == WF_SUMSQ && spec->type == WF_F64) { /* each square is rounded first */
        sum_products(info, WF_F64, kept, kept, length, result);
    } else if (spec->op == WF_MEAN && !number_is_float(spec->type)) {
        average_integers(spec->type, kept, length, result);
    } else {
        const wf_reduce_spec expected = expected_spec(spec, info);
        require(wf_reduce(host, &expected, kept, length, result, info->result_bytes));
    }
    if (info->has_index != 0) {
        memcpy(&index, (char *)result + 8, sizeof index);
        if (index != UINT64_MAX)
            memcpy((char *)result + 8, &indices[index], sizeof index);
    }
    free(indices);
    free(kept);
}

/* The same bits, or both NaN; products of floats are nearly the same. */
static bool are_alike(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *a, const void *b) {
    const wf_type type = info->result_type;
    for (uint32_t v = 0; v < info->result_values; v++) {
        if (number_bits(type, a, v) == number_bits(type, b, v))
            continue;
        if (!number_is_float(type))
            return false;
        if (number_is_nan(type, a, v) && number_is_nan(type, b, v))
            continue;
        const double x = number_float(type, a, v), y = number_float(type, b, v), error = x > y ? x - y : y - x;
        if (spec->op != WF_PRODUCT || !(error <= (type == WF_F64 ? 1e-12 : 1e-4) * (y < 0 ? -y : y)))
            return false;
    }
    return info->has_index == 0 || memcmp((const char *)a + 8, (const char *)b + 8, 8) == 0;
}

void check_pairs(const wf_reduce_spec *spec, wf_second_kind kind, const uint64_t *counts, uint32_t reduced,
                 unsigned strides, pair_data data, unsigned mask_kind, uint64_t seed) {
    wf_reduction_info info;
    require(wf_reduction_get_info(spec, &info));
    const size_t element = info.element_bytes, second_element = kind == WF_MASK ? 1 : element,
                 bytes = info.result_bytes;
    placed x = place(counts, element, strides, seed), y = place(counts, second_element, strides / 16, seed / 64);
    fill_numbers(spec->type, x.here, x.span, data, &seed);
    if (kind == WF_WEIGHTS)
        fill_numbers(spec->type, y.here, y.span, data, &seed);
    for (size_t i = 0; kind == WF_MASK && i < y.span; i++) {
        const uint64_t random = next_random(&seed);
        y.here[i] = (char)(mask_kind == 0 ? 0 : mask_kind == 1 || random % 2 == 0 ? 1 + random / 2 % 255 : 0);
    }
    require(wf_copy_to_device(context, x.there, x.here, x.span * element));
    require(wf_copy_to_device(context, y.there, y.here, y.span * second_element));
    const wf_axes axes = {.dimensions = 2,
                          .reduced = reduced,
                          .has_strides = strides != 0,
                          .counts = {counts[0], counts[1]},
                          .strides = {x.strides[0], x.strides[1]}};
    const wf_second second = {.kind = kind,
                              .has_strides = strides != 0,
                              .data = y.there + y.first * second_element,
                              .strides = {y.strides[0], y.strides[1]}};
    const uint64_t outer = (reduced & 1) != 0 ? 1 : counts[0], inner = (reduced & 2) != 0 ? 1 : counts[1];
    const uint64_t rows = outer * inner, length = counts[0] * counts[1] == 0 ? 0 : counts[0] * counts[1] / rows;
    char *results, *const got = malloc(rows * bytes + 1), *const gathered = malloc(length * element + 1),
                          *const others = malloc(length * second_element + 1);
    require(wf_malloc(context, (void **)&results, rows * bytes + 1));
    require(wf_reduce_axes_with(context, spec, &axes, x.there + x.first * element, &second, results, rows * bytes));
    require(wf_copy_to_host(context, got, results, rows * bytes));
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t at[2] = {row / inner, row % inner};
        for (uint64_t i = 0; i < length; i++) {
            const uint64_t along = (reduced & 2) != 0 ? counts[1] : 1;
            const int64_t index[2] = {(int64_t)((reduced & 1) != 0 ? i / along : at[0]),
                                      (int64_t)((reduced & 2) != 0 ? i % along : at[1])};
            const int64_t from_x = index[0] * x.strides[0] + index[1] * x.strides[1] + (int64_t)x.first;
            const int64_t from_y = index[0] * y.strides[0] + index[1] * y.strides[1] + (int64_t)y.first;
            memcpy(gathered + i * element, x.here + (size_t)from_x * element, element);
            memcpy(others + i * second_element, y.here + (size_t)from_y * second_element, second_element);
        }
        unsigned char wanted[WF_RESULT_BYTES] = {0};
        if (kind == WF_WEIGHTS)
            sum_products(&info, spec->type, gathered, others, length, wanted);
        else
            reduce_those_that_count(spec, &info, gathered, (const unsigned char *)others, length, wanted);
        if (!are_alike(spec, &info, wanted, got + row * bytes))
            fail_msg("%s of %s, kind %d, accuracy %d, accumulator %d: %llu by %llu, reduced %u, strides %u, mask %u: "
                     "result %llu is wrong (%.17g, not %.17g)",
                     wf_op_name(spec->op), wf_type_name(spec->type), (int)kind, (int)spec->accuracy,
                     (int)spec->accumulator, (unsigned long long)counts[0], (unsigned long long)counts[1], reduced,
                     strides, mask_kind, (unsigned long long)row,
                     (double)number_value(info.result_type, got + row * bytes, 0),
                     (double)number_value(info.result_type, wanted, 0));
    }
    free(got);
    free(gathered);
    free(others);
    release(&x);
    release(&y);
    require(wf_free(context, results));
}
