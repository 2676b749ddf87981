/* Thread tables: which files are taken, what wf_tune makes of threads that take a made-up time (timed-threads,
 * timed-useless-threads), what the CPU's own fold makes of a table (native). */
#define _GNU_SOURCE
#include "tuning_tests.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "failing_malloc.h"
#include "require.h"
#include "result_bytes.h"
#include "table_files.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define KI UINT64_C(1024)
#define SHARES "awake_bytes 40000\nasleep_bytes 3000000\n"

/* The process may run on so many, whatever the system says; 0: what it says; below 0: it does not say. */
static int pretended_cpus;

WF_API int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask) {
    if (pid != 0 || pretended_cpus < 0)
        return -1;
    if (pretended_cpus == 0) {
        memset(mask, 0, size);
        return syscall(SYS_sched_getaffinity, pid, size, mask) < 0 ? -1 : 0;
    }
    CPU_ZERO(mask);
    for (int cpu = 0; cpu < pretended_cpus; cpu++)
        CPU_SET((size_t)cpu, mask);
    return 0;
}

static uint32_t cpus(void) {
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    return (uint32_t)CPU_COUNT(&allowed);
}

/* In a process that has one CPU, or not all, wf_tune must refuse, and does. */
static bool is_refused(wf_context *context) {
    wf_device_info device;
    require(wf_context_get_device(context, &device));
    if (device.multiprocessors > 1 && cpus() == device.multiprocessors)
        return false;
    refuses(wf_tune(context, NULL, NULL, NULL), WF_UNSUPPORTED,
            device.multiprocessors > 1 ? "this process may run on" : "has one CPU");
    return true;
}

static void shares_are(const wf_tuning_info *info, uint32_t is_tuned, uint64_t awake, uint64_t asleep) {
    if (info->is_tuned != is_tuned || info->awake_bytes != awake || info->asleep_bytes != asleep ||
        info->row_count != 0)
        fail_msg("is_tuned %u, %llu and %llu bytes, %u rows: %s", info->is_tuned, (unsigned long long)info->awake_bytes,
                 (unsigned long long)info->asleep_bytes, info->row_count, info->detail);
}

static void write_text(const char *path, char *text) {
    write_bytes(path, text, strlen(text));
    free(text);
}

/* ---- Files ---- */

static void test_valid(void **state) {
    (void)state;
    wf_tuning_info info = tuning_of(DEVICE);
    shares_are(&info, 0, 48 * KI, 2 * KI * KI);
    assert_non_null(strstr(info.detail, "is not tuned yet"));
    write_text(info.path, valid_thread_text(SHARES));
    info = tuning_of(DEVICE);
    assert_int_equal(info.status, WF_OK);
    assert_string_equal(info.detail, "a tuned table is used");
    shares_are(&info, 1, 40000, 3000000);
    write_text(info.path, valid_thread_text("awake_bytes 1024\nasleep_bytes 9999999999999999999\n"));
    info = tuning_of(DEVICE);
    shares_are(&info, 1, 1024, UINT64_C(9999999999999999999));
    const wf_tuning_info other = tuning_of("host:64");
    shares_are(&other, 0, 48 * KI, 2 * KI * KI);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *shares, *says;
        wf_status status;
    } cases[] = {
        {"", "line 8: the file ends here", WF_INVALID_ARGUMENT},
        {"awake_bytes 40000\n", "line 9: the file ends here", WF_INVALID_ARGUMENT},
        {"awake_bytes 40000\nasleep_bytes 3000000", "line 9: the file ends here", WF_INVALID_ARGUMENT},
        {"asleep_bytes 3000000\nawake_bytes 40000\n", "line 8: 'asleep_bytes 3000000' is not 'awake_bytes '",
         WF_INVALID_ARGUMENT},
        {"awake_bytes 1023\nasleep_bytes 3000000\n", "awake_bytes 1023 must be at least 1024", WF_INVALID_ARGUMENT},
        {"awake_bytes 40000\nasleep_bytes 0\n", "asleep_bytes 0 must be at least 1024", WF_INVALID_ARGUMENT},
        {"awake_bytes 040000\nasleep_bytes 3000000\n", "line 8: ", WF_INVALID_ARGUMENT},
        {"awake_bytes -40000\nasleep_bytes 3000000\n", "line 8: ", WF_INVALID_ARGUMENT},
        {"awake_bytes\nasleep_bytes 3000000\n", "line 8: 'awake_bytes' is not", WF_INVALID_ARGUMENT},
        {"a\nasleep_bytes 3000000\n", "line 8: 'a' is not", WF_INVALID_ARGUMENT},
        {"awake_bytes 40000 \nasleep_bytes 3000000\n", "line 8: ", WF_INVALID_ARGUMENT},
        {"awake_bytes 40000\nasleep_bytes 10000000000000000000\n", "line 9: ", WF_INVALID_ARGUMENT},
        {SHARES "\n", "line 10: nothing may follow", WF_INVALID_ARGUMENT},
    };
    const wf_tuning_info info = tuning_of(DEVICE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_text(info.path, valid_thread_text(cases[i].shares));
        const wf_tuning_info got = tuning_of(DEVICE);
        shares_are(&got, 0, 48 * KI, 2 * KI * KI);
        if (got.status != cases[i].status || strstr(got.detail, cases[i].says) == NULL)
            fail_msg("%s: %s, '%s'", cases[i].shares, wf_status_name(got.status), got.detail);
    }
    /* A launch table is none. */
    write_text(info.path, valid_text(ROWS));
    const wf_tuning_info got = tuning_of(DEVICE);
    assert_int_equal(got.status, WF_INVALID_ARGUMENT);
    assert_non_null(strstr(got.detail, "line 1: it is not 'wavefold thread table 1'"));
    /* That of another machine. */
    char *text = valid_thread_text(SHARES);
    text[strlen("wavefold thread table 1\nlibrary ")] = '9';
    write_text(info.path, text);
    assert_int_equal(tuning_of(DEVICE).status, WF_UNSUPPORTED);
}

/* ---- Measured ---- */

typedef struct calls {
    uint32_t count, steps;
    uint64_t bytes;
} calls;

static void note(void *user, uint64_t bytes, uint32_t done, uint32_t steps) {
    calls *noted = user;
    assert_int_equal(done, noted->count);
    assert_true(bytes > noted->bytes);
    *noted = (calls){noted->count + 1, steps, bytes};
}

static bool can_be_cancelled(void) {
    int how;
    assert_int_equal(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &how), 0);
    return how == PTHREAD_CANCEL_ENABLE;
}

/* On the CPU itself: whatever comes of it is a valid table. */
static void test_measured(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    require(wf_context_create(&context, DEVICE));
    assert_true(can_be_cancelled()); /* modules were loaded, and files were read */
    if (is_refused(context)) {
        wf_context_destroy(context);
        return;
    }
    calls noted = {.count = 0};
    require(wf_tune(context, &(wf_tune_spec){.most_bytes = 200 * KI}, note, &noted));
    assert_true(can_be_cancelled());
    assert_true(noted.count == 8 && noted.steps == 8 && noted.bytes == 192 * KI);
    require(wf_context_get_tuning(context, &info));
    wf_context_destroy(context);
    assert_int_equal(files_in(folder), 1);
    const wf_tuning_info kept = tuning_of(DEVICE);
    shares_are(&kept, 1, info.awake_bytes, info.asleep_bytes);
    assert_true(kept.awake_bytes <= 384 * KI && kept.asleep_bytes <= 2 * KI * KI);
}

static void test_cpus(void **state) {
    (void)state;
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    if (!is_refused(context)) {
        pretended_cpus = 1;
        refuses(wf_tune(context, NULL, NULL, NULL), WF_UNSUPPORTED, "may run on 1 of ");
        pretended_cpus = 0;
        refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 4096}, NULL, NULL), WF_INVALID_ARGUMENT,
                "'most_bytes' is 4096: on host:32 it must be at least 16384");
        wf_context *bound; /* whose helpers are as many as there were CPUs for */
        pretended_cpus = 1;
        require(wf_context_create(&bound, DEVICE));
        pretended_cpus = 0;
        refuses(wf_tune(bound, &(wf_tune_spec){.most_bytes = 65536}, NULL, NULL), WF_UNSUPPORTED,
                "created while this process could run on 1 of ");
        wf_context_destroy(bound);
    }
    wf_context_destroy(context);
    assert_int_equal(files_in(folder), 0);
}

/* Threads of this process, once a long array was summed by a context that read these shares. */
static size_t threads_with(const char *shares) {
    enum { LONG = 4 << 20 };
    const wf_tuning_info info = tuning_of(DEVICE);
    write_text(info.path, valid_thread_text(shares));
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    int32_t *data = calloc(LONG, sizeof *data), sum = 0;
    assert_non_null(data);
    data[LONG - 1] = 7;
    for (int call = 0; call < 3; call++)
        require(wf_reduce(context, &(wf_reduce_spec){.type = WF_I32}, data, LONG, &sum,
                          bytes_of_result(&(wf_reduce_spec){.type = WF_I32})));
    assert_int_equal(sum, 7);
    const size_t threads = files_in("/proc/self/task");
    free(data);
    wf_context_destroy(context);
    return threads;
}

static void test_used(void **state) {
    (void)state;
    assert_int_equal(threads_with("awake_bytes 10000000\nasleep_bytes 999999999\n"), 1);
    assert_int_equal(threads_with(SHARES), cpus());
    pretended_cpus = 1; /* a context that is made where the process has one CPU has no helpers */
    const size_t threads = threads_with(SHARES);
    pretended_cpus = 0;
    assert_int_equal(threads, 1);
}

/* A thread takes 1 ns for a byte; each helper costs 20 us, or 200 us if nothing was folded for a while. So two threads
 * pay from 48 KiB on, or 512 KiB, and four from 192 KiB and 2 MiB. The shares with which folds of all sizes take least
 * in the geometric mean were computed apart. */
static void test_timed(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    calls noted = {.count = 0};
    pretended_cpus = 4;
    require(wf_context_create(&context, DEVICE));
    require(wf_tune(context, &(wf_tune_spec){.dry_run = 1}, note, &noted));
    assert_true(noted.count == 21 && noted.steps == 21 && noted.bytes == 16 * KI * KI);
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 1, 32 * KI, 512 * KI);
    assert_non_null(strstr(info.detail, "did not keep"));
    assert_int_equal(files_in(folder), 0);
    /* What pays nowhere is left to the built-in table. */
    require(wf_tune(context, &(wf_tune_spec){.most_bytes = 100000}, NULL, NULL));
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 1, 32 * KI, 2 * KI * KI);
    /* What is smaller than built in holds for more than was measured. */
    require(wf_tune(context, &(wf_tune_spec){.most_bytes = KI * KI}, NULL, NULL));
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 1, 32 * KI, 2 * KI * KI);
    wf_context_destroy(context);
    pretended_cpus = 0;
    info = tuning_of(DEVICE);
    shares_are(&info, 1, 32 * KI, 2 * KI * KI);
}

/* The least and the most that is measured, in memory that is given back. */
static void test_sizes(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    pretended_cpus = 4;
    require(wf_context_create(&context, DEVICE));
    const long held = blocks_held();
    const wf_tune_spec least = {.most_bytes = 16 * KI, .dry_run = 1},
                       as_built_in = {.most_bytes = 2 * KI * KI, .dry_run = 1},
                       most = {.most_bytes = 64 * KI * KI, .dry_run = 1};
    calls noted = {.count = 0};
    require(wf_tune(context, &least, note, &noted));
    assert_true(noted.count == 1 && noted.steps == 1 && noted.bytes == 16 * KI);
    require(wf_tune(context, &as_built_in, NULL, NULL));
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 1, 32 * KI, 512 * KI);
    noted = (calls){.count = 0};
    pretended_cpus = -1; /* then it is not refused */
    require(wf_tune(context, &most, note, &noted));
    assert_true(noted.count == 21 && noted.steps == 21 && noted.bytes == 16 * KI * KI);
    assert_int_equal(blocks_held(), held);
    if (can_fail_malloc()) {
        fail_malloc_at(1);
        const wf_status status = wf_tune(context, &least, NULL, NULL);
        assert_true(end_failing_malloc());
        refuses(status, WF_OUT_OF_MEMORY, "no host memory to tune with");
    }
    pretended_cpus = 0;
    wf_context_destroy(context);
}

typedef struct cancelled_tune {
    wf_context *by;
    bool is_done;
} cancelled_tune;

static void *tune_cancelled(void *of) {
    cancelled_tune *work = of;
    pthread_cancel(pthread_self());
    work->is_done = wf_tune(work->by, &(wf_tune_spec){.dry_run = 1}, NULL, NULL) == WF_OK;
    pthread_testcancel();
    return NULL;
}

/* To let the helpers fall asleep is a place where threads end, and this one would keep the array. */
static void test_cancelled(void **state) {
    (void)state;
    cancelled_tune work = {.is_done = false};
    pthread_t thread;
    void *ended;
    pretended_cpus = 4;
    require(wf_context_create(&work.by, DEVICE));
    assert_int_equal(pthread_create(&thread, NULL, tune_cancelled, &work), 0);
    assert_int_equal(pthread_join(thread, &ended), 0);
    pretended_cpus = 0;
    assert_true(work.is_done);
    assert_true(ended == PTHREAD_CANCELED);
    wf_context_destroy(work.by);
}

static void note_traps(void *user, uint64_t bytes, uint32_t done, uint32_t steps) {
    (void)bytes, (void)done, (void)steps;
    *(int *)user = fegetexcept();
}

/* Times are rounded, which ends no program that has itself told of inexact results. */
static void test_traps(void **state) {
    (void)state;
    wf_context *context;
    int traps = -1;
    fenv_t before;
    pretended_cpus = 4;
    require(wf_context_create(&context, DEVICE));
    feholdexcept(&before);
    if (feenableexcept(FE_ALL_EXCEPT) >= 0) {
        const wf_status status = wf_tune(context, &(wf_tune_spec){.dry_run = 1}, note_traps, &traps);
        const int kept = fegetexcept();
        fesetenv(&before);
        require(status);
        assert_int_equal(traps, 0);
        assert_int_equal(kept, FE_ALL_EXCEPT);
    }
    fesetenv(&before);
    pretended_cpus = 0;
    wf_context_destroy(context);
}

/* Helpers that do not help: something keeps them from their work, and nothing is kept of that. */
static void test_useless(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    pretended_cpus = 4;
    require(wf_context_create(&context, DEVICE));
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 4 * KI * KI}, NULL, NULL), WF_UNSUPPORTED,
            "made no reduction of up to 4194304 bytes on host:32 faster");
    pretended_cpus = 0;
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 0, 48 * KI, 2 * KI * KI);
    wf_context_destroy(context);
    assert_int_equal(files_in(folder), 0);
}

static void test_fails(void **state) {
    (void)state;
    wf_tuning_info info = tuning_of(DEVICE);
    write_text(info.path, valid_thread_text(SHARES));
    wf_context *context;
    pretended_cpus = 4;
    require(wf_context_create(&context, DEVICE));
    refuses(wf_tune(context, NULL, NULL, NULL), WF_DEVICE_ERROR, "tuning on host:32");
    require(wf_context_get_tuning(context, &info));
    shares_are(&info, 1, 40000, 3000000);
    wf_context_destroy(context);
    pretended_cpus = 0;
    info = tuning_of(DEVICE);
    shares_are(&info, 1, 40000, 3000000);
}

int run_thread_tests(const char *change) {
    const struct CMUnitTest native[] = {
        cmocka_unit_test_setup(test_used, begin), /* first: threads of others would count */
        cmocka_unit_test_setup(test_valid, begin),    cmocka_unit_test_setup(test_refused, begin),
        cmocka_unit_test_setup(test_measured, begin), cmocka_unit_test_setup(test_cpus, begin),
    };
    const struct CMUnitTest timed[] = {
        cmocka_unit_test_setup(test_timed, begin), cmocka_unit_test_setup(test_sizes, begin),
        cmocka_unit_test_setup(test_cancelled, begin), cmocka_unit_test_setup(test_traps, begin)};
    const struct CMUnitTest useless[] = {cmocka_unit_test_setup(test_useless, begin)};
    const struct CMUnitTest fails[] = {cmocka_unit_test_setup(test_fails, begin)};
    if (strcmp(change, "timed-threads") == 0)
        return cmocka_run_group_tests_name("threads of made-up speed", timed, NULL, NULL);
    if (strcmp(change, "timed-useless-threads") == 0)
        return cmocka_run_group_tests_name("threads that do not help", useless, NULL, NULL);
    if (strcmp(change, "failing-threads") == 0)
        return cmocka_run_group_tests_name("a fold fails", fails, NULL, NULL);
    return cmocka_run_group_tests_name("the CPU's own fold", native, NULL, NULL);
}
