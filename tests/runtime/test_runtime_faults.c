/* Every call of the vendor's runtime is made to fail once, with each class of error, in every function of the library
 * that makes one: test_runtime_faults amd|nvidia. The module is the real one; WAVEFOLD_STANDIN is the runtime that it
 * finds, and launching_module.c runs the kernels.
 *
 * Whatever fails: the status is right, the sentence names the call, the result is as it was, nothing is used after it
 * was given back, nothing is left when the context is destroyed, and the context goes on; but for errors that stay, of
 * which the next call tells. What the host device gives for the same is what is right. */
#define _GNU_SOURCE
#include "failing_malloc.h"
#include "standin_runtime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wavefold_ladder.h>
#include <wavefold_message.h>
#include <wavefold_tune.h>

enum { COUNT = 1000, PATTERN = 0x5C };

static const char *device;
static standin_runtime *standin;
static standin_reset_function *reset;
static int (*stream_create)(void **stream), (*stream_destroy)(void *stream);

/* ---- What is tried ---- */

typedef struct bench {
    wf_context *context;
    void *stream; /* NULL on the host device */
    int32_t integers[COUNT];
    float floats[COUNT];
    int32_t *there; /* the same integers, and behind them the floats, on the device */
    char *out;      /* on the device */
    unsigned char result[16 * COUNT];
} bench;

typedef struct operation {
    const char *name;
    wf_status (*run)(bench *b);
    size_t result_bytes, out_bytes;
    int rung; /* that it runs */
} operation;

static const operation *running;

static const float *floats_of(const bench *b) {
    return (const float *)(b->there + COUNT);
}

static const wf_reduce_spec sum = {.type = WF_I32}, exact = {.type = WF_F32},
                            fast = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST},
                            least = {.type = WF_F32, .op = WF_ARGMIN}, ordered = {.type = WF_I32, .op = WF_MATMUL};
static const wf_describe_spec described = {.type = WF_F32};

static wf_status reduce(bench *b) {
    return wf_reduce(b->context, &sum, b->there, COUNT, b->result, bytes_of_result(&sum));
}

static wf_status reduce_few(bench *b) {
    return wf_reduce(b->context, &sum, b->there, 3, b->result, bytes_of_result(&sum));
}

static wf_status reduce_exactly(bench *b) {
    return wf_reduce(b->context, &exact, floats_of(b), COUNT, b->result, bytes_of_result(&exact));
}

static wf_status reduce_fast(bench *b) {
    return wf_reduce(b->context, &fast, floats_of(b), COUNT, b->result, bytes_of_result(&fast));
}

static wf_status reduce_to_index(bench *b) {
    return wf_reduce(b->context, &least, floats_of(b), COUNT, b->result, bytes_of_result(&least));
}

static wf_status reduce_in_order(bench *b) {
    return wf_reduce(b->context, &ordered, b->there, COUNT / 4, b->result, bytes_of_result(&ordered));
}

static wf_status reduce_from_host(bench *b) {
    return wf_reduce(b->context, &exact, b->floats, COUNT, b->result, bytes_of_result(&exact));
}

static wf_status reduce_in_order_from_host(bench *b) {
    return wf_reduce(b->context, &ordered, b->integers, COUNT / 4, b->result, bytes_of_result(&ordered));
}

static wf_status describe(bench *b) {
    return wf_describe(b->context, &described, floats_of(b), COUNT, (wf_description *)(void *)b->result);
}

static wf_status accumulate(bench *b) {
    wf_sum_state state, before;
    wf_sum_state_init(&state);
    before = state;
    const wf_status status = wf_sum_state_accumulate(b->context, &exact, floats_of(b), COUNT, &state);
    if (status == WF_OK)
        memcpy(b->result, &state, sizeof state);
    else
        assert_memory_equal(&state, &before, sizeof state);
    return status;
}

static wf_status reduce_on_stream(bench *b) {
    return wf_reduce_async(b->context, &sum, b->there, COUNT, b->out, bytes_of_result(&sum), b->stream);
}

static wf_status reduce_captured(bench *b) {
    standin->capture = 7;
    const wf_status status =
        wf_reduce_async(b->context, &exact, floats_of(b), COUNT, b->out, bytes_of_result(&exact), b->stream);
    standin->capture = 0;
    wf_context_forget_stream(b->context, b->stream);
    return status;
}

static wf_status describe_on_stream(bench *b) {
    return wf_describe_async(b->context, &described, floats_of(b), COUNT, (wf_description *)(void *)b->out, b->stream);
}

static wf_status accumulate_on_stream(bench *b) {
    wf_sum_state *const state = (wf_sum_state *)(void *)b->out;
    wf_sum_state none;
    wf_sum_state_init(&none);
    const wf_status status = wf_copy_to_device(b->context, state, &none, sizeof none);
    return status == WF_OK ? wf_sum_state_accumulate_async(b->context, &exact, floats_of(b), COUNT, state, b->stream)
                           : status;
}

static wf_status scan(bench *b) {
    return wf_scan(b->context, &(wf_scan_spec){.reduce = {.type = WF_I32}}, b->there, COUNT, b->out);
}

static wf_status scan_on_stream(bench *b) {
    return wf_scan_async(b->context, &(wf_scan_spec){.reduce = {.type = WF_I32}}, b->there, COUNT, b->out, b->stream);
}

static wf_status sort(bench *b) {
    return wf_sort(b->context, &(wf_sort_spec){.type = WF_I32}, b->there, NULL, COUNT);
}

static wf_status sort_pairs_on_stream(bench *b) {
    return wf_sort_async(b->context, &(wf_sort_spec){.type = WF_I32, .value_bytes = 4}, b->there, b->there + COUNT,
                         COUNT, b->stream);
}

static wf_status allocate(bench *b) {
    void *memory = b;
    const wf_status status = wf_malloc(b->context, &memory, 100);
    if (status == WF_OK)
        wf_free(b->context, memory);
    else
        assert_ptr_equal(memory, b);
    return status;
}

static wf_status copy_there(bench *b) {
    return wf_copy_to_device(b->context, b->out, b->integers, sizeof b->integers);
}

/* What a copy was to fill is undefined when it failed. */
static wf_status copy_here(bench *b) {
    unsigned char copied[COUNT];
    const wf_status status = wf_copy_to_host(b->context, copied, b->there, sizeof copied);
    if (status == WF_OK)
        memcpy(b->result, copied, sizeof copied);
    return status;
}

static wf_status ask_device(bench *b) {
    wf_device_info info = {.id = "as it was"};
    const wf_status status = wf_context_get_device(b->context, &info);
    if (status != WF_OK)
        assert_string_equal(info.id, "as it was");
    return status;
}

static wf_status read_ceiling(bench *b) {
    double seconds = -1;
    const wf_status status = wf_read_ceiling(b->context, b->there, sizeof b->integers, &seconds);
    assert_true((status == WF_OK) == (seconds >= 0));
    return status;
}

static void fields_of(const bench *b, const int32_t *integers, void *results, wf_field fields[2]) {
    fields[0] = with_result_bytes(
        (wf_field){.spec = exact, .in = (const float *)(integers + COUNT), .count = COUNT, .result = results});
    fields[1] = with_result_bytes((wf_field){.spec = {.type = WF_I32, .op = WF_ARGMAX},
                                             .in = integers,
                                             .count = COUNT,
                                             .result = results == NULL ? NULL : (char *)results + 16});
    (void)b;
}

static wf_status write_message(bench *b) {
    wf_field fields[2];
    fields_of(b, b->there, b->result, fields);
    uint64_t message[256] = {0};
    return wf_message_write(b->context, fields, 2, message);
}

static wf_status pass_message_on_stream(bench *b) {
    wf_field fields[2];
    wf_message_size size;
    fields_of(b, b->there, b->out, fields);
    require(wf_message_get_size(fields, 2, &size));
    uint64_t *const message = (uint64_t *)(void *)(b->out + 64), *const failures = (uint64_t *)(void *)(b->out + 48);
    const uint64_t none = 0;
    wf_status status = wf_copy_to_device(b->context, failures, &none, sizeof none);
    if (status == WF_OK)
        status = wf_message_write_async(b->context, fields, 2, message, b->stream);
    return status == WF_OK ? wf_message_read_async(b->context, fields, 2, 1, message, message + size.sums + size.maxima,
                                                   failures, b->stream)
                           : status;
}

static wf_status run_rung(bench *b) {
    wf_rung_info info;
    wf_rung_options options = {.type = WF_I32, .tiles = 4, .tile_size = 64};
    require(wf_rung_get_info((size_t)running->rung, &info));
    const void *in = b->there;
    if (wf_rung_supports((size_t)running->rung, &options) != WF_OK) {
        options.type = WF_F32;
        in = floats_of(b);
    }
    void *const result = info.kind == WF_RUNG_REDUCES ? (void *)b->result : (void *)b->out;
    return wf_rung_run(b->context, (size_t)running->rung, &options, in, COUNT, result,
                       bytes_of_rung_result((size_t)running->rung, &options, COUNT), NULL);
}

/* Results that stand on the device are in out, or are what was sorted. */
enum { SORTED = -1, NO_RUNG = -2 };
#define HERE(name, bytes)                                                                                              \
    { #name, name, bytes, 0, NO_RUNG }
#define THERE(name, bytes)                                                                                             \
    { #name, name, 0, bytes, NO_RUNG }
static const operation operations[] = {
    HERE(reduce, 4),
    HERE(reduce_few, 4),
    HERE(reduce_exactly, 4),
    HERE(reduce_fast, 4),
    HERE(reduce_to_index, 16),
    HERE(reduce_in_order, 16),
    HERE(reduce_from_host, 4),
    HERE(reduce_in_order_from_host, 16),
    HERE(describe, 40), /* count, sum, extremes and where they stand; the mean and the variance are rounded */
    HERE(accumulate, sizeof(wf_sum_state)),
    THERE(reduce_on_stream, 4),
    THERE(reduce_captured, 4),
    THERE(describe_on_stream, 40),
    THERE(accumulate_on_stream, sizeof(wf_sum_state)),
    THERE(scan, 4 * COUNT),
    THERE(scan_on_stream, 4 * COUNT),
    {"sort", sort, 0, 4 * COUNT, SORTED},
    {"sort_pairs_on_stream", sort_pairs_on_stream, 0, 8 * COUNT, SORTED},
    HERE(allocate, 0),
    THERE(copy_there, 4 * COUNT),
    HERE(copy_here, COUNT),
    HERE(ask_device, 0),
    HERE(read_ceiling, 0),
    HERE(write_message, 0),
    THERE(pass_message_on_stream, 32),
};

/* ---- One run ---- */

static void make_bench(bench *b, const char *of) {
    *b = (bench){.context = NULL};
    require(wf_context_create(&b->context, of));
    require(wf_malloc(b->context, (void **)&b->there, 8 * COUNT));
    require(wf_malloc(b->context, (void **)&b->out, 16 * COUNT));
    for (int i = 0; i < COUNT; i++) {
        b->integers[i] = i * 7919 % COUNT; /* each once, for 7919 is prime */
        b->floats[i] = (float)(i % 37) - 18.25f;
    }
    if (strcmp(of, "host") != 0)
        assert_int_equal(stream_create(&b->stream), 0);
}

static void prepare(bench *b) {
    require(wf_copy_to_device(b->context, b->there, b->integers, sizeof b->integers));
    require(wf_copy_to_device(b->context, b->there + COUNT, b->floats, sizeof b->floats));
    memset(b->result, PATTERN, sizeof b->result);
    require(wf_copy_to_device(b->context, b->out, b->result, sizeof b->result));
}

static void collect(bench *b) {
    const void *const from = running->rung == SORTED ? (void *)b->there : b->out;
    if (running->out_bytes != 0)
        require(wf_copy_to_host(b->context, b->result, from, running->out_bytes));
}

static size_t bytes_of(const operation *spec) {
    return spec->result_bytes + spec->out_bytes;
}

static void expect(const operation *spec, unsigned char *expected) {
    bench b;
    running = spec;
    make_bench(&b, "host");
    prepare(&b);
    require(spec->run(&b));
    collect(&b);
    memcpy(expected, b.result, sizeof b.result);
    wf_context_destroy(b.context);
}

static void succeed(bench *b, const unsigned char *expected) {
    prepare(b);
    standin->current_device = 1; /* which stays the program's */
    require(running->run(b));
    assert_int_equal(standin->current_device, 1);
    standin->current_device = 0;
    collect(b);
    assert_memory_equal(b->result, expected, bytes_of(running));
}

/* ---- One failure ---- */

static const struct kind {
    const char *name;
    int error;
    bool later;
} kinds[] = {{"out of memory", STANDIN_OUT_OF_MEMORY, false},
             {"invalid", STANDIN_INVALID_VALUE, false},
             {"not ready", STANDIN_NOT_READY, false},
             {"sticky", STANDIN_STICKY, false},
             {"sticky, of a kernel", STANDIN_STICKY, true}};
enum { KINDS = sizeof kinds / sizeof *kinds, OF_A_KERNEL = KINDS - 1 };

static unsigned long tried;

/* The library says HIP's names for both vendors, and its own for some. */
static const char *said_of(const char *call) {
    static char name[80];
    static const char *const others[][2] = {{"LaunchKernel", "launching the kernel"},
                                            {"LaunchKernelExC", "launching the kernel"},
                                            {"PushCallConfiguration", "launching the kernel"},
                                            {"HostAlloc", "hipHostMalloc"},
                                            {"RegisterFatBinary", "takes none of the module's code"},
                                            {"GetDeviceProperties", "hipDeviceGetName"}};
    const char *rest = call + strspn(call, "_");
    rest += strncmp(rest, "hip", 3) == 0 ? 3 : 4;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(rest, others[i][0]) == 0)
            return others[i][1];
    snprintf(name, sizeof name, "hip%s", rest);
    return name;
}

/* Which device is to be put back: a failure of that is told of only if the next call fails, too. */
static bool is_only_asking(const char *call) {
    return strcmp(call, "hipGetDevice") == 0 || strcmp(call, "cudaGetDriverEntryPointByVersion") == 0;
}

/* How fast f64 is, is asked for by the same call as other attributes. */
static bool names(const char *said, const char *call) {
    return strstr(said, said_of(call)) != NULL || is_only_asking(call) ||
           (strstr(call, "Attribute") != NULL && strstr(said, "asking how fast f64 is") != NULL);
}

static bool asks_a_stream(const char *call) {
    return strstr(call, "GetCaptureInfo") != NULL || strstr(call, "StreamGetDevice") != NULL;
}

static void check_failure(wf_status status, const struct kind *kind) {
    const char *const said = wf_last_error();
    if (kind->error == STANDIN_INVALID_VALUE && asks_a_stream(standin->failed)) {
        refuses(status, WF_INVALID_ARGUMENT, "not destroyed");
        return;
    }
    const wf_status expected = kind->error == STANDIN_OUT_OF_MEMORY ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR;
    if (status != expected || (!kind->later && !names(said, standin->failed)))
        fail_msg("%s (%s): %s, '%s'", standin->failed, kind->name, wf_status_name(status), said);
}

static void check_untouched(const bench *b) {
    for (size_t i = 0; i < sizeof b->result; i++)
        assert_int_equal(b->result[i], PATTERN);
}

static void end_bench(bench *b) {
    wf_context_destroy(b->context);
    if (b->stream != NULL)
        (void)stream_destroy(b->stream);
    assert_int_equal(standin->abuses, 0);
    long left = 0;
    for (int kind = 0; kind < STANDIN_KINDS; kind++)
        left += standin->live[kind];
    if ((unsigned long)left > standin->refused)
        fail_msg("%s: %ld are left, of which the runtime refused to take %lu (memory %ld, pinned %ld, streams %ld, "
                 "events %ld)",
                 running != NULL ? running->name : "", left, standin->refused, standin->live[STANDIN_DEVICE_MEMORY],
                 standin->live[STANDIN_PINNED_MEMORY], standin->live[STANDIN_STREAM], standin->live[STANDIN_EVENT]);
    reset();
}

static void set_fault(unsigned long at, const char *name, const struct kind *kind) {
    standin->calls = 0;
    standin->failures = 0;
    standin->fail_at = at;
    standin->fail_name = name;
    standin->fail_with = kind->error;
    standin->fail_later = kind->later;
}

static void clear_fault(void) {
    standin->fail_at = 0;
    standin->fail_name = NULL;
}

/* False if there is no such call. */
static bool fail_once(bench *b, const unsigned char *expected, unsigned long at, const char *name,
                      const struct kind *kind) {
    prepare(b);
    set_fault(at, name, kind);
    const wf_status status = running->run(b);
    clear_fault();
    if (standin->failures == 0)
        return false;
    tried++;
    const bool stays = kind->error == STANDIN_STICKY;
    if (status != WF_OK) {
        check_failure(status, kind);
        check_untouched(b);
    } else if (!stays) {
        collect(b);
        assert_memory_equal(b->result, expected, bytes_of(running));
    }
    if (!stays) {
        succeed(b, expected);
        return true;
    }
    unsigned char byte;
    refuses(wf_copy_to_host(b->context, &byte, b->there, 1), WF_DEVICE_ERROR, "illegal memory access");
    end_bench(b);
    make_bench(b, device);
    return true;
}

static void fail_every_call(const operation *spec, bool each_kind) {
    static unsigned char expected[sizeof((bench *)NULL)->result];
    static bench b;
    expect(spec, expected);
    running = spec;
    make_bench(&b, device);
    succeed(&b, expected);
    bool is_there = true;
    for (unsigned long k = 1; is_there; k++)
        for (size_t kind = 0; kind < KINDS; kind++)
            if (each_kind || k % KINDS == kind) {
                end_bench(&b); /* a context's first call may make more calls than its second */
                make_bench(&b, device);
                is_there = fail_once(&b, expected, k, NULL, &kinds[kind]);
            }
    const char *called[sizeof standin->names / sizeof *standin->names];
    memcpy(called, standin->names, sizeof called);
    for (size_t i = 0; called[i] != NULL; i++)
        for (size_t kind = 0; kind < (each_kind ? 3u : 1u); kind++)
            (void)fail_once(&b, expected, 0, called[i], &kinds[kind]); /* this one may not make that call */
    end_bench(&b);
}

static void every_call_of_a_function(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        fail_every_call(&operations[i], true);
}

static void every_call_of_a_rung(void **unused) {
    (void)unused;
    for (size_t i = 0; i < wf_rung_count(); i++) {
        wf_rung_info info;
        require(wf_rung_get_info(i, &info));
        const bool reduces = info.kind == WF_RUNG_REDUCES;
        const size_t pairs = info.kind == WF_RUNG_SORTS_PAIRS ? 2 : 1;
        const operation spec = {info.name, run_rung, reduces ? 4 : 0, reduces ? 0 : 4 * COUNT * pairs, (int)i};
        fail_every_call(&spec, false);
    }
}

/* ---- Contexts, devices ---- */

static void every_call_of_a_context(void **unused) {
    (void)unused;
    running = NULL;
    assert_int_equal(wf_device_count(), 3); /* found now, with no fault */
    for (size_t kind = 0; kind < KINDS - 1; kind++)
        for (unsigned long k = 1;; k++) {
            wf_context *context = NULL;
            set_fault(k, NULL, &kinds[kind]);
            const wf_status status = wf_context_create(&context, device);
            const unsigned long failures = standin->failures;
            if (status != WF_OK) {
                tried++;
                assert_null(context);
                check_failure(status, &kinds[kind]);
            }
            wf_context_destroy(context); /* in which the call may be that fails */
            clear_fault();
            bench none = {.context = NULL};
            const unsigned long all = standin->failures;
            end_bench(&none);
            if (failures == 0 && all == 0)
                break;
        }
}

enum { TOLD = 0, NOTHING_FAILED = 2 };

/* In a process of its own, for that is done once. The host's two are always there, and what is missing is told. */
static int look_for_devices(void) {
    const size_t count = wf_device_count();
    wf_backend_info backend;
    size_t found = 0;
    for (size_t i = 0; i < wf_backend_count() && count == 2; i++)
        if (wf_backend_get_info(i, &backend) == WF_OK && strcmp(backend.name, device) == 0)
            found = backend.status == WF_OK && names(backend.detail, standin->failed);
    for (size_t i = 0; i < count && count == 3; i++) {
        wf_device_info info = {.id = "as it was"};
        if (wf_device_get_info(i, &info) == WF_OK)
            found++;
        else if (!names(wf_last_error(), standin->failed) || strcmp(info.id, "as it was") != 0)
            return 1;
    }
    if (standin->failures == 0)
        return found == 3 ? NOTHING_FAILED : 1;
    const bool is_untold = found == 3 && is_only_asking(standin->failed);
    return count == 2 ? (found == 1 ? TOLD : 1) : found == 2 || is_untold ? TOLD : 1;
}

static void every_call_of_the_first(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < KINDS - 1; kind++)
        for (unsigned long k = 1;; k++) {
            const pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0) {
                set_fault(k, NULL, &kinds[kind]);
                _exit(look_for_devices());
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status));
            if (WEXITSTATUS(status) == NOTHING_FAILED)
                break;
            tried++;
            assert_int_equal(WEXITSTATUS(status), TOLD);
        }
}

static void *look_while_cancelled(void *unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    if (wf_device_count() != 3)
        _exit(1);
    pthread_testcancel();
    return NULL;
}

/* What is found once is found to the end, whoever looks for it. */
static void cancelled_in_the_first(void **unused) {
    (void)unused;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        pthread_t thread;
        void *ended = NULL;
        if (pthread_create(&thread, NULL, look_while_cancelled, NULL) == 0)
            (void)pthread_join(thread, &ended);
        _exit(ended == PTHREAD_CANCELED && wf_device_count() == 3 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

typedef struct cancelled_work {
    bench b;
    size_t done;
} cancelled_work;

static void *run_while_cancelled(void *of) {
    cancelled_work *const work = of;
    wf_context *context;
    pthread_cancel(pthread_self());
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        work->done += operations[i].run(&work->b) == WF_OK;
    for (size_t i = 0; i < wf_rung_count(); i++) {
        const operation rung = {"a rung", run_rung, 0, 0, (int)i};
        running = &rung;
        work->done += run_rung(&work->b) == WF_OK;
    }
    if (wf_context_create(&context, device) == WF_OK) {
        wf_context_destroy(context);
        work->done++;
    }
    pthread_testcancel();
    return NULL;
}

/* Not in the runtime, where a thread would keep what that and the library have. */
static void cancelled_in_a_call(void **unused) {
    (void)unused;
    static cancelled_work work;
    pthread_t thread;
    void *ended;
    make_bench(&work.b, device);
    prepare(&work.b);
    assert_int_equal(pthread_create(&thread, NULL, run_while_cancelled, &work), 0);
    assert_int_equal(pthread_join(thread, &ended), 0);
    running = NULL;
    assert_int_equal(work.done, sizeof operations / sizeof *operations + wf_rung_count() + 1);
    assert_ptr_equal(ended, PTHREAD_CANCELED);
    end_bench(&work.b);
}

static void tuning(void **unused) {
    (void)unused;
    const wf_tune_spec spec = {.most_bytes = 4096, .dry_run = 1};
    void (*const launch)(void) = standin->launch;
    bench b;
    running = NULL;
    make_bench(&b, device);
    standin->launch = NULL; /* nobody looks at the results */
    standin->calls = 0;
    require(wf_tune(b.context, &spec, NULL, NULL));
    const unsigned long calls = standin->calls;
    for (unsigned long i = 0; i < 12; i++) {
        wf_tuning_info before, after;
        require(wf_context_get_tuning(b.context, &before));
        const struct kind *const kind = &kinds[i % 3];
        set_fault(i < 6 ? i + 1 : calls * (i - 5) / 16, NULL, kind);
        const wf_status status = wf_tune(b.context, &spec, NULL, NULL);
        clear_fault();
        if (standin->failures == 0 && i >= 6) /* how many calls there are depends on time */
            continue;
        assert_int_equal(standin->failures, 1);
        tried++;
        if (status == WF_OK) /* there was room for a smaller pool */
            continue;
        check_failure(status, kind);
        require(wf_context_get_tuning(b.context, &after));
        assert_memory_equal(&before, &after, sizeof before);
    }
    standin->launch = launch;
    end_bench(&b);
}

/* ---- The host's memory ---- */

static void (*run_kernel)(void);

/* The emulator's allocations are none of the library's on a GPU. */
static void run_kernel_with_memory(void) {
    pause_failing_malloc();
    run_kernel();
    resume_failing_malloc();
}

static bool fail_allocation(bench *b, const unsigned char *expected, unsigned long k) {
    prepare(b);
    fail_malloc_at(k);
    const wf_status status = running->run(b);
    if (!end_failing_malloc())
        return false;
    tried++;
    if (status == WF_OK) {
        collect(b);
        assert_memory_equal(b->result, expected, bytes_of(running));
    } else {
        refuses(status, WF_OUT_OF_MEMORY, "memory");
        check_untouched(b);
    }
    succeed(b, expected);
    return true;
}

static void every_allocation(void **unused) {
    (void)unused;
    static unsigned char expected[sizeof((bench *)NULL)->result];
    static bench b;
    run_kernel = standin->launch;
    standin->launch = run_kernel_with_memory;
    for (size_t i = 0; i < sizeof operations / sizeof *operations + wf_rung_count(); i++) {
        operation rung = {"a rung", run_rung, 0, 0, (int)(i - sizeof operations / sizeof *operations)};
        if (rung.rung >= 0) {
            wf_rung_info info;
            require(wf_rung_get_info((size_t)rung.rung, &info));
            rung.result_bytes = info.kind == WF_RUNG_REDUCES ? 4 : 0;
            rung.out_bytes = info.kind == WF_RUNG_REDUCES ? 0 : 4 * COUNT;
        }
        expect(rung.rung >= 0 ? &rung : &operations[i], expected);
        running = rung.rung >= 0 ? &rung : &operations[i];
        make_bench(&b, device);
        for (unsigned long k = 1; fail_allocation(&b, expected, k);)
            k++;
        end_bench(&b);
    }
    for (unsigned long k = 1;; k++) {
        wf_context *context = NULL;
        fail_malloc_at(k);
        const wf_status status = wf_context_create(&context, device);
        if (!end_failing_malloc()) {
            assert_true(k > 1); /* it is this program's malloc that the library calls */
            break;
        }
        tried++;
        if (status != WF_OK)
            refuses(status, WF_OUT_OF_MEMORY, "memory");
        assert_true((status == WF_OK) == (context != NULL));
        bench made = {.context = context};
        end_bench(&made);
    }
    standin->launch = run_kernel;
}

/* ---- What runtimes answer differently ---- */

static void destroyed_streams(void **unused) {
    (void)unused;
    static const int answers[] = {STANDIN_INVALID_HANDLE, STANDIN_DESTROYED, STANDIN_INVALID_VALUE};
    bench b;
    running = NULL;
    make_bench(&b, device);
    assert_int_equal(stream_destroy(b.stream), 0);
    for (size_t i = 0; i < 3; i++) {
        standin->destroyed_stream = answers[i];
        refuses(reduce_on_stream(&b), WF_INVALID_ARGUMENT, "not destroyed");
        refuses(scan_on_stream(&b), WF_INVALID_ARGUMENT, "not destroyed");
        refuses(sort_pairs_on_stream(&b), WF_INVALID_ARGUMENT, "not destroyed");
    }
    require(reduce(&b));
    b.stream = NULL;
    end_bench(&b);
}

static void other_devices(void **unused) {
    (void)unused;
    bench b;
    running = NULL;
    make_bench(&b, device);
    prepare(&b);
    standin->foreign_device = 1;
    refuses(reduce(&b), WF_INVALID_ARGUMENT, ":1: use a context of that device");
    const char *const without = getenv("WAVEFOLD_STANDIN_TELLS_NO_DEVICE");
    if (without == NULL)
        refuses(reduce_on_stream(&b), WF_INVALID_ARGUMENT, "it must be of the context's device");
    else
        require(reduce_on_stream(&b));
    standin->foreign_device = 0;
    require(reduce(&b));
    end_bench(&b);
}

/* It stays what it is, also if that is none, and whatever fails while it is asked for or put back. */
static void device_of_the_program(void **unused) {
    (void)unused;
    running = NULL;
    for (int own = strcmp(device, "amd") == 0 ? 0 : -1; own <= 1; own++) {
        wf_context *context;
        wf_device_info info;
        void *memory;
        standin->current_device = own;
        require(wf_device_get_info(wf_device_count() - 1, &info)); /* the host's come first */
        require(wf_context_create(&context, device));
        require(wf_context_get_device(context, &info));
        require(wf_malloc(context, &memory, 100));
        wf_free(context, memory);
        wf_context_destroy(context);
        assert_int_equal(standin->current_device, own);
        bench none = {.context = NULL};
        end_bench(&none);
    }
    bench b;
    make_bench(&b, device);
    prepare(&b);
    require(reduce(&b));
    standin->current_device = 1;
    standin->calls = 0;
    require(reduce(&b));
    const unsigned long calls = standin->calls;
    for (unsigned long k = 1; k <= calls; k++) {
        standin->current_device = 1;
        set_fault(k, NULL, &kinds[1]);
        const wf_status status = reduce(&b);
        clear_fault();
        assert_true(standin->current_device == 1 || strstr(standin->failed, "etDevice") != NULL);
        assert_true(status == WF_OK || !is_only_asking(standin->failed));
    }
    standin->current_device = 0;
    require(reduce(&b));
    end_bench(&b);
}

static wf_status reduce_nothing(bench *b) {
    return wf_reduce(b->context, &sum, NULL, 0, b->result, bytes_of_result(&sum));
}

static wf_status describe_nothing(bench *b) {
    return wf_describe(b->context, &described, NULL, 0, (wf_description *)(void *)b->result);
}

static wf_status scan_nothing(bench *b) {
    return wf_scan(b->context, &(wf_scan_spec){.reduce = {.type = WF_I32}}, NULL, 0, NULL);
}

static wf_status sort_nothing(bench *b) {
    return wf_sort(b->context, &(wf_sort_spec){.type = WF_I32}, NULL, NULL, 0);
}

/* The program's own error is told, stays, and is not that of what the library gives back. */
static void errors_of_the_program(void **unused) {
    (void)unused;
    int (*allocate_there)(void **, size_t), (*get_last_error)(void);
    const bool is_amd = strcmp(device, "amd") == 0;
    *(void **)&allocate_there = dlsym(RTLD_DEFAULT, is_amd ? "hipMalloc" : "cudaMalloc");
    *(void **)&get_last_error = dlsym(RTLD_DEFAULT, is_amd ? "hipGetLastError" : "cudaGetLastError");
    static const size_t too_much = SIZE_MAX / 2;
    wf_status (*const calls[])(bench *) = {reduce,
                                           reduce_from_host,
                                           describe,
                                           reduce_on_stream,
                                           scan,
                                           scan_on_stream,
                                           sort,
                                           sort_pairs_on_stream,
                                           read_ceiling,
                                           reduce_nothing,
                                           describe_nothing,
                                           scan_nothing,
                                           sort_nothing};
    bench b;
    running = NULL;
    make_bench(&b, device);
    prepare(&b);
    require(reduce_from_host(&b)); /* its buffer is made, and the scan's */
    require(scan(&b));
    prepare(&b);
    memset(b.result, PATTERN, sizeof b.result);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *memory;
        assert_int_equal(allocate_there(&memory, too_much), STANDIN_OUT_OF_MEMORY);
        refuses(calls[i](&b), WF_DEVICE_ERROR, "the program's earlier work on the device left an error");
        check_untouched(&b);
        assert_int_equal(get_last_error(), STANDIN_OUT_OF_MEMORY);
        assert_int_equal(get_last_error(), STANDIN_OK);
    }
    void *memory;
    wf_context *context;
    assert_int_equal(allocate_there(&memory, too_much), STANDIN_OUT_OF_MEMORY);
    set_fault(0, is_amd ? "hipStreamSynchronize" : "cudaStreamSynchronize", &kinds[1]);
    refuses(wf_copy_to_host(b.context, NULL, NULL, 0), WF_DEVICE_ERROR, "hipStreamSynchronize failed"); /* it waits */
    clear_fault();
    assert_int_equal(allocate_there(&memory, too_much), STANDIN_OUT_OF_MEMORY);
    require(wf_context_create(&context, device)); /* no work of the program's */
    wf_context_destroy(context);
    (void)get_last_error(); /* runtimes differ in how long they keep it */
    require(reduce(&b));
    end_bench(&b);
}

/* That work goes on, as a program is told that looks whether it has ended, is no error. */
static void queries_of_the_program(void **unused) {
    (void)unused;
    wf_status (*const calls[])(bench *) = {reduce, reduce_from_host, describe, reduce_on_stream,
                                           scan,   scan_on_stream,   sort,     sort_pairs_on_stream};
    int (*query)(void *stream);
    *(void **)&query = dlsym(RTLD_DEFAULT, strcmp(device, "amd") == 0 ? "hipStreamQuery" : "cudaStreamQuery");
    bench b;
    running = NULL;
    make_bench(&b, device);
    prepare(&b);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_int_equal(query(b.stream), STANDIN_NOT_READY);
        require(calls[i](&b));
    }
    end_bench(&b);
}

static void polled_memory(void **unused) {
    (void)unused;
    bench b;
    running = NULL;
    make_bench(&b, device);
    enum { MAPPED = 2, COHERENT = 0x40000000 };
    assert_int_equal(standin->host_flags, strcmp(device, "amd") == 0 ? MAPPED | COHERENT : MAPPED);
    assert_true(standin->registered > 100);
    end_bench(&b);
}

/* Kernels start before earlier ones have ended where their code waits for these: in a stream, and in a graph behind one
 * of the module's own. */
static void early_starts(void **unused) {
    (void)unused;
    const bool is_amd = strcmp(device, "amd") == 0;
    for (int version = 80; version <= 100; version += 10) {
        const bool can = version >= 90 && !is_amd;
        bench b;
        running = NULL;
        standin->ptx_version = version;
        make_bench(&b, device);
        prepare(&b);
        require(reduce_on_stream(&b));
        assert_int_equal(standin->starts_early, can);
        require(reduce(&b));
        assert_int_equal(standin->starts_early, can);
        require(scan_on_stream(&b)); /* a kernel that waits for nothing */
        assert_false(standin->starts_early);
        static const struct {
            unsigned long long capture;
            bool is_behind_own;
        } captured[] = {{7, false}, {7, true}, {7, true}, {7, false}, {7, true}, {8, false}, {8, true}};
        for (size_t i = 0; i < sizeof captured / sizeof *captured; i++) {
            if (!captured[i].is_behind_own && captured[i].capture == 7)
                standin->captured_node = 1000 * (i + 1); /* the program's */
            standin->capture = captured[i].capture;
            require(wf_reduce_async(b.context, &exact, floats_of(&b), COUNT, b.out, bytes_of_result(&exact), b.stream));
            standin->capture = 0;
            assert_int_equal(standin->starts_early, can && captured[i].is_behind_own);
        }
        require(describe_on_stream(&b));
        assert_int_equal(standin->starts_early, can);
        require(sort_pairs_on_stream(&b));
        assert_int_equal(standin->starts_early, can);
        wf_context_forget_stream(b.context, b.stream);
        end_bench(&b);
    }
}

/* Whichever call fails, a reduction that fails is not in the graph, and one that is there has not failed. */
static void failing_captures(void **unused) {
    (void)unused;
    static bench b;
    static unsigned char expected[sizeof((bench *)NULL)->result];
    static const operation captured = THERE(reduce_captured, 4);
    expect(&captured, expected);
    running = &captured;
    make_bench(&b, device);
    for (unsigned long k = 1;; k++) {
        prepare(&b);
        set_fault(k, NULL, &kinds[1]);
        const wf_status status = reduce_captured(&b);
        clear_fault();
        if (standin->failures == 0)
            break;
        tried++;
        collect(&b);
        if (status == WF_OK)
            assert_memory_equal(b.result, expected, bytes_of(&captured));
        else
            check_untouched(&b);
    }
    end_bench(&b);
}

static int start_anew(void **unused) {
    (void)unused;
    reset();
    return 0;
}

int main(int count, char **arguments) {
    void *const runtime = dlopen(getenv("WAVEFOLD_STANDIN"), RTLD_NOW | RTLD_GLOBAL);
    if (count != 2 || runtime == NULL) {
        fprintf(stderr, "test_runtime_faults amd|nvidia, and WAVEFOLD_STANDIN: %s\n", count != 2 ? "" : dlerror());
        return 1;
    }
    device = arguments[1];
    standin_state_function *state;
    *(void **)&state = dlsym(runtime, STANDIN_STATE);
    *(void **)&reset = dlsym(runtime, STANDIN_RESET);
    *(void **)&stream_create = dlsym(runtime, strcmp(device, "amd") == 0 ? "hipStreamCreate" : "cudaStreamCreate");
    *(void **)&stream_destroy = dlsym(runtime, strcmp(device, "amd") == 0 ? "hipStreamDestroy" : "cudaStreamDestroy");
    standin = state();
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_call_of_the_first, start_anew), /* before this process looks for devices */
        cmocka_unit_test_setup(cancelled_in_the_first, start_anew),
        cmocka_unit_test_setup(every_call_of_a_context, start_anew),
        cmocka_unit_test_setup(every_call_of_a_function, start_anew),
        cmocka_unit_test_setup(every_call_of_a_rung, start_anew),
        cmocka_unit_test_setup(cancelled_in_a_call, start_anew),
        cmocka_unit_test_setup(tuning, start_anew),
        cmocka_unit_test_setup(every_allocation, start_anew),
        cmocka_unit_test_setup(destroyed_streams, start_anew),
        cmocka_unit_test_setup(other_devices, start_anew),
        cmocka_unit_test_setup(device_of_the_program, start_anew),
        cmocka_unit_test_setup(errors_of_the_program, start_anew),
        cmocka_unit_test_setup(queries_of_the_program, start_anew),
        cmocka_unit_test_setup(polled_memory, start_anew),
        cmocka_unit_test_setup(early_starts, start_anew),
        cmocka_unit_test_setup(failing_captures, start_anew),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%lu calls were made to fail\n", tried);
    return failed;
}
