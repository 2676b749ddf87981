/* One run of an operation, one failure in it, and every failure that there is. */
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"

#include <stdio.h>

void make_bench(bench *b, const char *of) {
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

void prepare(bench *b) {
    require(wf_copy_to_device(b->context, b->there, b->integers, sizeof b->integers));
    require(wf_copy_to_device(b->context, b->there + COUNT, b->floats, sizeof b->floats));
    memset(b->result, PATTERN, sizeof b->result);
    require(wf_copy_to_device(b->context, b->out, b->result, sizeof b->result));
}

void collect(bench *b) {
    const void *const from = running->rung == SORTED ? (void *)b->there : b->out;
    if (running->out_bytes != 0)
        require(wf_copy_to_host(b->context, b->result, from, running->out_bytes));
}

size_t bytes_of(const operation *spec) {
    return spec->result_bytes + spec->out_bytes;
}

void expect(const operation *spec, unsigned char *expected) {
    bench b;
    running = spec;
    make_bench(&b, "host");
    prepare(&b);
    require(spec->run(&b));
    collect(&b);
    memcpy(expected, b.result, sizeof b.result);
    wf_context_destroy(b.context);
}

void succeed(bench *b, const unsigned char *expected) {
    prepare(b);
    standin->current_device = 1; /* which stays the program's */
    require(running->run(b));
    assert_int_equal(standin->current_device, 1);
    standin->current_device = 0;
    collect(b);
    assert_memory_equal(b->result, expected, bytes_of(running));
}

/* ---- One failure ---- */

const struct kind kinds[KINDS] = {{"out of memory", STANDIN_OUT_OF_MEMORY, false},
                                  {"invalid", STANDIN_INVALID_VALUE, false},
                                  {"not ready", STANDIN_NOT_READY, false},
                                  {"sticky", STANDIN_STICKY, false},
                                  {"sticky, of a kernel", STANDIN_STICKY, true}};

unsigned long tried;

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

/* Which device or which mode is to be put back: a failure of that is told of only if the next call fails, too. */
bool is_only_asking(const char *call) {
    return strcmp(call, "hipGetDevice") == 0 || strcmp(call, "cudaGetDriverEntryPointByVersion") == 0 ||
           strstr(call, "ExchangeStreamCaptureMode") != NULL;
}

/* How fast f64 is, is asked for by the same call as other attributes. */
bool names(const char *said, const char *call) {
    return strstr(said, said_of(call)) != NULL || is_only_asking(call) ||
           (strstr(call, "Attribute") != NULL && strstr(said, "asking how fast f64 is") != NULL);
}

static bool asks_a_stream(const char *call) {
    return strstr(call, "GetCaptureInfo") != NULL || strstr(call, "StreamGetDevice") != NULL;
}

void check_failure(wf_status status, const struct kind *kind) {
    const char *const said = wf_last_error();
    if (kind->error == STANDIN_INVALID_VALUE && asks_a_stream(standin->failed)) {
        refuses(status, WF_INVALID_ARGUMENT, "not destroyed");
        return;
    }
    const wf_status expected = kind->error == STANDIN_OUT_OF_MEMORY ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR;
    if (status != expected || (!kind->later && !names(said, standin->failed)))
        fail_msg("%s (%s): %s, '%s'", standin->failed, kind->name, wf_status_name(status), said);
}

void check_untouched(const bench *b) {
    for (size_t i = 0; i < sizeof b->result; i++)
        assert_int_equal(b->result[i], PATTERN);
}

void end_bench(bench *b) {
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

void set_fault(unsigned long at, const char *name, const struct kind *kind) {
    standin->calls = 0;
    standin->failures = 0;
    standin->fail_at = at;
    standin->fail_name = name;
    standin->fail_with = kind->error;
    standin->fail_later = kind->later;
}

void clear_fault(void) {
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

void fail_every_call(const operation *spec, bool each_kind) {
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
