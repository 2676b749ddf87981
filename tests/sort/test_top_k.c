/* wf_top_k: types × numbers of results × lengths and numbers of rows, on one device.
 *
 * usage: test_top_k [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64)
 *        PATTERN: which tests, such as 'test_misuse'
 *        EVERY FIRST: of the cases, one in EVERY, from FIRST on
 *
 * Each row's results are compared bit for bit with the first ones of a stable qsort (sort_data.c). */
#include "sort_data.h"

#include <wavefold_sort.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

static wf_context *context;
static data_share share = {1, 0}; /* of the cases */
static wf_device_info device;

/* ---- One selection ---------------------------------------------------------------------------------------------- */

typedef struct top_k_case {
    wf_top_k_spec spec;
    unsigned kind;
    size_t rows, length;
} top_k_case;

static void fail_case(const top_k_case *of, const char *what, size_t row, size_t i) {
    fail_msg("%s %zu of row %zu is wrong: %llu of %zu rows of %zu, %s, smallest %u, positions of %u bytes, kind %u",
             what, i, row, (unsigned long long)of->spec.k, of->rows, of->length, wf_type_name(of->spec.type),
             of->spec.smallest, of->spec.position_bytes, of->kind);
}

static void check_results(const top_k_case *of, const void *in, const void *values, const void *positions) {
    const wf_type type = of->spec.type;
    const sort_order order = {.type = type, .descending = of->spec.smallest == 0};
    const size_t k = (size_t)of->spec.k;
    for (size_t row = 0; row < of->rows; row++) {
        const char *const keys = (const char *)in + row * of->length * wf_type_size(type);
        uint64_t *sorted = stable_positions(&order, keys, of->length);
        for (size_t i = 0; i < k; i++) {
            if (key_at(type, values, row * k + i) != key_at(type, keys, (size_t)sorted[i]))
                fail_case(of, "value", row, i);
            if (of->spec.position_bytes != 0 &&
                key_at(of->spec.position_bytes == 4 ? WF_U32 : WF_U64, positions, row * k + i) != sorted[i])
                fail_case(of, "position", row, i);
        }
        free(sorted);
    }
}

static void check_top_k(const top_k_case *of) {
    const size_t element = wf_type_size(of->spec.type), position = of->spec.position_bytes, k = (size_t)of->spec.k;
    const size_t count = of->rows * of->length, results = of->rows * k, number = count + k;
    void *keys = make_keys(of->spec.type, of->kind, count, 7 + number);
    guarded in = guard(context, number % 3 * element, count * element);
    guarded values = guard(context, number % 5 * element, results * element);
    guarded positions = guard(context, number % 3 * position, results * position);
    void *const positions_there = position != 0 ? inside(&positions) : NULL;
    require(wf_copy_to_device(context, inside(&in), keys, count * element));
    if (number % 2 == 0)
        require(wf_top_k(context, &of->spec, inside(&in), of->rows, of->length, inside(&values), positions_there));
    else
        require(wf_top_k_async(context, &of->spec, inside(&in), of->rows, of->length, inside(&values), positions_there,
                               NULL));
    void *after = release(context, &in), *got = release(context, &values), *got_at = release(context, &positions);
    assert_memory_equal(after, keys, count * element);
    check_results(of, keys, got, got_at);
    free(got_at);
    free(got);
    free(after);
    free(keys);
}

/* ---- Every type ------------------------------------------------------------------------------------------------- */

static const wf_type all_types[] = {WF_F32, WF_F64, WF_F16, WF_BF16, WF_I8,  WF_I16,
                                    WF_I32, WF_I64, WF_U8,  WF_U16,  WF_U32, WF_U64};
static const uint32_t position_sizes[] = {4, 0, 8};

static size_t tile_of(wf_type type) {
    return wf_type_size(type) == 8 ? 3840 : wf_type_size(type) == 4 ? 7680 : 6912;
}

static void check_shape(wf_type type, size_t rows, size_t length, size_t k, size_t number) {
    check_top_k(&(top_k_case){.spec = {.type = type,
                                       .smallest = number % 2,
                                       .k = k,
                                       .position_bytes = position_sizes[number % COUNT(position_sizes)]},
                              .kind = (unsigned)((number + length) % KINDS),
                              .rows = rows,
                              .length = length});
}

static void test_type(void **state) {
    const wf_type type = *(const wf_type *)*state;
    const size_t tile = tile_of(type);
    const size_t shapes[][3] = {
        {0, 5, 2},
        {1, 1, 1},
        {3, 2, 2},
        {2, 2, 0},
        {7, 3, 1},
        {9, 31, 31},
        {9, 33, 8},
        {5, 64, 1},
        {40, 17, 5},
        {3, 128, 8},
        {3, 256, 8},
        {2, 257, 257},
        {2, 1000, 50},
        {1, tile, 1},
        {2, tile - 1, tile - 1},
        {2, tile + 1, 1},
        {1, tile + 1, tile / 2},
        {1, tile + 1, tile + 1},
        {3, tile + 5, tile / 2 + 1},
        {2, 2 * tile + 1, 64},
        {1, 3 * tile, tile / 2},
    };
    for (size_t s = 0; s < COUNT(shapes); s++)
        if (data_takes(share, s + (size_t)type))
            check_shape(type, shapes[s][0], shapes[s][1], shapes[s][2], s + (size_t)type);
}

/* Several rounds; the last part of a row may have fewer elements than there are results. */
static void test_rounds(void **state) {
    (void)state;
    static const size_t shapes[][3] = {{1, 40009, 1900}, {2, 30001, 3840}, {3, 23041, 1}, {1, 60001, 3000}};
    for (size_t s = 0; s < COUNT(shapes); s++)
        if (data_takes(share, s)) {
            check_shape(s % 2 ? WF_F32 : WF_BF16, shapes[s][0], shapes[s][1], shapes[s][2] > 3456 ? 3400 : shapes[s][2],
                        s);
            check_shape(WF_I32, shapes[s][0], shapes[s][1], shapes[s][2], s + 1);
        }
    /* Candidates that are all equal come from all parts. */
    if (data_takes(share, 0))
        check_top_k(&(top_k_case){
            .spec = {.type = WF_F32, .k = 100, .position_bytes = 4}, .kind = ALL_EQUAL, .rows = 2, .length = 40000});
}

/* By threads of the CPU, or many tiles: not for the emulator. */
static void large_rows(void **state) {
    (void)state;
    static const size_t shapes[][3] = {{1, 200003, 1},  {1, 700003, 64},    {3, 100007, 1000}, {1, 200009, 100000},
                                       {2, 129280, 50}, {20000, 64, 6},     {30, 4099, 200},   {2, 70001, 70001},
                                       {60, 8009, 7},   {1, 100011, 99999}, {1, 300007, 0}};
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t t = s % 4; t < COUNT(all_types); t += 4)
            check_shape(all_types[t], shapes[s][0], shapes[s][1], shapes[s][2], s + t);
}

/* The order of NaN and zeros, written out: NaN is the largest, and -0 less than +0. */
static void test_order_of_floats(void **state) {
    (void)state;
    static const uint32_t in[] = {0x00000000, 0x80000000, 0x7fc00000, 0x3f800000,
                                  0xbf800000, 0x7f800000, 0xff800000, 0x80000000};
    static const uint32_t largest[] = {0x7fc00000, 0x7f800000, 0x3f800000, 0x00000000, 0x80000000};
    static const uint32_t largest_at[] = {2, 5, 3, 0, 1}, smallest_at[] = {6, 4, 1, 7, 0};
    uint32_t *there, values[5], positions[5];
    require(wf_malloc(context, (void **)&there, 4 * (8 + 5 + 5)));
    require(wf_copy_to_device(context, there, in, sizeof in));
    require(wf_top_k(context, &(wf_top_k_spec){.k = 5, .position_bytes = 4}, there, 1, 8, there + 8, there + 13));
    require(wf_copy_to_host(context, values, there + 8, sizeof values));
    require(wf_copy_to_host(context, positions, there + 13, sizeof positions));
    assert_memory_equal(values, largest, sizeof values);
    assert_memory_equal(positions, largest_at, sizeof positions);
    require(wf_top_k(context, &(wf_top_k_spec){.k = 5, .smallest = 1, .position_bytes = 4}, there, 1, 8, there + 8,
                     there + 13));
    require(wf_copy_to_host(context, positions, there + 13, sizeof positions));
    assert_memory_equal(positions, smallest_at, sizeof positions);
    wf_free(context, there);
}

/* ---- Misuse ----------------------------------------------------------------------------------------------------- */

enum { BYTES = 4096 };

static void check_bad(char *memory) {
    char *const values = memory + 1024, *const positions = memory + 2048;
    const wf_top_k_spec good = {.type = WF_F32, .k = 2, .position_bytes = 4};
    const struct {
        wf_top_k_spec spec;
        void *in, *values, *positions;
        size_t rows, length;
        wf_status status;
        const char *says;
    } bad[] = {
        {good, NULL, values, positions, 1, 2, WF_INVALID_ARGUMENT, "'in' must not be NULL"},
        {good, memory, NULL, positions, 1, 2, WF_INVALID_ARGUMENT, "'values' must not be NULL"},
        {good, memory, values, NULL, 1, 2, WF_INVALID_ARGUMENT, "'positions' must not be NULL"},
        {{.k = 2}, memory, values, positions, 1, 2, WF_INVALID_ARGUMENT, "'position_bytes' is 0"},
        {{.k = 2, .position_bytes = 2}, memory, values, positions, 1, 2, WF_INVALID_ARGUMENT, "must be 0 (none), 4 or"},
        {good, memory, values, positions, 1, 1, WF_INVALID_ARGUMENT, "'k' is 2, but a row has 1 elements"},
        {good, memory, values, positions, 0, 1, WF_INVALID_ARGUMENT, "'k' is 2, but a row has 1 elements"},
        {good, memory + 2, values, positions, 1, 2, WF_INVALID_ARGUMENT, "'in' must be aligned"},
        {good, memory, values + 2, positions, 1, 2, WF_INVALID_ARGUMENT, "'values' must be aligned"},
        {good, memory, values, positions + 2, 1, 2, WF_INVALID_ARGUMENT, "'positions' must be aligned"},
        {good, memory, memory + 4, positions, 1, 2, WF_INVALID_ARGUMENT, "'in' and 'values' overlap"},
        {good, memory, values, memory, 1, 2, WF_INVALID_ARGUMENT, "'positions' and 'in' overlap"},
        {good, memory, values, values + 4, 1, 2, WF_INVALID_ARGUMENT, "'values' and 'positions' overlap"},
        {{.k = 1, .reserved = {0, 0, 1}}, memory, values, NULL, 1, 2, WF_INVALID_ARGUMENT, "reserved"},
        {{.type = WF_TYPE_COUNT, .k = 1}, memory, values, NULL, 1, 2, WF_INVALID_ARGUMENT, "unknown element type"},
        {good, memory, values, positions, SIZE_MAX / 4, 8, WF_INVALID_ARGUMENT, "more than an address space"},
        {{.type = WF_U8, .k = 1, .position_bytes = 4},
         memory,
         values,
         positions,
         1,
         (size_t)UINT32_MAX + 2,
         WF_UNSUPPORTED,
         "more than 32 bits"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(wf_top_k(context, &bad[i].spec, bad[i].in, bad[i].rows, bad[i].length, bad[i].values, bad[i].positions),
                bad[i].status, bad[i].says);
        refuses(wf_top_k_async(context, &bad[i].spec, bad[i].in, bad[i].rows, bad[i].length, bad[i].values,
                               bad[i].positions, NULL),
                bad[i].status, bad[i].says);
    }
    refuses(wf_top_k(NULL, &good, memory, 1, 2, values, positions), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_top_k(context, NULL, memory, 1, 2, values, positions), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    if (strcmp(device.backend, "host") == 0)
        refuses(wf_top_k_async(context, &good, memory, 1, 2, values, positions, memory), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");
    require(wf_top_k(context, &good, NULL, 0, 2, NULL, NULL));
}

static void test_misuse(void **state) {
    (void)state;
    unsigned char before[BYTES], after[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        before[i] = (unsigned char)data_hash(i);
    char *memory;
    require(wf_malloc(context, (void **)&memory, BYTES));
    require(wf_copy_to_device(context, memory, before, BYTES));
    check_bad(memory);
    require(wf_copy_to_host(context, after, memory, BYTES));
    assert_memory_equal(before, after, BYTES);
    wf_free(context, memory);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, name) != WF_OK || wf_context_get_device(context, &device) != WF_OK) {
        fprintf(stderr, "test_top_k: %s\n", wf_last_error());
        return 1;
    }
    printf("on %s\n", name);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_order_of_floats),
        cmocka_unit_test(large_rows),
        cmocka_unit_test(test_misuse),
    };
    struct CMUnitTest tests[COUNT(all_types) + COUNT(others)];
    char names[COUNT(all_types)][64];
    for (size_t t = 0; t < COUNT(all_types); t++) {
        snprintf(names[t], sizeof names[t], "test_type_%s", wf_type_name(all_types[t]));
        tests[t] = (struct CMUnitTest){
            .name = names[t], .test_func = test_type, .initial_state = (void *)(uintptr_t)&all_types[t]};
    }
    memcpy(tests + COUNT(all_types), others, sizeof others);
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("top_k", tests, COUNT(tests), NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
