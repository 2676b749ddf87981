/* Of test_launches: what is left when a call fails, and what is refused before anything is launched. */
#include "launches_tests.h"

#include "checked_locks.h"
#include "failing_malloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_ladder.h>
#include <wavefold_sum.h>

#include "require.h"
#include "result_bytes.h"

/* ---- Calls that fail ---- */

typedef union any_result {
    uint64_t words[8];
    wf_sum_state state;
    wf_description description;
} any_result;

typedef struct operation {
    const char *name;
    wf_status (*run)(any_result *result);
} operation;

static const wf_describe_spec described = {.type = WF_F32};

static wf_status reduce(any_result *result) {
    return wf_reduce(context, &fast, far_away, 100, result, bytes_of_result(&fast));
}

static wf_status reduce_in_order(any_result *result) {
    return wf_reduce(context, &maps, far_away, 100, result, bytes_of_result(&maps));
}

static wf_status reduce_in_parts(any_result *result) {
    return wf_reduce(context, &exact_wide, far_away, UINT64_C(1) << 33, result, bytes_of_result(&exact_wide));
}

static wf_status reduce_from_host(any_result *result) {
    return wf_reduce(context, &wide, values, COUNT(values), result, bytes_of_result(&wide));
}

static wf_status reduce_in_order_from_host(any_result *result) {
    return wf_reduce(context, &maps, values, COUNT(values), result, bytes_of_result(&maps));
}

static wf_status describe(any_result *result) {
    return wf_describe(context, &described, far_away, 100, &result->description);
}

static wf_status reduce_queued(any_result *result) {
    return wf_reduce_async(context, &fast, far_away, 100, result, bytes_of_result(&fast), &streams[1]);
}

static wf_status reduce_parts_queued(any_result *result) {
    return wf_reduce_async(context, &exact_wide, far_away, UINT64_C(1) << 33, result, bytes_of_result(&exact_wide),
                           &streams[1]);
}

static wf_status describe_queued(any_result *result) {
    return wf_describe_async(context, &described, far_away, 100, &result->description, &streams[1]);
}

static wf_status accumulate_queued(any_result *result) {
    return wf_sum_state_accumulate_async(context, &exact, far_away, 100, &result->state, &streams[1]);
}

static wf_status accumulate(any_result *result) {
    wf_sum_state state;
    wf_sum_state_init(&state);
    const wf_status status = wf_sum_state_accumulate(context, &exact, far_away, 100, &state);
    if (status == WF_OK)
        result->state = state;
    return status;
}

static const operation operations[] = {
    {"reduce", reduce},
    {"reduce_in_order", reduce_in_order},
    {"reduce_in_parts", reduce_in_parts},
    {"reduce_from_host", reduce_from_host},
    {"reduce_in_order_from_host", reduce_in_order_from_host},
    {"describe", describe},
    {"reduce_queued", reduce_queued},
    {"reduce_parts_queued", reduce_parts_queued},
    {"describe_queued", describe_queued},
    {"accumulate_queued", accumulate_queued},
    {"accumulate", accumulate},
};

static bool is_untouched(const any_result *result) {
    for (size_t i = 0; i < sizeof *result; i++)
        if (((const unsigned char *)result)[i] != 0x5C)
            return false;
    return true;
}

/* Whichever call it is: its status and its sentence are passed on, the result is as it was, and the next call finds all
 * in order. */
void test_failures(void **state) {
    (void)state;
    for (size_t folds = 0; folds < 2; folds++)
        for (size_t shares = 0; shares < 2; shares++)
            for (size_t o = 0; o < COUNT(operations); o++) {
                gpu->folds = folds != 0;
                gpu->shares = shares != 0;
                gpu->of_host = values;
                gpu->is_late = true;
                reopen();
                const bool has_stream = strstr(operations[o].name, "queued") != NULL;
                any_result result;
                for (int call = 0; call < GPU_CALLS; call++)
                    for (unsigned long k = 1;; k++) {
                        memset(&result, 0x5C, sizeof result);
                        gpu->failing = (gpu_call)call;
                        gpu->fails_at = k;
                        const wf_status status = operations[o].run(&result);
                        const bool has_failed = gpu->fails_at == 0;
                        gpu->fails_at = 0;
                        if (folds != 0 && has_stream) {
                            refuses(status, WF_INVALID_ARGUMENT, "nvidia:0 has no streams");
                            break;
                        }
                        if (!has_failed) {
                            require(status);
                            break;
                        }
                        refuses(status, call == GPU_ALLOCATE ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR,
                                " on nvidia:0: the noting GPU was told to fail");
                        if (!is_untouched(&result))
                            fail_msg("%s: its result has changed", operations[o].name);
                        if (!has_stream && call != GPU_FINISH && gpu->answered != gpu->launches)
                            fail_msg("%s: it returns before its launches have ended", operations[o].name);
                        assert_int_equal(locks_held(), 0);
                    }
            }
}

/* Of several launches none is under way any more when the rung returns: the arrays are the caller's again. */
void test_failing_rungs(void **state) {
    (void)state;
    enum { ELEMENTS = 100000 };
    static float in[ELEMENTS], out[2 * ELEMENTS];
    gpu->is_late = true;
    size_t several = 0;
    for (size_t r = 0; r < wf_rung_count(); r++)
        for (unsigned long k = 1;; k++) {
            const wf_rung_options options = {.type = WF_F32};
            wf_rung_info info;
            require(wf_rung_get_info(r, &info));
            forget_calls();
            gpu->failing = GPU_LAUNCH;
            gpu->fails_at = k;
            const wf_status status =
                wf_rung_run(context, r, &options, in, ELEMENTS, out, bytes_of_rung_result(r, &options, ELEMENTS), NULL);
            const bool has_failed = gpu->fails_at == 0 && gpu->calls[GPU_LAUNCH] != 0;
            gpu->fails_at = 0;
            if (!has_failed) {
                require(status);
                break;
            }
            refuses(status, WF_DEVICE_ERROR, "launching on nvidia:0");
            if (gpu->answered != gpu->launches)
                fail_msg("%s: it returns before its launches have ended", info.name);
            several += gpu->launches != 0;
        }
    assert_true(several > 10);
}

/* A GPU that is asked for something has memory taken, by the vendor's runtime; and one that is lost, or another
 * process's alone, fails. So those that nobody names are not asked. */
void test_other_devices(void **state) {
    (void)state;
    wf_context *second = NULL, *none = NULL;
    memset(gpu->asked, 0, sizeof gpu->asked);
    gpu->lost[0] = true;
    require(wf_context_create(&second, "nvidia:1"));
    assert_int_equal(gpu->asked[0], 0);
    assert_int_not_equal(gpu->asked[1], 0);
    assert_int_equal(gpu->asked[2], 0);
    wf_context_destroy(second);
    refuses(wf_context_create(&none, "nvidia:0"), WF_DEVICE_ERROR, "'nvidia:0': the noting GPU was told to fail");
    gpu->lost[0] = false;
    memset(gpu->asked, 0, sizeof gpu->asked);
    static const char *const names[] = {"nvidia:3", "nvidia:01", "nvidia:", "nvidia: 1", "nvidia:-1"};
    for (size_t i = 0; i < COUNT(names); i++)
        refuses(wf_context_create(&none, names[i]), WF_NO_DEVICE, "there is nvidia:0, nvidia:1, nvidia:2");
    for (size_t i = 0; i < GPUS; i++)
        assert_int_equal(gpu->asked[i], 0);
    assert_null(none);
}

/* A context whose device or whose memory fails is not made, and leaves nothing. */
void test_no_context(void **state) {
    (void)state;
    if (!can_fail_malloc())
        skip();
    wf_context *none = NULL;
    static const gpu_call calls[] = {GPU_ALLOCATE, GPU_CLEAR, GPU_FINISH};
    const long held = gpu->held, locks = locks_there();
    for (size_t c = 0; c < COUNT(calls); c++) {
        gpu->failing = calls[c];
        gpu->fails_at = 1;
        refuses(wf_context_create(&none, "nvidia:0"), c == 0 ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR,
                "allocating the stream workspaces on nvidia:0: the noting GPU was told to fail");
        assert_int_equal(gpu->fails_at, 0);
        assert_null(none);
        assert_int_equal(gpu->held, held);
        assert_int_equal(locks_there(), locks);
    }
    size_t without = 0;
    bool has_failed = true;
    for (unsigned long k = 1; has_failed; k++) {
        fail_malloc_at(k);
        const wf_status status = wf_context_create(&none, "nvidia:0");
        has_failed = end_failing_malloc();
        if (has_failed && status != WF_OK)
            refuses(status, WF_OUT_OF_MEMORY, " ");
        assert_true((status == WF_OK) == (none != NULL));
        without += has_failed && status == WF_OK;
        wf_context_destroy(none);
        none = NULL;
        assert_int_equal(gpu->held, held);
        assert_int_equal(locks_there(), locks);
    }
    assert_int_equal(without, 1); /* the device has no memory to share, and is used without */
}

/* Of the host's memory, too, nothing is left. */
void test_host_memory(void **state) {
    (void)state;
    wf_context *made;
    long kept[3]; /* builds that are not for release keep what tells a destroyed context */
    for (size_t i = 0; i < COUNT(kept); i++) {
        const long before = blocks_held();
        require(wf_context_create(&made, "nvidia:0"));
        wf_context_destroy(made);
        kept[i] = blocks_held() - before;
    }
    assert_int_equal(kept[2], kept[1]);
#if defined(NDEBUG)
    assert_int_equal(kept[2], 0);
#else
    assert_int_equal(kept[2], 1);
#endif
}

/* ---- What is refused before anything is launched ---- */

void test_refused(void **state) {
    (void)state;
    any_result result;
    memset(&result, 0x5C, sizeof result);
    char *const at = (char *)&result;
    refuses(wf_reduce_async(context, &exact, far_away, 100, at + 1, bytes_of_result(&exact), NULL), WF_INVALID_ARGUMENT,
            "'result' must be aligned to 4 bytes");
    refuses(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_I8, .op = WF_ARGMIN}, far_away, 100, at + 4,
                            bytes_of_result(&(wf_reduce_spec){.type = WF_I8, .op = WF_ARGMIN}), NULL),
            WF_INVALID_ARGUMENT, "'result' must be aligned to 8 bytes");
    require(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_I8, .op = WF_MIN}, far_away, 100, at + 1,
                            bytes_of_result(&(wf_reduce_spec){.type = WF_I8, .op = WF_MIN}), NULL));
    require(wf_reduce_async(context, &exact, far_away + 1, 100, &result, bytes_of_result(&exact), NULL));
    refuses(wf_describe_async(context, &described, far_away, 100, (wf_description *)(void *)(at + 4), NULL),
            WF_INVALID_ARGUMENT, "'result' must be aligned to 8 bytes");
    refuses(wf_sum_state_accumulate_async(context, &exact, far_away, 100, (wf_sum_state *)(void *)(at + 4), NULL),
            WF_INVALID_ARGUMENT, "'state' must be aligned to 8 bytes");
    refuses(wf_reduce_async(context, &maps, far_away + 1, 100, &result, bytes_of_result(&maps), NULL),
            WF_INVALID_ARGUMENT, "'in' must be aligned");
    const wf_describe_spec unknown = {.type = (wf_type)99};
    refuses(wf_describe(context, &unknown, far_away, 100, &result.description), WF_INVALID_ARGUMENT, "type 99");
    refuses(wf_describe_async(context, &unknown, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "type 99");
    refuses(wf_describe_async(NULL, &described, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "'context' must not be NULL");
    refuses(wf_describe_async(context, NULL, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "'spec' must not be NULL");
    refuses(wf_reduce_async(NULL, &exact, far_away, 100, &result, bytes_of_result(&exact), NULL), WF_INVALID_ARGUMENT,
            "'context' must not be NULL");
    refuses(wf_sum_state_accumulate(NULL, &exact, far_away, 100, &result.state), WF_INVALID_ARGUMENT,
            "'context' must not be NULL");
    refuses(wf_sum_state_accumulate(context, NULL, far_away, 100, &result.state), WF_INVALID_ARGUMENT,
            "'spec' must not be NULL");
    forget_calls();
    refuses(wf_sum_state_accumulate(context, &exact, far_away, 100, &result.state), WF_INVALID_ARGUMENT, "'state' ");
    wf_sum_state_init(&result.state);
    const wf_reduce_spec least = {.type = WF_F32, .op = WF_MIN};
    refuses(wf_sum_state_accumulate(context, &least, far_away, 100, &result.state), WF_UNSUPPORTED,
            "min of f32 has no state");
    refuses(wf_sum_state_accumulate_async(context, &least, far_away, 100, &result.state, NULL), WF_UNSUPPORTED,
            "min of f32 has no state");
    assert_int_equal(gpu->launches, 0);
    /* The state's sum is exact, whatever is said of accuracy and accumulator. */
    const wf_reduce_spec other_sum = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST, .accumulator = WF_ACCUMULATE_I32};
    require(wf_sum_state_accumulate_async(context, &other_sum, far_away, 100, &result.state, NULL));
    assert_int_equal(only_launch()->kind, WF_REDUCE_EXACT);
    assert_int_equal(only_launch()->accumulator, WF_F32);
    assert_int_equal(only_launch()->exact_result, WF_EXACT_ADDED);
}
