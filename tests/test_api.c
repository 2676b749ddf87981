/* The public API: statuses and names, devices, contexts, memory, and every misuse that it must refuse in words. */
#define _GNU_SOURCE
#include <wavefold.h>

#include <dlfcn.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing_backend.h"
#include "reduce/stream_workspace.h"
#include "require.h"
#include "runtime/failing_malloc.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static wf_context *context;

static bool reduces(size_t rung) {
    wf_rung_info info;
    require(wf_rung_get_info(rung, &info));
    return info.kind == WF_RUNG_REDUCES;
}

static void test_statuses(void **state) {
    (void)state;
    assert_string_equal(wf_status_name(WF_OK), "WF_OK");
    assert_string_equal(wf_status_name(WF_KERNEL_FAULT), "WF_KERNEL_FAULT");
    assert_string_equal(wf_status_string(WF_OUT_OF_MEMORY), "not enough memory on the host or on the device");
    assert_string_equal(wf_status_string((wf_status)12345), "unknown status");
    assert_string_equal(wf_status_name((wf_status)-77), "unknown status");
    assert_string_equal(wf_version(), "0.2.0");
}

static void test_types(void **state) {
    (void)state;
    assert_string_equal(wf_type_name(WF_F32), "f32");
    assert_string_equal(wf_type_name(WF_I64), "i64");
    assert_null(wf_type_name(WF_TYPE_COUNT));
    assert_null(wf_type_name((wf_type)-1));
    assert_int_equal(wf_type_size(WF_F32), 4);
    assert_int_equal(wf_type_size(WF_F64), 8);
    assert_int_equal(wf_type_size((wf_type)99), 0);
    assert_int_equal(wf_type_size(WF_TYPE_COUNT), 0);
    assert_string_equal(wf_op_name(WF_MAX), "max");
    assert_null(wf_op_name(WF_OP_COUNT));
    const wf_rung_options zero = {0};
    assert_int_equal(zero.type, WF_F32);
    assert_int_equal(zero.op, WF_SUM);
}

static void test_devices(void **state) {
    (void)state;
    assert_int_equal(wf_backend_count(), 3);
    for (size_t i = 0; i < wf_backend_count(); i++) {
        wf_backend_info info;
        require(wf_backend_get_info(i, &info));
        assert_true(info.detail[0] != '\0');
        assert_true(info.status == WF_OK || info.devices == 0);
        assert_null(strstr(info.detail, "cannot open shared object"));
        /* A module that is not built: it was looked for beside the library, and where it would be installed. */
        if (strstr(info.detail, "there is no") != NULL && getenv("WAVEFOLD_BACKEND_PATH") == NULL) {
            char first[64];
            snprintf(first, sizeof first, "there is no libwavefold-%s.so in /", info.name);
            assert_non_null(strstr(info.detail, first));
            const char *const folder = strstr(info.detail, " in /") + 4, *const other =
                                                                             strstr(info.detail, " or /") + 4;
            assert_true(strncmp(folder, other, strcspn(folder, " :")) != 0);
            assert_non_null(strstr(info.detail, "/wavefold or /"));
            assert_non_null(strstr(info.detail, "/wavefold: install it, or set WAVEFOLD_BACKEND_PATH"));
        }
    }
    assert_true(wf_device_count() >= 2);
    for (size_t i = 0; i < wf_device_count(); i++) {
        wf_device_info info;
        require(wf_device_get_info(i, &info));
        assert_true(info.wave_width == 32 || info.wave_width == 64);
        assert_true(info.max_tile_size >= 256 && info.max_tiles > 0 && info.multiprocessors > 0);
        assert_true(info.memory_bytes >= info.memory_free_bytes && info.memory_free_bytes > 0);
        assert_true(strncmp(info.id, info.backend, strlen(info.backend)) == 0);
    }
    wf_device_info info;
    refuses(wf_device_get_info(wf_device_count(), &info), WF_INVALID_ARGUMENT, "there are ");
    refuses(wf_device_get_info(0, NULL), WF_INVALID_ARGUMENT, "info");
    wf_backend_info backend;
    refuses(wf_backend_get_info(3, &backend), WF_INVALID_ARGUMENT, "there are 3");
    /* NULL and auto: the first one. */
    static const char *const any[] = {NULL, "auto"};
    for (size_t i = 0; i < COUNT(any); i++) {
        wf_context *made = NULL;
        wf_device_info first;
        require(wf_device_get_info(0, &first));
        require(wf_context_create(&made, any[i]));
        require(wf_context_get_device(made, &info));
        assert_string_equal(info.id, first.id);
        wf_context_destroy(made);
    }
    refuses(wf_context_get_device(NULL, &info), WF_INVALID_ARGUMENT, "context must not be NULL");
    refuses(wf_context_get_device(context, NULL), WF_INVALID_ARGUMENT, "info must not be NULL");
}

static void check_suggestion(const char *typed, const char *nearest) {
    const char *const said = strstr(wf_last_error(), "did you mean");
    char wanted[64] = "";
    if (nearest != NULL)
        snprintf(wanted, sizeof wanted, "did you mean '%s'?", nearest);
    if (nearest == NULL ? said != NULL : said == NULL || strncmp(said, wanted, strlen(wanted)) != 0)
        fail_msg("'%s', near '%s': %s", typed, nearest != NULL ? nearest : "nothing", wf_last_error());
}

/* Leaves zeros below the caller's frame. */
__attribute__((noinline)) static void clear_stack(void) {
    volatile char below[8192];
    for (size_t i = 0; i < sizeof below; i++)
        below[i] = 0;
}

/* A third of the longer word's letters may be wrong; two neighbours that are swapped are one. */
static void test_nearest_names(void **state) {
    (void)state;
    static const struct {
        const char *typed, *nearest;
    } rows[] = {
        {"aut", "auto"},
        {"hst", "host"},
        {"hoost", "host"},
        {"ohst", "host"},
        {"hots", "host"},
        {"hozt", "host"},
        {"and", "amd"},
        {"hostss", "host"},
        {"nvidai", "nvidia"},
        {"navdia", "nvidia"},
        {"nvxdiy", "nvidia"},
        {"watcehd", "watched"},
        {"wtacehd", "watched"},
        {"wtched", "watched"},
        {"ht", NULL},
        {"hotx", NULL},
        {"ohsst", NULL},
        {"ohts", NULL},
        {"abchost", NULL},
        {"hostabc", NULL},
        {"xxamd", NULL},
        {"madn", NULL},
        {"nvxxxa", NULL},
        {"wathcedxx", "watched"},
        {"xyz", NULL},
        {"tsoh", NULL},
        {"h", NULL},
        {"", NULL},
        {"abcdefghijklmnopqrstuvwxyzwatched", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_context *made = NULL;
        refuses(wf_context_create(&made, rows[i].typed), WF_INVALID_ARGUMENT, "unknown device");
        check_suggestion(rows[i].typed, rows[i].nearest);
    }
    /* A word of one letter has a row of its own, not what the stack holds. */
    wf_context *made = NULL;
    clear_stack();
    refuses(wf_context_create(&made, "o"), WF_INVALID_ARGUMENT, "unknown device");
    check_suggestion("o", NULL);
    /* What stands before the word is no letter of it. */
    size_t rung;
    const char *const word = "casxxde";
    refuses(wf_rung_find(word, &rung), WF_INVALID_ARGUMENT, "did you mean 'cascade'?");
    refuses(wf_rung_find(word + 1, &rung), WF_INVALID_ARGUMENT, "unknown rung");
    check_suggestion(word + 1, NULL);
}

static void test_device_names(void **state) {
    (void)state;
    static const char *const good[] = {"host",
                                       "host:32",
                                       "host:64",
                                       "host:32:forward",
                                       "host:64:reverse",
                                       "host:64:random",
                                       "host:32:random=0",
                                       "host:64:random=9999999999999999999"};
    for (size_t i = 0; i < COUNT(good); i++) {
        wf_context *made = NULL;
        require(wf_context_create(&made, good[i]));
        wf_device_info info;
        require(wf_context_get_device(made, &info));
        assert_string_equal(info.backend, "host");
        assert_int_equal(info.wave_width, strstr(good[i], "32") != NULL ? 32 : 64);
        wf_context_destroy(made);
    }
    static const struct {
        const char *name;
        wf_status status;
        const char *says;
    } bad[] = {
        {"", WF_INVALID_ARGUMENT, "unknown device ''"},
        {"hots", WF_INVALID_ARGUMENT, "did you mean 'host'?"},
        {"nvida:0", WF_INVALID_ARGUMENT, "did you mean 'nvidia'?"},
        {"cuda:0", WF_INVALID_ARGUMENT, "Devices are auto, host"},
        {"host:48", WF_NO_DEVICE, "there is host:64, host:32"},
        {"host:", WF_NO_DEVICE, "there is host:64, host:32"},
        {"host:3", WF_NO_DEVICE, "there is host:64, host:32"},
        {"host:640", WF_NO_DEVICE, "there is host:64, host:32"},
        {"host:64:sideways", WF_INVALID_ARGUMENT, "forward, reverse, random or random=SEED"},
        {"host:64:random=", WF_INVALID_ARGUMENT, "forward, reverse, random or random=SEED"},
        {"host:64:random=-1", WF_INVALID_ARGUMENT, "forward, reverse, random or random=SEED"},
        {"host:64:random=99999999999999999999", WF_INVALID_ARGUMENT, "forward, reverse, random or random=SEED"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        wf_context *made = (wf_context *)&bad;
        refuses(wf_context_create(&made, bad[i].name), bad[i].status, bad[i].says);
        assert_ptr_equal(made, &bad);
    }
    wf_context *made = NULL;
    refuses(wf_context_create(&made, "host:64:sideways"), WF_INVALID_ARGUMENT, "device 'host:64:sideways': ");
    refuses(wf_context_create(NULL, "host"), WF_INVALID_ARGUMENT, "context");
    wf_context_destroy(NULL);
}

static void test_memory(void **state) {
    (void)state;
    void *memory = NULL;
    void *empty = NULL;
    require(wf_malloc(context, &memory, 1000));
    require(wf_malloc(context, &empty, 0));
    assert_non_null(empty);
    assert_int_equal((uintptr_t)memory % 256, 0);

    unsigned char out[1000], back[1000];
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (unsigned char)(i * 7 + 3);
    require(wf_copy_to_device(context, memory, out, sizeof out));
    require(wf_copy_to_host(context, back, memory, sizeof back));
    assert_memory_equal(out, back, sizeof out);
    require(wf_copy_to_host(context, NULL, NULL, 0));
    refuses(wf_copy_to_host(context, NULL, memory, 4), WF_INVALID_ARGUMENT, "NULL");
    refuses(wf_copy_to_device(context, memory, NULL, 4), WF_INVALID_ARGUMENT, "NULL");
    refuses(wf_copy_to_device(NULL, memory, out, 4), WF_INVALID_ARGUMENT, "context");

    void *untouched = &out;
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    refuses(wf_malloc(context, &untouched, (size_t)info.memory_bytes + 1), WF_OUT_OF_MEMORY, " bytes were asked for, ");
    assert_ptr_equal(untouched, &out);
    refuses(wf_malloc(context, &untouched, SIZE_MAX), WF_OUT_OF_MEMORY, "use fewer elements");
    refuses(wf_malloc(NULL, &untouched, 1), WF_INVALID_ARGUMENT, "context");
    refuses(wf_malloc(context, NULL, 1), WF_INVALID_ARGUMENT, "memory");
    wf_free(context, empty);
    wf_free(context, NULL);
    wf_free(NULL, memory);
    wf_free(context, &out); /* not the context's: nothing happens */
    /* memory is left to wf_context_destroy. */
}

/* ---- What is given back ---- */

/* Bytes that this process has from malloc. */
static size_t bytes_in_use(void) {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

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
    require(wf_malloc(made, &memory, 1000));
    require(wf_rung_find("tiled_1", &rung));
    require(wf_rung_run(made, rung, &options, values, 300, &sum, NULL));
    require(wf_rung_run(made, rung, &options, values, COUNT(values), &sum, NULL));
    assert_int_equal(sum, 6);
    require(wf_reduce(made, &(wf_reduce_spec){.type = WF_I32}, values, COUNT(values), &sum));
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

/* 60 times take no more than what came before left to be used again, but for some that malloc keeps at hand. */
static void check_given_back(const char *name, repeated *what) {
    enum { WARM = 10, TIMES = 60, LEAST_LOST = 64 };
    size_t before = 0;
    for (int i = 0; i < WARM + TIMES; i++) {
        if (i == WARM)
            before = bytes_in_use();
        what();
    }
    const size_t after = bytes_in_use();
    if (after > before + TIMES * LEAST_LOST)
        fail_msg("%s: %zu bytes before, %zu after", name, before, after);
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
    refuses(wf_context_get_device(context, &info), WF_DEVICE_ERROR, "asking for the device on host:64: made to fail");
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
        refuses(noted, WF_OUT_OF_MEMORY, "no host memory to note an allocation");
    }

    /* The workspace, which has gone when a larger one cannot be had. */
    const wf_rung_options options = {.type = WF_I32};
    size_t rung;
    int32_t sum = 0;
    fail_call("");
    require(wf_rung_find("tiled_1", &rung));
    require(wf_copy_to_device(context, memory, values, sizeof values));
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, NULL));
    fail_call("allocate");
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, NULL)); /* by the one that there is */
    refuses(wf_rung_run(context, rung, &options, memory, COUNT(values), &sum, NULL), WF_OUT_OF_MEMORY,
            "allocating the workspace");
    fail_call("");
    require(wf_rung_run(context, rung, &options, memory, 1000, &sum, NULL));
    assert_int_equal(sum, 6);
    wf_free(context, memory);
#if defined(NDEBUG)
    fail_call("allocate");
    check_given_back("wf_context_create, which gets no memory", create_without_memory);
    fail_call("");
#endif
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
    refuses(wf_device_get_info(3, &info), WF_INVALID_ARGUMENT, "device 3 was asked for; there are 3");
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

static void test_rung_table(void **state) {
    (void)state;
    static const char *const amp[] = {"sequential", "simple_1", "simple_2", "tiled_1",
                                      "tiled_2",    "tiled_3",  "tiled_4",  "cascade"};
    assert_true(wf_rung_count() >= COUNT(amp));
    for (size_t i = 0; i < COUNT(amp); i++) {
        size_t index = 99;
        wf_rung_info info;
        require(wf_rung_find(amp[i], &index));
        assert_int_equal(index, i);
        require(wf_rung_get_info(index, &info));
        assert_string_equal(info.name, amp[i]);
        assert_string_equal(info.family, "amp");
        assert_true(info.seed[0] && info.idea[0] && info.limit[0] && info.accesses >= 1);
    }
    size_t index = 99;
    wf_rung_info info;
    refuses(wf_rung_find("tiled_l", &index), WF_INVALID_ARGUMENT, "did you mean 'tiled_1'?");
    assert_int_equal(index, 99);
    refuses(wf_rung_find("", &index), WF_INVALID_ARGUMENT, "unknown rung ''");
    refuses(wf_rung_find(NULL, &index), WF_INVALID_ARGUMENT, "name");
    refuses(wf_rung_find("simple_1", NULL), WF_INVALID_ARGUMENT, "index");
    refuses(wf_rung_get_info(wf_rung_count(), &info), WF_INVALID_ARGUMENT, "rung number");
    refuses(wf_rung_get_info(0, NULL), WF_INVALID_ARGUMENT, "info");
}

/* The table of reductions: what a few of its lines say, and what is not in it and why. */
static void test_reductions(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec what;
        uint32_t element_bytes, result_bytes, result_values, has_index;
        wf_type accumulator, result_type;
        wf_accuracy accuracy;
    } good[] = {
        {{.type = WF_F32}, 4, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_EXACT},
        {{.type = WF_F32, .accuracy = WF_ACCURACY_FAST}, 4, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_FAST},
        {{.type = WF_I8}, 1, 8, 1, 0, WF_I64, WF_I64, WF_ACCURACY_FAST},
        {{.type = WF_I8, .accuracy = WF_ACCURACY_EXACT}, 1, 8, 1, 0, WF_I64, WF_I64, WF_ACCURACY_EXACT},
        {{.type = WF_U16, .op = WF_PRODUCT}, 2, 8, 1, 0, WF_U64, WF_U64, WF_ACCURACY_FAST},
        {{.type = WF_BF16}, 2, 2, 1, 0, WF_BF16, WF_BF16, WF_ACCURACY_EXACT},
        {{.type = WF_BF16, .accuracy = WF_ACCURACY_FAST}, 2, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_FAST},
        {{.type = WF_BF16, .op = WF_PRODUCT}, 2, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_FAST},
        {{.type = WF_F16, .accumulator = WF_ACCUMULATE_F64}, 2, 8, 1, 0, WF_F64, WF_F64, WF_ACCURACY_EXACT},
        {{.type = WF_F64, .accumulator = WF_ACCUMULATE_F32}, 8, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_EXACT},
        {{.type = WF_F64, .op = WF_SUMSQ}, 8, 8, 1, 0, WF_F64, WF_F64, WF_ACCURACY_FAST},
        {{.type = WF_I32, .accumulator = WF_ACCUMULATE_I64}, 4, 8, 1, 0, WF_I64, WF_I64, WF_ACCURACY_FAST},
        {{.type = WF_I32, .op = WF_MEAN}, 4, 8, 1, 0, WF_F64, WF_F64, WF_ACCURACY_FAST},
        {{.op = WF_MIN, .accumulator = WF_ACCUMULATE_F32}, 4, 4, 1, 0, WF_F32, WF_F32, WF_ACCURACY_FAST},
        {{.type = WF_I32, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_I64},
         4,
         8,
         1,
         0,
         WF_I64,
         WF_F64,
         WF_ACCURACY_FAST},
        {{.type = WF_I64, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_F64},
         8,
         8,
         1,
         0,
         WF_F64,
         WF_F64,
         WF_ACCURACY_FAST},
        {{.type = WF_I16, .op = WF_MEAN}, 2, 8, 1, 0, WF_I64, WF_F64, WF_ACCURACY_FAST},
        {{.type = WF_F16, .op = WF_MEAN}, 2, 2, 1, 0, WF_F16, WF_F16, WF_ACCURACY_EXACT},
        {{.type = WF_U8, .op = WF_MINMAX}, 1, 2, 2, 0, WF_U8, WF_U8, WF_ACCURACY_FAST},
        {{.type = WF_F64, .op = WF_ARGMAX, .nan = WF_NAN_IGNORE}, 8, 16, 1, 1, WF_F64, WF_F64, WF_ACCURACY_FAST},
        {{.type = WF_U64, .op = WF_XOR}, 8, 8, 1, 0, WF_U64, WF_U64, WF_ACCURACY_FAST},
        {{.type = WF_F64, .op = WF_MATMUL}, 32, 32, 4, 0, WF_F64, WF_F64, WF_ACCURACY_FAST},
        {{.type = WF_I32, .op = WF_AFFINE}, 8, 8, 2, 0, WF_I32, WF_I32, WF_ACCURACY_FAST},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        wf_reduction_info info;
        require(wf_reduction_get_info(&good[i].what, &info));
        assert_int_equal(info.element_bytes, good[i].element_bytes);
        assert_int_equal(info.result_bytes, good[i].result_bytes);
        assert_int_equal(info.result_values, good[i].result_values);
        assert_int_equal(info.has_index, good[i].has_index);
        assert_string_equal(wf_type_name(info.accumulator), wf_type_name(good[i].accumulator));
        assert_string_equal(wf_type_name(info.result_type), wf_type_name(good[i].result_type));
        assert_int_equal(info.accuracy, good[i].accuracy);
    }
    static const struct {
        wf_reduce_spec what;
        wf_status status;
        const char *says;
    } bad[] = {
        {{.type = WF_F32, .op = WF_AND}, WF_UNSUPPORTED, "and of f32: it folds bits, of integers alone"},
        {{.type = WF_BF16, .op = WF_XOR}, WF_UNSUPPORTED, "xor of bf16"},
        {{.type = WF_I64, .op = WF_MATMUL}, WF_UNSUPPORTED, "matmul of i64: it is there for i32, f32 and f64"},
        {{.type = WF_F16, .op = WF_AFFINE}, WF_UNSUPPORTED, "affine of f16"},
        {{.nan = WF_NAN_IGNORE}, WF_UNSUPPORTED, "sum cannot pass over NaN: min, max, minmax, argmin and argmax can"},
        {{.op = WF_MIN, .accumulator = WF_ACCUMULATE_F64},
         WF_UNSUPPORTED,
         "min keeps the element's type, f32: only sum, product, mean, asum and sumsq have an accumulator"},
        {{.accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "cannot be folded in i64, a type of another kind"},
        {{.type = WF_U32, .accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "a type of another kind"},
        {{.type = WF_I32, .accumulator = WF_ACCUMULATE_F64}, WF_UNSUPPORTED, "in f64, a type of another kind"},
        {{.type = WF_F64, .accumulator = WF_ACCUMULATE_F32, .accuracy = WF_ACCURACY_FAST},
         WF_UNSUPPORTED,
         "which is narrower"},
        {{.type = WF_I32, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_F32},
         WF_UNSUPPORTED,
         "mean of i32 cannot be folded in f32, a type of another kind; a mean can in f64"},
        {{.type = WF_F64, .op = WF_SUMSQ, .accuracy = WF_ACCURACY_EXACT},
         WF_UNSUPPORTED,
         "no exact sumsq of f64: f64 does not hold the squares"},
        {{.op = WF_PRODUCT, .accuracy = WF_ACCURACY_EXACT},
         WF_UNSUPPORTED,
         "no exact product of f32: sum, mean and asum of floats can be exact"},
        {{.type = WF_I64, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "would soon wrap"},
        {{.type = WF_I8, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_I32}, WF_UNSUPPORTED, "would soon wrap"},
        {{.type = WF_TYPE_COUNT}, WF_INVALID_ARGUMENT, "unknown element type"},
        {{.op = (wf_op)-1}, WF_INVALID_ARGUMENT, "unknown operator"},
        {{.accumulator = (wf_accumulator)7}, WF_INVALID_ARGUMENT, "unknown accumulator 7"},
        {{.op = WF_MIN, .accumulator = (wf_accumulator)-1}, WF_INVALID_ARGUMENT, "unknown accumulator -1"},
        {{.nan = (wf_nan)2}, WF_INVALID_ARGUMENT, "unknown rule for NaN 2"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        wf_reduction_info info = {.element_bytes = 99};
        refuses(wf_reduction_get_info(&bad[i].what, &info), bad[i].status, bad[i].says);
        assert_int_equal(info.element_bytes, 99);
    }
    wf_reduction_info info;
    refuses(wf_reduction_get_info(NULL, &info), WF_INVALID_ARGUMENT, "what must not be NULL");
    refuses(wf_reduction_get_info(&good[0].what, NULL), WF_INVALID_ARGUMENT, "info must not be NULL");
}

/* What a rung cannot take is refused by name, with rungs that can. */
static void test_rung_supports(void **state) {
    (void)state;
    static const struct {
        const char *rung;
        wf_rung_options options;
        const char *says;
    } bad[] = {
        {"tiled_1", {.op = WF_AFFINE}, "tiled_1 folds in an order of its own, and affine does not commute"},
        {"tiled_1", {.op = WF_AFFINE}, "; rungs that keep the order: sequential, single_block_ordered, last_block_ord"},
        {"wavefold", {.op = WF_MATMUL}, "wavefold folds in an order of its own, and matmul does not commute"},
        {"cascade", {.op = WF_PRODUCT}, "not product of f32; rungs that can: sequential, wavefold"},
        {"cascade", {.op = WF_PRODUCT}, "i32 and i64, in their own type and propagating NaN, not product"},
        {"last_block_ordered", {.op = WF_PRODUCT}, "i32 and i64, and matmul and affine, in their own type"},
        {"last_block", {.type = WF_U8}, "not sum of u8"},
        {"last_block", {.type = WF_I32, .accumulator = WF_ACCUMULATE_I64}, "not sum of i32 in another type"},
        {"last_block", {.op = WF_MIN, .nan = WF_NAN_IGNORE}, "not min of f32 passing over NaN"},
        {"wavefold", {.op = WF_OR}, "or of f32: it folds bits"},
        {"exact", {.op = WF_MAX}, "not max of f32; all other rungs of its kind can"},
        {"exact", {.type = WF_I32}, "exact takes sum and asum of f16, bf16, f32 and f64, and sumsq of the first three"},
        {"exact", {.type = WF_I32, .accumulator = WF_ACCUMULATE_I64}, "not sum of i32; rungs that can: sequential"},
        {"exact", {.op = WF_MEAN}, "not mean of f32; rungs that can: sequential, wavefold"},
        {"exact", {.type = WF_F64, .op = WF_SUMSQ}, "not sumsq of f64; rungs that can: sequential, wavefold"},
        {"exact", {.op = WF_AFFINE}, "affine does not commute"},
        {"cascade", {.type = WF_BF16, .op = WF_ASUM}, "rungs that can: sequential, wavefold, exact"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        size_t rung;
        uint64_t result[4] = {42};
        float element = 1;
        require(wf_rung_find(bad[i].rung, &rung));
        refuses(wf_rung_supports(rung, &bad[i].options), WF_UNSUPPORTED, bad[i].says);
        refuses(wf_rung_run(context, rung, &bad[i].options, &element, 1, result, NULL), WF_UNSUPPORTED, bad[i].says);
        assert_true(result[0] == 42);
    }
    /* No other rung's name ends it, whatever was said before. */
    size_t look_back;
    static const char none[] = "; no rung of its kind can";
    require(wf_rung_find("look_back", &look_back));
    refuses(wf_rung_supports(look_back, &(wf_rung_options){.op = WF_PRODUCT}), WF_UNSUPPORTED, none);
    assert_int_equal(strlen(strstr(wf_last_error(), none)), strlen(none));
    refuses(wf_rung_supports(wf_rung_count(), &(wf_rung_options){0}), WF_INVALID_ARGUMENT, "rung number");
    refuses(wf_rung_supports(0, NULL), WF_INVALID_ARGUMENT, "options");
}

static void test_rung_misuse(void **state) {
    (void)state;
    size_t tiled, cascade, simple;
    require(wf_rung_find("tiled_1", &tiled));
    require(wf_rung_find("cascade", &cascade));
    require(wf_rung_find("simple_2", &simple));
    char *memory;
    require(wf_malloc(context, (void **)&memory, 4096));
    int result = 42;
    const wf_rung_options good = {.type = WF_I32};

    refuses(wf_rung_run(NULL, tiled, &good, memory, 1, &result, NULL), WF_INVALID_ARGUMENT, "context");
    refuses(wf_rung_run(context, 999, &good, memory, 1, &result, NULL), WF_INVALID_ARGUMENT, "rung number 999");
    char numbers[64];
    snprintf(numbers, sizeof numbers, "they go from 0 to %zu", wf_rung_count() - 1);
    assert_non_null(strstr(wf_last_error(), numbers));
    assert_int_equal(strlen(strstr(wf_last_error(), numbers)), strlen(numbers));
    refuses(wf_rung_run(context, wf_rung_count(), &good, memory, 1, &result, NULL), WF_INVALID_ARGUMENT, numbers);
    refuses(wf_rung_run(context, tiled, NULL, memory, 1, &result, NULL), WF_INVALID_ARGUMENT, "options");
    refuses(wf_rung_run(context, tiled, &good, NULL, 1, &result, NULL), WF_INVALID_ARGUMENT, "in must not be NULL");
    refuses(wf_rung_run(context, tiled, &good, memory, 1, NULL, NULL), WF_INVALID_ARGUMENT, "result");
    refuses(wf_rung_run(context, tiled, &good, memory + 2, 1, &result, NULL), WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_rung_run(context, tiled, &good, memory, SIZE_MAX / 2, &result, NULL), WF_INVALID_ARGUMENT,
            "more than an address space");
    /* As many bytes as there can be, or one element more. */
    const size_t most = PTRDIFF_MAX / sizeof(int32_t);
    const wf_scan_spec scan = {.type = WF_I32};
    refuses(wf_scan(context, &scan, memory, most, memory + 4), WF_INVALID_ARGUMENT,
            "in and result overlap; they must be apart, or start at the same address");
    refuses(wf_scan(context, &scan, memory, most + 1, memory + 4), WF_INVALID_ARGUMENT, "more than an address space");

    static const struct {
        wf_rung_options options;
        const char *says;
    } bad[] = {
        {{.type = WF_TYPE_COUNT}, "unknown element type"},
        {{.type = (wf_type)-1}, "unknown element type"},
        {{.op = WF_OP_COUNT}, "unknown operator"},
        {{.tile_size = 1}, "tile size 1: it must be a power of two from 2 to 1024"},
        {{.tile_size = 48}, "power of two"},
        {{.tile_size = 2048}, "from 2 to 1024"},
        {{.tile_size = 0x80000000u}, "from 2 to 1024"},
        {{.window = 1}, "from 2 to 1024"},
        {{.window = 1025}, "window of 1025 elements"},
        {{.tiles = 65537}, "there must be from 1 to 65536"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        for (size_t r = 0; r < wf_rung_count(); r++)
            if (reduces(r))
                refuses(wf_rung_run(context, r, &bad[i].options, memory, 1, &result, NULL), WF_INVALID_ARGUMENT,
                        bad[i].says);
    assert_int_equal(result, 42);
    wf_free(context, memory);
}

static void test_empty_arrays(void **state) {
    (void)state;
    for (size_t r = 0; r < wf_rung_count(); r++) {
        if (!reduces(r) || wf_rung_supports(r, &(wf_rung_options){.op = WF_MIN}) != WF_OK)
            continue;
        float smallest = 0;
        int64_t sum = 7;
        wf_rung_report report;
        require(wf_rung_run(context, r, &(wf_rung_options){.op = WF_MIN}, NULL, 0, &smallest, &report));
        assert_true(smallest > 3e38f);
        assert_int_equal(report.launches, 0);
        require(wf_rung_run(context, r, &(wf_rung_options){.type = WF_I64}, NULL, 0, &sum, NULL));
        assert_int_equal(sum, 0);
    }
}

static void test_read_ceiling(void **state) {
    (void)state;
    char *memory;
    double seconds = -1;
    require(wf_malloc(context, (void **)&memory, 1 << 20));
    require(wf_read_ceiling(context, memory, 1 << 20, &seconds));
    assert_true(seconds > 0);
    require(wf_read_ceiling(context, NULL, 0, &seconds));
    refuses(wf_read_ceiling(context, memory + 8, 16, &seconds), WF_INVALID_ARGUMENT, "aligned to 16");
    refuses(wf_read_ceiling(context, NULL, 16, &seconds), WF_INVALID_ARGUMENT, "NULL");
    refuses(wf_read_ceiling(context, memory, 16, NULL), WF_INVALID_ARGUMENT, "seconds");
    refuses(wf_read_ceiling(NULL, memory, 16, &seconds), WF_INVALID_ARGUMENT, "context");
    wf_free(context, memory);
}

/* What a rung reports, exactly. */
static void test_reports(void **state) {
    (void)state;
    static const struct {
        const char *name;
        wf_rung_options options;
        size_t count;
        uint32_t launches;
        uint64_t threads, depth;
    } expected[] = {
        {"sequential", {.tile_size = 0}, 1000, 0, 1, 1000},
        /* halvings of 1000 by 2: 500, 250, 125, 62 (tail), 31, 15 (tail), 7 (tail), 3 (tail), 1 (tail); then 2 values
         */
        {"simple_1", {.tile_size = 0}, 1000, 9, 512, 9 + 5 + 2},
        /* by 8: 125, 15 (5 over), 1 (7 over); then 1 and the tail */
        {"simple_2", {.tile_size = 0}, 1000, 3, 256, 3 * 7 + 12 + 2},
        {"simple_2", {.window = 10}, 1000, 3, 256, 3 * 9 + 2},
        {"simple_2", {.window = 10}, 9, 0, 0, 10},
        {"tiled_1", {.tile_size = 0}, 1000, 1, 1024, 8 + 4},
        {"tiled_3", {.tile_size = 2}, 9, 3, 10, 3 * 1 + 2},
        {"tiled_4", {.tile_size = 16}, 1000, 2, 512, 2 * 5 + 1},
        /* 1000 by 2 tiles of 64: 8 per thread, 2 at the ends, a tree of at most 6 + 2 * 6 steps; then 2 values */
        {"cascade", {.tile_size = 64, .tiles = 2}, 1000, 1, 128, 8 + 2 + 18 + 2},
        {"wave_atomic", {.tile_size = 64, .tiles = 3}, 1000, 1, 192, 6 + 2 + 18 + 3 + 1},
        {"last_block", {.tile_size = 64, .tiles = 3}, 1000, 1, 192, (6 + 2 + 18) + (1 + 2 + 18) + 1},
        {"wave_two_pass", {.tile_size = 64, .tiles = 3}, 1000, 2, 192, (6 + 2 + 18) + (1 + 2 + 18) + 1},
        {"single_block", {.tile_size = 64}, 1000, 1, 64, 16 + 2 + 18 + 1},
        {"wave_registers", {.tile_size = 0}, 1000, 1, 64, 16 + 2 + 8 + 12 + 1},
        /* loads of 4; and the tiles' values one after the other */
        {"wavefold", {.tile_size = 64, .tiles = 3}, 1000, 1, 192, (8 + 2 + 18) + 3 + (1 + 2 + 18)},
        {"exact", {.tile_size = 64, .tiles = 3}, 1000, 1, 192, 0},
    };
    float *memory;
    require(wf_malloc(context, (void **)&memory, 4000));
    for (size_t i = 0; i < COUNT(expected); i++) {
        size_t rung;
        float sum;
        wf_rung_report report;
        require(wf_rung_find(expected[i].name, &rung));
        require(wf_rung_run(context, rung, &expected[i].options, memory, expected[i].count, &sum, &report));
        if (report.launches != expected[i].launches || report.threads != expected[i].threads ||
            report.depth != expected[i].depth)
            fail_msg("%s, row %zu: %u launches, %llu threads, depth %llu", expected[i].name, i, report.launches,
                     (unsigned long long)report.threads, (unsigned long long)report.depth);
        assert_int_equal(report.flushes, 0);
        assert_true(report.device_seconds > 0 && report.device_seconds <= report.total_seconds);
        assert_true(report.total_seconds < 60);
    }
    wf_free(context, memory);
}

/* The host device fills what it allocates: a kernel that reads what nobody wrote must not find zeros. */
static void test_poison(void **state) {
    (void)state;
    unsigned char *memory;
    require(wf_malloc(context, (void **)&memory, 1000));
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(memory[i], 0xa5);
    wf_free(context, memory);
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
        refuses(wf_rung_run(context, rung, &(wf_rung_options){.type = WF_F32}, memory, 1000, &sum, NULL),
                WF_KERNEL_FAULT, "of an array view of 0 elements");
        assert_non_null(strstr(wf_last_error(), rungs[i]));
        assert_true(sum == 42);
    }
    refuses(wf_scan(context, &(wf_scan_spec){.type = WF_F32}, memory, 1000, memory), WF_KERNEL_FAULT, "look_back");
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
             {cmocka_unit_test(test_kernel_fault), "kernel-fault", true}};

static int run_alone(const char *argument, const struct CMUnitTest *test, bool has_context) {
    if (has_context && wf_context_create(&context, "host") != WF_OK) {
        fprintf(stderr, "test_api: %s\n", wf_last_error());
        return 1;
    }
    const struct CMUnitTest tests[] = {*test};
    const int failed = cmocka_run_group_tests_name(argument, tests, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}

/* ---- What is launched, what when calls fail, what is said of time --------------------------------------------- */

static wf_backend real_table; /* before a test changed it */

static int take_table(void **state) {
    (void)state;
    real_table = *backend_table();
    return 0;
}

static int give_table_back(void **state) {
    (void)state;
    release_clock();
    end_failing_malloc();
    end_failing_backend();
    *backend_table() = real_table;
    return 0;
}

enum { ELEMENTS = 1000 };

/* Every rung, and behind them what is made of rungs. */
enum { CALL_SCAN, CALL_SORT, CALL_READ, OTHERS };

static wf_status run_any(wf_context *on, size_t which, const void *in, void *out, void *result) {
    if (which == wf_rung_count() + CALL_SCAN)
        return wf_scan(on, &(wf_scan_spec){.type = WF_I32}, in, ELEMENTS, out);
    if (which == wf_rung_count() + CALL_SORT)
        return wf_sort(on, &(wf_sort_spec){.type = WF_I32}, out, NULL, ELEMENTS);
    if (which == wf_rung_count() + CALL_READ)
        return wf_read_ceiling(on, in, 4 * ELEMENTS, &(double){0});
    wf_rung_options options = {.type = WF_I32, .tiles = 4, .tile_size = 64};
    if (wf_rung_supports(which, &options) != WF_OK)
        options.type = WF_F32;
    (void)wf_rung_get_info(0, NULL);
    return wf_rung_run(on, which, &options, in, ELEMENTS, reduces(which) ? result : out, NULL);
}

/* Every call of the backend's fails once: it is said, no result is changed, and what comes next is right. */
static void test_calls_fail(void **state) {
    (void)state;
    static unsigned char expected[8 * ELEMENTS], got[8 * ELEMENTS];
    int32_t numbers[ELEMENTS], *in;
    char *out;
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = i * 7919 % 1009;
    require(wf_malloc(context, (void **)&in, sizeof numbers));
    require(wf_malloc(context, (void **)&out, 8 * ELEMENTS));
    require(wf_copy_to_device(context, in, numbers, sizeof numbers));
    unsigned long failures = 0;
    for (size_t which = 0; which < wf_rung_count() + OTHERS; which++) {
        bool is_failing = true;
        for (unsigned long number = 0; is_failing; number++) { /* the first time, nothing fails */
            unsigned char result[32], before[32];
            memset(result, 0x5c, sizeof result);
            memcpy(before, result, sizeof before);
            require(wf_copy_to_device(context, out, numbers, sizeof numbers));
            (void)wf_rung_get_info(0, NULL);
            wf_context *fresh; /* that has no workspace yet */
            require(wf_context_create(&fresh, "host:32"));
            watch_backend();
            fail_backend_at(number, WF_DEVICE_ERROR);
            const wf_status status = run_any(fresh, which, in, out, result);
            const char *const failed = end_failing_backend();
            leave_backend();
            is_failing = failed != NULL || number == 0;
            wf_context_destroy(fresh);
            if (failed != NULL) {
                failures++;
                if (status != WF_DEVICE_ERROR || strstr(wf_last_error(), " on host:32: ") == NULL)
                    fail_msg("%zu, call %lu, %s: %s, '%s'", which, number, failed, wf_status_name(status),
                             wf_last_error());
                assert_memory_equal(result, before, sizeof before);
                continue;
            }
            require(status);
            assert_string_equal(wf_last_error(), "info must not be NULL"); /* which no success changes */
            require(wf_copy_to_host(context, got, out, sizeof got));
            memcpy(got + sizeof numbers, result, sizeof result);
            if (number == 0)
                memcpy(expected, got, sizeof got);
            assert_memory_equal(got, expected, sizeof numbers + sizeof result);
        }
    }
    assert_true(failures > 5 * wf_rung_count());
    wf_free(context, in);
    wf_free(context, out);
}

/* The launches of a call, none of which runs. */
static struct launched {
    wf_launch log[64];
    size_t count;
    const char *workspace; /* allocated last */
    size_t workspace_bytes, read_bytes;
    unsigned started, stopped; /* timers */
    bool is_outside;           /* words that tiles tell each other, where no workspace is */
    wf_device_info device;
} launched;

static wf_status note_launch(void *device, void *stream, const wf_launch *launch) {
    (void)device, (void)stream;
    if (launched.count < COUNT(launched.log))
        launched.log[launched.count] = *launch;
    launched.count++;
    const char *const end = (const char *)launch->tile_status + 8 * launch->tile_status_words;
    if (launch->kernel == WF_KERNEL_look_back)
        launched.is_outside |= end > launched.workspace + launched.workspace_bytes;
    return WF_OK;
}

/* There is no memory behind it. */
static wf_status allocate_nothing(void *device, size_t bytes, void **memory) {
    (void)device;
    launched.workspace = *memory = (void *)((uintptr_t)1 << 45);
    launched.workspace_bytes = bytes;
    return WF_OK;
}

static void release_nothing(void *device, void *memory) {
    (void)device, (void)memory;
}

static wf_status clear_nothing(void *device, void *stream, void *memory, size_t bytes) {
    (void)device, (void)stream, (void)memory, (void)bytes;
    return WF_OK;
}

static wf_status note_read(void *device, const void *from, size_t bytes) {
    (void)device, (void)from;
    launched.read_bytes = bytes;
    return WF_OK;
}

static wf_status copy_nothing(void *device, void *to, const void *from, size_t bytes, wf_direction direction) {
    (void)device, (void)from;
    if (direction == WF_TO_HOST)
        memset(to, 0, bytes);
    return WF_OK;
}

static wf_status note_start(void *device) {
    (void)device;
    launched.started++;
    return WF_OK;
}

static wf_status stop_after_half_a_second(void *device, double *seconds) {
    (void)device;
    launched.stopped++;
    *seconds = 0.5;
    return WF_OK;
}

static wf_status say_device(uint32_t ordinal, wf_device_info *info) {
    (void)ordinal;
    *info = launched.device;
    return WF_OK;
}

/* A context of a device of four multiprocessors that runs nothing. */
static wf_context *launch_nothing(void) {
    wf_context *of_nothing;
    launched = (struct launched){.count = 0};
    require(wf_context_get_device(context, &launched.device));
    launched.device.multiprocessors = 4;
    launched.device.f32_atomics_flush = 1;
    wf_backend *table = backend_table();
    table->launch = note_launch;
    table->allocate = allocate_nothing;
    table->release = release_nothing;
    table->clear = clear_nothing;
    table->read = note_read;
    table->copy = copy_nothing;
    table->timer_start = note_start;
    table->timer_stop = stop_after_half_a_second;
    table->device_info = say_device;
    require(wf_context_create(&of_nothing, "host:32"));
    return of_nothing;
}

static const char *const somewhere = (const char *)((uintptr_t)1 << 44);
static char *const elsewhere = (char *)((uintptr_t)1 << 46); /* farther away than an array is long */

static wf_status run_named(wf_context *of_nothing, const char *name, wf_rung_options options, size_t count,
                           wf_rung_report *report) {
    static wf_rung_report none;
    static char result[64];
    size_t rung;
    require(wf_rung_find(name, &rung));
    launched.count = 0;
    return wf_rung_run(of_nothing, rung, &options, somewhere, count, reduces(rung) ? result : elsewhere,
                       report != NULL ? report : &none);
}

/* Each pass of a sort: its kernel, its tiles, and the elements that it merges. */
static void test_sort_passes(void **state) {
    (void)state;
    typedef struct pass {
        wf_kernel kernel;
        uint32_t tiles;
        uint64_t count;
    } pass;
#define SORT WF_KERNEL_bitonic_registers_sort
#define MERGE WF_KERNEL_bitonic_registers_merge
#define ACROSS_4 WF_KERNEL_bitonic_registers_across_4
#define ACROSS_8 WF_KERNEL_bitonic_registers_across_8
#define TILE WF_KERNEL_bitonic_tile
#define STEP WF_KERNEL_bitonic_step
    /* A block of which there is no upper half is left out. */
    static const struct {
        const char *rung;
        size_t count;
        pass passes[14];
    } rows[] = {
        {"bitonic_registers",
         300000,
         {{SORT, 37, 300000},
          {ACROSS_4, 36, 294912},
          {MERGE, 36, 294912},
          {ACROSS_4, 36, 294912},
          {MERGE, 36, 294912},
          {ACROSS_4, 40, 300000},
          {MERGE, 37, 300000},
          {ACROSS_4, 32, 262144},
          {MERGE, 32, 262144},
          {ACROSS_8, 32, 262144},
          {MERGE, 32, 262144},
          {ACROSS_8, 64, 300000},
          {MERGE, 37, 300000}}},
        {"bitonic_registers",
         22384,
         {{SORT, 3, 22384}, {ACROSS_4, 2, 16384}, {MERGE, 2, 16384}, {ACROSS_4, 4, 22384}, {MERGE, 3, 22384}}},
        {"bitonic_registers",
         24576,
         {{SORT, 3, 24576}, {ACROSS_4, 2, 16384}, {MERGE, 2, 16384}, {ACROSS_4, 4, 24576}, {MERGE, 3, 24576}}},
        {"bitonic",
         1100,
         {{TILE, 3, 1100}, {STEP, 2, 1024}, {TILE, 2, 1024}, {STEP, 4, 1100}, {STEP, 4, 1100}, {TILE, 3, 1100}}},
    };
#undef SORT
#undef MERGE
#undef ACROSS_4
#undef ACROSS_8
#undef TILE
#undef STEP
    wf_context *of_nothing = launch_nothing();
    for (size_t i = 0; i < COUNT(rows); i++) {
        require(run_named(of_nothing, rows[i].rung, (wf_rung_options){.type = WF_F32}, rows[i].count, NULL));
        for (size_t p = 0; p < launched.count; p++) {
            const wf_launch *got = &launched.log[p];
            const pass *expected = &rows[i].passes[p];
            if (got->kernel != expected->kernel || got->tiles != expected->tiles ||
                got->source_count != expected->count || got->result_count != expected->count ||
                got->is_first != (p == 0))
                fail_msg("%s of %zu, pass %zu: kernel %d, %u tiles, %llu elements", rows[i].rung, rows[i].count, p,
                         (int)got->kernel, got->tiles, (unsigned long long)got->source_count);
        }
        assert_true(launched.count != 0 && rows[i].passes[launched.count].tiles == 0);
    }
    /* A tile has 32 KiB of records, each a key and a value aligned to the longer. */
    static const struct {
        wf_sort_spec what;
        uint32_t tiles;
    } records[] = {{{.type = WF_F32}, 2},
                   {{.type = WF_F64}, 3},
                   {{.type = WF_F32, .value_bytes = 4}, 3},
                   {{.type = WF_F32, .value_bytes = 8}, 5},
                   {{.type = WF_F64, .value_bytes = 4}, 5},
                   {{.type = WF_F64, .value_bytes = 8}, 5}};
    for (size_t i = 0; i < COUNT(records); i++) {
        launched.count = 0;
        require(wf_sort_async(of_nothing, &records[i].what, elsewhere,
                              records[i].what.value_bytes != 0 ? elsewhere + (1 << 20) : NULL, 8193, NULL));
        assert_int_equal(launched.log[0].tiles, records[i].tiles);
    }
    launched.count = 0;
    require(wf_sort_async(of_nothing, &records[0].what, elsewhere, NULL, 0, NULL));
    require(wf_sort(of_nothing, &records[0].what, elsewhere, NULL, 0));
    assert_int_equal(launched.count, 0);
    /* Positions have 32 bits; keys alone have no such limit. */
    const size_t most = (size_t)UINT32_MAX + 1;
    require(run_named(of_nothing, "bitonic_pairs", (wf_rung_options){.type = WF_F32}, most, NULL));
    refuses(run_named(of_nothing, "bitonic_pairs", (wf_rung_options){.type = WF_F32}, most + 1, NULL), WF_UNSUPPORTED,
            "positions in 32 bits");
    require(run_named(of_nothing, "bitonic_registers", (wf_rung_options){.type = WF_F32}, most + 1, NULL));
    wf_context_destroy(of_nothing);
}

/* Tiles of a scan in one pass, wherever the array lies among packs of 16 bytes; and its longest path. */
static void test_scan_tiles(void **state) {
    (void)state;
    static const struct {
        wf_scan_spec what;
        size_t past, count;
        uint32_t tiles;
    } rows[] = {
        {{.type = WF_F32}, 0, 8192, 1},
        {{.type = WF_F32}, 4, 8191, 1},
        {{.type = WF_F32}, 4, 8192, 2},
        {{.type = WF_F32}, 12, 32 * 8192 - 1, 33},
        {{.type = WF_F32}, 0, 30 * 8192, 30},
        {{.type = WF_I32, .op = WF_AFFINE}, 0, 4096, 1},
        {{.type = WF_I32, .op = WF_AFFINE}, 8, 4096, 2},
        {{.type = WF_I32, .op = WF_AFFINE}, 4, 4096, 1}, /* no element starts where a pack does */
        {{.type = WF_I32, .op = WF_AFFINE}, 12, 4096, 1},
        {{.type = WF_I32, .op = WF_MATMUL}, 0, 1024, 1},
        {{.type = WF_I32, .op = WF_MATMUL}, 12, 1025, 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_context *of_nothing = launch_nothing(); /* with no workspace yet */
        require(wf_scan_async(of_nothing, &rows[i].what, somewhere + rows[i].past, rows[i].count, elsewhere, NULL));
        assert_int_equal(launched.count, 1);
        if (launched.log[0].tiles != rows[i].tiles)
            fail_msg("row %zu: %u tiles", i, launched.log[0].tiles);
        assert_false(launched.is_outside);
        const size_t words = launched.log[0].op == WF_SUM ? 1 : launched.log[0].op == WF_AFFINE ? 2 : 4;
        assert_int_equal(launched.log[0].tile_status_words, rows[i].tiles * words);
        if (rows[i].count == 30 * 8192) /* words of two tiles more than it fills, and the ticket */
            assert_int_equal(launched.workspace_bytes, 256 + 32 * 8);
        wf_context_destroy(of_nothing);
        give_table_back(NULL);
    }
    static const struct {
        wf_rung_options options;
        size_t count;
        uint64_t depth;
    } paths[] = {
        /* a tile's fold by a wave that was kept waiting: 2048 by 32, and a wave's scan; five tiles, three prefixes */
        {{.tile_size = 64}, 10000, 64 + 10 + 5 + 3},
        {{.tile_size = 64}, 3000, 64 + 10 + 2 + 3},
        /* elements as long as a pack: a wave's four rows */
        {{.tile_size = 64, .op = WF_MATMUL}, 200, 10 + 4 + 10 + 1 + 3},
    };
    wf_context *of_nothing = launch_nothing();
    for (size_t i = 0; i < COUNT(paths); i++) {
        wf_rung_report report;
        require(run_named(of_nothing, "look_back", paths[i].options, paths[i].count, &report));
        assert_int_equal(report.depth, paths[i].depth);
    }
    /* As many tiles as 32 bits number. */
    const size_t most = (size_t)8192 * UINT32_MAX;
    launched.count = 0;
    require(wf_scan_async(of_nothing, &rows[0].what, elsewhere, most, elsewhere, NULL));
    refuses(wf_scan_async(of_nothing, &rows[0].what, elsewhere, most + 1, elsewhere, NULL), WF_UNSUPPORTED,
            "numbers its tiles in 32 bits");
    /* By levels: two cells for each element of a tile; and the first tile has nothing before it. */
    require(run_named(of_nothing, "hillis_steele",
                      (wf_rung_options){.type = WF_F64, .op = WF_MATMUL, .tile_size = 1024}, 512, NULL));
    assert_true(launched.log[0].span == 512 && launched.log[0].tiles == 1);
    require(run_named(of_nothing, "hillis_steele", (wf_rung_options){.tile_size = 64}, 1000, NULL));
    assert_true(launched.count == 3 && launched.log[0].tiles == 16 && launched.log[1].tiles == 1);
    for (size_t i = 0; i < 2; i++) /* what the tiles fold to, which the device writes also where nobody reads it */
        assert_true((const char *)launched.log[i].partials >= launched.workspace);
    assert_int_equal(launched.log[2].tiles, 15);
    assert_ptr_equal(launched.log[2].result, elsewhere + 4 * 64);
    wf_context_destroy(of_nothing);
}

/* More elements than one launch takes; what a device that flushes does; what a rung does not heed. */
static void test_reduction_launches(void **state) {
    (void)state;
    wf_context *of_nothing = launch_nothing();
    wf_rung_report report;
    require(run_named(of_nothing, "wavefold", (wf_rung_options){.tile_size = 64, .tiles = 64}, ELEMENTS, &report));
    assert_int_equal(launched.workspace_bytes, 256 + WF_WORKSPACE_STATUS + 64 * WF_REDUCE_VALUE_BYTES / 4 * 8);
    const uint64_t part = (UINT64_C(1) << 35) / 4;
    static const wf_rung_options small = {.tile_size = 64, .tiles = 3};
    /* 4 elements a load, 192 threads; 2 at the ends, a tree of 6 + 10; three tiles' values and their tree */
    const uint64_t depth = (part / 4 / 192 + 1) * 4 + 2 + 16 + 3 + 1 + 2 + 16;
    require(run_named(of_nothing, "wavefold", small, part, &report));
    assert_true(launched.count == 1 && launched.log[0].source_count == part && report.depth == depth);
    require(run_named(of_nothing, "wavefold", small, part + 1, &report));
    assert_true(launched.count == 2 && launched.log[1].source_count == 1 && launched.log[1].first == part);
    assert_ptr_equal(launched.log[1].source, somewhere + 4 * part);
    assert_int_equal(report.depth, depth + 1);

    require(run_named(of_nothing, "wave_atomic", small, ELEMENTS, &report));
    assert_int_equal(report.flushes, 3 * 64 / 32);
    assert_int_equal(launched.log[0].result_count, 1);
    require(run_named(of_nothing, "wave_two_pass", small, ELEMENTS, &report));
    assert_true(launched.count == 2 && launched.log[0].result_count == 3 && launched.log[1].result_count == 1);
    require(run_named(of_nothing, "cascade", (wf_rung_options){.window = 9}, ELEMENTS, &report));
    assert_true(report.tiles == 4 * 2048 / 256 && report.tile_size == 256 && report.window == 0);
    require(run_named(of_nothing, "simple_1", (wf_rung_options){.tile_size = 1024, .tiles = 5}, ELEMENTS, &report));
    assert_true(report.tiles == 0 && report.tile_size == 0 && launched.log[0].tile_size == 256);
    require(run_named(of_nothing, "tiled_1", (wf_rung_options){.tile_size = 64, .tiles = 5}, ELEMENTS, &report));
    assert_true(report.tiles == 0 && report.tile_size == 64);
    assert_int_equal(launched.started, launched.stopped);

    /* What is read is a multiple of 16 bytes. */
    static const size_t bytes[] = {15, 16, 17, 31, 32, 1 << 20, (1 << 20) + 7};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        launched.read_bytes = SIZE_MAX;
        require(wf_read_ceiling(of_nothing, somewhere, bytes[i], &(double){0}));
        assert_true(launched.read_bytes == (bytes[i] < 16 ? SIZE_MAX : bytes[i] / 16 * 16));
    }
    wf_context_destroy(of_nothing);
}

/* The device's seconds, and the host's: a look at the clock takes a microsecond, and nothing else takes time. */
static void test_seconds(void **state) {
    (void)state;
    static const struct {
        const char *rung;
        double device, host;
    } rows[] = {
        {"sequential", 1e-6, 0}, {"simple_1", 0.5, 2e-6},       {"tiled_1", 0.5, 2e-6}, {"cascade", 0.5, 2e-6},
        {"wavefold", 0.5, 1e-6}, {"wave_two_pass", 0.5, 2e-6},  {"exact", 0.5, 1e-6},   {"hillis_steele", 0.5, 0},
        {"look_back", 0.5, 0},   {"bitonic_registers", 0.5, 0},
    };
    wf_context *of_nothing = launch_nothing();
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_rung_report report;
        stop_clock(0, 1000);
        require(run_named(of_nothing, rows[i].rung, (wf_rung_options){.tile_size = 64}, ELEMENTS, &report));
        release_clock();
        const double wrong = report.total_seconds - rows[i].device - rows[i].host;
        if (report.device_seconds < rows[i].device - 1e-9 || report.device_seconds > rows[i].device + 1e-9 ||
            wrong < -1e-9 || wrong > 1e-9)
            fail_msg("%s: %.9f s on the device, %.9f s in all", rows[i].rung, report.device_seconds,
                     report.total_seconds);
    }
    assert_int_equal(launched.started, COUNT(rows) - 1);
    assert_int_equal(launched.stopped, launched.started);
    wf_context_destroy(of_nothing);
}

/* Where partial results, or elements, are folded on the host: memory that there is not, and that is given back. */
static void test_host_memory(void **state) {
    (void)state;
    if (!can_fail_malloc())
        skip();
    static const char *const rungs[] = {"sequential", "cascade"};
    static const char *const says[] = {"no host memory for 1000 elements", "no host memory for 4 partial results"};
    const wf_rung_options options = {.tile_size = 64, .tiles = 4};
    wf_context *of_nothing = launch_nothing();
    for (size_t i = 0; i < COUNT(rungs); i++) {
        require(run_named(of_nothing, rungs[i], options, ELEMENTS, NULL)); /* the workspace is there now */
        fail_malloc_at(1);
        const wf_status status = run_named(of_nothing, rungs[i], options, ELEMENTS, NULL);
        assert_true(end_failing_malloc());
        refuses(status, WF_OUT_OF_MEMORY, says[i]);
        const size_t used = mallinfo2().uordblks;
        for (int k = 0; k < 100; k++)
            require(run_named(of_nothing, rungs[i], options, ELEMENTS, NULL));
        assert_true(mallinfo2().uordblks < used + 100 * 16);
    }
    wf_context_destroy(of_nothing);
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < COUNT(alone) && argc > 1; i++)
        if (strcmp(argv[1], alone[i].argument) == 0)
            return run_alone(argv[1], &alone[i].test, alone[i].has_context);
    const bool launches = argc > 1 && strcmp(argv[1], "launches") == 0;
    const bool host = argc == 1;
    if (wf_context_create(&context, launches ? "host:32" : host ? "host" : argv[1]) != WF_OK) {
        fprintf(stderr, "test_api: %s\n", wf_last_error());
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statuses),     cmocka_unit_test(test_types),         cmocka_unit_test(test_devices),
        cmocka_unit_test(test_device_names), cmocka_unit_test(test_memory),        cmocka_unit_test(test_rung_table),
        cmocka_unit_test(test_rung_misuse),  cmocka_unit_test(test_empty_arrays),  cmocka_unit_test(test_read_ceiling),
        cmocka_unit_test(test_reductions),   cmocka_unit_test(test_rung_supports), cmocka_unit_test(test_nearest_names),
    };
    const struct CMUnitTest host_tests[] = {cmocka_unit_test(test_reports), cmocka_unit_test(test_poison)};
    const struct CMUnitTest launch_tests[] = {
        cmocka_unit_test_setup_teardown(test_calls_fail, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_sort_passes, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_scan_tiles, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_reduction_launches, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_seconds, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_host_memory, take_table, give_table_back),
    };
    int failed = launches ? cmocka_run_group_tests_name("launches", launch_tests, NULL, NULL)
                          : cmocka_run_group_tests_name("api", tests, NULL, NULL);
    if (host)
        failed += cmocka_run_group_tests_name("api on the host device", host_tests, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
