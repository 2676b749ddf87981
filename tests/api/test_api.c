/* The public API: statuses and names, devices, contexts, memory, and their misuse, refused in words; and which of its
 * parts' tests run. */
#include "api_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_ladder.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

wf_context *context;

static void test_statuses(void **state) {
    (void)state;
    assert_string_equal(wf_status_name(WF_OK), "WF_OK");
    assert_string_equal(wf_status_name(WF_KERNEL_FAULT), "WF_KERNEL_FAULT");
    assert_string_equal(wf_status_string(WF_OUT_OF_MEMORY), "not enough memory on the host or on the device");
    assert_string_equal(wf_status_string((wf_status)12345), "unknown status");
    assert_string_equal(wf_status_name((wf_status)-77), "unknown status");
    assert_string_equal(wf_version(), "0.3.0");
    assert_int_equal(wf_version_number(), WF_VERSION_NUMBER);
    assert_int_equal(wf_version_number(), 300);
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
    assert_string_equal(wf_last_error(), "no backend 3: there are 3, numbered from 0");
    refuses(wf_backend_get_info(0, NULL), WF_INVALID_ARGUMENT, "'info' must not be NULL");
    assert_string_equal(wf_last_error(), "'info' must not be NULL");
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
    refuses(wf_context_get_device(NULL, &info), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_context_get_device(context, NULL), WF_INVALID_ARGUMENT, "'info' must not be NULL");
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
        {"host:64:", WF_INVALID_ARGUMENT, "ends with a colon"},
        {"host::", WF_INVALID_ARGUMENT, "ends with a colon"},
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
    refuses(wf_copy_to_host(context, back, memory, SIZE_MAX), WF_INVALID_ARGUMENT, "more than an address space holds");
    refuses(wf_copy_to_device(context, memory, out, SIZE_MAX), WF_INVALID_ARGUMENT, "more than an address space holds");

    void *untouched = &out;
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    refuses(wf_malloc(context, &untouched, (size_t)info.memory_bytes + 1), WF_OUT_OF_MEMORY, " bytes were asked for, ");
    assert_ptr_equal(untouched, &out);
    refuses(wf_malloc(context, &untouched, SIZE_MAX), WF_OUT_OF_MEMORY, "use fewer elements");
    refuses(wf_malloc(NULL, &untouched, 1), WF_INVALID_ARGUMENT, "context");
    refuses(wf_malloc(context, NULL, 1), WF_INVALID_ARGUMENT, "memory");
    require(wf_free(context, empty));
    /* memory is left to wf_context_destroy. */
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

int main(int argc, char **argv) {
    const int alone = argc > 1 ? run_alone(argv[1]) : -1;
    if (alone >= 0)
        return alone;
    const bool launches = argc > 1 && strcmp(argv[1], "launches") == 0;
    const bool host = argc == 1;
    if (wf_context_create(&context, launches ? "host:32" : host ? "host" : argv[1]) != WF_OK) {
        fprintf(stderr, "test_api: %s\n", wf_last_error());
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_device_names),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_host_arrays),
        cmocka_unit_test(test_host_memory_taken),
        cmocka_unit_test(test_indexed_results),
        cmocka_unit_test(test_rung_table),
        cmocka_unit_test(test_rung_misuse),
        cmocka_unit_test(test_empty_arrays),
        cmocka_unit_test(test_read_ceiling),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_rung_supports),
        cmocka_unit_test(test_nearest_names),
        cmocka_unit_test(test_result_bytes),
        cmocka_unit_test(test_reserved_fields),
        cmocka_unit_test(test_scan_specs),
    };
    const struct CMUnitTest host_tests[] = {cmocka_unit_test(test_reports), cmocka_unit_test(test_rungs_in_modes),
                                            cmocka_unit_test(test_poison)};
    int failed = launches ? run_launch_tests() : cmocka_run_group_tests_name("api", tests, NULL, NULL);
    if (host)
        failed += cmocka_run_group_tests_name("api on the host device", host_tests, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
