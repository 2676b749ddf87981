/* Results of several parts: what lanes of a team must agree on, and threads that share a context. */
#include "axes_tests.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

/* Two pairs whose rests do not add up exactly in one order, and do in the other. */
void test_lanes_that_disagree(void **state) {
    (void)state;
    static const struct { uint64_t length, second; } rows[] = {{32, 2}, {4096, 64}, {4096, 128}, {200000, 4176}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t length = rows[i].length, at = rows[i].second;
        double *const row = calloc(length, sizeof *row), *there, *out, got, wanted;
        row[0] = 0x1p39 - 3 - 0x1p-14;
        row[1] = 0x1p92;
        row[at] = 0x1p53 + 4;
        row[at + 1] = -1;
        const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {length}};
        require(wf_malloc(context, (void **)&there, length * sizeof *row));
        require(wf_malloc(context, (void **)&out, sizeof *out));
        require(wf_copy_to_device(context, there, row, length * sizeof *row));
        require(wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F64}, &axes, there, out, sizeof *out));
        require(wf_copy_to_host(context, &got, out, sizeof got));
        require(wf_reduce(host, &(wf_reduce_spec){.type = WF_F64}, row, length, &wanted, sizeof wanted));
        assert_memory_equal(&got, &wanted, sizeof got);
        free(row);
        require(wf_free(context, there));
        require(wf_free(context, out));
    }
}

enum { LENGTH = 200000, CALLS = 12 };

typedef struct caller {
    float *in, *out, *seen; /* device memory; the results on the host */
} caller;

static void *call(void *of) {
    const caller *const mine = of;
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {LENGTH}};
    for (size_t i = 0; i < CALLS; i++)
        if (wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F32}, &axes, mine->in, mine->out, sizeof(float)) !=
                WF_OK ||
            wf_copy_to_host(context, &mine->seen[i], mine->out, sizeof(float)) != WF_OK)
            mine->seen[i] = -1;
    return NULL;
}

void test_threads_that_share_a_context(void **state) {
    (void)state;
    caller callers[2];
    pthread_t threads[2];
    for (int t = 0; t < 2; t++) {
        float *const numbers = malloc(LENGTH * sizeof *numbers);
        for (size_t i = 0; i < LENGTH; i++)
            numbers[i] = (float)(i % 7 + (size_t)t);
        callers[t].seen = calloc(CALLS, sizeof(float));
        require(wf_malloc(context, (void **)&callers[t].in, LENGTH * sizeof *numbers));
        require(wf_malloc(context, (void **)&callers[t].out, sizeof(float)));
        require(wf_copy_to_device(context, callers[t].in, numbers, LENGTH * sizeof *numbers));
        free(numbers);
    }
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, call, &callers[t]), 0);
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (int t = 0; t < 2; t++) {
        double wanted = 0;
        for (size_t i = 0; i < LENGTH; i++)
            wanted += (double)(i % 7 + (size_t)t);
        for (size_t i = 0; i < CALLS; i++)
            assert_true(callers[t].seen[i] == (float)wanted);
        free(callers[t].seen);
        require(wf_free(context, callers[t].in));
        require(wf_free(context, callers[t].out));
    }
}

/* Elements that are repeated: their number is no size of memory. */
void test_huge_counts(void **state) {
    (void)state;
    double *memory;
    require(wf_malloc(context, (void **)&memory, 4 * sizeof *memory));
    wf_axes axes = {.dimensions = 2, .reduced = 2, .counts = {0, UINT64_C(1) << 61}, .has_strides = 1};
    require(wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F64}, &axes, NULL, NULL, 0));
    axes.counts[0] = 2;
    axes.counts[1] = 3;
    axes.strides[0] = 1;
    require(wf_copy_to_device(context, memory, (double[]){1.5, 2.5}, 2 * sizeof *memory));
    require(wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F64}, &axes, memory, memory + 2, 2 * sizeof *memory));
    double got[2];
    require(wf_copy_to_host(context, got, memory + 2, sizeof got));
    assert_true(got[0] == 4.5 && got[1] == 7.5);
    require(wf_free(context, memory));
}
