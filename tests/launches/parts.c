/* Of test_launches: arrays that take several launches, and those that lie in memory of the host. */
#include "launches_tests.h"

#include "failing_malloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

/* ---- Arrays too large for one launch ---- */

/* The pieces follow each other, and say so. */
static void check_pieces(const char *in, size_t element, uint64_t count, uint64_t most) {
    uint64_t first = 0;
    assert_int_equal(gpu->launches, (count + most - 1) / most);
    for (size_t i = 0; i < gpu->launches; i++) {
        const wf_reduce_request *const spec = &gpu->launch[i];
        const uint64_t expected = count - first < most ? count - first : most;
        assert_int_equal(spec->first, first);
        assert_int_equal(spec->source_count, expected);
        assert_int_equal(spec->whole_count, count);
        assert_ptr_equal(spec->source, in + first * element);
        assert_int_equal(spec->is_first, i == 0);
        assert_int_equal(spec->is_last, i + 1 == gpu->launches);
        assert_ptr_equal(spec->sum_words, gpu->launch[0].sum_words);
        assert_ptr_equal(spec->carry, gpu->launch[0].carry);
        first += expected;
    }
}

void test_parts(void **state) {
    (void)state;
    static const uint64_t counts[] = {UINT64_C(1) << 32, UINT64_C(1) << 33, (UINT64_C(1) << 33) + 5};
    const wf_reduce_spec *const both[] = {&wide, &exact_wide};
    for (size_t b = 0; b < 2; b++)
        for (size_t c = 0; c < COUNT(counts); c++) {
            uint64_t result = 0;
            forget_calls();
            require(wf_reduce(context, both[b], far_away, counts[c], &result, bytes_of_result(both[b])));
            assert_int_equal(result, gpu->answer[0]);
            check_pieces(far_away, 8, counts[c], UINT64_C(1) << 32);
            for (size_t i = 0; i + 1 < gpu->launches; i++)
                assert_null(gpu->launch[i].notice);
            forget_calls();
            uint64_t queued[4] = {0};
            require(
                wf_reduce_async(context, both[b], far_away, counts[c], queued, bytes_of_result(both[b]), &streams[1]));
            assert_int_equal(queued[0], gpu->answer[0]);
            check_pieces(far_away, 8, counts[c], UINT64_C(1) << 32);
            for (size_t i = 0; i < gpu->launches; i++)
                assert_ptr_equal(gpu->stream[i], &streams[1]);
            assert_int_equal(gpu->calls[GPU_CLEAR], 0);
        }
    /* The kernel of ordered operators counts in 64 bits. */
    uint64_t result[4];
    forget_calls();
    require(wf_reduce(context, &maps, far_away, UINT64_C(1) << 33, result, bytes_of_result(&maps)));
    assert_int_equal(only_launch()->source_count, UINT64_C(1) << 33);
    /* A sum in one launch may run between the parts of another. */
    forget_calls();
    require(wf_reduce(context, &exact_wide, far_away, 100, result, bytes_of_result(&exact_wide)));
    require(wf_reduce(context, &exact_wide, far_away, counts[2], result, bytes_of_result(&exact_wide)));
    assert_ptr_not_equal(gpu->launch[0].sum_words, gpu->launch[1].sum_words);
}

/* What the parts before a failure have left is not for the next sum. */
void test_failing_parts(void **state) {
    (void)state;
    const uint64_t count = (UINT64_C(1) << 33) + 5;
    const wf_reduce_spec *const both[] = {&wide, &exact_wide};
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 1; k <= 3; k++)
            for (size_t way = 0; way < 2; way++) {
                uint64_t result[4] = {7};
                forget_calls();
                gpu->failing = GPU_LAUNCH;
                gpu->fails_at = k;
                refuses(way == 0 ? wf_reduce(context, both[b], far_away, count, result, bytes_of_result(both[b]))
                                 : wf_reduce_async(context, both[b], far_away, count, result, bytes_of_result(both[b]),
                                                   &streams[1]),
                        WF_DEVICE_ERROR, "launching on nvidia:0: the noting GPU");
                assert_int_equal(result[0], 7);
                assert_int_equal(gpu->calls[GPU_LAUNCH], k);
                assert_int_equal(gpu->calls[GPU_CLEAR] != 0, b);
                if (b == 1 && k > 1) {
                    assert_ptr_equal(gpu->cleared, gpu->launch[0].sum_words);
                    assert_int_equal(gpu->cleared_bytes, WF_SUM_WORDS * sizeof(int64_t));
                }
            }
    /* Of one launch nothing is left, and the place may be in use by another fold's parts. */
    uint64_t result = 7;
    forget_calls();
    gpu->failing = GPU_LAUNCH;
    gpu->fails_at = 1;
    refuses(wf_reduce(context, &exact_wide, far_away, 100, &result, bytes_of_result(&exact_wide)), WF_DEVICE_ERROR,
            "launching");
    assert_int_equal(gpu->calls[GPU_CLEAR], 0);
}

/* ---- Memory of the host ---- */

void test_pieces(void **state) {
    (void)state;
    const size_t most = 64 * MIB, bytes = 2 * most + 40;
    char *const in = malloc(bytes);
    assert_non_null(in);
    for (size_t at = 0; at < bytes; at += most)
        memset(in + at, 1 + (int)(at / most), 40);
    gpu->of_host = in;
    uint64_t result = 0;
    require(wf_reduce(context, &wide, in, bytes / 8, &result, bytes_of_result(&wide)));
    assert_int_equal(result, gpu->answer[0]);
    assert_int_equal(gpu->allocated, most);
    assert_int_equal(gpu->launches, 3);
    assert_int_equal(gpu->calls[GPU_COPY], 3);
    for (size_t i = 0; i < 3; i++) {
        const wf_reduce_request *const spec = &gpu->launch[i];
        const size_t length = i < 2 ? most : 40;
        const noted_copy *const copied = &gpu->copy[i];
        assert_ptr_equal(copied->from, in + i * most);
        assert_ptr_equal(copied->to, spec->source);
        assert_int_equal(copied->bytes, length);
        assert_int_equal(copied->direction, WF_TO_DEVICE);
        assert_int_equal(spec->first, i * most / 8);
        assert_int_equal(spec->source_count, length / 8);
        assert_int_equal(spec->whole_count, bytes / 8);
        assert_int_equal(spec->head.tiles, gpu->launch[0].head.tiles);
        assert_int_equal(spec->is_first, i == 0);
        assert_int_equal(spec->is_last, i == 2);
    }
    /* Every piece of an ordered operator is a fold of its own: x -> 2 x + 1, three times. */
    const int32_t map[2] = {2, 1};
    int32_t folded[2] = {0};
    memcpy(gpu->answer, map, sizeof map);
    forget_calls();
    require(wf_reduce(context, &maps, in, bytes / 8, folded, bytes_of_result(&maps)));
    assert_int_equal(folded[0], 8);
    assert_int_equal(folded[1], 7);
    assert_int_equal(gpu->calls[GPU_COPY], 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(gpu->launch[i].first, 0);
        assert_int_equal(gpu->launch[i].source_count, i < 2 ? most / 8 : 5);
        assert_int_equal(gpu->launch[i].whole_count, i < 2 ? most / 8 : 5);
    }
    /* A sum that fails in its second piece leaves nothing. */
    for (size_t k = 1; k <= 3; k++)
        for (size_t call = 0; call < 2; call++) {
            forget_calls();
            gpu->failing = call == 0 ? GPU_LAUNCH : GPU_COPY;
            gpu->fails_at = k;
            result = 7;
            refuses(wf_reduce(context, &exact_wide, in, bytes / 8, &result, bytes_of_result(&exact_wide)),
                    WF_DEVICE_ERROR, call == 0 ? "launching" : "copying from the host");
            assert_int_equal(result, 7);
            assert_int_equal(gpu->calls[GPU_COPY], k);
            assert_int_equal(gpu->calls[GPU_CLEAR], 1);
            forget_calls();
            gpu->fails_at = k;
            folded[0] = 7;
            refuses(wf_reduce(context, &maps, in, bytes / 8, folded, bytes_of_result(&maps)), WF_DEVICE_ERROR, "");
            assert_int_equal(folded[0], 7);
            assert_int_equal(gpu->calls[GPU_COPY], k);
        }
    free(in);
}

/* The buffer for pieces grows, and is kept. */
void test_staging(void **state) {
    (void)state;
    static const struct {
        size_t bytes, allocated; /* 0: the buffer is large enough */
    } steps[] = {{4, 64 << 10},
                 {64 << 10, 0},
                 {(64 << 10) + 4, 128 << 10},
                 {100, 0},
                 {128 << 10, 0},
                 {300 << 10, 512 << 10},
                 {64 << 20, 64 << 20},
                 {(64 << 20) + 4, 0},
                 {(size_t)100 << 20, 0},
                 {8, 0}};
    char *const in = calloc(100, MIB);
    assert_non_null(in);
    gpu->of_host = in;
    const long held = gpu->held;
    for (size_t i = 0; i < COUNT(steps); i++) {
        float result;
        forget_calls();
        require(wf_reduce(context, &fast, in, steps[i].bytes / 4, &result, bytes_of_result(&fast)));
        assert_int_equal(gpu->allocated, steps[i].allocated);
        assert_int_equal(gpu->held, held + 1);
        assert_int_equal(gpu->launches, (steps[i].bytes + 64 * MIB - 1) / (64 * MIB));
    }
    /* One that cannot be had: the old one is gone, the next call gets another. */
    reopen();
    float result = 7;
    require(wf_reduce(context, &fast, in, 100, &result, bytes_of_result(&fast)));
    result = 7;
    for (size_t bytes = 1 << 20; bytes >= 4; bytes = bytes == 1 << 20 ? 4 : 0) {
        gpu->failing = GPU_ALLOCATE;
        gpu->fails_at = 1;
        refuses(wf_reduce(context, &fast, in, bytes / 4, &result, bytes_of_result(&fast)), WF_OUT_OF_MEMORY,
                "allocating a buffer for pieces");
        assert_true(result == 7);
    }
    forget_calls();
    require(wf_reduce(context, &fast, in, 1, &result, bytes_of_result(&fast)));
    assert_int_equal(gpu->allocated, 64 << 10);
    assert_ptr_equal(gpu->copy[0].to, gpu->launch[0].source);
    free(in);
}
