/* Every reducing rung × what it can fold, over sizes, tile sizes, offsets and kinds of data, on one device.
 *
 * usage: test_rungs [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64). PATTERN: which tests, such as 'tiled_1_*' (default:
 *        all). EVERY FIRST: of the sizes, every so manieth, from that one on.
 *
 * Integer data has a pseudo-random full-range weight per element and wraps: leaving one out, or taking one twice,
 * changes the sum. Float data comes twice: integers whose sum is exact in any order, compared bit for bit, and random
 * signed values, compared with the bound that follows from the rung's depth. The rung exact has no bound: its depth is
 * 0, and its result the exact sum, rounded once, to the bit. */
#include "data.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <math.h>
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

static wf_context *context;
static uint32_t wave_width, max_tiles;
static size_t exact_rung;
static data_share share = {1, 0};

typedef struct combination {
    size_t rung;
    wf_reduce_spec spec;
    bool is_core; /* of what every rung takes; the others are tested on fewer sizes */
} combination;

/* Around waves of both widths, tiles of every size above, twice a tile, windows, and some primes. */
static const size_t sizes[] = {0,    1,    2,    3,    5,    7,    8,    9,    15,   16,   17,    31,   32,  33,
                               63,   64,   65,   73,   127,  128,  129,  255,  256,  257,  511,   512,  513, 521,
                               1023, 1024, 1025, 2047, 2048, 2049, 4093, 4095, 4096, 4097, 65521, 65537};
static const size_t parameter_sizes[] = {1, 2, 33, 63, 129, 1023, 1025, 2049, 4097, 5003};

/* Runs one rung over the data, from an address offset elements into its allocation, and compares. */
static void check(const combination *spec, const wf_rung_options *options, const dataset *data, size_t offset) {
    const size_t element = data->info.element_bytes;
    char *memory;
    require(wf_malloc(context, (void **)&memory, (data->count + offset) * element));
    char *in = memory + offset * element;
    require(wf_copy_to_device(context, in, data->values, data->count * element));

    uint64_t result[5] = {0, 0, 0, 0, 0xfeedfeedfeedfeed};
    wf_rung_report report;
    require(wf_rung_run(context, spec->rung, options, in, data->count, result,
                        bytes_of_rung_result(spec->rung, options, data->count), &report));
    assert_true(result[4] == 0xfeedfeedfeedfeed);
    assert_true((report.depth == 0) == (spec->rung == exact_rung || data->count == 0));

    char difference[256];
    if (!data_agrees(data, result, &report, difference, sizeof difference))
        fail_msg("%s data, n %zu, tile %u, tiles %u, window %u, offset %zu: %s", data->name, data->count,
                 options->tile_size, options->tiles, options->window, offset, difference);

    /* The input is the caller's: it must be as it was. */
    void *after = malloc(data->count * element + 1);
    assert_non_null(after);
    require(wf_copy_to_host(context, after, in, data->count * element));
    assert_memory_equal(after, data->values, data->count * element);
    free(after);
    wf_free(context, memory);
}

/* The first two kinds of data tell whether each element counts once, and whether rounding stays in its bound; the
 * others are about special values, for which a few sizes do. */
static void check_kinds(const combination *spec, const wf_rung_options *options, size_t count, bool all_kinds) {
    /* Every place in 16 bytes that an element can stand at. */
    static size_t turn;
    const size_t places = 16 / wf_type_size(spec->spec.type);
    const size_t kinds = data_kinds(&spec->spec);
    for (size_t kind = 0; kind < kinds && (all_kinds || kind < 2); kind++) {
        dataset data = data_make(&spec->spec, kind, count, 1 + count);
        check(spec, options, &data, turn++ % places);
        data_free(&data);
    }
}

/* Fewer sizes for each value of a parameter that the rung heeds. */
static void check_parameter(const combination *spec, const wf_rung_options *options) {
    for (size_t s = 0; s < COUNT(parameter_sizes); s++)
        if (data_takes(share, s) && (spec->is_core || s % 2 == 0))
            check_kinds(spec, options, parameter_sizes[s], false);
}

/* Whether the rung takes tiles of this size, where it need not: exact may take no large ones. */
static bool takes_tile(const combination *spec, const wf_rung_info *info, const wf_rung_options *options) {
    enum { EVERY_DEVICE_HAS = 64 };
    uint64_t of_none[4];
    const wf_status status =
        wf_rung_run(context, spec->rung, options, NULL, 0, of_none, bytes_of_rung_result(spec->rung, options, 0), NULL);
    const bool whole = (info->parameters & WF_RUNG_WHOLE_WAVES) == 0 || options->tile_size % wave_width == 0;
    if (!whole || (spec->rung == exact_rung && options->tile_size > EVERY_DEVICE_HAS))
        assert_true(status == WF_INVALID_ARGUMENT || (whole && status == WF_OK));
    else
        assert_int_equal(status, WF_OK);
    return status == WF_OK;
}

static void test_combination(void **state) {
    const combination *spec = *state;
    wf_rung_info info;
    require(wf_rung_get_info(spec->rung, &info));

    wf_rung_options options = {
        .type = spec->spec.type, .op = spec->spec.op, .accumulator = spec->spec.accumulator, .nan = spec->spec.nan};
    /* test_reduce tries on every size what only wf_reduce's kernel takes. Here only its parameters are tried. */
    const bool tried_elsewhere = !spec->is_core && strcmp(info.name, "wavefold") == 0;
    for (size_t s = 0; s < COUNT(sizes) && !tried_elsewhere; s++) {
        if (!data_takes(share, s) || (!spec->is_core && s / 3 % 3 != spec->spec.op % 3u))
            continue;
        options.tiles = s % 4 == 0 ? 0 : 3; /* the device's default is many more, and as much slower to emulate */
        check_kinds(spec, &options, sizes[s], s % 8 == 1 || !spec->is_core);
    }

    static const uint32_t tile_sizes[] = {2, 32, 64, 1024};
    if (info.parameters & WF_RUNG_TILE)
        for (size_t t = 0; t < COUNT(tile_sizes); t++) {
            options.tile_size = tile_sizes[t];
            if (takes_tile(spec, &info, &options))
                check_parameter(spec, &options);
        }
    options.tile_size = 64;
    static const uint32_t tiles[] = {1, 2, 3, 7, 64};
    if (info.parameters & WF_RUNG_TILES)
        for (size_t t = 0; t < COUNT(tiles); t++) {
            if (tiles[t] > max_tiles)
                continue;
            options.tiles = tiles[t];
            check_parameter(spec, &options);
        }
    static const uint32_t windows[] = {2, 3, 7, 16, 1024};
    if (info.parameters & WF_RUNG_WINDOW)
        for (size_t w = 0; w < COUNT(windows); w++) {
            options.window = windows[w];
            check_parameter(spec, &options);
        }
}

/* More tiles than a tile has threads: who joins them takes several each. */
static void test_more_tiles_than_threads(void **state) {
    (void)state;
    enum { TILE = 64, TILES = 3 * TILE + 5, ELEMENTS = 20011 };
    static const wf_op ops[] = {WF_SUM, WF_MATMUL};
    if (max_tiles < TILES) /* launches are cut into pieces */
        skip();
    for (size_t i = 0; i < wf_rung_count() * COUNT(ops); i++) {
        const combination spec = {
            i / COUNT(ops), {.type = WF_I32, .op = ops[i % COUNT(ops)], .accuracy = WF_ACCURACY_FAST}, true};
        const wf_rung_options options = {.type = WF_I32, .op = spec.spec.op, .tile_size = TILE, .tiles = TILES};
        wf_rung_info info;
        require(wf_rung_get_info(spec.rung, &info));
        if (info.kind != WF_RUNG_REDUCES || (info.parameters & WF_RUNG_TILES) == 0 ||
            wf_rung_supports(spec.rung, &options) != WF_OK)
            continue;
        dataset data = data_make(&spec.spec, 0, ELEMENTS, 1);
        check(&spec, &options, &data, i % 3);
        data_free(&data);
    }
}

/* Finite elements of every exponent, and each but the last few also with the other sign: what is left of the sum is
 * small, beyond any window, and lost to whoever rounds on the way. */
static void put_all_exponents(const dataset *data, uint64_t seed) {
    const size_t size = wf_type_size(data->spec.type), count = data->count, pairs = count > 8 ? (count - 8) / 2 : 0;
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = data_hash(seed ^ (i < 2 * pairs ? i / 2 : i));
        bits &= data->spec.type == WF_F16    ? ~UINT64_C(0x0400)
                : data->spec.type == WF_F64  ? ~(UINT64_C(1) << 52)
                : data->spec.type == WF_BF16 ? ~UINT64_C(0x80)
                                             : ~UINT64_C(0x800000);
        bits ^= i < 2 * pairs && i % 2 != 0 ? sign : 0;
        memcpy((char *)data->values + i * size, &bits, size);
    }
}

/* What a window cannot hold, in several shapes. */
static void test_exact_of_all_exponents(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F32, WF_F64, WF_F16, WF_BF16};
    static const wf_op ops[] = {WF_SUM, WF_ASUM, WF_SUMSQ};
    static const wf_accumulator accumulators[] = {WF_ACCUMULATE_DEFAULT, WF_ACCUMULATE_F64};
    static const size_t counts[] = {1, 9, 67, 1025, 5003};
    static const wf_rung_options shapes[] = {
        {.tiles = 1, .tile_size = 64}, {.tiles = 3, .tile_size = 128}, {.tiles = 7, .tile_size = 64}};
    for (size_t c = 0; c < COUNT(types) * COUNT(ops) * COUNT(accumulators); c++) {
        const combination spec = {exact_rung,
                                  {.type = types[c % COUNT(types)],
                                   .op = ops[c / COUNT(types) % COUNT(ops)],
                                   .accumulator = accumulators[c / COUNT(types) / COUNT(ops)],
                                   .accuracy = WF_ACCURACY_FAST},
                                  false};
        wf_rung_options options = {.type = spec.spec.type, .op = spec.spec.op, .accumulator = spec.spec.accumulator};
        if (spec.spec.type == WF_F64 && spec.spec.op == WF_SUMSQ) {
            assert_int_equal(wf_rung_supports(exact_rung, &options), WF_UNSUPPORTED);
            continue;
        }
        for (size_t s = 0; s < COUNT(shapes) * COUNT(counts); s++) {
            const wf_rung_options *shape = &shapes[s / COUNT(counts)];
            if (!data_takes(share, s) || shape->tiles > max_tiles)
                continue;
            options.tiles = shape->tiles;
            options.tile_size = shape->tile_size;
            dataset data = data_make(&spec.spec, 1, counts[s % COUNT(counts)], 1);
            data.name = "all exponents";
            put_all_exponents(&data, s);
            check(&spec, &options, &data, s % (16 / wf_type_size(spec.spec.type)));
            data_free(&data);
        }
    }
}

/* Arrays that a tile has to itself, of as many packs as its threads take at once, and of a few more or less. */
static void test_short_arrays(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F32, WF_F64, WF_I64, WF_I32, WF_U16, WF_I8};
    static const wf_op ops[] = {WF_SUM, WF_MIN, WF_ARGMAX, WF_MINMAX};
    enum { TILE_SIZE = 64, MOST_PACKS = 5 };
    combination spec = {0, {.accuracy = WF_ACCURACY_FAST}, false};
    require(wf_rung_find("wavefold", &spec.rung));
    for (size_t c = 0; c < COUNT(types) * COUNT(ops); c++) {
        spec.spec.type = types[c % COUNT(types)];
        spec.spec.op = ops[c / COUNT(types)];
        const wf_rung_options options = {
            .type = spec.spec.type, .op = spec.spec.op, .tile_size = TILE_SIZE, .tiles = 1};
        const size_t in_pack = 16 / wf_type_size(spec.spec.type);
        for (size_t packs = 1; packs <= MOST_PACKS; packs++) {
            const size_t count = packs * TILE_SIZE * in_pack, counts[] = {count - 1, count, count + 1, count + in_pack};
            for (size_t k = 0; k < COUNT(counts); k++)
                if (data_takes(share, k + packs))
                    check_kinds(&spec, &options, counts[k], false);
        }
    }
}

/* The data of ordered operators must show the order: with elements i and j exchanged, for any i and j, the result is
 * another. Exact floats have too few values for that to hold of every pair, so some pairs may go unseen; i32 goes the
 * same way. */
static void test_order_shows(void **state) {
    (void)state;
    enum { LENGTH = 65 };
    static const wf_op ops[] = {WF_MATMUL, WF_AFFINE};
    static const wf_type types[] = {WF_I32, WF_F32, WF_F64};
    size_t sequential;
    require(wf_rung_find("sequential", &sequential));
    for (size_t c = 0; c < COUNT(ops) * COUNT(types); c++) {
        const wf_reduce_spec spec = {.type = types[c / 2], .op = ops[c % 2]};
        const wf_rung_options options = {.type = spec.type, .op = spec.op};
        dataset data = data_make(&spec, 0, LENGTH, 7);
        const size_t element = data.info.element_bytes;
        const char *values = data.values;
        void *memory;
        require(wf_malloc(context, &memory, LENGTH * element));
        size_t pairs = 0, unseen = 0;
        for (size_t i = 0; i < LENGTH; i++)
            for (size_t j = i + 1; j < LENGTH; j++) {
                uint64_t result[4];
                wf_rung_report report;
                char difference[256];
                require(wf_copy_to_device(context, memory, values, LENGTH * element));
                require(wf_copy_to_device(context, (char *)memory + i * element, values + j * element, element));
                require(wf_copy_to_device(context, (char *)memory + j * element, values + i * element, element));
                require(wf_rung_run(context, sequential, &options, memory, LENGTH, result,
                                    bytes_of_rung_result(sequential, &options, LENGTH), &report));
                pairs++;
                unseen += data_agrees(&data, result, &report, difference, sizeof difference);
            }
        if (spec.type == WF_I32 ? unseen != 0 : unseen * 5 > pairs)
            fail_msg("%s of %s: %zu of %zu exchanges go unseen", wf_op_name(spec.op), wf_type_name(spec.type), unseen,
                     pairs);
        wf_free(context, memory);
        data_free(&data);
    }
}

/* The least of zeros is -0 and the largest +0, wherever the one among the others stands. */
static void test_signed_zeros(void **state) {
    (void)state;
    enum { LENGTH = 70 };
    static const size_t places[] = {0, 1, 35, LENGTH - 1};
    float *memory;
    require(wf_malloc(context, (void **)&memory, LENGTH * sizeof *memory));
    for (size_t rung = 0; rung < wf_rung_count(); rung++)
        for (size_t turn = 0; turn < 2 * COUNT(places); turn++) {
            const wf_rung_options options = {.type = WF_F32, .op = turn % 2 == 0 ? WF_MIN : WF_MAX};
            const float usual = turn % 2 == 0 ? 0.0F : -0.0F;
            wf_rung_info info;
            require(wf_rung_get_info(rung, &info));
            if (info.kind != WF_RUNG_REDUCES || wf_rung_supports(rung, &options) != WF_OK)
                continue;
            float values[LENGTH], result = 1;
            for (size_t i = 0; i < LENGTH; i++)
                values[i] = i == places[turn / 2] ? -usual : usual;
            require(wf_copy_to_device(context, memory, values, sizeof values));
            require(wf_rung_run(context, rung, &options, memory, LENGTH, &result,
                                bytes_of_rung_result(rung, &options, LENGTH), NULL));
            if (result != 0 || signbit(result) != signbit(-usual))
                fail_msg("%s: %g is the %s of zeros", info.name, (double)result, turn % 2 == 0 ? "least" : "largest");
        }
    wf_free(context, memory);
}

/* Every reduction of the table that a rung takes; how many there are of them. */
static size_t list_combinations(size_t rung, combination *list) {
    static const wf_accumulator accumulators[] = {WF_ACCUMULATE_DEFAULT, WF_ACCUMULATE_I32, WF_ACCUMULATE_I64,
                                                  WF_ACCUMULATE_U32,     WF_ACCUMULATE_U64, WF_ACCUMULATE_F32,
                                                  WF_ACCUMULATE_F64};
    size_t count = 0;
    wf_rung_info info;
    require(wf_rung_get_info(rung, &info));
    if (info.kind != WF_RUNG_REDUCES)
        return 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op < WF_OP_COUNT; op++)
            for (size_t a = 0; a < COUNT(accumulators); a++)
                for (int nan = WF_NAN_PROPAGATE; nan <= WF_NAN_IGNORE; nan++) {
                    const wf_rung_options options = {
                        .type = (wf_type)type, .op = (wf_op)op, .accumulator = accumulators[a], .nan = (wf_nan)nan};
                    const wf_reduce_spec spec = {.type = options.type,
                                                 .op = options.op,
                                                 .accumulator = options.accumulator,
                                                 .nan = options.nan,
                                                 .accuracy = WF_ACCURACY_FAST};
                    wf_reduce_spec usual = spec;
                    usual.accumulator = WF_ACCUMULATE_DEFAULT;
                    wf_reduction_info info_of, by_default;
                    if (wf_rung_supports(rung, &options) != WF_OK || wf_reduction_get_info(&spec, &info_of) != WF_OK ||
                        wf_reduction_get_info(&usual, &by_default) != WF_OK ||
                        (a != 0 && info_of.accumulator == by_default.accumulator)) /* the default's name */
                        continue;
                    list[count++] =
                        (combination){rung, spec, type <= WF_I64 && op <= WF_MAX && a == 0 && nan == WF_NAN_PROPAGATE};
                }
    return count;
}

int main(int argc, char **argv) {
    const char *device = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, device) != WF_OK) {
        fprintf(stderr, "test_rungs: %s\n", wf_last_error());
        return 1;
    }
    wf_device_info about;
    if (wf_context_get_device(context, &about) != WF_OK)
        return 1;
    wave_width = about.wave_width;
    max_tiles = about.max_tiles;
    if (wf_rung_find("exact", &exact_rung) != WF_OK)
        return 1;
    printf("on %s\n", device);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);

    enum { MOST = (int)WF_TYPE_COUNT * (int)WF_OP_COUNT * 14 };
    const size_t most = wf_rung_count() * MOST;
    combination *combinations = calloc(most, sizeof *combinations);
    struct CMUnitTest *tests = calloc(most + 5, sizeof *tests);
    char(*names)[64] = calloc(most, sizeof *names);
    if (combinations == NULL || tests == NULL || names == NULL)
        return 1;
    size_t count = 0;
    for (size_t rung = 0; rung < wf_rung_count() && count < most; rung++)
        count += list_combinations(rung, combinations + count);
    for (size_t i = 0; i < count; i++) {
        static const char *const in[] = {"", "_in_i32", "_in_i64", "_in_u32", "_in_u64", "_in_f32", "_in_f64"};
        combination *spec = &combinations[i];
        wf_rung_info info;
        if (wf_rung_get_info(spec->rung, &info) != WF_OK)
            return 1;
        snprintf(names[i], sizeof names[i], "%s_%s_%s%s%s", info.name, wf_type_name(spec->spec.type),
                 wf_op_name(spec->spec.op), in[spec->spec.accumulator],
                 spec->spec.nan == WF_NAN_IGNORE ? "_ignoring_nan" : "");
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_combination, .initial_state = spec};
    }
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_order_shows);
    tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(test_exact_of_all_exponents);
    tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(test_more_tiles_than_threads);
    tests[count + 3] = (struct CMUnitTest)cmocka_unit_test(test_signed_zeros);
    tests[count + 4] = (struct CMUnitTest)cmocka_unit_test(test_short_arrays);
    const int failed = _cmocka_run_group_tests("rungs", tests, count + 5, NULL, NULL);
    free(names);
    free(tests);
    free(combinations);
    wf_context_destroy(context);
    return failed != 0;
}
