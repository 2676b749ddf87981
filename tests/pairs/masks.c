/* Reductions under a mask. */
#include "numbers.h"
#include "pairs_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool takes_mask(wf_op op) {
    return op != WF_MATMUL && op != WF_AFFINE;
}

/* Each reduction there is, one after the other; false: the number is too large. */
static bool spec_at(size_t number, wf_reduce_spec *spec) {
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
                        if (takes_mask(spec->op) && wf_reduction_get_info(spec, &info) == WF_OK && number-- == 0)
                            return true;
                    }
    return false;
}

static pair_data data_of(const wf_reduce_spec *spec, size_t number) {
    return spec->op == WF_PRODUCT ? NEAR_ONE : (pair_data)(number % 3);
}

void test_masks(void **state) {
    (void)state;
    size_t number = 0;
    wf_reduce_spec spec;
    for (size_t n = 0; spec_at(n, &spec); n++)
        for (size_t i = n % 3; i < COUNT(edge_counts); i += 3)
            for (size_t k = (n + i) % 4; k < COUNT(edge_counts); k += 4)
                for (uint32_t reduced = 0; reduced < 4; reduced++, number++) {
                    if (number % shares != share || (reduced == 0 && i + k > 8))
                        continue;
                    const uint64_t counts[] = {edge_counts[i], edge_counts[k]};
                    if (spec.op == WF_PRODUCT && reduced == 3 && counts[0] * counts[1] > 1000)
                        continue; /* products of floats overflow */
                    const unsigned strides = number % 2 == 0 ? 0 : (unsigned)(number / 2 * 7 % 251);
                    check_pairs(&spec, WF_MASK, counts, reduced, strides, data_of(&spec, number / 2),
                                (unsigned)(number / 3 % 4), 1 + number);
                }
    assert_true(number > 1000);
}

/* Rows of several parts, in some of which nothing counts. */
void test_long_masks(void **state) {
    (void)state;
    static const wf_reduce_spec specs[] = {{.type = WF_F32},
                                           {.type = WF_F64, .op = WF_ASUM},
                                           {.type = WF_BF16, .op = WF_ARGMAX},
                                           {.type = WF_U8},
                                           {.type = WF_I32, .op = WF_PRODUCT},
                                           {.type = WF_I16, .op = WF_MINMAX},
                                           {.type = WF_F64, .op = WF_SUMSQ},
                                           {.type = WF_U16, .op = WF_ARGMIN},
                                           {.type = WF_F32, .op = WF_MAX, .nan = WF_NAN_IGNORE},
                                           {.type = WF_F32, .op = WF_MEAN},
                                           {.type = WF_F64, .op = WF_MEAN},
                                           {.type = WF_I64, .op = WF_MEAN},
                                           {.type = WF_U8, .op = WF_MEAN}};
    static const uint64_t shapes[][2] = {{1, 300007}, {3, 50003}};
    size_t number = 0;
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (uint32_t reduced = 1; reduced < 4; reduced++)
                for (unsigned strides = 0; strides < 40; strides += 37, number++) {
                    const uint64_t counts[] = {shapes[k][reduced == 1 ? 1 : 0], shapes[k][reduced == 1 ? 0 : 1]};
                    if (number % (shares < 10 ? shares : 10) == share % 10)
                        check_pairs(&specs[i], WF_MASK, counts, reduced, strides, data_of(&specs[i], number),
                                    (unsigned)(number % 3), 77 + 2 * number);
                }
}

/* Sums that overflow f64 where the mean of those that count does not; and a row in which nothing counts. */
void test_masked_means(void **state) {
    (void)state;
    static const double rows[3][4] = {
        {0x1.fffffffffffffp+1023, 1, 0x1.fffffffffffffp+1023, 0}, {(double)NAN, 5, (double)INFINITY, 7}, {1, 2, 3, 4}};
    static const unsigned char masks[3][4] = {{255, 0, 1, 0}, {0, 1, 0, 128}, {0, 0, 0, 0}};
    static const double wanted[3] = {0x1.fffffffffffffp+1023, 6, (double)NAN};
    char *there;
    double got[3];
    require(wf_malloc(context, (void **)&there, sizeof rows + sizeof masks + 4 + sizeof got));
    require(wf_copy_to_device(context, there, rows, sizeof rows));
    require(wf_copy_to_device(context, there + sizeof rows, masks, sizeof masks));
    void *const results = there + sizeof rows + sizeof masks + 4;
    const wf_axes axes = {.dimensions = 2, .reduced = 2, .counts = {3, 4}};
    const wf_second second = {.kind = WF_MASK, .data = there + sizeof rows};
    const wf_reduce_spec mean = {.type = WF_F64, .op = WF_MEAN};
    require(wf_reduce_axes_with(context, &mean, &axes, there, &second, results, sizeof got));
    require(wf_copy_to_host(context, got, results, sizeof got));
    for (size_t row = 0; row < 3; row++)
        assert_true(got[row] == wanted[row] || (got[row] != got[row] && wanted[row] != wanted[row]));
    require(wf_free(context, there));
}

void test_refused_masks(void **state) {
    (void)state;
    float *there;
    require(wf_malloc(context, (void **)&there, 1000));
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {4}};
    const wf_second mask = {.kind = WF_MASK, .data = (char *)there + 101};
    const wf_reduce_spec sum = {.type = WF_F32};
    const wf_reduce_spec affine = {.type = WF_F32, .op = WF_AFFINE};
    require(wf_reduce_axes_with(context, &sum, &axes, there, &mask, there + 9, 4));
    refuses(wf_reduce_axes_with(context, &sum, &axes, there, &mask, there + 26, 4), WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_reduce_axes_with(context, &affine, &axes, there, &mask, there + 10, 8), WF_UNSUPPORTED,
            "affine of f32 takes no mask");
    require(wf_free(context, there));
}
