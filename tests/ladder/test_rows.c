/* The rungs that reduce rows, columns or segments × type and operator, over sizes, row lengths, tile sizes and kinds of
 * data, on one device.
 *
 * usage: test_rows [DEVICE [PATTERN [EVERY FIRST]]], as test_rungs
 *
 * The elements of each result are gathered and compared as a reduction of their own: see data.h. */
#include "data.h"
#include "ladder/row_shape.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_EMULATED = 1 << 17 /* threads of a launch */, MOST_COMBINATIONS = 64 };

static wf_context *context;
static uint32_t wave_width, max_tiles;
static data_share share = {1, 0};

typedef struct combination {
    size_t rung;
    wf_reduce_spec spec;
    wf_rung_info info;
} combination;

/* Around waves of both widths, around tiles, and primes. */
static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 1021, 4099, 10007};
static const uint32_t row_lengths[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 100000};

static void compare(const combination *spec, const wf_rung_options *options, const dataset *data, const char *got,
                    const wf_rung_report *report) {
    const size_t element = data->info.element_bytes;
    const uint32_t row_length = options->row_length != 0 ? options->row_length : WF_DEFAULT_ROW_LENGTH;
    const uint64_t results = wf_row_results(spec->info.kind, data->count, row_length);
    dataset gathered = *data;
    gathered.kind = data->kind != 0; /* rows without the special values are random, so only their bound is known */
    gathered.values = malloc(data->count * element + 1);
    assert_non_null(gathered.values);
    for (uint64_t r = 0; r < results; r++) {
        const wf_row row = wf_row_of(spec->info.kind, data->count, row_length, r);
        for (uint64_t i = 0; i < row.count; i++)
            memcpy((char *)gathered.values + i * element,
                   (const char *)data->values + (row.first + i * row.stride) * element, element);
        gathered.count = row.count;
        char difference[256];
        if (!data_agrees(&gathered, got + r * element, report, difference, sizeof difference))
            fail_msg("%s data, n %zu, row length %u, tile %u, tiles %u: result %zu of %zu: %s", data->name, data->count,
                     row_length, options->tile_size, options->tiles, (size_t)r, (size_t)results, difference);
    }
    free(gathered.values);
}

/* Runs the rung over the data, from an address `offset` elements into its allocation, and compares. */
static void check(const combination *spec, const wf_rung_options *options, const dataset *data, size_t offset) {
    const size_t element = data->info.element_bytes, bytes = data->count * element;
    const size_t result_bytes = bytes_of_rung_result(spec->rung, options, data->count);
    char *in, *result, *after = malloc(bytes + result_bytes + element);
    assert_non_null(after);
    require(wf_malloc(context, (void **)&in, bytes + offset * element));
    require(wf_malloc(context, (void **)&result, result_bytes + (offset + 1) * element));
    require(wf_copy_to_device(context, in + offset * element, data->values, bytes));
    memset(after, 0xa5, result_bytes + element);
    require(wf_copy_to_device(context, result + offset * element, after, result_bytes + element));

    wf_rung_report report;
    require(wf_rung_run(context, spec->rung, options, in + offset * element, data->count, result + offset * element,
                        result_bytes, &report));
    assert_true((report.depth == 0) == (data->count == 0));
    require(wf_copy_to_host(context, after, result + offset * element, result_bytes + element));
    for (size_t i = 0; i < element; i++)
        if ((unsigned char)after[result_bytes + i] != 0xa5)
            fail_msg("n %zu, row length %u: the element after the last result is written", data->count,
                     options->row_length);
    compare(spec, options, data, after, &report);

    require(wf_copy_to_host(context, after, in + offset * element, bytes));
    assert_memory_equal(after, data->values, bytes);
    free(after);
    wf_free(context, result);
    wf_free(context, in);
}

/* The emulator runs every thread: tiles of single short rows would take minutes. */
static bool is_short(const combination *spec, const wf_rung_options *options, size_t count) {
    const uint32_t tile_size = options->tile_size != 0 ? options->tile_size : 256;
    const uint64_t threads = strcmp(spec->info.name, "row_per_tile") == 0   ? tile_size
                             : strcmp(spec->info.name, "row_per_wave") == 0 ? wave_width
                                                                            : 1;
    return count / options->row_length * threads <= MOST_EMULATED;
}

static void check_kinds(const combination *spec, const wf_rung_options *options, size_t count, bool all_kinds) {
    static size_t turn;
    const size_t kinds = data_kinds(&spec->spec);
    for (size_t kind = 0; kind < kinds && (all_kinds || kind < 2) && is_short(spec, options, count); kind++) {
        dataset data = data_make(&spec->spec, kind, count, 1 + count);
        check(spec, options, &data, turn++ % 4);
        data_free(&data);
    }
}

static bool takes_tile(const combination *spec, uint32_t tile_size) {
    return (spec->info.parameters & WF_RUNG_WHOLE_WAVES) == 0 || tile_size % wave_width == 0;
}

static void test_combination(void **state) {
    const combination *spec = *state;
    static const uint32_t tile_sizes[] = {64, 32, 128, 1024}, tiles[] = {3, 1, 7, 64};
    size_t number = 0;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t r = 0; r < COUNT(row_lengths); r++, number++) {
            if (!data_takes(share, number))
                continue;
            wf_rung_options options = {.type = spec->spec.type, .op = spec->spec.op, .row_length = row_lengths[r]};
            options.tile_size = tile_sizes[number % 7 < 4 ? 0 : number % 7 - 3];
            if (!takes_tile(spec, options.tile_size))
                options.tile_size = 64;
            options.tiles = tiles[number % 4] <= max_tiles ? tiles[number % 4] : 0;
            check_kinds(spec, &options, sizes[s], sizes[s] < 300 && number % 3 == 0);
        }
}

/* A row of 64 elements, tiles of 256 threads, and the device's number of tiles. */
static void test_defaults(void **state) {
    (void)state;
    for (size_t rung = 0; rung < wf_rung_count(); rung++) {
        combination spec = {rung, {.type = WF_I32, .accuracy = WF_ACCURACY_FAST}, {.name = NULL}};
        require(wf_rung_get_info(rung, &spec.info));
        if (!wf_kind_has_rows(spec.info.kind))
            continue;
        const wf_rung_options options = {.type = WF_I32};
        dataset data = data_make(&spec.spec, 0, 20011, 1);
        check(&spec, &options, &data, 1);
        data_free(&data);
    }
}

/* Every element belongs to one segment; some segments are empty, and the longest is much longer than the mean. */
static void test_segments_cover_the_array(void **state) {
    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t r = 0; r < COUNT(row_lengths); r++) {
            const uint64_t segments = wf_row_results(WF_RUNG_SEGMENTS, sizes[s], row_lengths[r]);
            uint64_t next = 0, longest = 0, empty = 0;
            for (uint64_t i = 0; i < segments; i++) {
                const wf_row row = wf_row_of(WF_RUNG_SEGMENTS, sizes[s], row_lengths[r], i);
                assert_int_equal(row.first, next);
                assert_true(row.count <= sizes[s] - row.first);
                next += row.count;
                longest = row.count > longest ? row.count : longest;
                empty += row.count == 0;
            }
            assert_int_equal(next, sizes[s]);
            if (segments >= 32)
                assert_true(longest >= 3 * row_lengths[r] && (empty != 0 || row_lengths[r] > 64));
        }
}

static void test_refused(void **state) {
    (void)state;
    enum { N = 100 };
    int32_t *memory;
    require(wf_malloc(context, (void **)&memory, 2 * N * sizeof *memory));
    for (size_t rung = 0; rung < wf_rung_count(); rung++) {
        wf_rung_info info;
        wf_rung_options options = {.type = WF_I32, .row_length = 10};
        require(wf_rung_get_info(rung, &info));
        if (!wf_kind_has_rows(info.kind))
            continue;
        const size_t bytes = 10 * sizeof *memory;
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, memory + N, bytes, NULL), WF_OK);
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, memory, bytes, NULL), WF_INVALID_ARGUMENT);
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, memory + N - 1, bytes, NULL),
                         WF_INVALID_ARGUMENT);
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, memory + N, bytes - sizeof *memory, NULL),
                         WF_INVALID_ARGUMENT);
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, NULL, bytes, NULL), WF_INVALID_ARGUMENT);
        assert_int_equal(wf_rung_run(context, rung, &options, NULL, 0, NULL, 0, NULL), WF_OK);
        options.reserved[5] = 1;
        assert_int_equal(wf_rung_run(context, rung, &options, memory, N, memory + N, bytes, NULL), WF_INVALID_ARGUMENT);
        options = (wf_rung_options){.type = WF_I32, .op = WF_MATMUL};
        assert_int_equal(wf_rung_supports(rung, &options), WF_UNSUPPORTED);
    }
    wf_free(context, memory);
}

static size_t list_combinations(combination list[MOST_COMBINATIONS]) {
    size_t count = 0;
    for (size_t rung = 0; rung < wf_rung_count(); rung++)
        for (int type = WF_F32; type <= WF_I64; type++)
            for (int op = WF_SUM; op <= WF_MAX; op++) {
                combination one = {
                    rung, {.type = (wf_type)type, .op = (wf_op)op, .accuracy = WF_ACCURACY_FAST}, {.name = NULL}};
                const wf_rung_options options = {.type = one.spec.type, .op = one.spec.op};
                require(wf_rung_get_info(rung, &one.info));
                if (wf_kind_has_rows(one.info.kind) && wf_rung_supports(rung, &options) == WF_OK &&
                    count < MOST_COMBINATIONS)
                    list[count++] = one;
            }
    return count;
}

int main(int argc, char **argv) {
    const char *device = argc > 1 ? argv[1] : "host:64";
    wf_device_info about;
    if (wf_context_create(&context, device) != WF_OK || wf_context_get_device(context, &about) != WF_OK) {
        fprintf(stderr, "test_rows: %s\n", wf_last_error());
        return 1;
    }
    wave_width = about.wave_width;
    max_tiles = about.max_tiles;
    printf("on %s\n", device);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);

    static combination combinations[MOST_COMBINATIONS];
    static struct CMUnitTest tests[MOST_COMBINATIONS + 3];
    static char names[MOST_COMBINATIONS][64];
    const size_t count = list_combinations(combinations);
    for (size_t i = 0; i < count; i++) {
        combination *spec = &combinations[i];
        snprintf(names[i], sizeof names[i], "%s_%s_%s", spec->info.name, wf_type_name(spec->spec.type),
                 wf_op_name(spec->spec.op));
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_combination, .initial_state = spec};
    }
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_defaults);
    tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(test_segments_cover_the_array);
    tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(test_refused);
    const int failed = _cmocka_run_group_tests("rows", tests, count + 3, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
