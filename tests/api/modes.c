/* Modules that fail, are broken or have no devices, and what is given back: each test runs alone, by its argument. */
#define _GNU_SOURCE
#include "api_tests.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <wavefold_ladder.h>

#include "failing_malloc.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- What is given back ---- */

typedef void repeated(void);

static void allocate_and_free(void) {
    void *memory[3];
    for (size_t i = 0; i < COUNT(memory); i++)
        require(wf_malloc(context, &memory[i], 4000));
    wf_free(context, memory[1]);
    wf_free(context, memory[0]);
    wf_free(context, memory[2]);
}

static void allocate_too_much(void) {
    void *memory;
    for (int i = 0; i < 10; i++)
        assert_int_equal(wf_malloc(context, &memory, SIZE_MAX), WF_OUT_OF_MEMORY);
}

/* A workspace that grows, memory that nobody gave back, and what folds by kernels need. */
static void create_and_destroy(void) {
    wf_context *made = NULL;
    void *memory;
    const wf_rung_options options = {.type = WF_I32};
    static const int32_t values[30000] = {3, 2, 1};
    size_t rung;
    int32_t sum = 0;
    require(wf_context_create(&made, "host"));
    require(wf_malloc(made, &memory, sizeof values));
    require(wf_copy_to_device(made, memory, values, sizeof values));
    require(wf_rung_find("tiled_1", &rung));
    require(wf_rung_run(made, rung, &options, memory, 300, &sum, bytes_of_rung_result(rung, &options, 300), NULL));
    require(wf_rung_run(made, rung, &options, memory, COUNT(values), &sum,
                        bytes_of_rung_result(rung, &options, COUNT(values)), NULL));
    assert_int_equal(sum, 6);
    require(wf_reduce(made, &(wf_reduce_spec){.type = WF_I32}, values, COUNT(values), &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_I32})));
    assert_int_equal(sum, 6);
    wf_context_destroy(made);
}

static void create_without_memory(void) {
    wf_context *made = NULL;
    assert_int_equal(wf_context_create(&made, "host"), WF_OUT_OF_MEMORY);
}

static void create_in_vain(void) {
    wf_context *made = NULL;
    for (int i = 0; i < 10; i++)
        assert_int_equal(wf_context_create(&made, "host:64:sideways"), WF_INVALID_ARGUMENT);
}

/* Not one block stays, however many threads there are; sanitizers look for themselves. */
static void check_given_back(const char *name, repeated *spec) {
    enum { WARM = 10, TIMES = 60 };
    long before = 0;
    for (int i = 0; i < WARM + TIMES; i++) {
        if (i == WARM)
            before = blocks_held();
        spec();
    }
    const long after = blocks_held();
    if (after != before)
        fail_msg("%s, %d times: %ld blocks before, %ld after", name, (int)TIMES, before, after);
}

static void test_given_back(void **state) {
    (void)state;
    check_given_back("wf_malloc", allocate_and_free);
    check_given_back("wf_malloc, of too much", allocate_too_much);
#if defined(NDEBUG) /* others keep contexts that were destroyed */
    check_given_back("wf_context_create", create_and_destroy);
#else
    create_and_destroy();
#endif
    check_given_back("wf_context_create, which fails", create_in_vain);
}

/* ---- Calls of a module that fail ---- */

static void (*fail_call)(const char *call);

/* The wrapped module of that name must be loaded. */
static void find_fail_call(const char *path) {
    void *const module = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(module);
    *(void **)&fail_call = dlsym(module, "wrapped_fail");
    assert_non_null(fail_call);
}

/* Run with a module that has one device and lets a test say which of its calls fails (see wrapped_module.c). */
static void test_failing_calls(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/libwavefold-host.so", getenv("WAVEFOLD_BACKEND_PATH"));
    find_fail_call(path);
    wf_backend_info backend;
    require(wf_backend_get_info(2, &backend));
    assert_string_equal(backend.detail, path);
    assert_string_equal(backend.runtime, "runtime 12.3");
    assert_int_equal(wf_device_count(), 1);

    static const char *const names[] = {NULL, "auto", "host", "host:64"};
    wf_context *made = NULL;
    wf_device_info info = {.wave_width = 7};
    for (size_t i = 0; i < COUNT(names); i++) {
        require(wf_context_create(&made, names[i]));
        wf_context_destroy(made);
        made = NULL;
        fail_call("allocate");
        refuses(wf_context_create(&made, names[i]), WF_OUT_OF_MEMORY, "made to fail");
        fail_call("device_info");
        refuses(wf_context_create(&made, names[i]), WF_DEVICE_ERROR, "made to fail");
        assert_null(made);
        fail_call("");
    }
    fail_call("device_info");
    refuses(wf_context_create(&made, "host:64"), WF_DEVICE_ERROR, "host device 0: made to fail");
    refuses(wf_device_get_info(0, &info), WF_DEVICE_ERROR, "host device 0: made to fail");
    refuses(wf_context_get_device(context, &info), WF_DEVICE_ERROR, "querying the device on host:64: made to fail");
    assert_int_equal(info.wave_width, 7);

    static int32_t values[100000] = {3, 2, 1};
    void *memory = NULL, *untouched = values;
    fail_call("");
    require(wf_malloc(context, &memory, 0)); /* of which the module is asked for more */
    wf_free(context, memory);
    require(wf_malloc(context, &memory, sizeof values));
    fail_call("copy");
    refuses(wf_copy_to_device(context, memory, values, 12), WF_DEVICE_ERROR, "copying on host:64: made to fail");
    refuses(wf_copy_to_host(context, values, memory, 12), WF_DEVICE_ERROR, "copying");
    fail_call("allocate");
    refuses(wf_malloc(context, &untouched, 12), WF_OUT_OF_MEMORY, "allocating on host:64: made to fail");
    assert_ptr_equal(untouched, values);

    fail_call("");
    if (can_fail_malloc()) {
        fail_malloc_at(1);
        const wf_status created = wf_context_create(&made, "host");
        end_failing_malloc();
        refuses(created, WF_OUT_OF_MEMORY, "no memory for a context");
        fail_malloc_at(1);
        const wf_status noted = wf_malloc(context, &untouched, 12);
        end_failing_malloc();
        refuses(noted, WF_OUT_OF_MEMORY, "no host memory to record an allocation");
    }

    /* The workspace, which has gone when a larger one cannot be had. */
    const wf_rung_options options = {.type = WF_I32};
    size_t rung;
    int32_t sum = 0;
    fail_call("");
    require(wf_rung_find("tiled_1", &rung));
    require(wf_copy_to_device(context, memory, values, sizeof values));
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, bytes_of_rung_result(rung, &options, 1000), NULL));
    fail_call("allocate");
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, bytes_of_rung_result(rung, &options, 1000),
                        NULL)); /* by the one that there is */
    refuses(wf_rung_run(context, rung, &options, memory, COUNT(values), &sum,
                        bytes_of_rung_result(rung, &options, COUNT(values)), NULL),
            WF_OUT_OF_MEMORY, "allocating the workspace");
    fail_call("");
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, bytes_of_rung_result(rung, &options, 1000), NULL));
    assert_int_equal(sum, 6);
    wf_free(context, memory);
    fail_call("allocate");
#if defined(NDEBUG)
    check_given_back("wf_context_create, which gets no memory", create_without_memory);
#else
    create_without_memory();
#endif
    fail_call("");
}

/* Run with the same module, which here is another vendor's, beside the host's, and a third that is no library. */
static void test_two_modules(void **state) {
    (void)state;
    char folder[] = "/tmp/wavefold-modules-XXXXXX", first[600], second[600], third[600], wrapped[600];
    assert_non_null(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/libwavefold-nvidia.so", folder);
    snprintf(second, sizeof second, "%s/libwavefold-amd.so", folder);
    snprintf(third, sizeof third, "%s/libwavefold-host.so", folder);
    snprintf(wrapped, sizeof wrapped, "%s/libwavefold-host.so", getenv("WAVEFOLD_BACKEND_PATH"));
    assert_int_equal(symlink(wrapped, first), 0);
    assert_int_equal(symlink(getenv("WAVEFOLD_WRAPPED"), third), 0);
    FILE *const file = fopen(second, "w");
    assert_non_null(file);
    fputs("no library\n", file);
    fclose(file);
    assert_int_equal(setenv("WAVEFOLD_BACKEND_PATH", folder, 1), 0);

    assert_int_equal(wf_device_count(), 3);
    static const char *const ids[] = {"host:64", "host:64", "host:32"};
    wf_device_info info;
    for (size_t i = 0; i < COUNT(ids); i++) {
        require(wf_device_get_info(i, &info));
        assert_string_equal(info.id, ids[i]);
    }
    refuses(wf_device_get_info(3, &info), WF_INVALID_ARGUMENT, "no device 3: there are 3");
    wf_backend_info backend;
    require(wf_backend_get_info(1, &backend));
    assert_int_equal(backend.status, WF_BACKEND_UNAVAILABLE);
    assert_non_null(strstr(backend.detail, second));
    find_fail_call(first);
    fail_call("device_info"); /* of the one that comes first */
    wf_context *made = NULL;
    refuses(wf_context_create(&made, "auto"), WF_DEVICE_ERROR, "made to fail");
    require(wf_context_create(&made, "host"));
    wf_context_destroy(made);
    remove(first);
    remove(second);
    remove(third);
    rmdir(folder);
}

/* Run with a module of no devices. */
static void test_no_devices(void **state) {
    (void)state;
    wf_backend_info info;
    wf_context *made = NULL;
    require(wf_backend_get_info(2, &info));
    assert_int_equal(info.status, WF_OK);
    assert_int_equal(info.devices, 0);
    refuses(wf_context_create(&made, "host"), WF_NO_DEVICE, "no host device: ");
    refuses(wf_context_create(&made, "host:64"), WF_NO_DEVICE, "no host device: ");
    refuses(wf_context_create(&made, NULL), WF_NO_DEVICE, "no backend has a device");
    assert_null(made);
}

/* Whether the module of the folder that the environment names is still loaded. */
static bool is_loaded(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/libwavefold-%s.so", getenv("WAVEFOLD_BACKEND_PATH"), name);
    void *const module = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (module != NULL)
        dlclose(module);
    return module != NULL;
}

/* Run with a module that offers no table: wrapped_module.c without WAVEFOLD_WRAP. */
static void test_no_table(void **state) {
    (void)state;
    wf_context *made = NULL;
    refuses(wf_context_create(&made, "host"), WF_BACKEND_UNAVAILABLE,
            "libwavefold-host.so offers no table of functions");
    assert_false(is_loaded("host"));
}

/* Run with a module that makes a kernel write outside its result (see wrapped_module.c): the host device's finding must
 * come out of the library, with the kernel's name. */
static void test_kernel_fault(void **state) {
    (void)state;
    static const char *const rungs[] = {"tiled_2", "cascade", "block_atomic_v4"};
    void *memory;
    require(wf_malloc(context, &memory, 4000));
    for (size_t i = 0; i < COUNT(rungs); i++) {
        size_t rung;
        float sum = 42;
        require(wf_rung_find(rungs[i], &rung));
        refuses(wf_rung_run(context, rung, &(wf_rung_options){.type = WF_F32}, memory, 1000, &sum,
                            bytes_of_rung_result(rung, &(wf_rung_options){.type = WF_F32}, 1000), NULL),
                WF_KERNEL_FAULT, "of an array view of 0 elements");
        assert_non_null(strstr(wf_last_error(), rungs[i]));
        assert_true(sum == 42);
    }
    wf_free(context, memory);
}

/* Run with WAVEFOLD_BACKEND_PATH at a folder of broken modules (see CMakeLists.txt): each is refused, in words. */
static void test_broken_modules(void **state) {
    (void)state;
    static const struct {
        const char *name;
        wf_status status;
        const char *says;
    } broken[] = {
        {"nvidia", WF_BACKEND_UNAVAILABLE, "libwavefold-nvidia.so"},              /* no such file */
        {"amd", WF_BACKEND_UNAVAILABLE, "wavefold_backend"},                      /* a library, but no module */
        {"host", WF_BACKEND_MISMATCH, "has backend ABI 4000000000, this library"} /* a module of another version */
    };
    for (size_t i = 0; i < COUNT(broken); i++) {
        wf_backend_info info;
        require(wf_backend_get_info(i, &info));
        assert_string_equal(info.name, broken[i].name);
        assert_int_equal(info.status, broken[i].status);
        assert_int_equal(info.devices, 0);
        if (strstr(info.detail, broken[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", info.detail, broken[i].says);
        char folder[512]; /* who names one wants no other */
        snprintf(folder, sizeof folder, "in %s: install it", getenv("WAVEFOLD_BACKEND_PATH"));
        assert_true(i != 0 || strstr(info.detail, folder) != NULL);
        assert_false(is_loaded(broken[i].name));
        wf_context *made = NULL;
        refuses(wf_context_create(&made, broken[i].name), broken[i].status, broken[i].says);
    }
    wf_context *made = NULL;
    assert_int_equal(wf_device_count(), 0);
    refuses(wf_context_create(&made, "auto"), WF_NO_DEVICE, "no backend has a device, not even the host: ");
    assert_non_null(strstr(wf_last_error(), broken[2].says));
}

enum { SCANNED = 3000 };

/* A scan, from its array to its result. The first status that is not WF_OK. */
static wf_status scan_ones(wf_context *by, int32_t *ones) {
    const wf_scan_spec spec = {.reduce = {.type = WF_I32}};
    void *memory;
    wf_status status = wf_malloc(by, &memory, SCANNED * sizeof *ones);
    if (status != WF_OK)
        return status;
    status = wf_copy_to_device(by, memory, ones, SCANNED * sizeof *ones);
    if (status == WF_OK)
        status = wf_scan(by, &spec, memory, SCANNED, memory);
    if (status == WF_OK)
        status = wf_copy_to_host(by, ones, memory, SCANNED * sizeof *ones);
    wf_free(by, memory);
    return status;
}

static void fill_with_ones(int32_t *ones) {
    for (size_t i = 0; i < SCANNED; i++)
        ones[i] = 1;
}

/* A fold of several tiles, each of which waits for what others tell. */
static wf_status fold_ones(wf_context *by, int32_t *ones) {
    static int32_t many[4 * SCANNED];
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = ones[i % SCANNED];
    return wf_reduce(by, &(wf_reduce_spec){.type = WF_I32}, many, COUNT(many), ones,
                     bytes_of_result(&(wf_reduce_spec){.type = WF_I32}));
}

/* An exact sum, whose waves wait for the one that makes room for terms that lie far apart. */
static wf_status sum_apart(wf_context *by, int32_t *ones) {
    static float many[4 * SCANNED];
    float sum = 0;
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? 0x1p100f : -0x1p100f;
    const wf_status status = wf_reduce(by, &(wf_reduce_spec){.type = WF_F32}, many, COUNT(many), &sum,
                                       bytes_of_result(&(wf_reduce_spec){.type = WF_F32}));
    ones[0] = 3 * (int32_t)sum;
    return status;
}

/* Memory runs out also while tiles run, some of which wait for others: the call fails, and the next one of the same
 * context works. */
static void test_watched_tiles(void **state) {
    (void)state;
    static wf_status (*const calls[])(wf_context *, int32_t *) = {fold_ones, sum_apart};
    static int32_t ones[SCANNED];
    if (!can_fail_malloc())
        skip();
    for (size_t call = 0; call < COUNT(calls); call++) {
        wf_context *made = NULL;
        require(wf_context_create(&made, "watched:64"));
        bool has_failed = true;
        for (unsigned long number = 1; has_failed; number += number < 150 ? 1 : number / 10) {
            fill_with_ones(ones);
            fail_malloc_at(number);
            const wf_status status = calls[call](made, ones);
            has_failed = end_failing_malloc();
            assert_string_equal(wf_status_name(status), wf_status_name(has_failed ? WF_OUT_OF_MEMORY : WF_OK));
            fill_with_ones(ones);
            require(calls[call](made, ones));
            assert_int_equal(ones[0], 4 * SCANNED);
        }
        wf_context_destroy(made);
    }
}

/* Beside another thread's folds of the same context, each of which fails: it is of memory that nobody wrote. */
enum { FOLDED = 40000 };
typedef struct failing_folds {
    wf_context *by;
    const void *unwritten;
    atomic_bool ends;
    size_t others; /* that did not fail so */
} failing_folds;

static void *fold_unwritten(void *of) {
    failing_folds *folds = of;
    int32_t sum;
    while (!folds->ends)
        if (wf_reduce(folds->by, &(wf_reduce_spec){.type = WF_I32}, folds->unwritten, FOLDED, &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_I32})) != WF_KERNEL_FAULT)
            folds->others++;
    return NULL;
}

static void test_watched_threads(void **state) {
    (void)state;
    static int32_t ones[FOLDED];
    failing_folds folds = {.others = 0};
    void *memory;
    pthread_t thread;
    for (size_t i = 0; i < FOLDED; i++)
        ones[i] = 1;
    require(wf_context_create(&folds.by, "watched:32"));
    require(wf_malloc(folds.by, &memory, sizeof ones));
    folds.unwritten = memory;
    assert_int_equal(pthread_create(&thread, NULL, fold_unwritten, &folds), 0);
    wf_status status = WF_OK;
    int32_t sum = FOLDED;
    for (int call = 0; call < 50 && status == WF_OK && sum == FOLDED; call++)
        status = wf_reduce(folds.by, &(wf_reduce_spec){.type = WF_I32}, ones, FOLDED, &sum,
                           bytes_of_result(&(wf_reduce_spec){.type = WF_I32}));
    folds.ends = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    require(status);
    assert_int_equal(sum, FOLDED);
    assert_int_equal(folds.others, 0);
    wf_context_destroy(folds.by);
}

/* The device "watched" remembers something of each access: wherever there is no memory for that, a call fails, and the
 * next ones work. */
static void test_watched_memory(void **state) {
    (void)state;
    static int32_t ones[SCANNED];
    if (!can_fail_malloc())
        skip();
    bool has_failed = true;
    for (unsigned long number = 1; has_failed; number += number < 300 ? 1 : 29) {
        wf_context *made = NULL; /* a new one has everything to remember yet */
        require(wf_context_create(&made, "watched:32"));
        fill_with_ones(ones);
        fail_malloc_at(number);
        const wf_status status = scan_ones(made, ones);
        has_failed = end_failing_malloc();
        assert_string_equal(wf_status_name(status), wf_status_name(has_failed ? WF_OUT_OF_MEMORY : WF_OK));
        fill_with_ones(ones);
        require(scan_ones(made, ones));
        for (int32_t i = 0; i < SCANNED; i++)
            assert_int_equal(ones[i], i + 1);
        wf_context_destroy(made);
    }
}

/* Tests that an argument names, and whether they have a context. */
static const struct {
    struct CMUnitTest test;
    const char *argument;
    bool has_context;
} alone[] = {{cmocka_unit_test(test_broken_modules), "broken-modules", false},
             {cmocka_unit_test(test_no_table), "no-table", false},
             {cmocka_unit_test(test_no_devices), "no-devices", false},
             {cmocka_unit_test(test_failing_calls), "failing-calls", true},
             {cmocka_unit_test(test_two_modules), "two-modules", false},
             {cmocka_unit_test(test_given_back), "given-back", true},
             {cmocka_unit_test(test_kernel_fault), "kernel-fault", true},
             {cmocka_unit_test(test_watched_memory), "watched-memory", false},
             {cmocka_unit_test(test_watched_tiles), "watched-tiles", false},
             {cmocka_unit_test(test_watched_threads), "watched-threads", false}};

static int run_one(const char *argument, const struct CMUnitTest *test, bool has_context) {
    if (has_context && wf_context_create(&context, "host") != WF_OK) {
        fprintf(stderr, "test_api: %s\n", wf_last_error());
        return 1;
    }
    const struct CMUnitTest tests[] = {*test};
    const int failed = cmocka_run_group_tests_name(argument, tests, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}

int run_alone(const char *argument) {
    for (size_t i = 0; i < COUNT(alone); i++)
        if (strcmp(argument, alone[i].argument) == 0)
            return run_one(argument, &alone[i].test, alone[i].has_context);
    return -1;
}
