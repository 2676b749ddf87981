/* The tables of rungs and of reductions, misuse of rungs, which must be refused in words, and what rungs report. */
#include "api_tests.h"

#include <fenv.h>
#include <float.h>
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
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool reduces(size_t rung) {
    wf_rung_info info;
    require(wf_rung_get_info(rung, &info));
    return info.kind == WF_RUNG_REDUCES;
}

void test_rung_table(void **state) {
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
void test_reductions(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec spec;
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
        require(wf_reduction_get_info(&good[i].spec, &info));
        assert_int_equal(info.element_bytes, good[i].element_bytes);
        assert_int_equal(info.result_bytes, good[i].result_bytes);
        assert_int_equal(info.result_values, good[i].result_values);
        assert_int_equal(info.has_index, good[i].has_index);
        assert_string_equal(wf_type_name(info.accumulator), wf_type_name(good[i].accumulator));
        assert_string_equal(wf_type_name(info.result_type), wf_type_name(good[i].result_type));
        assert_int_equal(info.accuracy, good[i].accuracy);
    }
    static const struct {
        wf_reduce_spec spec;
        wf_status status;
        const char *says;
    } bad[] = {
        {{.type = WF_F32, .op = WF_AND}, WF_UNSUPPORTED, "and of f32: bitwise operators take only integers"},
        {{.type = WF_BF16, .op = WF_XOR}, WF_UNSUPPORTED, "xor of bf16"},
        {{.type = WF_I64, .op = WF_MATMUL}, WF_UNSUPPORTED, "matmul of i64: it takes only i32, f32 and f64"},
        {{.type = WF_F16, .op = WF_AFFINE}, WF_UNSUPPORTED, "affine of f16"},
        {{.nan = WF_NAN_IGNORE}, WF_UNSUPPORTED, "sum cannot ignore NaN: min, max, minmax, argmin and argmax can"},
        {{.op = WF_MIN, .accumulator = WF_ACCUMULATE_F64},
         WF_UNSUPPORTED,
         "min keeps the element's type, f32: only sum, product, mean, asum and sumsq have an accumulator"},
        {{.accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "cannot be accumulated in i64, a type of another kind"},
        {{.type = WF_U32, .accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "a type of another kind"},
        {{.type = WF_I32, .accumulator = WF_ACCUMULATE_F64}, WF_UNSUPPORTED, "in f64, a type of another kind"},
        {{.type = WF_F64, .accumulator = WF_ACCUMULATE_F32, .accuracy = WF_ACCURACY_FAST},
         WF_UNSUPPORTED,
         "which is narrower"},
        {{.type = WF_I32, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_F32},
         WF_UNSUPPORTED,
         "mean of i32 cannot be accumulated in f32, a type of another kind; a mean can in f64"},
        {{.type = WF_F64, .op = WF_SUMSQ, .accuracy = WF_ACCURACY_EXACT},
         WF_UNSUPPORTED,
         "no exact sumsq of f64: f64 does not hold the squares"},
        {{.op = WF_PRODUCT, .accuracy = WF_ACCURACY_EXACT},
         WF_UNSUPPORTED,
         "no exact product of f32: sum, mean and asum of floats can be exact"},
        {{.type = WF_I64, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_I64}, WF_UNSUPPORTED, "would soon wrap"},
        {{.type = WF_I8, .op = WF_MEAN, .accumulator = WF_ACCUMULATE_I32}, WF_UNSUPPORTED, "would soon wrap"},
        {{.type = WF_TYPE_COUNT}, WF_INVALID_ARGUMENT, "unknown element type 12: they go from 0 (f32) to 11 (bf16)"},
        {{.op = (wf_op)-1}, WF_INVALID_ARGUMENT, "unknown operator -1: they go from 0 (sum) to 14 (sumsq)"},
        {{.accumulator = (wf_accumulator)7},
         WF_INVALID_ARGUMENT,
         "unknown accumulator 7: they go from 0 (the default) to 6 (f64)"},
        {{.op = WF_MIN, .accumulator = (wf_accumulator)-1}, WF_INVALID_ARGUMENT, "unknown accumulator -1"},
        {{.nan = (wf_nan)2}, WF_INVALID_ARGUMENT, "unknown NaN rule 2: use 0 (propagate) or 1 (ignore)"},
        {{.accuracy = (wf_accuracy)3}, WF_INVALID_ARGUMENT, "unknown accuracy 3: use 0 (best), 1 (fast) or 2 (exact)"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        wf_reduction_info info = {.element_bytes = 99};
        refuses(wf_reduction_get_info(&bad[i].spec, &info), bad[i].status, bad[i].says);
        assert_int_equal(info.element_bytes, 99);
    }
    wf_reduction_info info;
    refuses(wf_reduction_get_info(NULL, &info), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    refuses(wf_reduction_get_info(&good[0].spec, NULL), WF_INVALID_ARGUMENT, "'info' must not be NULL");
}

/* What a rung cannot take is refused by name, with rungs that can. */
void test_rung_supports(void **state) {
    (void)state;
    static const struct {
        const char *rung;
        wf_rung_options options;
        const char *says;
    } bad[] = {
        {"tiled_1", {.op = WF_AFFINE}, "tiled_1 reorders the elements, but affine does not commute"},
        {"tiled_1", {.op = WF_AFFINE}, "; rungs that keep the order: sequential, single_block_ordered, last_block_ord"},
        {"wavefold", {.op = WF_MATMUL}, "wavefold reorders the elements, but matmul does not commute"},
        {"cascade", {.op = WF_PRODUCT}, "not product of f32; rungs that do: sequential, wavefold"},
        {"cascade", {.op = WF_PRODUCT}, "i32 and i64, in their own type and propagating NaN, not product"},
        {"last_block_ordered", {.op = WF_PRODUCT}, "i32 and i64, and matmul and affine, in their own type"},
        {"last_block", {.type = WF_U8}, "not sum of u8"},
        {"last_block", {.type = WF_I32, .accumulator = WF_ACCUMULATE_I64}, "not sum of i32 in another type"},
        {"last_block", {.op = WF_MIN, .nan = WF_NAN_IGNORE}, "not min of f32 ignoring NaN"},
        {"wavefold", {.op = WF_OR}, "or of f32: bitwise operators"},
        {"exact", {.op = WF_MAX}, "not max of f32; all other rungs of its kind do"},
        {"exact", {.type = WF_I32}, "exact takes sum and asum of f16, bf16, f32 and f64, and sumsq of the first three"},
        {"exact", {.type = WF_I32, .accumulator = WF_ACCUMULATE_I64}, "not sum of i32; rungs that do: sequential"},
        {"exact", {.op = WF_MEAN}, "not mean of f32; rungs that do: sequential, wavefold"},
        {"exact", {.type = WF_F64, .op = WF_SUMSQ}, "not sumsq of f64; rungs that do: sequential, wavefold"},
        {"exact", {.op = WF_AFFINE}, "affine does not commute"},
        {"cascade", {.type = WF_BF16, .op = WF_ASUM}, "rungs that do: sequential, wavefold, exact"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        size_t rung;
        uint64_t result[4] = {42};
        float element = 1;
        require(wf_rung_find(bad[i].rung, &rung));
        refuses(wf_rung_supports(rung, &bad[i].options), WF_UNSUPPORTED, bad[i].says);
        refuses(wf_rung_run(context, rung, &bad[i].options, &element, 1, result,
                            bytes_of_rung_result(rung, &bad[i].options, 1), NULL),
                WF_UNSUPPORTED, bad[i].says);
        assert_true(result[0] == 42);
    }
    /* No other rung's name ends it, whatever was said before. */
    size_t look_back;
    static const char none[] = "; no rung of its kind does";
    require(wf_rung_find("look_back", &look_back));
    refuses(wf_rung_supports(look_back, &(wf_rung_options){.op = WF_PRODUCT}), WF_UNSUPPORTED, none);
    assert_int_equal(strlen(strstr(wf_last_error(), none)), strlen(none));
    refuses(wf_rung_supports(wf_rung_count(), &(wf_rung_options){0}), WF_INVALID_ARGUMENT, "rung number");
    refuses(wf_rung_supports(0, NULL), WF_INVALID_ARGUMENT, "options");
}

void test_rung_misuse(void **state) {
    (void)state;
    size_t tiled, cascade, simple;
    require(wf_rung_find("tiled_1", &tiled));
    require(wf_rung_find("cascade", &cascade));
    require(wf_rung_find("simple_2", &simple));
    char *memory;
    require(wf_malloc(context, (void **)&memory, 4096));
    int result = 42;
    const wf_rung_options good = {.type = WF_I32};

    refuses(wf_rung_run(NULL, tiled, &good, memory, 1, &result, bytes_of_rung_result(tiled, &good, 1), NULL),
            WF_INVALID_ARGUMENT, "context");
    refuses(wf_rung_run(context, 999, &good, memory, 1, &result, bytes_of_rung_result(999, &good, 1), NULL),
            WF_INVALID_ARGUMENT, "rung number 999");
    char numbers[64];
    snprintf(numbers, sizeof numbers, "they go from 0 to %zu", wf_rung_count() - 1);
    assert_non_null(strstr(wf_last_error(), numbers));
    assert_int_equal(strlen(strstr(wf_last_error(), numbers)), strlen(numbers));
    refuses(wf_rung_run(context, wf_rung_count(), &good, memory, 1, &result,
                        bytes_of_rung_result(wf_rung_count(), &good, 1), NULL),
            WF_INVALID_ARGUMENT, numbers);
    refuses(wf_rung_run(context, tiled, NULL, memory, 1, &result, bytes_of_rung_result(tiled, NULL, 1), NULL),
            WF_INVALID_ARGUMENT, "options");
    refuses(wf_rung_run(context, tiled, &good, NULL, 1, &result, bytes_of_rung_result(tiled, &good, 1), NULL),
            WF_INVALID_ARGUMENT, "'in' must not be NULL");
    refuses(wf_rung_run(context, tiled, &good, memory, 1, NULL, 0, NULL), WF_INVALID_ARGUMENT, "result");
    refuses(wf_rung_run(context, tiled, &good, memory + 2, 1, &result, bytes_of_rung_result(tiled, &good, 1), NULL),
            WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_rung_run(context, tiled, &good, memory, SIZE_MAX / 2, &result,
                        bytes_of_rung_result(tiled, &good, SIZE_MAX / 2), NULL),
            WF_INVALID_ARGUMENT, "more than an address space");
    /* As many bytes as there can be, or one element more. */
    const size_t most = PTRDIFF_MAX / sizeof(int32_t);
    const wf_scan_spec scan = {.reduce = {.type = WF_I32}};
    refuses(wf_scan(context, &scan, memory, most, memory + 4), WF_INVALID_ARGUMENT,
            "'in' and 'result' overlap; they must be apart, or start at the same address");
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
                refuses(wf_rung_run(context, r, &bad[i].options, memory, 1, &result,
                                    bytes_of_rung_result(r, &bad[i].options, 1), NULL),
                        WF_INVALID_ARGUMENT, bad[i].says);
    assert_int_equal(result, 42);
    wf_free(context, memory);
}

void test_empty_arrays(void **state) {
    (void)state;
    for (size_t r = 0; r < wf_rung_count(); r++) {
        if (!reduces(r) || wf_rung_supports(r, &(wf_rung_options){.op = WF_MIN}) != WF_OK)
            continue;
        float smallest = 0;
        int64_t sum = 7;
        wf_rung_report report;
        require(wf_rung_run(context, r, &(wf_rung_options){.op = WF_MIN}, NULL, 0, &smallest,
                            bytes_of_rung_result(r, &(wf_rung_options){.op = WF_MIN}, 0), &report));
        assert_true(smallest > 3e38f);
        assert_int_equal(report.launches, 0);
        require(wf_rung_run(context, r, &(wf_rung_options){.type = WF_I64}, NULL, 0, &sum,
                            bytes_of_rung_result(r, &(wf_rung_options){.type = WF_I64}, 0), NULL));
        assert_int_equal(sum, 0);
    }
}

void test_read_ceiling(void **state) {
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
    refuses(wf_read_ceiling(context, memory, SIZE_MAX, &seconds), WF_INVALID_ARGUMENT, "an address space holds");
    refuses(wf_read_ceiling(NULL, memory, 16, &seconds), WF_INVALID_ARGUMENT, "context");
    wf_free(context, memory);
}

/* What a rung reports, exactly. */
void test_reports(void **state) {
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
        require(wf_rung_run(context, rung, &expected[i].options, memory, expected[i].count, &sum,
                            bytes_of_rung_result(rung, &expected[i].options, expected[i].count), &report));
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

/* What the host folds does not depend on the caller's modes: it is rounded to nearest, subnormals count, and neither
 * what is too large nor a time that is rounded ends a program. */
void test_rungs_in_modes(void **state) {
    (void)state;
    enum { MANY = 5000 };
    float *small, *tiny, *large;
    require(wf_malloc(context, (void **)&small, MANY * sizeof *small));
    require(wf_malloc(context, (void **)&tiny, MANY * sizeof *tiny));
    require(wf_malloc(context, (void **)&large, MANY * sizeof *large));
    for (size_t i = 0; i < MANY; i++) {
        small[i] = i == 0 ? 1 : 0x1p-60f; /* together too little, in whatever order, to make it more than 1 */
        tiny[i] = (float)(i + 1) * 0x1p-140f;
        large[i] = FLT_MAX;
    }
    for (size_t r = 0; r < wf_rung_count(); r++) {
        if (!reduces(r))
            continue;
        const wf_rung_options sum = {.op = WF_SUM};
        float got;
        fesetround(FE_UPWARD);
        const wf_status status =
            wf_rung_run(context, r, &sum, small, MANY, &got, bytes_of_rung_result(r, &sum, MANY), NULL);
        const int mode = fegetround();
        fesetround(FE_TONEAREST);
        require(status);
        assert_int_equal(mode, FE_UPWARD);
        assert_true(got == 1);
#if defined(__x86_64__)
        const unsigned before = __builtin_ia32_stmxcsr(), flush_and_trap = (before & ~0x1fbfu) | 0x8040;
        const wf_rung_options least = {.op = WF_MIN};
        const bool has_least = wf_rung_supports(r, &least) == WF_OK;
        float found = 0;
        double seconds = 0;
        __builtin_ia32_ldmxcsr(flush_and_trap);
        const wf_status of_large =
            wf_rung_run(context, r, &sum, large, MANY, &got, bytes_of_rung_result(r, &sum, MANY), NULL);
        const wf_status of_tiny =
            has_least ? wf_rung_run(context, r, &least, tiny, MANY, &found, bytes_of_rung_result(r, &least, MANY), NULL)
                      : WF_OK;
        const wf_status of_reading = wf_read_ceiling(context, large, MANY * sizeof *large, &seconds);
        const unsigned after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(before);
        require(of_large);
        require(of_tiny);
        require(of_reading);
        assert_int_equal(after & ~0x3fu, flush_and_trap);
        assert_true(got > FLT_MAX);
        assert_true(!has_least || found == tiny[0]);
#endif
    }
    wf_free(context, small);
    wf_free(context, tiny);
    wf_free(context, large);
}
