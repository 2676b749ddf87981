/* What a calling thread has set for itself: its modes of rounding and of subnormals, which signals it takes, and that
 * it is to be cancelled. */
#define _GNU_SOURCE
#include "reduce_tests.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LONG = 1 << 21 }; /* floats: the CPU's helpers are woken for as many */

typedef struct answers {
    float sum, product, mean;
    double wide;
    int32_t pair[2]; /* of floats' bits */
    wf_description described;
} answers;

static answers answers_of(wf_context *by, const float *values, const float *near_one) {
    answers got;
    memset(&got, 0, sizeof got);
    wf_reduce_spec spec = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST};
    require(wf_reduce(by, &spec, values, LONG, &got.sum, bytes_of_result(&spec)));
    spec.accumulator = WF_ACCUMULATE_F64;
    require(wf_reduce(by, &spec, values, LONG, &got.wide, bytes_of_result(&spec)));
    spec = (wf_reduce_spec){.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_FAST};
    require(wf_reduce(by, &spec, values, LONG, &got.mean, bytes_of_result(&spec)));
    spec.op = WF_PRODUCT;
    require(wf_reduce(by, &spec, near_one, LONG, &got.product, bytes_of_result(&spec)));
    spec.op = WF_AFFINE;
    require(wf_reduce(by, &spec, near_one, LONG / 2, got.pair, bytes_of_result(&spec)));
    require(wf_describe(by, &(wf_describe_spec){.type = WF_F32}, values, LONG, &got.described));
    return got;
}

/* Fast folds and variances depend neither on these modes nor on which thread folds what. */
void test_modes_of_the_caller(void **state) {
    (void)state;
    if (strcmp(device, "host") != 0)
        skip(); /* kernels do not run on the caller's thread */
    float *values = malloc(LONG * sizeof *values), *near_one = malloc(LONG * sizeof *near_one);
    assert_true(values != NULL && near_one != NULL);
    uint32_t noise = 7;
    for (size_t i = 0; i < LONG; i++) {
        noise = noise * 1664525 + 1013904223;
        values[i] = i % 3 == 0 ? (float)(noise >> 8) * 0x1p-149f : (float)(int32_t)noise * 0x1p-31f;
        near_one[i] = 1 + (float)(int32_t)noise * 0x1p-45f;
    }
    const answers usual = answers_of(context, values, near_one);
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const int calls = share.every == 1 ? 5 : 1; /* each may give the helpers other parts */
    for (size_t m = 0; m < COUNT(modes); m++)
        for (int call = 0; call < calls; call++) {
            const int before = fegetround();
            fesetround(modes[m]);
            const answers got = answers_of(context, values, near_one);
            const int after = fegetround();
            fesetround(before);
            assert_int_equal(after, modes[m]);
            assert_memory_equal(&got, &usual, sizeof got);
        }
    /* Helpers that were started by a thread with other modes. */
    wf_context *other;
    fesetround(FE_UPWARD);
    require(wf_context_create(&other, device));
    (void)answers_of(other, values, near_one);
    fesetround(FE_TONEAREST);
    const answers by_others = answers_of(other, values, near_one);
    assert_memory_equal(&by_others, &usual, sizeof usual);
    wf_context_destroy(other);
#if defined(__x86_64__)
    const unsigned before = __builtin_ia32_stmxcsr(), flush_and_trap = (before | 0x8040) & ~0x0680u;
    for (int call = 0; call < calls; call++) { /* with traps for what is invalid, divided by 0, or too large */
        __builtin_ia32_ldmxcsr(flush_and_trap & ~0x3fu);
        const answers got = answers_of(context, values, near_one);
        wf_description of_large;
        const double large[] = {1e308, 1e308, -1e308, (double)INFINITY};
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F64}, large, 3, &of_large));
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F64}, large, 4, &of_large));
        double none;
        require(wf_reduce(context, &(wf_reduce_spec){.type = WF_I32, .op = WF_MEAN}, NULL, 0, &none,
                          bytes_of_result(&(wf_reduce_spec){.type = WF_I32, .op = WF_MEAN})));
        __builtin_ia32_ldmxcsr(before);
        assert_memory_equal(&got, &usual, sizeof got);
    }
#endif
    free(values);
    free(near_one);
}

/* A call leaves the modes as they are, also where only one of x86-64's two units has been given them, as by
 * _mm_setcsr. */
void test_modes_are_kept(void **state) {
    (void)state;
#if defined(__x86_64__)
    static const wf_type types[] = {WF_I32, WF_U16, WF_F32, WF_F64};
    static const unsigned modes[] = {0x2000, 0x4000, 0x6000, 0x8040, 0xe040};
    static const uint64_t values[1000] = {1};
    const unsigned before = __builtin_ia32_stmxcsr(), happened = 0x3f;
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t m = 0; m < COUNT(modes); m++) {
            wf_description described;
            unsigned char sum[32];
            __builtin_ia32_ldmxcsr(before | modes[m]);
            const wf_status of_reduce = wf_reduce(context, &(wf_reduce_spec){.type = types[t]}, values, COUNT(values),
                                                  sum, bytes_of_result(&(wf_reduce_spec){.type = types[t]}));
            const unsigned after_reduce = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before | modes[m]);
            const wf_status of_describe =
                wf_describe(context, &(wf_describe_spec){.type = types[t]}, values, COUNT(values), &described);
            const unsigned after_describe = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before);
            require(of_reduce);
            require(of_describe);
            assert_int_equal(after_reduce & ~happened, (before | modes[m]) & ~happened);
            assert_int_equal(after_describe & ~happened, (before | modes[m]) & ~happened);
        }
#else
    skip();
#endif
}

/* Where every exception of floats ends the process, inexact results too, a call ends with its result all the same,
 * whoever folds. */
void test_traps_of_the_caller(void **state) {
    (void)state;
    if (strncmp(device, "host", 4) != 0)
        skip(); /* a vendor's runtime may compute what it likes */
    enum { FEW = 1000 };
    static float values[FEW];
    for (size_t i = 0; i < FEW; i++)
        values[i] = 1 + (float)i * 0x1p-20f;
    float sum, mean, maps[2];
    wf_description described;
    fenv_t before;
    feholdexcept(&before);
    if (feenableexcept(FE_ALL_EXCEPT) < 0) {
        fesetenv(&before);
        skip(); /* this processor has no traps */
    }
    const wf_status statuses[] = {
        wf_reduce(context, &(wf_reduce_spec){.type = WF_F32}, values, FEW, &sum,
                  bytes_of_result(&(wf_reduce_spec){.type = WF_F32})),
        wf_reduce(context, &(wf_reduce_spec){.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_FAST}, values, FEW,
                  &mean,
                  bytes_of_result(&(wf_reduce_spec){.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_FAST})),
        wf_reduce(context, &(wf_reduce_spec){.type = WF_F32, .op = WF_AFFINE}, values, FEW / 2, maps,
                  bytes_of_result(&(wf_reduce_spec){.type = WF_F32, .op = WF_AFFINE})),
        wf_describe(context, &(wf_describe_spec){.type = WF_F32}, values, FEW, &described)};
    const int traps = fegetexcept();
    fesetenv(&before);
    for (size_t i = 0; i < COUNT(statuses); i++)
        require(statuses[i]);
    assert_int_equal(traps, FE_ALL_EXCEPT);
}

/* Helpers have the stack that they need, however little the program's other threads have. */
void test_small_stacks(void **state) {
    (void)state;
    if (strcmp(device, "host") != 0)
        skip(); /* none of the library's threads folds */
    double *values = malloc(LONG * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < LONG; i++) /* too far apart for anything but bins, which take most */
        values[i] = i % 2 == 0 ? 0x1p-1000 : 0x1p+900;
    pthread_attr_t usual, small;
    assert_int_equal(pthread_getattr_default_np(&usual), 0);
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, 32 * 1024), 0);
    assert_int_equal(pthread_setattr_default_np(&small), 0);
    wf_context *other;
    wf_description described = {.count = 0};
    const wf_status created = wf_context_create(&other, device);
    wf_status folded = created;
    for (int call = 0; call < 5 && folded == WF_OK; call++)
        folded = wf_describe(other, &(wf_describe_spec){.type = WF_F64}, values, LONG, &described);
    if (created == WF_OK)
        wf_context_destroy(other);
    assert_int_equal(pthread_setattr_default_np(&usual), 0);
    pthread_attr_destroy(&small);
    pthread_attr_destroy(&usual);
    free(values);
    require(folded);
    assert_true(described.sum.f64 == LONG / 2 * 0x1p+900);
}

/* A signal that the program's threads do not take stays pending: none of the library's takes it in their place. */
void test_signals_of_the_caller(void **state) {
    (void)state;
    if (strcmp(device, "host") != 0)
        skip(); /* a vendor's runtime has threads of its own, and those of the emulator end with each launch */
    float *values = calloc(LONG, sizeof *values), sum;
    assert_non_null(values);
    require(wf_reduce(context, &(wf_reduce_spec){.type = WF_F32}, values, LONG, &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_F32})));
    sigset_t blocked, before, pending;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1); /* which ends a process that takes it */
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    require(wf_reduce(context, &(wf_reduce_spec){.type = WF_F32}, values, LONG, &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_F32})));
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGUSR1), 1);
    int taken;
    assert_int_equal(sigwait(&blocked, &taken), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    free(values);
}

/* What reads files: how much memory is free is asked for long arrays alone. */
static bool reads_files(void) {
    wf_context *other;
    wf_device_info info;
    void *memory;
    const bool is_there = wf_context_create(&other, device) == WF_OK;
    const bool works = is_there && wf_context_get_device(other, &info) == WF_OK &&
                       wf_malloc(other, &memory, (size_t)17 << 20) == WF_OK;
    if (is_there)
        wf_context_destroy(other);
    return works;
}

typedef struct cancelled_work {
    wf_context *by;
    float *values;
    bool is_done;
} cancelled_work;

/* Ends at the first call that looks for it, as the last one here does. */
static void *work_cancelled(void *of) {
    cancelled_work *work = of;
    pthread_cancel(pthread_self());
    float sum;
    bool works = reads_files();
    for (int call = 0; call < 100; call++)
        works = wf_reduce(work->by, &(wf_reduce_spec){.type = WF_F32}, work->values, LONG, &sum,
                          bytes_of_result(&(wf_reduce_spec){.type = WF_F32})) == WF_OK &&
                (call % 10 != 0 || wf_scan(work->by, &(wf_scan_spec){.reduce = {.type = WF_F32}}, work->values, 100000,
                                           work->values) == WF_OK) &&
                works;
    wf_context_destroy(work->by);
    work->is_done = works;
    pthread_testcancel();
    return NULL;
}

/* No call ends in its middle, where the helpers still are at work for it. */
void test_cancelled_callers(void **state) {
    (void)state;
    if (strcmp(device, "host") != 0)
        skip(); /* what a vendor's runtime does with such a thread is its own */
    cancelled_work work = {.is_done = false};
    void *ended;
    pthread_t thread;
    require(wf_context_create(&work.by, device));
    require(wf_malloc(work.by, (void **)&work.values, LONG * sizeof(float)));
    memset(work.values, 0, LONG * sizeof(float));
    assert_int_equal(pthread_create(&thread, NULL, work_cancelled, &work), 0);
    assert_int_equal(pthread_join(thread, &ended), 0);
    assert_true(work.is_done);
    assert_true(ended == PTHREAD_CANCELED);
}
