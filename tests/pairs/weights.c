/* Sums of products. */
#include "pairs_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Each sum there is, one after the other; false: the number is too large. */
static bool spec_at(size_t number, wf_reduce_spec *spec) {
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int accuracy = 0; accuracy <= WF_ACCURACY_FAST; accuracy++)
            for (int accumulator = 0; accumulator <= WF_ACCUMULATE_F64; accumulator++) {
                *spec = (wf_reduce_spec){.type = (wf_type)type,
                                         .accumulator = (wf_accumulator)accumulator,
                                         .accuracy = (wf_accuracy)accuracy};
                wf_reduction_info info;
                if (wf_reduction_get_info(spec, &info) == WF_OK && number-- == 0)
                    return true;
            }
    return false;
}

void test_weights(void **state) {
    (void)state;
    size_t number = 0;
    wf_reduce_spec spec;
    for (size_t n = 0; spec_at(n, &spec); n++)
        for (size_t i = 0; i < COUNT(edge_counts); i++)
            for (size_t k = n % 2; k < COUNT(edge_counts); k += 2)
                for (uint32_t reduced = 0; reduced < 4; reduced++, number++) {
                    if (number % shares != share || (reduced == 0 && i + k > 8))
                        continue;
                    const uint64_t counts[] = {edge_counts[i], edge_counts[k]};
                    const unsigned strides = number % 2 == 0 ? 0 : (unsigned)(number / 2 * 7 % 251);
                    check_pairs(&spec, WF_WEIGHTS, counts, reduced, strides, (pair_data)(number / 2 % 3), 0,
                                1 + number);
                }
    assert_true(number > 1000);
}

/* Rows of several parts, with and without gaps, and sums that a pair of doubles does not hold. */
void test_long_weights(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F32, WF_F64, WF_BF16, WF_I32, WF_U8, WF_F16};
    static const uint64_t shapes[][2] = {{1, 300007}, {3, 50003}, {700, 300}};
    size_t number = 0;
    for (size_t i = 0; i < COUNT(types); i++)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (uint32_t reduced = 1; reduced < 4; reduced++)
                for (unsigned strides = 0; strides < 40; strides += 37, number++) {
                    const wf_reduce_spec spec = {.type = types[i]};
                    const uint64_t counts[] = {shapes[k][reduced == 1 ? 1 : 0], shapes[k][reduced == 1 ? 0 : 1]};
                    if (number % (shares < 10 ? shares : 10) == share % 10)
                        check_pairs(&spec, WF_WEIGHTS, counts, reduced, strides, (pair_data)(number % 3), 0,
                                    77 + 2 * number);
                }
}

void test_dot(void **state) {
    (void)state;
    float *there, dot;
    static const float numbers[] = {1, 2, 3, 0.5f, -4, 0x1p-100f};
    require(wf_malloc(context, (void **)&there, 64));
    require(wf_copy_to_device(context, there, numbers, sizeof numbers));
    const wf_reduce_spec spec = {.type = WF_F32};
    require(wf_dot(context, &spec, there, there + 3, 3, there + 8, sizeof dot));
    require(wf_copy_to_host(context, &dot, there + 8, sizeof dot));
    assert_true(dot == 0.5f - 8);
    require(wf_dot_async(context, &spec, there, there, 2, there + 8, sizeof dot, NULL));
    require(wf_copy_to_host(context, &dot, there + 8, sizeof dot));
    assert_true(dot == 5);
    require(wf_dot(context, &spec, NULL, NULL, 0, there + 8, sizeof dot));
    require(wf_copy_to_host(context, &dot, there + 8, sizeof dot));
    assert_true(dot == 0);
    require(wf_free(context, there));
}

void test_refused_weights(void **state) {
    (void)state;
    float *there;
    require(wf_malloc(context, (void **)&there, 1000));
    const wf_reduce_spec sum = {.type = WF_F32}, max = {.type = WF_F32, .op = WF_MAX};
    const wf_reduce_spec exact = {.type = WF_F64, .accuracy = WF_ACCURACY_EXACT};
    refuses(wf_dot(NULL, &sum, there, there, 3, there + 9, 4), WF_INVALID_ARGUMENT, "'context'");
    refuses(wf_dot(context, NULL, there, there, 3, there + 9, 4), WF_INVALID_ARGUMENT, "'spec'");
    refuses(wf_dot(context, &sum, NULL, there, 3, there + 9, 4), WF_INVALID_ARGUMENT, "'x'");
    refuses(wf_dot(context, &sum, there, NULL, 3, there + 9, 4), WF_INVALID_ARGUMENT, "'y'");
    refuses(wf_dot(context, &sum, there, there, 3, NULL, 4), WF_INVALID_ARGUMENT, "'result'");
    refuses(wf_dot(context, &sum, there, there, 3, there + 9, 8), WF_INVALID_ARGUMENT, "'result_bytes' is 8");
    refuses(wf_dot(context, &sum, there, (char *)there + 1, 3, there + 9, 4), WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_dot(context, &sum, there, there + 8, 3, there + 9, 4), WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_dot(context, &max, there, there, 3, there + 9, 4), WF_UNSUPPORTED, "max of f32 takes no weights");
    refuses(wf_dot(context, &exact, there, there, 3, there + 10, 8), WF_UNSUPPORTED, "f64 does not hold");
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {3}};
    wf_second second = {.kind = (wf_second_kind)7, .data = there};
    refuses(wf_reduce_axes_with(context, &sum, &axes, there, &second, there + 9, 4), WF_INVALID_ARGUMENT, "kind 7");
    second = (wf_second){.data = there, .reserved = {1}};
    refuses(wf_reduce_axes_with(context, &sum, &axes, there, &second, there + 9, 4), WF_INVALID_ARGUMENT, "reserved");
    refuses(wf_reduce_axes_with(context, &sum, &axes, there, NULL, there + 9, 4), WF_INVALID_ARGUMENT, "'second'");
    require(wf_free(context, there));
}
