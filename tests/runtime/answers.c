/* What runtimes answer differently: of streams, devices, the program's own errors, early starts, captures. */
#define _GNU_SOURCE
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#include <dlfcn.h>

void destroyed_streams(void **unused) {
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

void other_devices(void **unused) {
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
void device_of_the_program(void **unused) {
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
void errors_of_the_program(void **unused) {
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
void queries_of_the_program(void **unused) {
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

void polled_memory(void **unused) {
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
void early_starts(void **unused) {
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
void failing_captures(void **unused) {
    (void)unused;
    static bench b;
    static unsigned char expected[sizeof((bench *)NULL)->result];
    static const operation captured = {"reduce_captured", reduce_captured, 0, 4, NO_RUNG};
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
