/* Every rung that scans × type × operator, over sizes, tile sizes, offsets and kinds of data, on one device; and
 * wf_scan.
 *
 * usage: test_scans [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64). PATTERN: which tests, such as 'blelloch_*' (default:
 *        all). EVERY FIRST: of the sizes, every so manieth, from that one on.
 *
 * Every element of the result is compared with a reference that goes along the array: integers, min, max and exact
 * floats bit for bit (zeros by value), other floats with the bound that follows from the rung's depth. */
#include "data.h"
#include "numbers.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static wf_context *context;
static data_share share = {1, 0}; /* of the sizes */
static uint32_t wave_width;

/* ---- The reference ---- */

/* The fold of the elements so far. */
typedef struct so_far {
    size_t count;
    uint64_t integers[4];
    long double values[4], magnitudes[4]; /* the floats' own, and of their absolute values */
    size_t extreme;                       /* where the least or largest stands, if count is not 0 */
} so_far;

static so_far start_of(const dataset *data) {
    so_far sum = {0};
    if (data->spec.op == WF_MATMUL || data->spec.op == WF_AFFINE) /* a, b, c, d; a, b */
        sum = (so_far){.integers = {1, 0, 0, 1}, .values = {1, 0, 0, 1}, .magnitudes = {1, 0, 0, 1}};
    return sum;
}

/* into = into * m or, for a map, m after into: of any kind of number. */
#define COMPOSE(kind, into, m, is_matrix)                                                                              \
    do {                                                                                                               \
        const kind q[4] = {(into)[0], (into)[1], (into)[2], (into)[3]};                                                \
        (into)[0] = (is_matrix) ? q[0] * (m)[0] + q[1] * (m)[2] : (m)[0] * q[0];                                       \
        (into)[1] = (is_matrix) ? q[0] * (m)[1] + q[1] * (m)[3] : (m)[0] * q[1] + (m)[1];                              \
        (into)[2] = q[2] * (m)[0] + q[3] * (m)[2];                                                                     \
        (into)[3] = q[2] * (m)[1] + q[3] * (m)[3];                                                                     \
    } while (0)

static void take_in(const dataset *data, so_far *sum) {
    const wf_type type = data->spec.type;
    const wf_op op = data->spec.op;
    const size_t i = sum->count++, scalars = data->info.result_values;
    if (op == WF_MIN || op == WF_MAX) {
        const size_t best = sum->extreme;
        if (i == 0 ||
            (!number_is_nan(type, data->values, best) &&
             (number_is_nan(type, data->values, i) ||
              (op == WF_MIN ? number_less(type, data->values, i, best) : number_less(type, data->values, best, i)))))
            sum->extreme = i;
        return;
    }
    uint64_t integers[4] = {0};
    long double values[4] = {0}, magnitudes[4] = {0};
    for (size_t k = 0; k < scalars; k++) {
        if (!number_is_float(type))
            integers[k] = number_integer(type, data->values, i * scalars + k);
        values[k] = number_value(type, data->values, i * scalars + k);
        magnitudes[k] = fabsl(values[k]);
    }
    if (op == WF_SUM) {
        sum->integers[0] += integers[0];
        sum->values[0] += values[0];
        sum->magnitudes[0] += magnitudes[0];
    } else {
        COMPOSE(uint64_t, sum->integers, integers, op == WF_MATMUL);
        COMPOSE(long double, sum->values, values, op == WF_MATMUL);
        COMPOSE(long double, sum->magnitudes, magnitudes, op == WF_MATMUL);
    }
}

static bool extreme_agrees(const dataset *data, const so_far *sum, const void *result, size_t i) {
    const wf_type type = data->spec.type;
    if (sum->count == 0)
        return number_bits(type, result, i) == number_extreme(type, data->spec.op == WF_MIN);
    if (number_is_nan(type, data->values, sum->extreme))
        return number_is_nan(type, result, i);
    return number_bits(type, result, i) == number_bits(type, data->values, sum->extreme);
}

/* Number k of the element number i. Twice the precision of the terms (80-bit extended) is not exact, but its own error
 * is part of the bound. */
static bool float_agrees(const dataset *data, const so_far *sum, const void *result, size_t i, size_t k,
                         uint64_t depth) {
    static const char *const exact[] = {"exact", "signed zeros", "subnormal"};
    const wf_type type = data->spec.type;
    const double got = number_float(type, result, i * data->info.result_values + k);
    const long double value = sum->values[k];
    if (!isfinite((double)value))
        return isnan(value) ? isnan(got) : got == (double)value;
    for (size_t e = 0; e < COUNT(exact); e++)
        if (strcmp(data->name, exact[e]) == 0)
            return (long double)got == value;
    long double operations = (long double)depth, tiny = 0;
    if (data->spec.op != WF_SUM) { /* every element brings a multiplication, which may leave the normal numbers */
        operations += (long double)sum->count;
        tiny = operations * 4 * number_smallest(type) * (1 + (long double)sum->count);
    }
    const long double relative = expm1l(operations * ldexpl(1, -number_precision(type)));
    const long double bound =
        sum->magnitudes[k] * (relative + (operations + (long double)sum->count) * 0x1p-62L) + tiny;
    return fabsl((long double)got - value) <= bound;
}

static bool element_agrees(const dataset *data, const so_far *sum, const void *result, size_t i, uint64_t depth) {
    const wf_type type = data->spec.type;
    const size_t scalars = data->info.result_values;
    if (data->spec.op == WF_MIN || data->spec.op == WF_MAX)
        return extreme_agrees(data, sum, result, i);
    bool agrees = true;
    for (size_t k = 0; k < scalars; k++) {
        char wrapped[8] = {0};
        number_put_integer(type, wrapped, 0, sum->integers[k]);
        agrees = agrees &&
                 (number_is_float(type) ? float_agrees(data, sum, result, i, k, depth)
                                        : number_bits(type, result, i * scalars + k) == number_bits(type, wrapped, 0));
    }
    return agrees;
}

/* The first element that is not what it should be; count if all are. */
static size_t first_wrong(const dataset *data, bool exclusive, const void *result, uint64_t depth) {
    so_far sum = start_of(data);
    for (size_t i = 0; i < data->count; i++) {
        if (!exclusive)
            take_in(data, &sum);
        if (!element_agrees(data, &sum, result, i, depth))
            return i;
        if (exclusive)
            take_in(data, &sum);
    }
    return data->count;
}

/* ---- Runs ---- */

/* How far behind an aligned address the arrays start, in numbers of the type; or the result is in itself. */
typedef struct layout {
    size_t in, result;
    bool in_place;
} layout;

/* An array in device memory, and what lies around it. */
typedef struct fenced {
    unsigned char *memory;
    unsigned char *array;
    size_t before, bytes;
} fenced;

enum { FENCE = 64, FENCE_BYTE = 0x5a };

static size_t fenced_bytes(const fenced *of) {
    return of->before + of->bytes + FENCE;
}

static fenced fenced_make(size_t offset, size_t bytes, const void *values) {
    fenced made = {.before = FENCE + offset, .bytes = bytes};
    unsigned char *all = malloc(fenced_bytes(&made));
    assert_non_null(all);
    memset(all, FENCE_BYTE, fenced_bytes(&made));
    if (values != NULL)
        memcpy(all + made.before, values, bytes);
    require(wf_malloc(context, (void **)&made.memory, fenced_bytes(&made)));
    require(wf_copy_to_device(context, made.memory, all, fenced_bytes(&made)));
    made.array = made.memory + made.before;
    free(all);
    return made;
}

/* What the array holds now, which the caller frees; the fences must stand. */
static void *fenced_free(fenced *of) {
    unsigned char *all = malloc(fenced_bytes(of));
    assert_non_null(all);
    require(wf_copy_to_host(context, all, of->memory, fenced_bytes(of)));
    for (size_t i = 0; i < of->before; i++)
        assert_int_equal(all[i], FENCE_BYTE);
    for (size_t i = of->before + of->bytes; i < fenced_bytes(of); i++)
        assert_int_equal(all[i], FENCE_BYTE);
    memmove(all, all + of->before, of->bytes);
    wf_free(context, of->memory);
    return all;
}

static const layout layouts[] = {{0, 0, false}, {1, 1, false}, {3, 0, false}, {0, 1, false},
                                 {2, 2, true},  {3, 3, true},  {0, 0, true}};

static void check(size_t rung, const wf_rung_options *options, const dataset *data, const layout *at) {
    const size_t number = wf_type_size(data->spec.type), bytes = data->count * data->info.element_bytes;
    fenced in = fenced_make(at->in * number, bytes, data->values);
    fenced result = fenced_make(at->result * number, bytes, NULL);
    wf_rung_report report;
    require(wf_rung_run(context, rung, options, in.array, data->count, at->in_place ? in.array : result.array,
                        bytes_of_rung_result(rung, options, data->count), &report));
    void *in_after = fenced_free(&in), *result_after = fenced_free(&result);
    const size_t wrong = first_wrong(data, options->exclusive, at->in_place ? in_after : result_after, report.depth);
    if (wrong != data->count)
        fail_msg("%s data, n %zu, tile %u, %s, offsets %zu and %zu%s: element %zu is wrong", data->name, data->count,
                 options->tile_size, options->exclusive ? "exclusive" : "inclusive", at->in, at->result,
                 at->in_place ? ", in place" : "", wrong);
    if (!at->in_place)
        assert_memory_equal(in_after, data->values, bytes);
    free(in_after);
    free(result_after);
}

typedef struct combination {
    size_t rung;
    wf_reduce_spec spec;
} combination;

/* The first two kinds of data tell whether each element counts once, in its place, and whether rounding stays in its
 * bound; the others are about special values, for which a few sizes do. Layouts take turns. */
static void check_kinds(const combination *of, wf_rung_options options, size_t count, bool all_kinds) {
    static size_t turn;
    const size_t kinds = data_kinds(&of->spec);
    for (size_t kind = 0; kind < kinds && (all_kinds || kind < 2); kind++) {
        dataset data = data_make(&of->spec, kind, count, 1 + count);
        options.exclusive = turn % 2;
        check(of->rung, &options, &data, &layouts[turn++ % COUNT(layouts)]);
        options.exclusive = !options.exclusive;
        if (count < 2100)
            check(of->rung, &options, &data, &layouts[turn++ % COUNT(layouts)]);
        data_free(&data);
    }
}

/* Around waves of both widths, tiles of every size above, several tiles, and some primes. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    15,   16,   17,   31,   32,
                               33,   63,   64,   65,   127,  128,  129,  255,  256,  257,  511,  512,  513,
                               1023, 1024, 1025, 2047, 2048, 2049, 4093, 4095, 4096, 4097, 8191, 8192, 8193};

/* Enough tiles to look back further than a wave is wide, and three levels of sums; and each layout, at a size where the
 * first and the last tile are not whole. */
static void test_combination(void **state) {
    const combination *of = *state;
    wf_rung_info info;
    require(wf_rung_get_info(of->rung, &info));
    assert_int_equal(info.kind, WF_RUNG_SCANS);
    wf_rung_options options = {.type = of->spec.type, .op = of->spec.op};
    for (size_t s = 0; s < COUNT(sizes); s++)
        if (data_takes(share, s))
            check_kinds(of, options, sizes[s], s % 8 == 1);

    static const uint32_t tile_sizes[] = {2, 32, 64, 1024};
    static const size_t tile_counts[] = {1, 33, 1025, 5003, 40009};
    for (size_t t = 0; t < COUNT(tile_sizes); t++) {
        options.tile_size = tile_sizes[t];
        if ((info.parameters & WF_RUNG_WHOLE_WAVES) && tile_sizes[t] % wave_width != 0) {
            refuses(wf_rung_run(context, of->rung, &options, NULL, 0, NULL, 0, NULL), WF_INVALID_ARGUMENT, "multiple");
            continue;
        }
        for (size_t s = 0; s < COUNT(tile_counts); s++)
            if (data_takes(share, s) && (tile_counts[s] < 10000 || tile_sizes[t] == 64 || tile_sizes[t] == 1024))
                check_kinds(of, options, tile_counts[s], false);
    }
    options.tile_size = 64;
    dataset data = data_make(&of->spec, 0, 4099, 5);
    for (size_t l = 0; l < COUNT(layouts); l++)
        for (options.exclusive = 0; options.exclusive < 2; options.exclusive++)
            check(of->rung, &options, &data, &layouts[l]);
    data_free(&data);
}

/* ---- wf_scan ---- */

static void test_wf_scan(void **state) {
    (void)state;
    static const wf_reduce_spec folds[] = {{.type = WF_F32, .accuracy = WF_ACCURACY_FAST},
                                           {.type = WF_I64},
                                           {.type = WF_F64, .op = WF_MAX},
                                           {.type = WF_I32, .op = WF_AFFINE},
                                           {.type = WF_F64, .op = WF_MATMUL}};
    static const size_t counts[] = {0, 1, 5003, 17, 20011}; /* the workspace grows twice */
    wf_context *own;
    wf_device_info device;
    require(wf_context_get_device(context, &device));
    require(wf_context_create(&own, device.id));
    for (size_t c = 0; c < COUNT(counts) * COUNT(folds); c++) {
        const wf_reduce_spec *fold = &folds[c % COUNT(folds)];
        dataset data = data_make(fold, 0, counts[c / COUNT(folds)], c);
        const size_t bytes = data.count * data.info.element_bytes;
        for (uint32_t run = 0; run < 4; run++) {
            const wf_scan_spec spec = {.reduce = {.type = fold->type, .op = fold->op}, .exclusive = run % 2 * 7};
            void *in, *result, *after = malloc(bytes + 1);
            assert_non_null(after);
            require(wf_malloc(own, &in, bytes));
            require(wf_malloc(own, &result, bytes));
            require(wf_copy_to_device(own, in, data.values, bytes));
            if (run < 2)
                require(wf_scan(own, &spec, in, data.count, result));
            else
                require(wf_scan_async(own, &spec, in, data.count, in, NULL));
            require(wf_copy_to_host(own, after, run < 2 ? result : in, bytes));
            assert_int_equal(first_wrong(&data, run % 2, after, 0), data.count);
            wf_free(own, in);
            wf_free(own, result);
            free(after);
        }
        data_free(&data);
    }
    require(wf_scan(own, &(wf_scan_spec){0}, NULL, 0, NULL));
    wf_context_destroy(own);
}

static void test_misuse(void **state) {
    (void)state;
    const wf_scan_spec good = {.reduce = {.type = WF_I32}};
    wf_status (*const scan)(wf_context *, const wf_scan_spec *, const void *, size_t, void *) = wf_scan;
    char *memory;
    int before[64], after[64];
    for (int i = 0; i < 64; i++)
        before[i] = i;
    require(wf_malloc(context, (void **)&memory, sizeof before));
    require(wf_copy_to_device(context, memory, before, sizeof before));
    char *result = memory + 128;
    refuses(scan(NULL, &good, memory, 4, result), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(scan(context, NULL, memory, 4, result), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    refuses(scan(context, &good, NULL, 4, result), WF_INVALID_ARGUMENT, "'in' must not be NULL for 4 elements");
    refuses(scan(context, &good, memory, 4, NULL), WF_INVALID_ARGUMENT, "'result' must not be NULL");
    refuses(scan(context, &good, memory + 2, 4, result), WF_INVALID_ARGUMENT, "'in' must be aligned to its type's 4");
    refuses(scan(context, &good, memory, 4, result + 1), WF_INVALID_ARGUMENT, "'result' must be aligned");
    refuses(scan(context, &(wf_scan_spec){.reduce = {.type = WF_F64}}, memory + 4, 4, result), WF_INVALID_ARGUMENT,
            "type's 8");
    refuses(scan(context, &good, memory, 4, memory + 4), WF_INVALID_ARGUMENT, "overlap");
    refuses(scan(context, &good, memory + 12, 4, memory), WF_INVALID_ARGUMENT, "overlap");
    refuses(scan(context, &good, memory, SIZE_MAX / 2, result), WF_INVALID_ARGUMENT, "more than an address space");
    refuses(scan(context, &(wf_scan_spec){.reduce = {.type = WF_TYPE_COUNT}}, memory, 4, result), WF_INVALID_ARGUMENT,
            "unknown");
    refuses(scan(context, &(wf_scan_spec){.reduce = {.op = WF_OP_COUNT}}, memory, 4, result), WF_INVALID_ARGUMENT,
            "unknown");
    refuses(scan(context, &(wf_scan_spec){.reduce = {.op = WF_MEAN}}, memory, 4, result), WF_UNSUPPORTED,
            "no scan by mean");
    refuses(scan(context, &(wf_scan_spec){.reduce = {.type = WF_I64, .op = WF_MATMUL}}, memory, 4, result),
            WF_UNSUPPORTED, "it takes only i32, f32 and f64");
    refuses(scan(context, &good, memory, (size_t)PTRDIFF_MAX / 8, memory), WF_INVALID_ARGUMENT, "its block of ");
    refuses(wf_scan_async(context, &good, NULL, 4, result, NULL), WF_INVALID_ARGUMENT, "'in' must not be NULL");
    wf_device_info device;
    require(wf_context_get_device(context, &device));
    for (size_t count = 0; count <= 4 && strcmp(device.backend, "host") == 0; count += 4)
        refuses(wf_scan_async(context, &good, memory, count, result, before), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");

    size_t rung;
    require(wf_rung_find("look_back", &rung));
    refuses(wf_rung_run(context, rung, &(wf_rung_options){.type = WF_I32}, memory, 4, memory + 4,
                        bytes_of_rung_result(rung, &(wf_rung_options){.type = WF_I32}, 4), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_rung_run(context, rung, &(wf_rung_options){.type = WF_I32}, memory, 4, NULL, 0, NULL),
            WF_INVALID_ARGUMENT, "'result' must not be NULL");
    refuses(wf_rung_run(context, rung, &(wf_rung_options){.op = WF_PRODUCT}, memory, 4, result,
                        bytes_of_rung_result(rung, &(wf_rung_options){.op = WF_PRODUCT}, 4), NULL),
            WF_UNSUPPORTED, "look_back");
    require(wf_copy_to_host(context, after, memory, sizeof after));
    assert_memory_equal(before, after, sizeof before);
    wf_free(context, memory);
}

/* What a rung reports. */
static void test_reports(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t tile_size, launches;
        uint64_t threads, depth[2]; /* with waves of 32 and of 64 */
    } expected[] = {
        {"hillis_steele", 64, 3, 1024, {13, 13}}, /* 16 tiles, their sums in one, and 15 tiles once more */
        {"hillis_steele", 1024, 1, 1024, {10, 10}},
        {"blelloch", 64, 3, 512, {30, 30}}, /* 8 tiles of 128 */
        /* a pack, a wave, its 8 or 4 rows, and the tile's waves; one tile; three prefixes */
        {"look_back", 64, 1, 64, {3 + 10 + 8 + 10 + 1 + 3, 3 + 12 + 4 + 12 + 1 + 3}},
        {"look_back", 1024, 1, 1024, {35, 35}},
    };
    wf_device_info device;
    require(wf_context_get_device(context, &device));
    if (device.max_tiles < 1000) /* launches are cut into pieces */
        skip();
    float *memory;
    require(wf_malloc(context, (void **)&memory, 4000));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const wf_rung_options options = {.tile_size = expected[i].tile_size};
        size_t rung;
        wf_rung_report report;
        require(wf_rung_find(expected[i].name, &rung));
        require(wf_rung_run(context, rung, &options, memory, 1000, memory, bytes_of_rung_result(rung, &options, 1000),
                            &report));
        if (report.launches != expected[i].launches || report.threads != expected[i].threads ||
            report.depth != expected[i].depth[wave_width == 64])
            fail_msg("%s, row %zu: %u launches, %llu threads, depth %llu", expected[i].name, i, report.launches,
                     (unsigned long long)report.threads, (unsigned long long)report.depth);
        assert_true(report.device_seconds > 0 && report.total_seconds > 0 && report.total_seconds < 60);
        assert_int_equal(report.flushes, 0);
    }
    wf_free(context, memory);
}

int main(int argc, char **argv) {
    const char *device = argc > 1 ? argv[1] : "host:64";
    wf_device_info about;
    if (wf_context_create(&context, device) != WF_OK || wf_context_get_device(context, &about) != WF_OK) {
        fprintf(stderr, "test_scans: %s\n", wf_last_error());
        return 1;
    }
    wave_width = about.wave_width;
    printf("on %s\n", device);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);

    const struct CMUnitTest others[] = {cmocka_unit_test(test_wf_scan), cmocka_unit_test(test_misuse),
                                        cmocka_unit_test(test_reports)};
    const size_t most = wf_rung_count() * WF_TYPE_COUNT * WF_OP_COUNT;
    combination *combinations = calloc(most, sizeof *combinations);
    struct CMUnitTest *tests = calloc(most + COUNT(others), sizeof *tests);
    char(*names)[64] = calloc(most, sizeof *names);
    if (combinations == NULL || tests == NULL || names == NULL)
        return 1;
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const wf_rung_options options = {.type = (wf_type)(i / WF_OP_COUNT % WF_TYPE_COUNT),
                                         .op = (wf_op)(i % WF_OP_COUNT)};
        const size_t rung = i / WF_OP_COUNT / WF_TYPE_COUNT;
        wf_rung_info info;
        if (wf_rung_get_info(rung, &info) != WF_OK)
            return 1;
        if (info.kind != WF_RUNG_SCANS || wf_rung_supports(rung, &options) != WF_OK)
            continue;
        combinations[count] =
            (combination){rung, {.type = options.type, .op = options.op, .accuracy = WF_ACCURACY_FAST}};
        snprintf(names[count], sizeof names[count], "%s_%s_%s", info.name, wf_type_name(options.type),
                 wf_op_name(options.op));
        tests[count] = (struct CMUnitTest){
            .name = names[count], .test_func = test_combination, .initial_state = &combinations[count]};
        count++;
    }
    memcpy(tests + count, others, sizeof others);
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    int failed = _cmocka_run_group_tests("scans", tests, count + COUNT(others), NULL, NULL);
    if (count != 4 * (4 * 3 + 3 * 2)) {
        fprintf(stderr, "test_scans: %zu combinations of rung, type and operator\n", count);
        failed = 1;
    }
    free(names);
    free(tests);
    free(combinations);
    wf_context_destroy(context);
    return failed != 0;
}
