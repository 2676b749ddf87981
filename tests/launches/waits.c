/* Of test_launches: what the launches of a stream keep, who waits for whom, and threads that end meanwhile. */
#define _GNU_SOURCE
#include "launches_tests.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

/* ---- What streams keep ---- */

typedef struct range {
    const char *begin, *end;
} range;

static range range_of(const void *begin, size_t bytes) {
    return (range){begin, (const char *)begin + bytes};
}

enum { RANGES = 5 };

/* All that tiles of a launch write for each other; zeros before the first. */
static void ranges_of(const wf_reduce_request *spec, range ranges[RANGES]) {
    ranges[0] = range_of(spec->ticket, 4);
    ranges[1] = range_of(spec->carry, WF_CARRY_BYTES / WF_STATUS_VALUE_BYTES * sizeof(uint64_t));
    ranges[2] = range_of(spec->sum_words, WF_SUM_WORDS * sizeof(int64_t));
    ranges[3] = range_of(spec->tile_status, spec->tile_status_words * sizeof(uint64_t));
    ranges[4] = range_of(spec->partials, 16 * (size_t)spec->head.tiles);
    for (size_t r = 0; r < RANGES; r++)
        for (const char *at = ranges[r].begin; at < ranges[r].end; at++)
            assert_int_equal(*at, 0);
}

static void are_apart(const wf_reduce_request *a, const wf_reduce_request *b) {
    range of_a[RANGES], of_b[RANGES];
    ranges_of(a, of_a);
    ranges_of(b, of_b);
    for (size_t i = 0; i < RANGES; i++)
        for (size_t j = 0; j < RANGES; j++)
            if (a != b || i != j)
                assert_true(of_a[i].end <= of_b[j].begin || of_b[j].end <= of_a[i].begin);
}

static wf_status queue_on(void *stream) {
    static uint64_t result[4];
    return wf_reduce_async(context, &fast, far_away, 16 * MIB, result, bytes_of_result(&fast), stream);
}

/* As many as there is room for; the context's own queue is one of them. */
void test_streams(void **state) {
    (void)state;
    enum { MOST = 64 };
    require(queue_on(NULL));
    for (size_t i = 1; i < MOST; i++)
        require(queue_on(&streams[i]));
    assert_int_equal(gpu->launches, MOST);
    assert_int_equal(gpu->launch[0].tile_status_words, 200 * 16 / WF_STATUS_VALUE_BYTES);
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j <= i; j++)
            are_apart(&gpu->launch[i], &gpu->launch[j]);
    refuses(queue_on(&streams[MOST]), WF_OUT_OF_MEMORY, "64 streams and captures have used this context");
    /* All keep what they have, also when asked again in another order. */
    for (size_t i = MOST; i-- > 0;)
        require(queue_on(i == 0 ? NULL : &streams[i]));
    for (size_t i = 0; i < MOST; i++) {
        assert_ptr_equal(gpu->launch[MOST + MOST - 1 - i].ticket, gpu->launch[i].ticket);
        assert_ptr_equal(gpu->stream[i], i == 0 ? NULL : &streams[i]);
    }
    /* Two give theirs back, for two others; nobody can give back what is the context's own. */
    void *const places[] = {gpu->launch[7].ticket, gpu->launch[63].ticket};
    wf_context_forget_stream(context, NULL);
    wf_context_forget_stream(NULL, &streams[7]);
    wf_context_forget_stream(context, &streams[99]);
    refuses(queue_on(&streams[70]), WF_OUT_OF_MEMORY, "");
    wf_context_forget_stream(context, &streams[7]);
    wf_context_forget_stream(context, &streams[63]);
    forget_calls();
    require(queue_on(&streams[70]));
    require(queue_on(&streams[71]));
    refuses(queue_on(&streams[7]), WF_OUT_OF_MEMORY, "");
    require(queue_on(&streams[70]));
    assert_ptr_equal(gpu->launch[0].ticket, places[0]);
    assert_ptr_equal(gpu->launch[1].ticket, places[1]);
    assert_ptr_equal(gpu->launch[2].ticket, places[0]);
    /* The context's own queue comes too late. */
    reopen();
    for (size_t i = 0; i < MOST; i++)
        require(queue_on(&streams[i]));
    uint64_t result = 7;
    static double of_host[4];
    gpu->of_host = of_host;
    refuses(wf_reduce(context, &exact_wide, far_away, 4, &result, bytes_of_result(&exact_wide)), WF_OUT_OF_MEMORY,
            "64 streams");
    refuses(wf_reduce(context, &exact_wide, of_host, 4, &result, bytes_of_result(&exact_wide)), WF_OUT_OF_MEMORY,
            "64 streams");
    assert_int_equal(result, 7);
    assert_int_equal(gpu->launches, MOST);
}

/* One that the device refuses keeps nothing, and takes nothing from one that had a place before. */
void test_refused_streams(void **state) {
    (void)state;
    require(queue_on(&streams[0]));
    gpu->refuses_streams = true;
    for (size_t i = 0; i < COUNT(streams); i++) {
        uint64_t result[4];
        refuses(queue_on(&streams[i]), WF_INVALID_ARGUMENT, "launching on nvidia:0");
        refuses(wf_reduce_async(context, &fast, far_away, (size_t)1 << 34, result, bytes_of_result(&fast), &streams[i]),
                WF_INVALID_ARGUMENT, "launching on nvidia:0"); /* in parts */
    }
    gpu->refuses_streams = false;
    require(queue_on(&streams[1]));
    require(queue_on(&streams[0]));
    are_apart(&gpu->launch[0], &gpu->launch[1]);
    assert_ptr_equal(gpu->launch[2].ticket, gpu->launch[0].ticket);
}

/* What a stream is captured into keeps a place of its own: it may run beside the stream. */
void test_captures(void **state) {
    (void)state;
    static const uint64_t captures[] = {0, 5, 6, 5, 0};
    for (size_t i = 0; i < COUNT(captures); i++) {
        gpu->capture = captures[i];
        require(queue_on(&streams[1]));
        require(queue_on(NULL)); /* which is never captured, and not asked */
        assert_int_equal(gpu->calls[GPU_CAPTURE], i + 1);
    }
    are_apart(&gpu->launch[0], &gpu->launch[2]);
    are_apart(&gpu->launch[2], &gpu->launch[4]);
    are_apart(&gpu->launch[0], &gpu->launch[4]);
    assert_ptr_equal(gpu->launch[6].ticket, gpu->launch[2].ticket);
    assert_ptr_equal(gpu->launch[8].ticket, gpu->launch[0].ticket);
    for (size_t i = 3; i < 2 * COUNT(captures); i += 2)
        assert_ptr_equal(gpu->launch[i].ticket, gpu->launch[1].ticket);
    /* The stream gives back all of them: there is room for 63 others. */
    wf_context_forget_stream(context, &streams[1]);
    gpu->capture = 0;
    for (size_t i = 2; i < 65; i++)
        require(queue_on(&streams[i]));
    refuses(queue_on(&streams[65]), WF_OUT_OF_MEMORY, "");
    gpu->failing = GPU_CAPTURE;
    gpu->fails_at = 1;
    refuses(queue_on(&streams[2]), WF_DEVICE_ERROR, "querying the stream's capture");
    /* A device that needs no places forgets nothing. */
    gpu->folds = true;
    reopen();
    wf_context_forget_stream(context, &streams[1]);
}

/* ---- Results that are waited for ---- */

enum { SLOTS = 64 };
static size_t depth;
static const void *results[SLOTS];

static void reduce_within(void) {
    uint64_t result = 0;
    require(wf_reduce(context, &wide, far_away, 100, &result, bytes_of_result(&wide)));
    assert_int_equal(result, gpu->answer[0]);
}

static _Atomic bool is_done; /* what another thread folds */

static void *reduce_apart(void *unused) {
    (void)unused;
    uint64_t result = 0;
    is_done =
        wf_reduce(context, &wide, far_away, 100, &result, bytes_of_result(&wide)) == WF_OK && result == gpu->answer[0];
    return NULL;
}

static pthread_t other;

/* Of launches that are under way at the same time each has a result of its own; who comes when all are taken, waits. */
static void launch_within(const wf_reduce_request *spec) {
    results[depth++] = spec->result;
    if (depth < SLOTS) {
        reduce_within();
        return;
    }
    gpu->launching = NULL;
    assert_int_equal(pthread_create(&other, NULL, reduce_apart, NULL), 0);
    usleep(20000);
    assert_false(is_done);
}

static void reduce_nested(void) {
    depth = 0;
    is_done = false;
    gpu->launching = launch_within;
    reduce_within();
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_true(is_done);
    for (size_t i = 0; i < SLOTS; i++)
        for (size_t j = 0; j < i; j++) {
            const ptrdiff_t apart = (const char *)results[i] - (const char *)results[j];
            assert_true(apart >= 64 || apart <= -64);
        }
}

void test_slots(void **state) {
    (void)state;
    for (size_t way = 0; way < 4; way++) {
        gpu->shares = way % 2 == 0;
        gpu->is_late = way >= 2; /* then only the queue's end brings the results */
        reopen();
        reduce_nested();
        reduce_nested();
        if (way == 0) /* the host sees the results when they are there */
            assert_int_equal(gpu->calls[GPU_FINISH], 0);
    }
}

/* A result that is late is waited for; a kernel that gives no notice always is. */
void test_notices(void **state) {
    (void)state;
    reduce_within();
    assert_int_equal(gpu->calls[GPU_FINISH], 0);
    assert_int_equal(gpu->calls[GPU_COPY], 0);
    assert_non_null(gpu->launch[0].notice);
    const uint64_t number = gpu->launch[0].notice_number;
    reduce_within();
    assert_int_not_equal(gpu->launch[1].notice_number, number);
    gpu->is_late = true;
    reduce_within();
    assert_int_equal(gpu->calls[GPU_FINISH], 1);
    int32_t folded[2] = {0};
    memcpy(gpu->answer, (int32_t[]){5, 6}, sizeof folded);
    require(wf_reduce(context, &maps, far_away, 100, folded, bytes_of_result(&maps)));
    assert_int_equal(folded[0], 5);
    assert_int_equal(folded[1], 6);
    assert_null(gpu->launch[3].notice);
    assert_int_equal(gpu->calls[GPU_FINISH], 2);
    gpu->failing = GPU_FINISH;
    gpu->fails_at = 1;
    folded[0] = 7;
    refuses(wf_reduce(context, &maps, far_away, 100, folded, bytes_of_result(&maps)), WF_DEVICE_ERROR,
            "waiting for the result");
    assert_int_equal(folded[0], 7);
    /* No number stands there before the first, and none is told twice. */
    reopen();
    reduce_within();
    wf_context_forget_stream(context, gpu->launch[0].result); /* which is no stream */
    gpu->answer[0]++;
    reduce_within();
    /* Without shared memory it is copied, and nothing else tells that it is there. */
    gpu->shares = gpu->is_late = false;
    reopen();
    reduce_within();
    assert_null(gpu->launch[0].notice);
    assert_int_equal(gpu->calls[GPU_COPY], 1);
    assert_int_equal(gpu->copy[0].bytes, 8);
    gpu->failing = GPU_COPY;
    gpu->fails_at = 1;
    refuses(wf_reduce(context, &maps, far_away, 100, folded, bytes_of_result(&maps)), WF_DEVICE_ERROR,
            "copying the result");
}

static wf_status reduce_nothing(void) {
    uint64_t result[4];
    return wf_reduce(context, &fast, NULL, 0, result, bytes_of_result(&fast));
}

static wf_status describe_nothing(void) {
    wf_description result;
    return wf_describe(context, &(wf_describe_spec){.type = WF_F32}, NULL, 0, &result);
}

static wf_status scan_nothing(void) {
    return wf_scan(context, &(wf_scan_spec){.reduce = {.type = WF_F32}}, NULL, 0, NULL);
}

static wf_status sort_nothing(void) {
    return wf_sort(context, &(wf_sort_spec){.type = WF_F32}, NULL, NULL, 0);
}

static wf_status copy_nothing_there(void) {
    return wf_copy_to_device(context, NULL, NULL, 0);
}

static wf_status copy_nothing_here(void) {
    return wf_copy_to_host(context, NULL, NULL, 0);
}

/* What waits for the context's own queue waits for it also where there is nothing else to do, and tells what failed
 * there. */
void test_waiting_with_nothing(void **state) {
    (void)state;
    static const struct {
        wf_status (*call)(void);
        const char *doing;
    } cases[] = {{reduce_nothing, "waiting for the result"},
                 {describe_nothing, "waiting for the result"},
                 {scan_nothing, "scanning"},
                 {sort_nothing, "sorting"},
                 {copy_nothing_there, "copying"},
                 {copy_nothing_here, "copying"}};
    gpu->is_late = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        forget_calls();
        uint64_t result[4] = {0};
        require(wf_reduce_async(context, &wide, far_away, 100, result, bytes_of_result(&wide), NULL));
        assert_int_equal(result[0], 0);
        require(cases[i].call());
        assert_int_equal(result[0], gpu->answer[0]);
        assert_int_equal(gpu->launches, 1);
        gpu->failing = GPU_FINISH;
        gpu->fails_at = 1;
        refuses(cases[i].call(), WF_DEVICE_ERROR, cases[i].doing);
    }
}

/* ---- Turns ---- */

static size_t seen;

static wf_status fold(size_t how, uint64_t *result) {
    const uint64_t count = (UINT64_C(1) << 32) + 1; /* two parts */
    return how == 0 ? wf_reduce(context, &exact_wide, values, COUNT(values), result, bytes_of_result(&exact_wide))
           : how == 1
               ? wf_reduce(context, &exact_wide, far_away, count, result, bytes_of_result(&exact_wide))
               : wf_reduce_async(context, &exact_wide, far_away, count, result, bytes_of_result(&exact_wide), NULL);
}

static void *fold_apart(void *how) {
    uint64_t result[4] = {0};
    is_done = fold(*(const size_t *)how, result) == WF_OK && result[0] == gpu->answer[0];
    return NULL;
}

static size_t how_other;

/* While one is between its pieces, another one tries. */
static void try_another(const wf_reduce_request *spec) {
    (void)spec;
    if (seen++ != 0)
        return;
    const unsigned long copies = gpu->calls[GPU_COPY];
    assert_int_equal(pthread_create(&other, NULL, fold_apart, &how_other), 0);
    usleep(10000);
    assert_int_equal(seen, 1);
    assert_int_equal(gpu->calls[GPU_COPY], copies);
}

/* What comes in several pieces is not mixed: it goes through one buffer, and one carry. */
void test_turns(void **state) {
    (void)state;
    gpu->of_host = values;
    for (size_t how = 0; how < 3; how++)
        for (how_other = 0; how_other < 3; how_other++) {
            uint64_t result[4] = {0};
            seen = 0;
            is_done = false;
            gpu->launching = try_another;
            require(fold(how, result));
            assert_int_equal(pthread_join(other, NULL), 0);
            assert_true(is_done);
            assert_int_equal(result[0], gpu->answer[0]);
        }
}

/* Between the parts of a fold another one fails, which is none in parts. */
static void fail_beside(const wf_reduce_request *spec) {
    (void)spec;
    if (seen++ != 0)
        return;
    gpu->failing = GPU_LAUNCH;
    gpu->fails_at = 1;
    uint64_t none = 7;
    refuses(wf_reduce_async(context, &exact_wide, far_away, 100, &none, bytes_of_result(&exact_wide), NULL),
            WF_DEVICE_ERROR, "launching");
}

/* What the first part has left for the second stays there. */
void test_failing_beside(void **state) {
    (void)state;
    for (size_t how = 1; how < 3; how++) {
        uint64_t result[4] = {0};
        seen = 0;
        gpu->launching = fail_beside;
        require(fold(how, result));
        assert_int_equal(seen, 2);
        assert_int_equal(gpu->calls[GPU_CLEAR], 0);
    }
}

/* ---- Threads that are cancelled ---- */

static void cancel_this(const wf_reduce_request *spec) {
    (void)spec;
    pthread_cancel(pthread_self());
    pthread_testcancel(); /* as a vendor's runtime may do */
}

static void *fold_and_end(void *how) {
    fold_apart(how);
    pthread_testcancel();
    return NULL;
}

/* They end behind the call: nobody waits for their turn without end, and slots are given back. */
void test_cancelled_in_launches(void **state) {
    (void)state;
    gpu->of_host = values;
    for (size_t call = 0; call < 2 * SLOTS; call++)
        for (size_t how = 0; how < 3; how++) {
            void *ended;
            is_done = false;
            gpu->launching = cancel_this;
            assert_int_equal(pthread_create(&other, NULL, fold_and_end, &how), 0);
            assert_int_equal(pthread_join(other, &ended), 0);
            assert_true(is_done);
            assert_true(ended == PTHREAD_CANCELED);
        }
    gpu->launching = NULL;
    reduce_within();
}

/* The same while all slots are taken: it waits on. */
static void cancel_within(const wf_reduce_request *spec) {
    launch_within(spec);
    if (depth < SLOTS || gpu->launching != NULL)
        return;
    depth = 0; /* once */
    assert_int_equal(pthread_cancel(other), 0);
    usleep(20000);
    assert_int_equal(pthread_tryjoin_np(other, NULL), EBUSY);
}

void test_cancelled_in_wait(void **state) {
    (void)state;
    depth = 0;
    is_done = false;
    gpu->launching = cancel_within;
    reduce_within();
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_true(is_done);
}
