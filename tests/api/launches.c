/* What rungs, scans and sorts launch, on a device that runs nothing; what becomes of calls that fail; what is said of
 * time. */
#define _GNU_SOURCE
#include "api_tests.h"

#include "axes/request.h"
#include "by_key/request.h"
#include "ladder/request.h"
#include "look_back/request.h"
#include "message/request.h"
#include "reduce/request.h"
#include "scan/request.h"
#include "sort/request.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <wavefold_ladder.h>
#include <wavefold_message.h>

#include "failing_backend.h"
#include "failing_malloc.h"
#include "reduce/stream_workspace.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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

/* Every rung, and behind them what is made of rungs, and a message. */
enum { CALL_SCAN, CALL_SORT, CALL_READ, CALL_MESSAGE, OTHERS };

static wf_status run_any(wf_context *on, size_t which, const void *in, void *out, void *result) {
    if (which == wf_rung_count() + CALL_SCAN)
        return wf_scan(on, &(wf_scan_spec){.reduce = {.type = WF_I32}}, in, ELEMENTS, out);
    if (which == wf_rung_count() + CALL_SORT)
        return wf_sort(on, &(wf_sort_spec){.type = WF_I32}, out, NULL, ELEMENTS);
    if (which == wf_rung_count() + CALL_READ)
        return wf_read_ceiling(on, in, 4 * ELEMENTS, &(double){0});
    if (which == wf_rung_count() + CALL_MESSAGE) { /* the last field is of nothing, and hides no failure */
        const wf_field fields[] = {{.describes = 1, .in = in, .count = ELEMENTS}, {.spec.type = WF_I32}};
        uint64_t message[160];
        return wf_message_write(on, fields, COUNT(fields), message);
    }
    wf_rung_options options = {.type = WF_I32, .tiles = 4, .tile_size = 64};
    if (wf_rung_supports(which, &options) != WF_OK)
        options.type = WF_F32;
    (void)wf_rung_get_info(0, NULL);
    return wf_rung_run(on, which, &options, in, ELEMENTS, reduces(which) ? result : out,
                       bytes_of_rung_result(which, &options, ELEMENTS), NULL);
}

/* Every call of the backend's fails once: it is said, no result is changed, and what comes next is right. */
static void test_calls_fail(void **state) {
    (void)state;
    static unsigned char expected[8 * ELEMENTS], got[8 * ELEMENTS];
    int32_t numbers[ELEMENTS], *in;
    char *out;
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = i * 7919 % 1009;
    unsigned long failures = 0;
    for (size_t which = 0; which < wf_rung_count() + OTHERS; which++) {
        bool is_failing = true;
        for (unsigned long number = 0; is_failing; number++) { /* the first time, nothing fails */
            unsigned char result[32], before[32];
            memset(result, 0x5c, sizeof result);
            memcpy(before, result, sizeof before);
            wf_context *fresh; /* that has no workspace yet */
            require(wf_context_create(&fresh, "host:32"));
            require(wf_malloc(fresh, (void **)&in, sizeof numbers));
            require(wf_malloc(fresh, (void **)&out, 8 * ELEMENTS));
            require(wf_copy_to_device(fresh, in, numbers, sizeof numbers));
            require(wf_copy_to_device(fresh, out, numbers, sizeof numbers));
            (void)wf_rung_get_info(0, NULL);
            watch_backend();
            fail_backend_at(number, WF_DEVICE_ERROR);
            const wf_status status = run_any(fresh, which, in, out, result);
            const char *const failed = end_failing_backend();
            leave_backend();
            is_failing = failed != NULL || number == 0;
            memcpy(got, out, sizeof got); /* the host device's memory */
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
            assert_string_equal(wf_last_error(), "'info' must not be NULL"); /* which no success changes */
            memcpy(got + sizeof numbers, result, sizeof result);
            if (number == 0)
                memcpy(expected, got, sizeof got);
            assert_memory_equal(got, expected, sizeof numbers + sizeof result);
        }
    }
    assert_true(failures > 5 * wf_rung_count());
}

/* The launches of a call, none of which runs. */
typedef union request {
    wf_launch_head head;
    wf_reduce_request reduce;
    wf_look_back_request look_back;
    wf_sort_request sort;
    wf_ladder_request ladder;
} request;

static struct launched {
    request log[64];
    size_t count;
    const char *workspace; /* allocated last */
    size_t workspace_bytes, read_bytes;
    unsigned started, stopped; /* timers */
    unsigned waits;
    bool is_outside; /* words that tiles tell each other, where no workspace is */
    wf_device_info device;
} launched;

static wf_status note_launch(void *device, void *stream, wf_algorithm algorithm, const void *spec) {
    static const size_t sizes[] = {
#define REQUEST_SIZE(NAME, name, type) sizeof(type),
        WF_ALGORITHM_MAP(REQUEST_SIZE)
#undef REQUEST_SIZE
    };
    (void)device, (void)stream;
    request noted = {.head = {0}};
    memcpy(&noted, spec, sizes[algorithm]);
    if (launched.count < COUNT(launched.log))
        launched.log[launched.count] = noted;
    launched.count++;
    if (algorithm == WF_ALGORITHM_LOOK_BACK) {
        const char *const end = (const char *)noted.look_back.tile_status + 8 * noted.look_back.tile_status_words;
        launched.is_outside |= end > launched.workspace + launched.workspace_bytes;
    }
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

static wf_status fail_to_stop(void *device, double *seconds) {
    (void)device, (void)seconds;
    return WF_DEVICE_ERROR;
}

static wf_status note_wait(void *device) {
    (void)device;
    launched.waits++;
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
    strcpy(launched.device.backend, "noting"); /* of the host device arrays must be where wf_malloc put them */
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
                       bytes_of_rung_result(rung, &options, count), report != NULL ? report : &none);
}

/* Each pass of a sort: its kernel, its tiles, and the elements that it merges. */
static void test_sort_passes(void **state) {
    (void)state;
    typedef struct pass {
        wf_sort_pass kind;
        uint32_t tiles;
        uint64_t count;
    } pass;
#define SORT WF_SORT_REGISTERS_SORT
#define MERGE WF_SORT_REGISTERS_MERGE
#define ACROSS_4 WF_SORT_REGISTERS_ACROSS_4
#define ACROSS_8 WF_SORT_REGISTERS_ACROSS_8
#define TILE WF_SORT_TILE
#define STEP WF_SORT_STEP
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
            const wf_sort_request *got = &launched.log[p].sort;
            const pass *expected = &rows[i].passes[p];
            if (got->pass != expected->kind || got->head.tiles != expected->tiles || got->count != expected->count ||
                got->is_first != (p == 0))
                fail_msg("%s of %zu, pass %zu: kind %d, %u tiles, %llu elements", rows[i].rung, rows[i].count, p,
                         (int)got->pass, got->head.tiles, (unsigned long long)got->count);
        }
        assert_true(launched.count != 0 && rows[i].passes[launched.count].tiles == 0);
    }
    /* A tile has 32 KiB of records, each a key and a value aligned to the longer. */
    enum { in_place = WF_SORT_IN_PLACE };
    static const struct {
        wf_sort_spec spec;
        uint32_t tiles;
    } records[] = {{{.type = WF_F32, .flags = in_place}, 2},
                   {{.type = WF_F64, .flags = in_place}, 3},
                   {{.type = WF_F32, .value_bytes = 4, .flags = in_place}, 3},
                   {{.type = WF_F32, .value_bytes = 8, .flags = in_place}, 5},
                   {{.type = WF_F64, .value_bytes = 4, .flags = in_place}, 5},
                   {{.type = WF_F64, .value_bytes = 8, .flags = in_place}, 5}};
    for (size_t i = 0; i < COUNT(records); i++) {
        launched.count = 0;
        require(wf_sort_async(of_nothing, &records[i].spec, elsewhere,
                              records[i].spec.value_bytes != 0 ? elsewhere + (1 << 20) : NULL, 8193, NULL));
        assert_int_equal(launched.log[0].head.tiles, records[i].tiles);
    }
    launched.count = 0;
    require(wf_sort_async(of_nothing, &records[0].spec, elsewhere, NULL, 0, NULL));
    require(wf_sort(of_nothing, &records[0].spec, elsewhere, NULL, 0));
    assert_int_equal(launched.count, 0);
    /* Positions have 32 bits; keys alone have no such limit. */
    const size_t most = (size_t)UINT32_MAX + 1;
    require(run_named(of_nothing, "bitonic_pairs", (wf_rung_options){.type = WF_F32}, most, NULL));
    refuses(run_named(of_nothing, "bitonic_pairs", (wf_rung_options){.type = WF_F32}, most + 1, NULL), WF_UNSUPPORTED,
            "positions in 32 bits");
    require(run_named(of_nothing, "bitonic_registers", (wf_rung_options){.type = WF_F32}, most + 1, NULL));
    wf_context_destroy(of_nothing);
}

/* Each pass of a radix sort: its tiles, and the arrays between which it moves keys and values. */
static void check_radix_passes(uint32_t passes, uint32_t tiles, const void *source, const void *result,
                               const void *values) {
    assert_int_equal(launched.count, 1 + passes);
    assert_int_equal(launched.log[0].sort.pass, WF_SORT_RADIX_COUNT);
    for (uint32_t p = 0; p < passes; p++) {
        const wf_sort_request *got = &launched.log[1 + p].sort, *before = &launched.log[p].sort;
        assert_int_equal(got->pass, WF_SORT_RADIX);
        assert_int_equal(got->head.tiles, tiles);
        assert_int_equal(got->number, p);
        assert_true(got->source_keys == (p == 0 ? source : before->keys) && got->source_keys != got->keys);
        assert_true(values == NULL || p == 0 || got->source_values == before->values);
        assert_true(values == NULL || got->source_values != got->values);
        assert_true((got->is_first != 0) == (p == 0) && (got->is_last != 0) == (p == passes - 1));
    }
    assert_true(launched.log[passes].sort.keys == result);
    assert_true(values == NULL || launched.log[passes].sort.values == values);
}

static void test_radix_passes(void **state) {
    (void)state;
    wf_context *of_nothing = launch_nothing();
    char *const values = elsewhere + (1 << 24);
    const struct {
        wf_sort_spec spec;
        size_t count;
        uint32_t passes, argsort_passes, tiles;
    } rows[] = {{{.type = WF_F32, .value_bytes = 4}, 20000, 4, 4, 3},
                {{.type = WF_F64, .value_bytes = 8}, 7681, 8, 8, 3},
                {{.type = WF_U8, .value_bytes = 8}, 7681, 2, 1, 2},
                {{.type = WF_F16, .value_bytes = 4}, 7681, 2, 2, 2},
                {{.type = WF_U32, .value_bytes = 4, .begin_bit = 3, .end_bit = 20}, 7681, 4, 3, 2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        launched.count = 0;
        require(wf_sort_async(of_nothing, &rows[i].spec, elsewhere, values, rows[i].count, NULL));
        check_radix_passes(rows[i].passes, rows[i].tiles, elsewhere, elsewhere, values);
        launched.count = 0;
        require(wf_argsort_async(of_nothing, &rows[i].spec, elsewhere, values, rows[i].count, NULL));
        check_radix_passes(rows[i].argsort_passes, rows[i].tiles, elsewhere, NULL, values);
    }
    /* What a tile holds takes one launch, and so do keys alone that a network's tile holds. */
    launched.count = 0;
    require(wf_sort_async(of_nothing, &rows[0].spec, elsewhere, values, 7680, NULL));
    require(wf_sort_async(of_nothing, &(wf_sort_spec){.type = WF_U8}, elsewhere, NULL, 6912, NULL));
    require(wf_sort_async(of_nothing, &(wf_sort_spec){.type = WF_U32}, elsewhere, NULL, 8192, NULL));
    assert_int_equal(launched.count, 3);
    assert_int_equal(launched.log[0].sort.pass, WF_SORT_RADIX_SHORT);
    assert_int_equal(launched.log[1].sort.pass, WF_SORT_RADIX_SHORT);
    assert_int_equal(launched.log[2].sort.pass, WF_SORT_REGISTERS_SORT);
    /* A launch has as many tiles as the device takes, and fewer than 2^29 keys. */
    launched.count = 0;
    require(
        wf_sort_async(of_nothing, &rows[0].spec, elsewhere, elsewhere + (UINT64_C(1) << 34), (size_t)1 << 30, NULL));
    assert_int_equal(launched.count, 1 + 4 * 3);
    for (size_t i = 1; i < launched.count; i++) {
        const wf_sort_request *got = &launched.log[i].sort;
        assert_true((uint64_t)got->head.tiles * 7680 < (UINT64_C(1) << 29));
        assert_true(got->first_tile == (i % 3 == 1 ? 0 : got[-1].first_tile + got[-1].head.tiles));
        assert_true(i % 3 == 1 || (got->starts == got[-1].next_starts && got->next_starts == got[-1].starts));
    }
    wf_context_destroy(of_nothing);
}

static wf_status look_back(wf_context *on, const wf_rung_options *options, const void *in, size_t count) {
    size_t rung;
    require(wf_rung_find("look_back", &rung));
    return wf_rung_run(on, rung, options, in, count, elsewhere, bytes_of_rung_result(rung, options, count), NULL);
}

/* Tiles of a scan in one pass, wherever the array lies among packs of 16 bytes; and its longest path. */
static void test_scan_tiles(void **state) {
    (void)state;
    static const struct {
        wf_rung_options options;
        size_t past, count;
        uint32_t tiles;
    } rows[] = {
        {{.type = WF_F32, .tile_size = 256}, 0, 8192, 1},
        {{.type = WF_F32, .tile_size = 256}, 4, 8191, 1},
        {{.type = WF_F32, .tile_size = 256}, 4, 8192, 2},
        {{.type = WF_F32, .tile_size = 256}, 12, 32 * 8192 - 1, 33},
        {{.type = WF_F32, .tile_size = 256}, 0, 30 * 8192, 30},
        {{.type = WF_I32, .op = WF_AFFINE, .tile_size = 256}, 0, 4096, 1},
        {{.type = WF_I32, .op = WF_AFFINE, .tile_size = 256}, 8, 4096, 2},
        {{.type = WF_I32, .op = WF_AFFINE, .tile_size = 256}, 4, 4096, 1}, /* no element starts where a pack does */
        {{.type = WF_I32, .op = WF_AFFINE, .tile_size = 256}, 12, 4096, 1},
        {{.type = WF_I32, .op = WF_MATMUL, .tile_size = 256}, 0, 1024, 1},
        {{.type = WF_I32, .op = WF_MATMUL, .tile_size = 256}, 12, 1025, 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_context *of_nothing = launch_nothing(); /* with no workspace yet */
        require(look_back(of_nothing, &rows[i].options, somewhere + rows[i].past, rows[i].count));
        assert_int_equal(launched.count, 1);
        if (launched.log[0].head.tiles != rows[i].tiles)
            fail_msg("row %zu: %u tiles", i, launched.log[0].head.tiles);
        assert_false(launched.is_outside);
        const size_t words = launched.log[0].look_back.op == WF_SUM      ? 1
                             : launched.log[0].look_back.op == WF_AFFINE ? 2
                                                                         : 4;
        assert_int_equal(launched.log[0].look_back.tile_status_words, rows[i].tiles * words);
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
    require(look_back(of_nothing, &rows[0].options, elsewhere, most));
    refuses(look_back(of_nothing, &rows[0].options, elsewhere, most + 1), WF_UNSUPPORTED,
            "numbers its tiles in 32 bits");
    /* By levels: two cells for each element of a tile; and the first tile has nothing before it. */
    require(run_named(of_nothing, "hillis_steele",
                      (wf_rung_options){.type = WF_F64, .op = WF_MATMUL, .tile_size = 1024}, 512, NULL));
    assert_true(launched.log[0].ladder.span == 512 && launched.log[0].head.tiles == 1);
    require(run_named(of_nothing, "hillis_steele", (wf_rung_options){.tile_size = 64}, 1000, NULL));
    assert_true(launched.count == 3 && launched.log[0].head.tiles == 16 && launched.log[1].head.tiles == 1);
    for (size_t i = 0; i < 2; i++) /* what the tiles fold to, which the device writes also where nobody reads it */
        assert_true((const char *)launched.log[i].ladder.partials >= launched.workspace);
    assert_int_equal(launched.log[2].head.tiles, 15);
    assert_ptr_equal(launched.log[2].ladder.result, elsewhere + 4 * 64);
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
    assert_true(launched.count == 1 && launched.log[0].reduce.source_count == part && report.depth == depth);
    require(run_named(of_nothing, "wavefold", small, part + 1, &report));
    assert_true(launched.count == 2 && launched.log[1].reduce.source_count == 1 &&
                launched.log[1].reduce.first == part);
    assert_ptr_equal(launched.log[1].reduce.source, somewhere + 4 * part);
    assert_int_equal(report.depth, depth + 1);

    require(run_named(of_nothing, "wave_atomic", small, ELEMENTS, &report));
    assert_int_equal(report.flushes, 3 * 64 / 32);
    assert_int_equal(launched.log[0].ladder.result_count, 1);
    require(run_named(of_nothing, "wave_two_pass", small, ELEMENTS, &report));
    assert_true(launched.count == 2 && launched.log[0].ladder.result_count == 3 &&
                launched.log[1].ladder.result_count == 1);
    require(run_named(of_nothing, "cascade", (wf_rung_options){.window = 9}, ELEMENTS, &report));
    assert_true(report.tiles == 4 * 2048 / 256 && report.tile_size == 256 && report.window == 0);
    require(run_named(of_nothing, "simple_1", (wf_rung_options){.tile_size = 1024, .tiles = 5}, ELEMENTS, &report));
    assert_true(report.tiles == 0 && report.tile_size == 0 && launched.log[0].head.tile_size == 256);
    require(run_named(of_nothing, "tiled_1", (wf_rung_options){.tile_size = 64, .tiles = 5}, ELEMENTS, &report));
    assert_true(report.tiles == 0 && report.tile_size == 64);
    const uint32_t largest = backend_table()->exact_tile;
    require(run_named(of_nothing, "exact", (wf_rung_options){.tile_size = largest}, ELEMENTS, &report));
    assert_int_equal(report.tile_size, largest);
    refuses(run_named(of_nothing, "exact", (wf_rung_options){.tile_size = 2 * largest}, ELEMENTS, &report),
            WF_INVALID_ARGUMENT, "takes tiles of up to");

    /* What is read is a multiple of 16 bytes. */
    static const size_t bytes[] = {15, 16, 17, 31, 32, 1 << 20, (1 << 20) + 7};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        launched.read_bytes = SIZE_MAX;
        require(wf_read_ceiling(of_nothing, somewhere, bytes[i], &(double){0}));
        assert_true(launched.read_bytes == (bytes[i] < 16 ? SIZE_MAX : bytes[i] / 16 * 16));
    }
    assert_int_equal(launched.started, launched.stopped);
    /* What may still be read is waited for, where the time it takes cannot be told. */
    backend_table()->timer_stop = fail_to_stop;
    backend_table()->finish = note_wait;
    refuses(wf_read_ceiling(of_nothing, somewhere, 16, &(double){0}), WF_DEVICE_ERROR, "measuring the read ceiling");
    assert_int_equal(launched.waits, 1);
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

/* Kernels of the host device are queued on none, either. */
static void test_no_streams(void **state) {
    (void)state;
    static const int32_t values[4] = {1};
    static int32_t sum;
    refuses(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_I32}, values, COUNT(values), &sum,
                            bytes_of_result(&(wf_reduce_spec){.type = WF_I32}), context),
            WF_INVALID_ARGUMENT, "host:32 has no streams: 'stream' must be NULL");
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

int run_launch_tests(void) {
    const struct CMUnitTest launch_tests[] = {
        cmocka_unit_test_setup_teardown(test_calls_fail, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_sort_passes, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_radix_passes, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_scan_tiles, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_reduction_launches, take_table, give_table_back),
        cmocka_unit_test_setup_teardown(test_seconds, take_table, give_table_back),
        cmocka_unit_test(test_no_streams),
        cmocka_unit_test_setup_teardown(test_host_memory, take_table, give_table_back),
    };
    return cmocka_run_group_tests_name("launches", launch_tests, NULL, NULL);
}
