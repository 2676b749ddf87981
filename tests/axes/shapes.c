/* Shapes: rows, columns, strides of both signs, repeated elements; every type and operator. */
#include "axes_tests.h"
#include "numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool rounds_by_shape(const wf_reduce_spec *spec) {
    return number_is_float(spec->type) && (spec->op == WF_PRODUCT || spec->op == WF_MATMUL || spec->op == WF_AFFINE);
}

/* Fast sums of floats are rounded once along axes: into the accumulator's type. */
static wf_reduce_spec expected_spec(const wf_reduce_spec *spec) {
    wf_reduce_spec expected = *spec;
    const bool is_sum = spec->op == WF_SUM || spec->op == WF_MEAN || spec->op == WF_ASUM || spec->op == WF_SUMSQ;
    if (number_is_float(spec->type) && is_sum && spec->accuracy == WF_ACCURACY_FAST &&
        !(spec->op == WF_SUMSQ && spec->type == WF_F64)) {
        wf_reduction_info info;
        require(wf_reduction_get_info(spec, &info));
        expected.accuracy = WF_ACCURACY_EXACT;
        if (info.accumulator != spec->type)
            expected.accumulator = info.accumulator == WF_F64 ? WF_ACCUMULATE_F64 : WF_ACCUMULATE_F32;
    }
    return expected;
}

/* Both NaN, or the same bits. Products and ordered operators of floats: nearly the same. */
static bool are_alike(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *a, const void *b) {
    if (memcmp(a, b, info->result_bytes) == 0)
        return true;
    const bool is_float = number_is_float(info->result_type);
    for (uint32_t v = 0; v < info->result_values; v++) {
        if (is_float && number_is_nan(info->result_type, a, v) && number_is_nan(info->result_type, b, v))
            continue;
        if (number_bits(info->result_type, a, v) == number_bits(info->result_type, b, v))
            continue;
        if (!is_float || !(rounds_by_shape(spec) || (spec->op == WF_SUMSQ && spec->type == WF_F64) ||
                           (spec->op == WF_MEAN && !number_is_float(spec->type))))
            return false;
        /* Of matrices and maps the numbers cancel: their errors are those of the largest. */
        double largest = 0;
        for (uint32_t k = 0; k < info->result_values; k++) {
            const double x = number_float(info->result_type, b, k);
            largest = x > largest ? x : -x > largest ? -x : largest;
        }
        const double x = number_float(info->result_type, a, v), y = number_float(info->result_type, b, v);
        const double error = x > y ? x - y : y - x, bound = info->result_type == WF_F64 ? 1e-9 : 1e-3;
        if (!(error <= bound * largest))
            return false;
    }
    return info->has_index == 0 || memcmp((const char *)a + 8, (const char *)b + 8, 8) == 0;
}

static void check(const wf_reduce_spec *spec, const wf_axes *axes, bool wild, uint64_t seed) {
    const array_shape of = shape_of_axes(axes);
    wf_reduction_info info;
    require(wf_reduction_get_info(spec, &info));
    const size_t element = info.element_bytes, numbers = element / wf_type_size(spec->type);
    const size_t number_bytes = wf_type_size(spec->type);
    /* Elements begin at any address that is aligned to their type. */
    const size_t past = seed % 16 / number_bytes * number_bytes;
    char *const host_elements = malloc(of.span * element + 1);
    char *elements, *results;
    const size_t result_bytes = of.result_span * info.result_bytes;
    require(wf_malloc(context, (void **)&elements, past + of.span * element));
    require(wf_malloc(context, (void **)&results, result_bytes + 1));
    fill_array(spec->type, host_elements, of.span * numbers,
               !rounds_by_shape(spec)   ? (wild ? WILD : TAME)
               : spec->op == WF_PRODUCT ? NEAR_ONE
                                        : NEAR_HALF,
               &seed);
    require(wf_copy_to_device(context, elements + past, host_elements, of.span * element));
    unsigned char *const got = malloc(result_bytes + 1), *const expected = malloc(result_bytes + 1);
    memset(got, 0xc3, result_bytes + 1);
    memset(expected, 0xc3, result_bytes + 1);
    require(wf_copy_to_device(context, results, got, result_bytes));
    const wf_status status = wf_reduce_axes(context, spec, axes, elements + past + of.first * element,
                                            results + of.first_result * info.result_bytes, result_bytes);
    require(status);
    require(wf_copy_to_host(context, got, results, result_bytes));

    const uint32_t all = (1u << axes->dimensions) - 1, kept = all & ~axes->reduced;
    uint64_t length = 1;
    for (uint32_t d = 0; d < axes->dimensions; d++)
        length *= (axes->reduced >> d & 1) != 0 ? axes->counts[d] : 1;
    char *const gathered = malloc(length * element + 1);
    const wf_reduce_spec by = expected_spec(spec);
    uint64_t index[WF_MOST_DIMENSIONS] = {0};
    if (of.result_span != 0)
        do {
            const int64_t base = offset_along(&of.axes, index, of.axes.strides, kept);
            uint64_t inner[WF_MOST_DIMENSIONS] = {0};
            for (uint64_t i = 0; i < length; i++) {
                const int64_t at =
                    base + offset_along(&of.axes, inner, of.axes.strides, axes->reduced) + (int64_t)of.first;
                memcpy(gathered + i * element, host_elements + (size_t)at * element, element);
                step_index(axes, axes->reduced, inner);
            }
            const int64_t to = offset_along(&of.axes, index, of.axes.result_strides, kept) + (int64_t)of.first_result;
            unsigned char *const wanted = expected + (size_t)to * info.result_bytes;
            const unsigned char *const gotten = got + (size_t)to * info.result_bytes;
            require(wf_reduce(host, &by, gathered, length, wanted, info.result_bytes));
            if (!are_alike(spec, &info, wanted, gotten)) {
                char text[400] = "";
                for (uint32_t d = 0; d < axes->dimensions; d++)
                    snprintf(text + strlen(text), sizeof text - strlen(text), " %llu%s by %lld",
                             (unsigned long long)axes->counts[d], (axes->reduced >> d & 1) != 0 ? " reduced" : "",
                             (long long)of.axes.strides[d]);
                fail_msg("%s of %s, accuracy %d, NaN rule %d:%s: result %lld is wrong (first value %.17g, not %.17g)",
                         wf_op_name(spec->op), wf_type_name(spec->type), (int)spec->accuracy, (int)spec->nan, text,
                         (long long)to, (double)number_value(info.result_type, gotten, 0),
                         (double)number_value(info.result_type, wanted, 0));
            }
            memcpy(wanted, gotten, info.result_bytes);
        } while (step_index(axes, kept, index));
    assert_memory_equal(got, expected, result_bytes); /* nothing between results was written */
    free(gathered);
    free(expected);
    free(got);
    free(host_elements);
    require(wf_free(context, elements));
    require(wf_free(context, results));
}

/* Each reduction there is, one after the other; false: the number is too large. */
static bool spec_at(size_t number, wf_reduce_spec *spec) {
    size_t n = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op < WF_OP_COUNT; op++)
            for (int nan = 0; nan <= WF_NAN_IGNORE; nan++)
                for (int accuracy = 0; accuracy <= WF_ACCURACY_FAST; accuracy++)
                    for (int accumulator = 0; accumulator <= WF_ACCUMULATE_F64; accumulator++) {
                        *spec = (wf_reduce_spec){.type = (wf_type)type,
                                                 .op = (wf_op)op,
                                                 .accumulator = (wf_accumulator)accumulator,
                                                 .nan = (wf_nan)nan,
                                                 .accuracy = (wf_accuracy)accuracy};
                        wf_reduction_info info;
                        if (wf_reduction_get_info(spec, &info) == WF_OK && n++ == number)
                            return true;
                    }
    return false;
}

void test_rows_and_columns(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 5, 16, 31, 32, 33, 63, 64, 65, 127, 255, 257};
    size_t number = 0;
    wf_reduce_spec spec;
    for (; spec_at(number, &spec); number++)
        for (size_t i = number % 3; number % shares == share && i < COUNT(counts); i += 3)
            for (size_t k = (number + i) % 4; k < COUNT(counts); k += 4)
                for (uint32_t axis = 0; axis < 2; axis++) {
                    const wf_axes axes = {.dimensions = 2, .reduced = 1u << axis, .counts = {counts[i], counts[k]}};
                    check(&spec, &axes, (number + k) % 2 == 0, 1 + number * 64 + i * 16 + k);
                }
    assert_true(number > 150);
}

void test_random_shapes(void **state) {
    (void)state;
    uint64_t seed = 20261128;
    wf_reduce_spec spec;
    size_t specs = 0;
    while (spec_at(specs, &spec))
        specs++;
    for (size_t round = 0; round < 4 * specs; round++) {
        assert_true(spec_at(round % specs, &spec));
        const wf_axes axes = random_axes(&seed);
        if (round % shares != share)
            continue;
        check(&spec, &axes, round % 2 == 0, next_random(&seed));
    }
}

/* Results of many elements, which several threads or tiles share. */
void test_long_results(void **state) {
    (void)state;
    static const wf_reduce_spec specs[] = {
        {.type = WF_F32}, {.type = WF_F64, .op = WF_MEAN},   {.type = WF_BF16, .op = WF_ARGMAX},
        {.type = WF_U8},  {.type = WF_I32, .op = WF_AFFINE}, {.type = WF_I16, .op = WF_MINMAX}};
    static const uint64_t shapes[][2] = {{1, 300007}, {3, 100003}, {1000, 700}, {2, 70001}};
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (uint32_t axis = 0; axis < 2; axis++) {
                const uint64_t *const of = shapes[k];
                const wf_axes axes = {
                    .dimensions = 2, .reduced = 1u << axis, .counts = {of[axis == 1 ? 0 : 1], of[axis == 1 ? 1 : 0]}};
                check(&specs[i], &axes, k % 2 == 0, 77 + i * 10 + k);
            }
    /* Parts of several reduced axes. */
    for (size_t i = 0; i < COUNT(specs); i++)
        for (uint32_t reduced = 5; reduced <= 7; reduced += 2) {
            const wf_axes axes = {.dimensions = 3,
                                  .reduced = reduced,
                                  .has_strides = 1,
                                  .counts = {1000, 3, 700},
                                  .strides = {3 * 701, 701, 1}};
            check(&specs[i], &axes, false, 177 + i);
        }
}

/* Sums that overflow f64 where the mean does not. */
void test_means_of_large_terms(void **state) {
    (void)state;
    static const double rows[][3] = {{0x1.fffffffffffffp+1023, 0x1p969, 0x1p969},
                                     {0x1.fffffffffffffp+1023, 0x1.4p970, 0},
                                     {-0x1.fffffffffffffp+1023, -0x1p1023, 0x1p1022}};
    for (size_t row = 0; row < COUNT(rows); row++)
        for (int op = 0; op < 2; op++) {
            const wf_reduce_spec spec = {.type = WF_F64, .op = op == 0 ? WF_MEAN : WF_SUM};
            const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {3}};
            double wanted, got, *there;
            require(wf_malloc(context, (void **)&there, 4 * sizeof *there));
            require(wf_copy_to_device(context, there, rows[row], sizeof rows[row]));
            require(wf_reduce_axes(context, &spec, &axes, there, there + 3, sizeof got));
            require(wf_copy_to_host(context, &got, there + 3, sizeof got));
            require(wf_reduce(host, &spec, rows[row], 3, &wanted, sizeof wanted));
            assert_memory_equal(&got, &wanted, sizeof got);
            require(wf_free(context, there));
        }
}

/* Terms of all exponents: a pair of doubles does not hold such sums. */
void test_sums_that_need_digits(void **state) {
    (void)state;
    enum { ROWS = 9, LENGTH = 200 };
    uint64_t seed = 99;
    for (int type = WF_F32; type <= WF_F64; type++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            const size_t bytes = wf_type_size((wf_type)type);
            static double storage[ROWS * LENGTH];
            char *const elements = (char *)storage;
            for (size_t i = 0; i < ROWS * LENGTH; i++) {
                uint64_t bits = next_random(&seed);
                const uint64_t exponents = number_extreme((wf_type)type, true);
                const size_t row = axis == 1 ? i / LENGTH : i % ROWS;
                if (row % 3 != 0 && (bits & exponents) == exponents)
                    bits ^= exponents; /* only some rows have infinities and NaN */
                memcpy(elements + i * bytes, &bits, bytes);
            }
            for (int op = 0; op < 4; op++) {
                static const wf_op ops[] = {WF_SUM, WF_MEAN, WF_ASUM, WF_SUMSQ};
                if (ops[op] == WF_SUMSQ && type == WF_F64)
                    continue;
                const wf_reduce_spec spec = {.type = (wf_type)type, .op = ops[op]};
                const wf_axes axes = {.dimensions = 2,
                                      .reduced = 1u << axis,
                                      .counts = {axis == 1 ? ROWS : LENGTH, axis == 1 ? LENGTH : ROWS}};
                double got[ROWS], wanted;
                void *there, *results;
                require(wf_malloc(context, &there, sizeof storage));
                require(wf_malloc(context, &results, ROWS * bytes));
                require(wf_copy_to_device(context, there, elements, ROWS * LENGTH * bytes));
                require(wf_reduce_axes(context, &spec, &axes, there, results, ROWS * bytes));
                require(wf_copy_to_host(context, got, results, ROWS * bytes));
                for (size_t row = 0; row < ROWS; row++) {
                    double gathered[LENGTH];
                    for (size_t i = 0; i < LENGTH; i++)
                        memcpy((char *)gathered + i * bytes,
                               elements + (axis == 1 ? row * LENGTH + i : i * ROWS + row) * bytes, bytes);
                    require(wf_reduce(host, &spec, gathered, LENGTH, &wanted, bytes));
                    assert_memory_equal(&wanted, (char *)got + row * bytes, bytes);
                }
                require(wf_free(context, there));
                require(wf_free(context, results));
            }
        }
}
