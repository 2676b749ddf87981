/* Shapes that are refused, by name; and shapes with nothing in them. */
#include "axes_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

void test_refused(void **state) {
    (void)state;
    float *memory;
    require(wf_malloc(context, (void **)&memory, 1000 * sizeof(float)));
    float *const out = memory + 500;
    const wf_reduce_spec sum = {.type = WF_F32};
    const wf_axes good = {.dimensions = 2, .reduced = 2, .counts = {3, 4}};
#define REFUSES(axes, status, says) refuses(wf_reduce_axes(context, &sum, &(axes), memory, out, 12), status, says)
    require(wf_reduce_axes(context, &sum, &good, memory, out, 12));
    refuses(wf_reduce_axes(NULL, &sum, &good, memory, out, 12), WF_INVALID_ARGUMENT, "'context'");
    refuses(wf_reduce_axes(context, NULL, &good, memory, out, 12), WF_INVALID_ARGUMENT, "'spec'");
    refuses(wf_reduce_axes(context, &sum, NULL, memory, out, 12), WF_INVALID_ARGUMENT, "'axes'");
    refuses(wf_reduce_axes(context, &sum, &good, NULL, out, 12), WF_INVALID_ARGUMENT, "'in'");
    refuses(wf_reduce_axes(context, &sum, &good, memory, NULL, 12), WF_INVALID_ARGUMENT, "'result'");
    refuses(wf_reduce_axes(context, &sum, &good, memory, out, 16), WF_INVALID_ARGUMENT,
            "'result_bytes' is 16, but the result of sum of f32 has 12 bytes");
    refuses(wf_reduce_axes(context, &sum, &good, (char *)memory + 1, out, 12), WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_reduce_axes(context, &sum, &good, memory, (char *)out + 2, 12), WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_reduce_axes(context, &sum, &good, memory, memory + 11, 12), WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_reduce_axes(context, &(wf_reduce_spec){.op = WF_AND}, &good, memory, out, 12), WF_UNSUPPORTED, "and");
    wf_axes bad = good;
    bad.dimensions = 0;
    REFUSES(bad, WF_INVALID_ARGUMENT, "has 0 dimensions: it must have 1 to 8");
    bad.dimensions = 9;
    REFUSES(bad, WF_INVALID_ARGUMENT, "has 9 dimensions");
    bad = good;
    bad.reduced = 4;
    REFUSES(bad, WF_INVALID_ARGUMENT, "'reduced' is 0x4, which names a dimension that the array lacks");
    bad = good;
    bad.reserved[3] = 1;
    REFUSES(bad, WF_INVALID_ARGUMENT, "reserved field 3 of 'axes'");
    bad = good;
    bad.counts[0] = bad.counts[1] = UINT64_C(1) << 32;
    REFUSES(bad, WF_INVALID_ARGUMENT, "multiply to more than 2^63");
    bad.counts[0] = 0; /* another count is too large all the same */
    bad.counts[1] = UINT64_MAX;
    REFUSES(bad, WF_INVALID_ARGUMENT, "multiply to more than 2^63");
    bad = good;
    bad.counts[0] = UINT64_C(1) << 60;
    REFUSES(bad, WF_INVALID_ARGUMENT, "address space");
    bad = good;
    bad.has_strides = 1;
    bad.strides[0] = INT64_MIN;
    REFUSES(bad, WF_INVALID_ARGUMENT, "dimension 0, of 3 elements");
    bad.strides[0] = 4;
    bad.strides[1] = INT64_MAX / 4;
    REFUSES(bad, WF_INVALID_ARGUMENT, "dimension 1, of 4 elements");
    wf_axes cube = {.dimensions = 3, .reduced = 4, .counts = {2, 3, 4}, .has_result_strides = 1};
    cube.result_strides[0] = 3;
    cube.result_strides[1] = 0;
    REFUSES(cube, WF_INVALID_ARGUMENT, "results overlap: a result stride of 0");
    cube.result_strides[1] = 2;
    REFUSES(cube, WF_INVALID_ARGUMENT, "results overlap: a result stride of 3");
    cube.result_strides[0] = -5;
    cube.result_strides[1] = 2;
    require(wf_reduce_axes(context, &sum, &cube, memory, out + 5, 10 * sizeof(float)));
    require(wf_free(context, memory));
#undef REFUSES
}

void test_empty(void **state) {
    (void)state;
    float *out;
    float got[6] = {7, 7, 7, 7, 7, 7};
    require(wf_malloc(context, (void **)&out, sizeof got));
    require(wf_copy_to_device(context, out, got, sizeof got));
    wf_axes axes = {.dimensions = 3, .reduced = 2, .counts = {2, 0, 3}};
    require(wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F32}, &axes, NULL, out, sizeof got));
    require(wf_copy_to_host(context, got, out, sizeof got));
    for (size_t i = 0; i < 6; i++)
        assert_true(got[i] == 0);
    axes.counts[0] = 0;
    axes.counts[1] = 5;
    require(wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F32}, &axes, NULL, NULL, 0));
    require(wf_free(context, out));
}
