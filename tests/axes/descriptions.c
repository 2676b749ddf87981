/* wf_describe_axes: each row is described as wf_describe describes its elements, gathered; the variance of floats is
 * that of a row of its own on the CPU, to the bit, and near the one of long doubles. */
#include "axes_tests.h"
#include "numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Both NaN, or the same bits. */
static bool are_same(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Of the elements that count. Not finite, or beyond what f64 holds: NaN. */
static long double variance_of(wf_type type, const void *row, size_t length, const wf_description *of) {
    long double sum = 0, squares = 0, distances = 0; /* these correct the rounded mean */
    for (size_t i = 0; i < length; i++)
        if (!number_is_nan(type, row, i))
            sum += number_value(type, row, i);
    const long double mean = sum / (long double)of->count;
    for (size_t i = 0; i < length; i++) {
        const long double distance = number_value(type, row, i) - mean;
        if (number_is_nan(type, row, i))
            continue;
        squares += distance * distance;
        distances += distance;
    }
    return (squares - distances * distances / (long double)of->count) / (long double)of->count;
}

static bool is_near(const wf_describe_spec *spec, const void *row, size_t length, const wf_description *of) {
    if (!number_is_float(spec->type) || of->count == 0 || !isfinite(of->mean) || !isfinite(of->variance))
        return true;
    const long double variance = variance_of(spec->type, row, length, of);
    const long double bound = 0x1p-49L + (long double)of->count * 0x1p-59L;
    return fabsl((long double)of->variance - variance) <= bound * variance + 0x1p-1073L;
}

/* A description's numbers, of which those of floats that are NaN may differ in their bits. */
static bool is_described(const wf_describe_spec *spec, const wf_description *got, const wf_description *wanted,
                         double variance) {
    const bool is_float = number_is_float(spec->type);
    const wf_number numbers[][2] = {{got->sum, wanted->sum}, {got->min, wanted->min}, {got->max, wanted->max}};
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (is_float ? !are_same(numbers[i][0].f64, numbers[i][1].f64) : numbers[i][0].u64 != numbers[i][1].u64)
            return false;
    return got->count == wanted->count && got->argmin == wanted->argmin && got->argmax == wanted->argmax &&
           are_same(got->mean, wanted->mean) && are_same(got->variance, variance);
}

static void fail_of(const wf_describe_spec *spec, const wf_axes *axes, long long at, const wf_description *got,
                    const wf_description *wanted, double variance) {
    char text[400] = "";
    for (uint32_t d = 0; d < axes->dimensions; d++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %llu%s by %lld",
                 (unsigned long long)axes->counts[d], (axes->reduced >> d & 1) != 0 ? " reduced" : "",
                 (long long)axes->strides[d]);
    fail_msg("description %lld of %s, NaN rule %d:%s: count %llu sum %g min %g max %g at %llu %llu mean %.17g variance "
             "%.17g, not %llu %g %g %g %llu %llu %.17g %.17g",
             at, wf_type_name(spec->type), (int)spec->nan, text, (unsigned long long)got->count, got->sum.f64,
             got->min.f64, got->max.f64, (unsigned long long)got->argmin, (unsigned long long)got->argmax, got->mean,
             got->variance, (unsigned long long)wanted->count, wanted->sum.f64, wanted->min.f64, wanted->max.f64,
             (unsigned long long)wanted->argmin, (unsigned long long)wanted->argmax, wanted->mean, variance);
}

/* The row alone, on the CPU. */
static double variance_alone(const wf_describe_spec *spec, const void *row, size_t length) {
    const wf_axes alone = {.dimensions = 1, .reduced = 1, .counts = {length}};
    wf_description made;
    require(wf_describe_axes(host, spec, &alone, row, &made, sizeof made));
    return made.variance;
}

static void check_elements(const wf_describe_spec *spec, const wf_axes *axes, const char *host_elements, size_t past) {
    const array_shape of = shape_of_axes(axes);
    const size_t element = wf_type_size(spec->type), result_bytes = of.result_span * sizeof(wf_description);
    char *elements;
    wf_description *results, *const got = malloc(result_bytes + 1), *const expected = malloc(result_bytes + 1);
    require(wf_malloc(context, (void **)&elements, past + of.span * element));
    require(wf_malloc(context, (void **)&results, result_bytes + 1));
    require(wf_copy_to_device(context, elements + past, host_elements, of.span * element));
    memset(got, 0xc3, result_bytes);
    memset(expected, 0xc3, result_bytes);
    require(wf_copy_to_device(context, results, got, result_bytes));
    require(wf_describe_axes(context, spec, axes, elements + past + of.first * element, results + of.first_result,
                             result_bytes));
    require(wf_copy_to_host(context, got, results, result_bytes));

    const uint32_t all = (1u << axes->dimensions) - 1, kept = all & ~axes->reduced;
    uint64_t length = 1, index[WF_MOST_DIMENSIONS] = {0};
    for (uint32_t d = 0; d < axes->dimensions; d++)
        length *= (axes->reduced >> d & 1) != 0 ? axes->counts[d] : 1;
    char *const gathered = malloc(length * element + 1);
    if (of.result_span != 0)
        do {
            const int64_t base = offset_along(&of.axes, index, of.axes.strides, kept) + (int64_t)of.first;
            uint64_t inner[WF_MOST_DIMENSIONS] = {0};
            for (uint64_t i = 0; i < length; i++) {
                const int64_t at = base + offset_along(&of.axes, inner, of.axes.strides, axes->reduced);
                memcpy(gathered + i * element, host_elements + (size_t)at * element, element);
                step_index(axes, axes->reduced, inner);
            }
            const int64_t to = offset_along(&of.axes, index, of.axes.result_strides, kept) + (int64_t)of.first_result;
            wf_description wanted;
            require(wf_describe(host, spec, gathered, length, &wanted));
            const double variance =
                number_is_float(spec->type) ? variance_alone(spec, gathered, length) : wanted.variance;
            if (!is_described(spec, &got[to], &wanted, variance) || !is_near(spec, gathered, length, &got[to]))
                fail_of(spec, &of.axes, (long long)to, &got[to], &wanted, variance);
            /* As wf_describe says of what f64 does not hold. */
            assert_true(isnan(got[to].variance) == isnan(wanted.variance));
            expected[to] = got[to];
        } while (step_index(axes, kept, index));
    assert_memory_equal(got, expected, result_bytes); /* nothing between results was written */
    free(gathered);
    free(expected);
    free(got);
    require(wf_free(context, elements));
    require(wf_free(context, results));
}

static void check(const wf_describe_spec *spec, const wf_axes *axes, data kind, uint64_t seed) {
    const array_shape of = shape_of_axes(axes);
    const size_t element = wf_type_size(spec->type);
    char *const elements = malloc(of.span * element + 1);
    const size_t past = seed % 16 / element * element; /* at any address that is aligned to the type */
    fill_array(spec->type, elements, of.span, kind, &seed);
    check_elements(spec, axes, elements, past);
    free(elements);
}

static wf_describe_spec spec_at(size_t number) {
    return (wf_describe_spec){.type = (wf_type)(number / 2 % WF_TYPE_COUNT), .nan = (wf_nan)(number % 2)};
}

void test_descriptions_of_rows_and_columns(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 8, 9, 31, 32, 33, 63, 64, 65, 255, 256, 257};
    size_t round = 0;
    for (size_t number = 0; number < 2 * WF_TYPE_COUNT; number++)
        for (size_t i = 0; i < COUNT(counts); i++)
            for (size_t k = (number + i) % 5; k < COUNT(counts); k += 5)
                for (uint32_t axis = 0; axis < 2; axis++, round++) {
                    const wf_describe_spec spec = spec_at(number);
                    const wf_axes axes = {.dimensions = 2, .reduced = 1u << axis, .counts = {counts[i], counts[k]}};
                    if (round % (4 * shares) == share)
                        check(&spec, &axes, round % 3 == 0 ? WILD : TAME, 1 + round);
                }
}

void test_descriptions_of_random_shapes(void **state) {
    (void)state;
    uint64_t seed = 20261128;
    for (size_t round = 0; round < 40 * WF_TYPE_COUNT; round++) {
        const wf_describe_spec spec = spec_at(round);
        const wf_axes axes = random_axes(&seed);
        if (round % shares == share)
            check(&spec, &axes, round % 3 == 0 ? WILD : TAME, next_random(&seed));
    }
}

/* Rows that a tile describes, and columns. */
void test_long_descriptions(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F32, WF_F64, WF_BF16, WF_U8, WF_I16, WF_I64};
    for (size_t i = 0; i < COUNT(types); i++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            const uint64_t lengths[] = {2049, 70001};
            for (size_t k = 0; k < COUNT(lengths); k++) {
                const wf_describe_spec spec = {.type = types[i], .nan = (wf_nan)(i % 2)};
                const wf_axes axes = {.dimensions = 2,
                                      .reduced = 1u << axis,
                                      .counts = {axis == 1 ? 3 : lengths[k], axis == 1 ? lengths[k] : 3}};
                if ((i + k) % shares == share % shares || shares < 4)
                    check(&spec, &axes, k == 0 ? WILD : TAME, 77 + i * 10 + k);
            }
        }
}

/* Rows whose variance other ways to compute it lose. */
void test_variances(void **state) {
    (void)state;
    enum { ROWS = 12, LENGTH = 300 };
    static double rows[ROWS][LENGTH];
    uint64_t seed = 7;
    for (size_t i = 0; i < LENGTH; i++) {
        const double noise = (double)(next_random(&seed) >> 11) * 0x1p-53;
        rows[0][i] = 1e16 + (i % 3 == 0 ? 4 : 0); /* in the last places of a large mean */
        rows[1][i] = 1e8 + noise;
        rows[2][i] = i == 77 ? 1e30 : noise;          /* one that is far from all others */
        rows[3][i] = noise * 0x1p-530;                /* squares that are subnormal */
        rows[4][i] = noise * 0x1p-1050;               /* elements that are */
        rows[5][i] = 0.1 * 0x1p700;                   /* equal ones */
        rows[6][i] = i % 2 == 0 ? 1e160 : -1e160;     /* squares that f64 does not hold */
        rows[7][i] = i % 2 == 0 ? 1.7e308 : -1.7e308; /* nor distances */
        rows[8][i] = i == 5 ? (double)NAN : 3 + noise;
        rows[9][i] = i == 200 ? (double)INFINITY : noise;
        rows[10][i] = i % 2 == 0 ? noise * 0x1p-300 : noise * 0x1p300; /* a sum that no pair of doubles holds */
        rows[11][i] = i % 100 == 0 ? 0x1p510 : i % 100 == 1 ? -0x1p510 : noise;
    }
    for (int nan = 0; nan < 2; nan++) {
        const wf_describe_spec spec = {.type = WF_F64, .nan = (wf_nan)nan};
        const wf_axes axes = {.dimensions = 2, .reduced = 2, .counts = {ROWS, LENGTH}};
        wf_axes turned = {.dimensions = 2, .reduced = 2, .has_strides = 1, .counts = {ROWS, LENGTH}};
        turned.strides[0] = LENGTH;
        turned.strides[1] = -1;
        check_elements(&spec, &axes, (const char *)rows, 0);
        check_elements(&spec, &turned, (const char *)rows, 0);
        static const bool is_infinite[ROWS] = {[6] = true, [7] = true};
        for (size_t row = 0; row < ROWS; row++)
            assert_true(isinf(variance_alone(&spec, rows[row], LENGTH)) == is_infinite[row]);
        assert_true(variance_alone(&spec, rows[5], LENGTH) == 0);
        assert_true(isnan(variance_alone(&spec, rows[9], LENGTH)));
    }
}

void test_refused_descriptions(void **state) {
    (void)state;
    char *memory;
    require(wf_malloc(context, (void **)&memory, 4096));
    wf_description *const out = (wf_description *)(memory + 1024);
    const wf_describe_spec good = {.type = WF_F32};
    const wf_axes axes = {.dimensions = 2, .reduced = 2, .counts = {3, 4}};
    const size_t bytes = 3 * sizeof *out;
    require(wf_describe_axes(context, &good, &axes, memory, out, bytes));
    require(wf_describe_axes_async(context, &good, &axes, memory, out, bytes, NULL));
#define REFUSES(status, says, ...) refuses(wf_describe_axes(__VA_ARGS__), status, says)
    REFUSES(WF_INVALID_ARGUMENT, "'context'", NULL, &good, &axes, memory, out, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "'spec'", context, NULL, &axes, memory, out, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "'axes'", context, &good, NULL, memory, out, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "'in'", context, &good, &axes, NULL, out, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "'result'", context, &good, &axes, memory, NULL, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "the result of description of f32 has 192 bytes", context, &good, &axes, memory, out,
            bytes - 1);
    REFUSES(WF_INVALID_ARGUMENT, "aligned", context, &good, &axes, memory + 1, out, bytes);
    REFUSES(WF_INVALID_ARGUMENT, "aligned", context, &good, &axes, memory, (wf_description *)(memory + 1028), bytes);
    REFUSES(WF_INVALID_ARGUMENT, "overlap", context, &good, &axes, memory + 1020, out, bytes);
    const wf_describe_spec reserved = {.type = WF_F32, .reserved = {0, 1}};
    REFUSES(WF_INVALID_ARGUMENT, "reserved field 1 of 'spec'", context, &reserved, &axes, memory, out, bytes);
    const wf_describe_spec unknown = {.type = WF_TYPE_COUNT};
    REFUSES(WF_INVALID_ARGUMENT, "type", context, &unknown, &axes, memory, out, bytes);
#undef REFUSES
    require(wf_free(context, memory));
}
