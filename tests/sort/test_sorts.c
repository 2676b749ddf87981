/* Every rung that sorts × type × direction, over sizes, tile sizes, offsets and kinds of data, on one device.
 *
 * usage: test_sorts [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64)
 *        PATTERN: which tests, such as 'bitonic_f32_*' (default: all)
 *        EVERY FIRST: of the sizes, every so manieth, from that one on
 *
 * Results are compared bit for bit with qsort's, by an order that compares floats as floats (sort_data.c). The position
 * that goes with a key must occur once, and be that of a key with these bits. */
#include "sort_data.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

static wf_context *context;
static data_share share = {1, 0}; /* of the sizes */
static wf_device_info device;
static const wf_type types[] = {WF_F32, WF_F64, WF_I32, WF_I64, WF_U32, WF_U64};

/* ---- Rungs --------------------------------------------------------------------------------------------------------
 */

typedef struct combination {
    size_t rung;
    wf_type type;
    bool descending, is_pairs, heeds_tile;
    size_t number;
} combination;

static void check_rung(const combination *spec, uint32_t tile_size, unsigned kind, size_t count, bool in_place) {
    const size_t element = wf_type_size(spec->type), bytes = count * element;
    const wf_rung_options options = {.type = spec->type, .tile_size = tile_size, .descending = spec->descending};
    const size_t result_bytes = bytes + (spec->is_pairs ? count * sizeof(uint32_t) : 0);
    void *keys = make_keys(spec->type, kind, count, 1 + count);
    guarded in = guard(context, count % 5 * element, bytes), out = guard(context, count % 3 * element, result_bytes);
    require(wf_copy_to_device(context, inside(&in), keys, bytes));
    wf_rung_report report;
    require(wf_rung_run(context, spec->rung, &options, inside(&in), count, inside(in_place ? &in : &out),
                        bytes_of_rung_result(spec->rung, &options, count), &report));
    assert_int_equal(report.depth, 0);
    assert_int_equal(report.flushes, 0);
    assert_true(count == 0 ? report.launches == 0 : report.launches > 0 && report.threads > 0);

    void *after = release(context, &in), *result = release(context, &out);
    if (!in_place)
        assert_memory_equal(after, keys, bytes);
    check_keys(&(sort_order){.type = spec->type, .descending = spec->descending}, keys, in_place ? after : result,
               count);
    if (spec->is_pairs) {
        const uint32_t *positions = (const uint32_t *)((const char *)result + bytes);
        uint64_t *of = memory_of(count * sizeof *of);
        for (size_t i = 0; i < count; i++)
            of[i] = positions[i];
        check_positions(spec->type, keys, result, of, count);
        free(of);
    }
    free(after);
    free(result);
    free(keys);
}

/* Around powers of two, the networks' tiles of 512 to 8192 elements among them, and primes. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,   16,   17,    31,
                               32,   33,   63,   64,   65,   127,  128,  129,  257,  509,  511,  512,   513,
                               1023, 1024, 1025, 2047, 2048, 2049, 4093, 4096, 4097, 8192, 8193, 12289, 16385};
static const size_t large_sizes[] = {40961, 65521, 65536, 65537, 69997, 70001};

static void test_rung(void **state) {
    const combination *spec = *state;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (unsigned kind = 0; kind < KINDS && data_takes(share, s); kind++)
            if (s % 8 == 1 || kind == s % KINDS || kind == (s + spec->number + 1) % KINDS)
                check_rung(spec, 0, kind, sizes[s], !spec->is_pairs && (s + kind) % 2 == 0);
    if (data_takes(share, spec->number / COUNT(large_sizes) + spec->number))
        check_rung(spec, 0, spec->number % 2 ? RANDOM_BITS : SPECIAL, large_sizes[spec->number % COUNT(large_sizes)],
                   !spec->is_pairs && spec->descending);

    static const uint32_t tile_sizes[] = {2, 4, 32, 64, 1024};
    for (size_t t = 0; spec->heeds_tile && t < COUNT(tile_sizes); t++) {
        const size_t tile = 2 * tile_sizes[t];
        const size_t of_tile[] = {1, tile - 1, tile, tile + 1, 3 * tile - 1, 5 * tile + 1};
        for (size_t s = 0; s < COUNT(of_tile); s++)
            if (data_takes(share, s))
                check_rung(spec, tile_sizes[t], (unsigned)((s + spec->number) % KINDS), of_tile[s], false);
    }
}

static void test_rung_misuse(void **state) {
    (void)state;
    size_t keys, pairs;
    require(wf_rung_find("bitonic", &keys));
    require(wf_rung_find("bitonic_pairs", &pairs));
    char *memory;
    require(wf_malloc(context, (void **)&memory, 4096));
    const wf_rung_options good = {.type = WF_U32};
    refuses(wf_rung_run(context, keys, &good, memory, 8, memory + 4, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_rung_run(context, pairs, &good, memory, 8, memory, bytes_of_rung_result(pairs, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_rung_run(context, keys, &good, memory + 24, 8, memory, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    const uint32_t values[8] = {3, 1, 2};
    require(wf_copy_to_device(context, memory + 32, values, sizeof values));
    require(wf_rung_run(context, keys, &good, memory + 32, 8, memory, bytes_of_rung_result(keys, &good, 8),
                        NULL)); /* one behind the other */
    refuses(wf_rung_run(context, keys, &good, memory, 8, NULL, 0, NULL), WF_INVALID_ARGUMENT,
            "'result' must not be NULL");
    refuses(wf_rung_run(context, keys, &good, NULL, 8, memory, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "'in' must not be NULL");
    refuses(wf_rung_run(context, keys, &good, memory, 8, memory + 1026, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_rung_run(context, keys, &(wf_rung_options){.type = WF_U8}, memory, 8, memory,
                        bytes_of_rung_result(keys, &(wf_rung_options){.type = WF_U8}, 8), NULL),
            WF_UNSUPPORTED, "bitonic takes keys of 4 and 8 bytes, not u8");
    refuses(wf_rung_run(context, keys, &(wf_rung_options){.tile_size = 48}, memory, 8, memory,
                        bytes_of_rung_result(keys, &(wf_rung_options){.tile_size = 48}, 8), NULL),
            WF_INVALID_ARGUMENT, "power of two");
    refuses(wf_rung_run(context, pairs, &good, memory, (size_t)UINT32_MAX + 2, memory + 4,
                        bytes_of_rung_result(pairs, &good, (size_t)UINT32_MAX + 2), NULL),
            WF_UNSUPPORTED, "positions in 32 bits");
    require(wf_rung_run(context, keys, &(wf_rung_options){.op = (wf_op)99}, NULL, 0, NULL, 0, NULL));
    wf_free(context, memory);
}

/* Launches, as the networks have them. */
static void test_reports(void **state) {
    (void)state;
    static const struct {
        const char *rung;
        wf_rung_options options;
        size_t count;
        uint32_t launches, tile_size;
        uint64_t threads;
    } rows[] = {
        {"bitonic", {.tile_size = 0}, 512, 1, 256, 256},
        {"bitonic", {.tile_size = 0}, 513, 1 + 2, 256, 512},
        /* blocks of 1024 to 8192: 1 to 4 long strides each, and the tiles */
        {"bitonic_pairs", {.tile_size = 0}, 8000, 1 + 2 + 3 + 4 + 5, 256, 4096},
        {"bitonic", {.tile_size = 2, .type = WF_F64}, 16, 1 + 2 + 3, 2, 8},
        {"bitonic_registers", {.tile_size = 0}, 8192, 1, 512, 512},
        {"bitonic_registers", {.tile_size = 0}, 8193, 1 + 2, 512, 1024},
        {"bitonic_registers", {.type = WF_F64}, 8193, 1 + 2 + 2, 256, 1024},
    };
    void *memory, *result;
    require(wf_malloc(context, &memory, 8193 * 12));
    require(wf_malloc(context, &result, 8193 * 12));
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t rung;
        wf_rung_report report;
        require(wf_rung_find(rows[i].rung, &rung));
        require(wf_rung_run(context, rung, &rows[i].options, memory, rows[i].count, result,
                            bytes_of_rung_result(rung, &rows[i].options, rows[i].count), &report));
        if (device.max_tiles > 1000 && (report.launches != rows[i].launches || report.threads != rows[i].threads))
            fail_msg("%s, row %zu: %u launches, %llu threads", rows[i].rung, i, report.launches,
                     (unsigned long long)report.threads);
        assert_int_equal(report.tile_size, rows[i].tile_size);
        assert_true(report.device_seconds > 0 && report.total_seconds > 0 && report.total_seconds < 60);
    }
    wf_free(context, memory);
    wf_free(context, result);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, name) != WF_OK || wf_context_get_device(context, &device) != WF_OK) {
        fprintf(stderr, "test_sorts: %s\n", wf_last_error());
        return 1;
    }
    printf("on %s\n", name);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_rung_misuse),
        cmocka_unit_test(test_reports),
    };
    const size_t most = wf_rung_count() * COUNT(types) * 2 + COUNT(others);
    combination *combinations = calloc(most, sizeof *combinations);
    struct CMUnitTest *tests = calloc(most, sizeof *tests);
    char(*names)[64] = calloc(most, sizeof *names);
    if (combinations == NULL || tests == NULL || names == NULL)
        return 1;
    size_t count = COUNT(others);
    memcpy(tests, others, sizeof others);
    for (size_t rung = 0; rung < wf_rung_count(); rung++) {
        wf_rung_info info;
        if (wf_rung_get_info(rung, &info) != WF_OK)
            return 1;
        if (info.kind != WF_RUNG_SORTS && info.kind != WF_RUNG_SORTS_PAIRS)
            continue;
        for (size_t t = 0; t < 2 * COUNT(types); t++, count++) {
            combinations[count] = (combination){.rung = rung,
                                                .type = types[t / 2],
                                                .descending = t % 2,
                                                .is_pairs = info.kind == WF_RUNG_SORTS_PAIRS,
                                                .heeds_tile = (info.parameters & WF_RUNG_TILE) != 0,
                                                .number = count};
            snprintf(names[count], sizeof names[count], "%s_%s%s", info.name, wf_type_name(types[t / 2]),
                     t % 2 ? "_descending" : "");
            tests[count] = (struct CMUnitTest){
                .name = names[count], .test_func = test_rung, .initial_state = &combinations[count]};
        }
    }
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("sorts", tests, count, NULL, NULL);
    free(names);
    free(tests);
    free(combinations);
    wf_context_destroy(context);
    return failed != 0;
}
