/* What a fold on a GPU comes to, on one that only notes what it is asked for (noting_gpu.h): which tiles are launched,
 * in how many pieces, where those lie, what a stream's launches keep, who waits for whom, and what is left when a call
 * fails. No kernel runs, so that arrays may be as large as they like. */
#define _GNU_SOURCE
#include "checked_locks.h"
#include "noting_gpu.h"
#include "runtime/failing_malloc.h"

#include <wavefold.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define MIB ((size_t)1 << 20)

static noting_gpu *gpu;
static wf_context *context;
static char streams[100];                       /* each of them is one, by its address */
static char *const far_away = (char *)0x100000; /* an array of any length, which nobody reads */

static const wf_reduce_spec fast = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST}, exact = {.type = WF_F32},
                            wide = {.type = WF_F64, .accuracy = WF_ACCURACY_FAST}, exact_wide = {.type = WF_F64},
                            single = {.type = WF_I8}, place = {.type = WF_F32, .op = WF_ARGMAX},
                            extremes = {.type = WF_F32, .op = WF_MINMAX}, minimum = {.type = WF_F32, .op = WF_MIN},
                            maps = {.type = WF_I32, .op = WF_AFFINE}, integer_minimum = {.type = WF_U32, .op = WF_MIN},
                            product = {.type = WF_F32, .op = WF_PRODUCT}, wide_minimum = {.type = WF_I64, .op = WF_MIN},
                            byte_minimum = {.type = WF_I8, .op = WF_MAX},
                            float_minimum = {.type = WF_F64, .op = WF_MIN},
                            float_place = {.type = WF_F64, .op = WF_ARGMIN},
                            wide_place = {.type = WF_U64, .op = WF_ARGMIN},
                            half = {.type = WF_BF16, .accuracy = WF_ACCURACY_FAST}, exact_half = {.type = WF_BF16};

static void forget_calls(void) {
    memset(gpu->calls, 0, sizeof gpu->calls);
    memset(gpu->copy, 0, sizeof gpu->copy);
    gpu->launches = gpu->answered = gpu->allocated = gpu->cleared_bytes = 0;
    gpu->cleared = NULL;
}

static void make_device(void) {
    memset(gpu, 0, sizeof *gpu);
    gpu->info = (wf_device_info){.id = "nvidia:0",
                                 .backend = "nvidia",
                                 .name = "noting",
                                 .wave_width = 32,
                                 .multiprocessors = 100,
                                 .max_tile_size = 1024,
                                 .max_tiles = 1 << 16,
                                 .capability_major = 9,
                                 .f64_ratio = 2};
    gpu->shares = true;
    gpu->answer[0] = UINT64_C(0x0123456789abcdef);
    wf_sum_state_init(&gpu->state);
}

static void open_context(void) {
    forget_calls();
    require(wf_context_create(&context, "nvidia:0"));
    forget_calls();
}

/* Locks of the context are there: it is this program's functions that the library calls. */
static int begin(void **state) {
    (void)state;
    make_device();
    open_context();
    return locks_there() == 0;
}

/* Whatever a test did, nothing is left of its context. */
static int end(void **state) {
    (void)state;
    wf_context_destroy(context);
    const bool is_clean =
        gpu->held == 0 && gpu->strange == 0 && wrong_locks() == 0 && locks_there() == 0 && locks_held() == 0;
    if (!is_clean)
        fprintf(stderr, "left: %ld blocks, %ld strange, %lu wrong uses of locks, %ld locks, %ld held\n", gpu->held,
                gpu->strange, wrong_locks(), locks_there(), locks_held());
    return !is_clean;
}

static void reopen(void) {
    assert_int_equal(end(NULL), 0);
    open_context();
}

static const wf_launch *only_launch(void) {
    assert_int_equal(gpu->launches, 1);
    return &gpu->launch[0];
}

/* ---- Shapes ---- */

static void test_shapes(void **state) {
    (void)state;
    enum { SPREAD = 0 };
    static const struct {
        const wf_reduce_spec *what;
        uint32_t major, multiprocessors, max_tiles;
        size_t bytes;
        uint32_t tiles, tile_size; /* SPREAD: one tile is, in blocks of so many threads */
    } cases[] = {
        {&fast, 9, 100, 1 << 16, 4, 1, 32},
        {&fast, 9, 100, 1 << 16, 2 << 10, 1, 32},
        {&fast, 9, 100, 1 << 16, (2 << 10) + 4, 1, 128},
        {&fast, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&minimum, 9, 100, 1 << 16, 1 << 10, 1, 32}, /* whose threads take two packs at once */
        {&minimum, 9, 100, 1 << 16, (1 << 10) + 4, 1, 128},
        {&minimum, 9, 100, 1 << 16, (8 << 10) + 4, 1, 512},
        {&minimum, 9, 100, 1 << 16, 32 << 10, 1, 512}, /* and go round */
        {&minimum, 9, 100, 1, 1 << 20, 1, 256},        /* no tile is large enough */
        {&integer_minimum, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&integer_minimum, 9, 100, 1 << 16, 48 << 10, 1, 1024},
        {&wide_minimum, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&byte_minimum, 9, 100, 1 << 16, 16 << 10, 1, 512},
        {&half, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&exact_half, 9, 100, 1 << 16, 8 << 10, 1, 128},
        {&single, 9, 100, 1 << 16, 16 << 10, 1, 512},
        {&product, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&fast, 9, 100, 1 << 16, (32 << 10) + 4, 1, 1024},
        {&fast, 9, 100, 1 << 16, 64 << 10, 1, 1024},
        {&fast, 9, 100, 1 << 16, (64 << 10) + 4, SPREAD, 256},
        {&fast, 9, 100, 1 << 16, 128 << 10, SPREAD, 256},
        {&fast, 9, 100, 1 << 16, (128 << 10) + 4, 33, 256},
        {&half, 9, 100, 1 << 16, 128 << 10, SPREAD, 512}, /* whose threads take two packs at once */
        {&wide, 9, 100, 1 << 16, (64 << 10) + 8, SPREAD, 512},
        {&integer_minimum, 9, 100, 1 << 16, 128 << 10, SPREAD, 256},
        {&byte_minimum, 9, 100, 1 << 16, 128 << 10, 32, 256},
        {&product, 9, 100, 1 << 16, 128 << 10, 32, 256},
        {&fast, 8, 100, 1 << 16, 128 << 10, 8, 256},
        {&fast, 9, 100, 1 << 16, 256 << 10, 64, 256},
        {&fast, 9, 100, 1 << 16, (256 << 10) + 4, 33, 128},
        {&fast, 9, 100, 1 << 16, 3200 << 10, 200, 256},       /* the device is full: */
        {&fast, 9, 100, 1 << 16, (3200 << 10) + 4, 101, 256}, /* half as many take two rounds */
        {&fast, 9, 100, 1 << 16, 6 << 20, 192, 256},          /* 384 loads in two */
        {&fast, 9, 40, 1 << 16, 4800 << 10, 75, 256},         /* 300 in four */
        {&fast, 9, 40, 1 << 16, 5200 << 10, 80, 256},         /* 325, in five with as many tiles as there are */
        {&fast, 9, 100, 1 << 16, 64 << 20, 200, 1024},
        {&fast, 9, 20, 1 << 16, 64 << 20, 40, 1024},            /* a smaller one */
        {&fast, 9, 100, 7, 64 << 20, 7, 1024},                  /* it takes no more tiles */
        {&fast, 9, 2000, 1 << 16, (size_t)1 << 30, 2048, 1024}, /* what the tiles tell has no more room */
        {&single, 9, 100, 1 << 16, 512 << 10, 64, 128},
        {&place, 9, 100, 1 << 16, 32 << 10, 1, 512},
        {&wide_place, 9, 100, 1 << 16, (16 << 10) + 8, 1, 1024},
        {&wide_place, 9, 100, 1 << 16, 32 << 10, 1, 1024},
        {&float_minimum, 9, 100, 1 << 16, 48 << 10, 1, 1024},
        {&float_place, 9, 100, 1 << 16, 1600 << 10, 100, 512},
        {&float_place, 9, 100, 1 << 16, (1600 << 10) + 8, 67, 512},
        {&float_place, 9, 100, 1 << 16, 16 << 10, 1, 512},
        {&float_place, 9, 100, 1 << 16, (16 << 10) + 8, SPREAD, 128},
        {&float_place, 9, 100, 1 << 16, 128 << 10, SPREAD, 512},
        {&float_place, 9, 100, 1 << 16, (128 << 10) + 8, 33, 256},
        {&place, 9, 100, 1 << 16, (32 << 10) + 4, SPREAD, 256},
        {&place, 9, 100, 1 << 16, (64 << 10) + 4, 17, 256},
        {&place, 9, 100, 1 << 16, 1 << 20, 64, 512},
        {&place, 8, 100, 1 << 16, 64 << 10, 4, 256},
        {&extremes, 9, 100, 1 << 16, (32 << 10) + 4, SPREAD, 256},
        {&extremes, 9, 100, 1 << 16, 1 << 20, 64, 512},
        {&minimum, 9, 100, 1 << 16, (32 << 10) + 4, SPREAD, 256},
        {&minimum, 9, 100, 1 << 16, (64 << 10) + 4, 17, 256},
        {&maps, 9, 100, 1 << 16, 128 << 10, 32, 256},
        {&maps, 9, 100, 1 << 16, 1 << 20, 64, 256},
        {&exact, 9, 100, 1 << 16, (64 << 10) - 16, SPREAD, 128},
        {&exact, 9, 100, 1 << 16, 64 << 10, SPREAD, 128},
        {&exact, 9, 100, 1 << 16, (64 << 10) + 4, SPREAD, 256},
        {&exact, 9, 100, 1 << 16, 128 << 10, SPREAD, 256},
        {&exact, 9, 100, 1 << 16, (128 << 10) - 4, 8, 256}, /* each edge, of which there may be 8, counts as a pack */
        {&exact, 9, 100, 1 << 16, (128 << 10) - 116, 8, 256},
        {&exact, 9, 100, 1 << 16, (128 << 10) - 132, SPREAD, 256},
        {&exact, 9, 100, 1 << 16, 256 << 10, 16, 256}, /* as this device takes no block of 512 */
        {&exact_wide, 9, 100, 1 << 16, 128 << 10, SPREAD, 256},
        {&exact, 9, 100, 1 << 16, (256 << 10) + 4, 17, 256},
        {&exact, 9, 2000, 1 << 16, (size_t)1 << 30, 1638, 256},
        {&exact_half, 9, 100, 1 << 16, (64 << 10) - 258, SPREAD, 128}, /* of halves there may be 16 */
        {&exact_half, 9, 100, 1 << 16, 64 << 10, SPREAD, 128},
        {&exact, 8, 100, 1 << 16, 64 << 20, 800, 256},
        {&fast, 8, 100, 1 << 16, 16 << 10, 1, 512},
        {&fast, 8, 100, 1 << 16, 64 << 10, 4, 256},
        {&exact, 8, 100, 1 << 16, 16 << 10, 1, 256},
        {&fast, 8, 100, 1 << 16, 64 << 20, 800, 256},
        {&maps, 9, 4000, 1 << 16, (size_t)1 << 30, 4096, 1024},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        gpu->info.capability_major = cases[i].major;
        gpu->info.multiprocessors = cases[i].multiprocessors;
        gpu->info.max_tiles = cases[i].max_tiles;
        reopen();
        wf_reduction_info info;
        uint64_t result[4];
        require(wf_reduction_get_info(cases[i].what, &info));
        require(wf_reduce(context, cases[i].what, far_away, cases[i].bytes / info.element_bytes, result));
        const wf_launch *const what = only_launch();
        const uint32_t tiles = what->is_spread && what->tiles == 1 ? SPREAD : what->tiles;
        if (tiles != cases[i].tiles || what->tile_size != cases[i].tile_size)
            fail_msg("case %zu: %u tiles of %u, not %u of %u", i, tiles, what->tile_size, cases[i].tiles,
                     cases[i].tile_size);
    }
}

/* A tile is spread where its kernels are for the array, and the device is one of those that spread it. */
static void test_spread(void **state) {
    (void)state;
    static const wf_reduce_spec mean = {.type = WF_F32, .op = WF_MEAN}, squares = {.type = WF_F32, .op = WF_SUMSQ},
                                into_f64 = {.type = WF_F32, .accumulator = WF_ACCUMULATE_F64},
                                halves_into_f32 = {.type = WF_F16, .accumulator = WF_ACCUMULATE_F32},
                                magnitudes = {.type = WF_F64, .op = WF_ASUM};
    static const struct {
        const wf_reduce_spec *what;
        size_t offset, bytes;
        uint32_t f64_ratio, wave_width, tile_size; /* 0: none is spread */
    } cases[] = {
        {&exact, 0, 64 << 10, 2, 32, 128},
        {&exact, 4, 64 << 10, 2, 32, 256}, /* edges, each of which counts as a pack */
        {&exact, 1, 64 << 10, 2, 32, 0},   /* elements lie across aligned addresses */
        {&exact, 0, 64 << 10, 4, 32, 128},
        {&exact, 0, 64 << 10, 64, 32, 0}, /* slow in f64 */
        {&exact, 0, 64 << 10, 2, 64, 0},  /* waves of 64 lanes */
        {&mean, 0, 64 << 10, 2, 32, 0},
        {&squares, 0, 64 << 10, 2, 32, 0},
        {&into_f64, 0, 64 << 10, 2, 32, 0},
        {&halves_into_f32, 0, 64 << 10, 2, 32, 128},
        {&magnitudes, 0, 64 << 10, 2, 32, 128},
        {&fast, 0, 96 << 10, 64, 32, 256}, /* fast sums need no f64 */
        {&fast, 4, 96 << 10, 2, 32, 256},
        {&fast, 2, 96 << 10, 2, 32, 0},
        {&single, 3, 96 << 10, 2, 32, 0}, /* single bytes' sums are not */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        gpu->info.f64_ratio = cases[i].f64_ratio;
        gpu->info.wave_width = cases[i].wave_width;
        reopen();
        wf_reduction_info info;
        uint64_t result[4];
        require(wf_reduction_get_info(cases[i].what, &info));
        require(
            wf_reduce(context, cases[i].what, far_away + cases[i].offset, cases[i].bytes / info.element_bytes, result));
        const wf_launch *const what = only_launch();
        if (what->is_spread != (cases[i].tile_size != 0) || (what->is_spread && what->tile_size != cases[i].tile_size))
            fail_msg("case %zu: spread %u, %u tiles of %u", i, what->is_spread, what->tiles, what->tile_size);
    }
    /* States and descriptions of floats have no such kernels; those of integers have. */
    gpu->info.f64_ratio = 2;
    gpu->info.wave_width = 32;
    reopen();
    wf_sum_state sum;
    wf_sum_state_init(&sum);
    require(wf_sum_state_accumulate(context, &exact, far_away, 16 << 10, &sum));
    assert_false(only_launch()->is_spread);
    wf_description described;
    forget_calls();
    require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, far_away, 16 << 10, &described));
    assert_false(only_launch()->is_spread);
    forget_calls();
    require(wf_describe(context, &(wf_describe_spec){.type = WF_U32}, far_away, 16 << 10, &described));
    assert_true(only_launch()->is_spread);
}

static void test_other_shapes(void **state) {
    (void)state;
    uint64_t result[4];
    /* Another maker's device of the same number. */
    strcpy(gpu->info.backend, "amd");
    reopen();
    require(wf_reduce(context, &fast, far_away, 16 * MIB, result));
    assert_int_equal(only_launch()->tile_size, 256);
    /* The host's range for tiles that are spread begins below what one pack of each thread takes. */
    static const struct {
        wf_reduce_spec what;
        bool is_spread;
    } on_host[] = {{{.type = WF_F32}, true},
                   {{.type = WF_F32, .op = WF_MEAN}, false},
                   {{.type = WF_F32, .op = WF_PRODUCT, .accuracy = WF_ACCURACY_FAST}, false}};
    strcpy(gpu->info.backend, "host");
    for (size_t i = 0; i < COUNT(on_host); i++) {
        reopen();
        require(wf_reduce(context, &on_host[i].what, far_away, 4 << 10, result));
        assert_int_equal(only_launch()->is_spread, on_host[i].is_spread);
    }
    strcpy(gpu->info.backend, "nvidia");
    reopen();
    /* A tile of describe has fewer threads: there are more tiles instead. */
    static const struct {
        size_t count;
        uint32_t multiprocessors, tiles, tile_size;
    } cases[] = {
        {256, 100, 1, 32},         {1 << 10, 100, 1, 128},    {2 << 10, 100, 1, 256},
        {4 << 10, 100, 2, 256},    {8 << 10, 100, 1, 128},    {64 << 10, 100, 64, 256},
        {128 << 10, 100, 64, 256}, {32 * MIB, 100, 400, 256}, {128 * MIB, 100, 512, 256}, /* for which there is room */
        {128 * MIB, 20, 160, 256},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        gpu->info.multiprocessors = cases[i].multiprocessors;
        reopen();
        wf_description described;
        require(wf_describe(context, &(wf_describe_spec){.type = WF_I32}, far_away, cases[i].count, &described));
        if (only_launch()->tiles != cases[i].tiles || only_launch()->tile_size != cases[i].tile_size)
            fail_msg("case %zu: %u tiles of %u, not %u of %u", i, only_launch()->tiles, only_launch()->tile_size,
                     cases[i].tiles, cases[i].tile_size);
    }
    /* Of large arrays of floats three tiles fit a processor, unless their elements lie at any byte. */
    static const struct {
        size_t count, offset;
        uint32_t tiles;
    } of_floats[] = {{16 * MIB, 0, 200}, {16 * MIB + 1, 0, 300}, {16 * MIB + 1, 1, 200}, {16 * MIB + 1, 4, 300}};
    gpu->info.multiprocessors = 100;
    for (size_t i = 0; i < COUNT(of_floats); i++) {
        reopen();
        wf_description described;
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, far_away + of_floats[i].offset,
                            of_floats[i].count, &described));
        assert_int_equal(only_launch()->tiles, of_floats[i].tiles);
    }
    /* Nothing is folded by one tile. */
    forget_calls();
    require(wf_reduce_async(context, &fast, NULL, 0, result, NULL));
    assert_int_equal(only_launch()->tiles, 1);
}

/* Of no elements: nothing is launched. */
static void test_nothing(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec what;
        uint64_t result[2];
    } cases[] = {
        {{.type = WF_I32, .op = WF_MEAN}, {UINT64_C(0x7ff8000000000000)}},
        {{.type = WF_F32, .op = WF_MEAN}, {0x7fc00000}},
        {{.type = WF_F16, .op = WF_MEAN}, {0x7e00}},
        {{.type = WF_F64, .op = WF_SUM}, {0}},
        {{.type = WF_F32, .op = WF_PRODUCT, .accuracy = WF_ACCURACY_FAST}, {0x3f800000}},
        {{.type = WF_U8, .op = WF_MIN}, {0xff}},
        {{.type = WF_I16, .op = WF_MAX}, {0x8000}},
        {{.type = WF_I64, .op = WF_ARGMIN}, {INT64_MAX, UINT64_MAX}},
        {{.type = WF_F64, .op = WF_MINMAX}, {UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000)}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t result[4] = {0};
        require(wf_reduce(context, &cases[i].what, NULL, 0, result));
        if (memcmp(result, cases[i].result, sizeof cases[i].result) != 0)
            fail_msg("%s of no %s: %#llx, %#llx", wf_op_name(cases[i].what.op), wf_type_name(cases[i].what.type),
                     (unsigned long long)result[0], (unsigned long long)result[1]);
    }
    assert_int_equal(gpu->launches, 0);
}

/* What depends on how fast the device is in f64. */
static void test_f64(void **state) {
    (void)state;
    static const uint32_t ratios[] = {1, 2, 4, 5, 32, 64};
    for (size_t i = 0; i < COUNT(ratios); i++) {
        gpu->info.f64_ratio = ratios[i];
        reopen();
        float result;
        require(wf_reduce(context, &exact, far_away, 100, &result));
        assert_int_equal(only_launch()->in_f64, ratios[i] <= 4);
    }
}

/* ---- Arrays too large for one launch ---- */

/* The pieces follow each other, and say so. */
static void check_pieces(const char *in, size_t element, uint64_t count, uint64_t most) {
    uint64_t first = 0;
    assert_int_equal(gpu->launches, (count + most - 1) / most);
    for (size_t i = 0; i < gpu->launches; i++) {
        const wf_launch *const what = &gpu->launch[i];
        const uint64_t expected = count - first < most ? count - first : most;
        assert_int_equal(what->first, first);
        assert_int_equal(what->source_count, expected);
        assert_int_equal(what->whole_count, count);
        assert_ptr_equal(what->source, in + first * element);
        assert_int_equal(what->is_first, i == 0);
        assert_int_equal(what->is_last, i + 1 == gpu->launches);
        assert_ptr_equal(what->sum_words, gpu->launch[0].sum_words);
        assert_ptr_equal(what->carry, gpu->launch[0].carry);
        first += expected;
    }
}

static void test_parts(void **state) {
    (void)state;
    static const uint64_t counts[] = {UINT64_C(1) << 32, UINT64_C(1) << 33, (UINT64_C(1) << 33) + 5};
    const wf_reduce_spec *const both[] = {&wide, &exact_wide};
    for (size_t b = 0; b < 2; b++)
        for (size_t c = 0; c < COUNT(counts); c++) {
            uint64_t result = 0;
            forget_calls();
            require(wf_reduce(context, both[b], far_away, counts[c], &result));
            assert_int_equal(result, gpu->answer[0]);
            check_pieces(far_away, 8, counts[c], UINT64_C(1) << 32);
            for (size_t i = 0; i + 1 < gpu->launches; i++)
                assert_null(gpu->launch[i].notice);
            forget_calls();
            uint64_t queued[4] = {0};
            require(wf_reduce_async(context, both[b], far_away, counts[c], queued, &streams[1]));
            assert_int_equal(queued[0], gpu->answer[0]);
            check_pieces(far_away, 8, counts[c], UINT64_C(1) << 32);
            for (size_t i = 0; i < gpu->launches; i++)
                assert_ptr_equal(gpu->stream[i], &streams[1]);
            assert_int_equal(gpu->calls[GPU_CLEAR], 0);
        }
    /* The kernel of ordered operators counts in 64 bits. */
    uint64_t result[4];
    forget_calls();
    require(wf_reduce(context, &maps, far_away, UINT64_C(1) << 33, result));
    assert_int_equal(only_launch()->source_count, UINT64_C(1) << 33);
    /* A sum in one launch may run between the parts of another. */
    forget_calls();
    require(wf_reduce(context, &exact_wide, far_away, 100, result));
    require(wf_reduce(context, &exact_wide, far_away, counts[2], result));
    assert_ptr_not_equal(gpu->launch[0].sum_words, gpu->launch[1].sum_words);
}

/* What the parts before a failure have left is not for the next sum. */
static void test_failing_parts(void **state) {
    (void)state;
    const uint64_t count = (UINT64_C(1) << 33) + 5;
    const wf_reduce_spec *const both[] = {&wide, &exact_wide};
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 1; k <= 3; k++)
            for (size_t way = 0; way < 2; way++) {
                uint64_t result[4] = {7};
                forget_calls();
                gpu->failing = GPU_LAUNCH;
                gpu->fails_at = k;
                refuses(way == 0 ? wf_reduce(context, both[b], far_away, count, result)
                                 : wf_reduce_async(context, both[b], far_away, count, result, &streams[1]),
                        WF_DEVICE_ERROR, "launching on nvidia:0: the noting GPU");
                assert_int_equal(result[0], 7);
                assert_int_equal(gpu->calls[GPU_LAUNCH], k);
                assert_int_equal(gpu->calls[GPU_CLEAR] != 0, b);
                if (b == 1 && k > 1) {
                    assert_ptr_equal(gpu->cleared, gpu->launch[0].sum_words);
                    assert_int_equal(gpu->cleared_bytes, WF_SUM_WORDS * sizeof(int64_t));
                }
            }
    /* Of one launch nothing is left, and the place may be in use by another fold's parts. */
    uint64_t result = 7;
    forget_calls();
    gpu->failing = GPU_LAUNCH;
    gpu->fails_at = 1;
    refuses(wf_reduce(context, &exact_wide, far_away, 100, &result), WF_DEVICE_ERROR, "launching");
    assert_int_equal(gpu->calls[GPU_CLEAR], 0);
}

/* ---- Memory of the host ---- */

static void test_pieces(void **state) {
    (void)state;
    const size_t most = 64 * MIB, bytes = 2 * most + 40;
    char *const in = malloc(bytes);
    assert_non_null(in);
    for (size_t at = 0; at < bytes; at += most)
        memset(in + at, 1 + (int)(at / most), 40);
    gpu->of_host = in;
    uint64_t result = 0;
    require(wf_reduce(context, &wide, in, bytes / 8, &result));
    assert_int_equal(result, gpu->answer[0]);
    assert_int_equal(gpu->allocated, most);
    assert_int_equal(gpu->launches, 3);
    assert_int_equal(gpu->calls[GPU_COPY], 3);
    for (size_t i = 0; i < 3; i++) {
        const wf_launch *const what = &gpu->launch[i];
        const size_t length = i < 2 ? most : 40;
        const noted_copy *const copied = &gpu->copy[i];
        assert_ptr_equal(copied->from, in + i * most);
        assert_ptr_equal(copied->to, what->source);
        assert_int_equal(copied->bytes, length);
        assert_int_equal(copied->direction, WF_TO_DEVICE);
        assert_int_equal(what->first, i * most / 8);
        assert_int_equal(what->source_count, length / 8);
        assert_int_equal(what->whole_count, bytes / 8);
        assert_int_equal(what->tiles, gpu->launch[0].tiles);
        assert_int_equal(what->is_first, i == 0);
        assert_int_equal(what->is_last, i == 2);
    }
    /* Every piece of an ordered operator is a fold of its own: x -> 2 x + 1, three times. */
    const int32_t map[2] = {2, 1};
    int32_t folded[2] = {0};
    memcpy(gpu->answer, map, sizeof map);
    forget_calls();
    require(wf_reduce(context, &maps, in, bytes / 8, folded));
    assert_int_equal(folded[0], 8);
    assert_int_equal(folded[1], 7);
    assert_int_equal(gpu->calls[GPU_COPY], 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(gpu->launch[i].first, 0);
        assert_int_equal(gpu->launch[i].source_count, i < 2 ? most / 8 : 5);
        assert_int_equal(gpu->launch[i].whole_count, i < 2 ? most / 8 : 5);
    }
    /* A sum that fails in its second piece leaves nothing. */
    for (size_t k = 1; k <= 3; k++)
        for (size_t call = 0; call < 2; call++) {
            forget_calls();
            gpu->failing = call == 0 ? GPU_LAUNCH : GPU_COPY;
            gpu->fails_at = k;
            result = 7;
            refuses(wf_reduce(context, &exact_wide, in, bytes / 8, &result), WF_DEVICE_ERROR,
                    call == 0 ? "launching" : "copying from the host");
            assert_int_equal(result, 7);
            assert_int_equal(gpu->calls[GPU_COPY], k);
            assert_int_equal(gpu->calls[GPU_CLEAR], 1);
            forget_calls();
            gpu->fails_at = k;
            folded[0] = 7;
            refuses(wf_reduce(context, &maps, in, bytes / 8, folded), WF_DEVICE_ERROR, "");
            assert_int_equal(folded[0], 7);
            assert_int_equal(gpu->calls[GPU_COPY], k);
        }
    free(in);
}

/* The buffer for pieces grows, and is kept. */
static void test_staging(void **state) {
    (void)state;
    static const struct {
        size_t bytes, allocated; /* 0: the buffer is large enough */
    } steps[] = {{4, 64 << 10},
                 {64 << 10, 0},
                 {(64 << 10) + 4, 128 << 10},
                 {100, 0},
                 {128 << 10, 0},
                 {300 << 10, 512 << 10},
                 {64 << 20, 64 << 20},
                 {(64 << 20) + 4, 0},
                 {(size_t)100 << 20, 0},
                 {8, 0}};
    char *const in = calloc(100, MIB);
    assert_non_null(in);
    gpu->of_host = in;
    const long held = gpu->held;
    for (size_t i = 0; i < COUNT(steps); i++) {
        float result;
        forget_calls();
        require(wf_reduce(context, &fast, in, steps[i].bytes / 4, &result));
        assert_int_equal(gpu->allocated, steps[i].allocated);
        assert_int_equal(gpu->held, held + 1);
        assert_int_equal(gpu->launches, (steps[i].bytes + 64 * MIB - 1) / (64 * MIB));
    }
    /* One that cannot be had: the old one is gone, the next call gets another. */
    reopen();
    float result = 7;
    require(wf_reduce(context, &fast, in, 100, &result));
    result = 7;
    for (size_t bytes = 1 << 20; bytes >= 4; bytes = bytes == 1 << 20 ? 4 : 0) {
        gpu->failing = GPU_ALLOCATE;
        gpu->fails_at = 1;
        refuses(wf_reduce(context, &fast, in, bytes / 4, &result), WF_OUT_OF_MEMORY, "allocating a buffer for pieces");
        assert_true(result == 7);
    }
    forget_calls();
    require(wf_reduce(context, &fast, in, 1, &result));
    assert_int_equal(gpu->allocated, 64 << 10);
    assert_ptr_equal(gpu->copy[0].to, gpu->launch[0].source);
    free(in);
}

/* ---- What streams keep ---- */

typedef struct range {
    const char *begin, *end;
} range;

static range range_of(const void *begin, size_t bytes) {
    return (range){begin, (const char *)begin + bytes};
}

enum { RANGES = 5 };

/* All that tiles of a launch write for each other; zeros before the first. */
static void ranges_of(const wf_launch *what, range ranges[RANGES]) {
    ranges[0] = range_of(what->ticket, 4);
    ranges[1] = range_of(what->carry, WF_CARRY_BYTES / WF_STATUS_VALUE_BYTES * sizeof(uint64_t));
    ranges[2] = range_of(what->sum_words, WF_SUM_WORDS * sizeof(int64_t));
    ranges[3] = range_of(what->tile_status, what->tile_status_words * sizeof(uint64_t));
    ranges[4] = range_of(what->partials, 16 * (size_t)what->tiles);
    for (size_t r = 0; r < RANGES; r++)
        for (const char *at = ranges[r].begin; at < ranges[r].end; at++)
            assert_int_equal(*at, 0);
}

static void are_apart(const wf_launch *a, const wf_launch *b) {
    range of_a[RANGES], of_b[RANGES];
    ranges_of(a, of_a);
    ranges_of(b, of_b);
    for (size_t i = 0; i < RANGES; i++)
        for (size_t j = 0; j < RANGES; j++)
            if (a != b || i != j)
                assert_true(of_a[i].end <= of_b[j].begin || of_b[j].end <= of_a[i].begin);
}

static wf_status queue_on(void *stream) {
    static uint64_t result[4];
    return wf_reduce_async(context, &fast, far_away, 16 * MIB, result, stream);
}

/* As many as there is room for; the context's own queue is one of them. */
static void test_streams(void **state) {
    (void)state;
    enum { MOST = 64 };
    require(queue_on(NULL));
    for (size_t i = 1; i < MOST; i++)
        require(queue_on(&streams[i]));
    assert_int_equal(gpu->launches, MOST);
    assert_int_equal(gpu->launch[0].tile_status_words, 200 * 16 / WF_STATUS_VALUE_BYTES);
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j <= i; j++)
            are_apart(&gpu->launch[i], &gpu->launch[j]);
    refuses(queue_on(&streams[MOST]), WF_OUT_OF_MEMORY, "64 streams and captures have used this context");
    /* All keep what they have, also when asked again in another order. */
    for (size_t i = MOST; i-- > 0;)
        require(queue_on(i == 0 ? NULL : &streams[i]));
    for (size_t i = 0; i < MOST; i++) {
        assert_ptr_equal(gpu->launch[MOST + MOST - 1 - i].ticket, gpu->launch[i].ticket);
        assert_ptr_equal(gpu->stream[i], i == 0 ? NULL : &streams[i]);
    }
    /* Two give theirs back, for two others; nobody can give back what is the context's own. */
    void *const places[] = {gpu->launch[7].ticket, gpu->launch[63].ticket};
    wf_context_forget_stream(context, NULL);
    wf_context_forget_stream(NULL, &streams[7]);
    wf_context_forget_stream(context, &streams[99]);
    refuses(queue_on(&streams[70]), WF_OUT_OF_MEMORY, "");
    wf_context_forget_stream(context, &streams[7]);
    wf_context_forget_stream(context, &streams[63]);
    forget_calls();
    require(queue_on(&streams[70]));
    require(queue_on(&streams[71]));
    refuses(queue_on(&streams[7]), WF_OUT_OF_MEMORY, "");
    require(queue_on(&streams[70]));
    assert_ptr_equal(gpu->launch[0].ticket, places[0]);
    assert_ptr_equal(gpu->launch[1].ticket, places[1]);
    assert_ptr_equal(gpu->launch[2].ticket, places[0]);
    /* The context's own queue comes too late. */
    reopen();
    for (size_t i = 0; i < MOST; i++)
        require(queue_on(&streams[i]));
    uint64_t result = 7;
    static double of_host[4];
    gpu->of_host = of_host;
    refuses(wf_reduce(context, &exact_wide, far_away, 4, &result), WF_OUT_OF_MEMORY, "64 streams");
    refuses(wf_reduce(context, &exact_wide, of_host, 4, &result), WF_OUT_OF_MEMORY, "64 streams");
    assert_int_equal(result, 7);
    assert_int_equal(gpu->launches, MOST);
}

/* One that the device refuses keeps nothing, and takes nothing from one that had a place before. */
static void test_refused_streams(void **state) {
    (void)state;
    require(queue_on(&streams[0]));
    gpu->refuses_streams = true;
    for (size_t i = 0; i < COUNT(streams); i++) {
        uint64_t result[4];
        refuses(queue_on(&streams[i]), WF_INVALID_ARGUMENT, "launching on nvidia:0");
        refuses(wf_reduce_async(context, &fast, far_away, (size_t)1 << 34, result, &streams[i]), WF_INVALID_ARGUMENT,
                "launching on nvidia:0"); /* in parts */
    }
    gpu->refuses_streams = false;
    require(queue_on(&streams[1]));
    require(queue_on(&streams[0]));
    are_apart(&gpu->launch[0], &gpu->launch[1]);
    assert_ptr_equal(gpu->launch[2].ticket, gpu->launch[0].ticket);
}

/* What a stream is captured into keeps a place of its own: it may run beside the stream. */
static void test_captures(void **state) {
    (void)state;
    static const uint64_t captures[] = {0, 5, 6, 5, 0};
    for (size_t i = 0; i < COUNT(captures); i++) {
        gpu->capture = captures[i];
        require(queue_on(&streams[1]));
        require(queue_on(NULL)); /* which is never captured, and not asked */
        assert_int_equal(gpu->calls[GPU_CAPTURE], i + 1);
    }
    are_apart(&gpu->launch[0], &gpu->launch[2]);
    are_apart(&gpu->launch[2], &gpu->launch[4]);
    are_apart(&gpu->launch[0], &gpu->launch[4]);
    assert_ptr_equal(gpu->launch[6].ticket, gpu->launch[2].ticket);
    assert_ptr_equal(gpu->launch[8].ticket, gpu->launch[0].ticket);
    for (size_t i = 3; i < 2 * COUNT(captures); i += 2)
        assert_ptr_equal(gpu->launch[i].ticket, gpu->launch[1].ticket);
    /* The stream gives back all of them: there is room for 63 others. */
    wf_context_forget_stream(context, &streams[1]);
    gpu->capture = 0;
    for (size_t i = 2; i < 65; i++)
        require(queue_on(&streams[i]));
    refuses(queue_on(&streams[65]), WF_OUT_OF_MEMORY, "");
    gpu->failing = GPU_CAPTURE;
    gpu->fails_at = 1;
    refuses(queue_on(&streams[2]), WF_DEVICE_ERROR, "asking what the stream is captured into");
    /* A device that needs no places forgets nothing. */
    gpu->folds = true;
    reopen();
    wf_context_forget_stream(context, &streams[1]);
}

/* ---- Results that are waited for ---- */

enum { SLOTS = 64 };
static size_t depth;
static const void *results[SLOTS];

static void reduce_within(void) {
    uint64_t result = 0;
    require(wf_reduce(context, &wide, far_away, 100, &result));
    assert_int_equal(result, gpu->answer[0]);
}

static _Atomic bool is_done; /* what another thread folds */

static void *reduce_apart(void *unused) {
    (void)unused;
    uint64_t result = 0;
    is_done = wf_reduce(context, &wide, far_away, 100, &result) == WF_OK && result == gpu->answer[0];
    return NULL;
}

static pthread_t other;

/* Of launches that are under way at the same time each has a result of its own; who comes when all are taken, waits. */
static void launch_within(const wf_launch *what) {
    results[depth++] = what->result;
    if (depth < SLOTS) {
        reduce_within();
        return;
    }
    gpu->launching = NULL;
    assert_int_equal(pthread_create(&other, NULL, reduce_apart, NULL), 0);
    usleep(20000);
    assert_false(is_done);
}

static void reduce_nested(void) {
    depth = 0;
    is_done = false;
    gpu->launching = launch_within;
    reduce_within();
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_true(is_done);
    for (size_t i = 0; i < SLOTS; i++)
        for (size_t j = 0; j < i; j++) {
            const ptrdiff_t apart = (const char *)results[i] - (const char *)results[j];
            assert_true(apart >= 64 || apart <= -64);
        }
}

static void test_slots(void **state) {
    (void)state;
    for (size_t way = 0; way < 4; way++) {
        gpu->shares = way % 2 == 0;
        gpu->is_late = way >= 2; /* then only the queue's end brings the results */
        reopen();
        reduce_nested();
        reduce_nested();
        if (way == 0) /* the host sees the results when they are there */
            assert_int_equal(gpu->calls[GPU_FINISH], 0);
    }
}

/* A result that is late is waited for; a kernel that gives no notice always is. */
static void test_notices(void **state) {
    (void)state;
    reduce_within();
    assert_int_equal(gpu->calls[GPU_FINISH], 0);
    assert_int_equal(gpu->calls[GPU_COPY], 0);
    assert_non_null(gpu->launch[0].notice);
    const uint64_t number = gpu->launch[0].notice_number;
    reduce_within();
    assert_int_not_equal(gpu->launch[1].notice_number, number);
    gpu->is_late = true;
    reduce_within();
    assert_int_equal(gpu->calls[GPU_FINISH], 1);
    int32_t folded[2] = {0};
    memcpy(gpu->answer, (int32_t[]){5, 6}, sizeof folded);
    require(wf_reduce(context, &maps, far_away, 100, folded));
    assert_int_equal(folded[0], 5);
    assert_int_equal(folded[1], 6);
    assert_null(gpu->launch[3].notice);
    assert_int_equal(gpu->calls[GPU_FINISH], 2);
    gpu->failing = GPU_FINISH;
    gpu->fails_at = 1;
    folded[0] = 7;
    refuses(wf_reduce(context, &maps, far_away, 100, folded), WF_DEVICE_ERROR, "waiting for the result");
    assert_int_equal(folded[0], 7);
    /* No number stands there before the first, and none is told twice. */
    reopen();
    reduce_within();
    wf_context_forget_stream(context, gpu->launch[0].result); /* which is no stream */
    gpu->answer[0]++;
    reduce_within();
    /* Without shared memory it is copied, and nothing else tells that it is there. */
    gpu->shares = gpu->is_late = false;
    reopen();
    reduce_within();
    assert_null(gpu->launch[0].notice);
    assert_int_equal(gpu->calls[GPU_COPY], 1);
    assert_int_equal(gpu->copy[0].bytes, 8);
    gpu->failing = GPU_COPY;
    gpu->fails_at = 1;
    refuses(wf_reduce(context, &maps, far_away, 100, folded), WF_DEVICE_ERROR, "copying the result");
}

static wf_status reduce_nothing(void) {
    uint64_t result[4];
    return wf_reduce(context, &fast, NULL, 0, result);
}

static wf_status describe_nothing(void) {
    wf_description result;
    return wf_describe(context, &(wf_describe_spec){.type = WF_F32}, NULL, 0, &result);
}

static wf_status scan_nothing(void) {
    return wf_scan(context, &(wf_scan_spec){.type = WF_F32}, NULL, 0, NULL);
}

static wf_status sort_nothing(void) {
    return wf_sort(context, &(wf_sort_spec){.type = WF_F32}, NULL, NULL, 0);
}

static wf_status copy_nothing_there(void) {
    return wf_copy_to_device(context, NULL, NULL, 0);
}

static wf_status copy_nothing_here(void) {
    return wf_copy_to_host(context, NULL, NULL, 0);
}

/* What waits for the context's own queue waits for it also where there is nothing else to do, and tells what failed
 * there. */
static void test_waiting_with_nothing(void **state) {
    (void)state;
    static const struct {
        wf_status (*call)(void);
        const char *doing;
    } cases[] = {{reduce_nothing, "waiting for the result"},
                 {describe_nothing, "waiting for the result"},
                 {scan_nothing, "scanning"},
                 {sort_nothing, "sorting"},
                 {copy_nothing_there, "copying"},
                 {copy_nothing_here, "copying"}};
    gpu->is_late = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        forget_calls();
        uint64_t result[4] = {0};
        require(wf_reduce_async(context, &wide, far_away, 100, result, NULL));
        assert_int_equal(result[0], 0);
        require(cases[i].call());
        assert_int_equal(result[0], gpu->answer[0]);
        assert_int_equal(gpu->launches, 1);
        gpu->failing = GPU_FINISH;
        gpu->fails_at = 1;
        refuses(cases[i].call(), WF_DEVICE_ERROR, cases[i].doing);
    }
}

/* ---- Turns ---- */

static size_t seen;
static double values[10]; /* which the device does not reach */

static wf_status fold(size_t how, uint64_t *result) {
    const uint64_t count = (UINT64_C(1) << 32) + 1; /* two parts */
    return how == 0   ? wf_reduce(context, &exact_wide, values, COUNT(values), result)
           : how == 1 ? wf_reduce(context, &exact_wide, far_away, count, result)
                      : wf_reduce_async(context, &exact_wide, far_away, count, result, NULL);
}

static void *fold_apart(void *how) {
    uint64_t result[4] = {0};
    is_done = fold(*(const size_t *)how, result) == WF_OK && result[0] == gpu->answer[0];
    return NULL;
}

static size_t how_other;

/* While one is between its pieces, another one tries. */
static void try_another(const wf_launch *what) {
    (void)what;
    if (seen++ != 0)
        return;
    const unsigned long copies = gpu->calls[GPU_COPY];
    assert_int_equal(pthread_create(&other, NULL, fold_apart, &how_other), 0);
    usleep(10000);
    assert_int_equal(seen, 1);
    assert_int_equal(gpu->calls[GPU_COPY], copies);
}

/* What comes in several pieces is not mixed: it goes through one buffer, and one carry. */
static void test_turns(void **state) {
    (void)state;
    gpu->of_host = values;
    for (size_t how = 0; how < 3; how++)
        for (how_other = 0; how_other < 3; how_other++) {
            uint64_t result[4] = {0};
            seen = 0;
            is_done = false;
            gpu->launching = try_another;
            require(fold(how, result));
            assert_int_equal(pthread_join(other, NULL), 0);
            assert_true(is_done);
            assert_int_equal(result[0], gpu->answer[0]);
        }
}

/* Between the parts of a fold another one fails, which is none in parts. */
static void fail_beside(const wf_launch *what) {
    (void)what;
    if (seen++ != 0)
        return;
    gpu->failing = GPU_LAUNCH;
    gpu->fails_at = 1;
    uint64_t none = 7;
    refuses(wf_reduce_async(context, &exact_wide, far_away, 100, &none, NULL), WF_DEVICE_ERROR, "launching");
}

/* What the first part has left for the second stays there. */
static void test_failing_beside(void **state) {
    (void)state;
    for (size_t how = 1; how < 3; how++) {
        uint64_t result[4] = {0};
        seen = 0;
        gpu->launching = fail_beside;
        require(fold(how, result));
        assert_int_equal(seen, 2);
        assert_int_equal(gpu->calls[GPU_CLEAR], 0);
    }
}

/* ---- Threads that are cancelled ---- */

static void cancel_this(const wf_launch *what) {
    (void)what;
    pthread_cancel(pthread_self());
    pthread_testcancel(); /* as a vendor's runtime may do */
}

static void *fold_and_end(void *how) {
    fold_apart(how);
    pthread_testcancel();
    return NULL;
}

/* They end behind the call: nobody waits for their turn without end, and slots are given back. */
static void test_cancelled_in_launches(void **state) {
    (void)state;
    gpu->of_host = values;
    for (size_t call = 0; call < 2 * SLOTS; call++)
        for (size_t how = 0; how < 3; how++) {
            void *ended;
            is_done = false;
            gpu->launching = cancel_this;
            assert_int_equal(pthread_create(&other, NULL, fold_and_end, &how), 0);
            assert_int_equal(pthread_join(other, &ended), 0);
            assert_true(is_done);
            assert_true(ended == PTHREAD_CANCELED);
        }
    gpu->launching = NULL;
    reduce_within();
}

/* The same while all slots are taken: it waits on. */
static void cancel_within(const wf_launch *what) {
    launch_within(what);
    if (depth < SLOTS || gpu->launching != NULL)
        return;
    depth = 0; /* once */
    assert_int_equal(pthread_cancel(other), 0);
    usleep(20000);
    assert_int_equal(pthread_tryjoin_np(other, NULL), EBUSY);
}

static void test_cancelled_in_wait(void **state) {
    (void)state;
    depth = 0;
    is_done = false;
    gpu->launching = cancel_within;
    reduce_within();
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_true(is_done);
}

/* ---- Calls that fail ---- */

typedef union any_result {
    uint64_t words[8];
    wf_sum_state state;
    wf_description description;
} any_result;

typedef struct operation {
    const char *name;
    wf_status (*run)(any_result *result);
} operation;

static const wf_describe_spec described = {.type = WF_F32};

static wf_status reduce(any_result *result) {
    return wf_reduce(context, &fast, far_away, 100, result);
}

static wf_status reduce_in_order(any_result *result) {
    return wf_reduce(context, &maps, far_away, 100, result);
}

static wf_status reduce_in_parts(any_result *result) {
    return wf_reduce(context, &exact_wide, far_away, UINT64_C(1) << 33, result);
}

static wf_status reduce_from_host(any_result *result) {
    return wf_reduce(context, &wide, values, COUNT(values), result);
}

static wf_status reduce_in_order_from_host(any_result *result) {
    return wf_reduce(context, &maps, values, COUNT(values), result);
}

static wf_status describe(any_result *result) {
    return wf_describe(context, &described, far_away, 100, &result->description);
}

static wf_status reduce_queued(any_result *result) {
    return wf_reduce_async(context, &fast, far_away, 100, result, &streams[1]);
}

static wf_status reduce_parts_queued(any_result *result) {
    return wf_reduce_async(context, &exact_wide, far_away, UINT64_C(1) << 33, result, &streams[1]);
}

static wf_status describe_queued(any_result *result) {
    return wf_describe_async(context, &described, far_away, 100, &result->description, &streams[1]);
}

static wf_status accumulate_queued(any_result *result) {
    return wf_sum_state_accumulate_async(context, &exact, far_away, 100, &result->state, &streams[1]);
}

static wf_status accumulate(any_result *result) {
    wf_sum_state state;
    wf_sum_state_init(&state);
    const wf_status status = wf_sum_state_accumulate(context, &exact, far_away, 100, &state);
    if (status == WF_OK)
        result->state = state;
    return status;
}

static const operation operations[] = {
    {"reduce", reduce},
    {"reduce_in_order", reduce_in_order},
    {"reduce_in_parts", reduce_in_parts},
    {"reduce_from_host", reduce_from_host},
    {"reduce_in_order_from_host", reduce_in_order_from_host},
    {"describe", describe},
    {"reduce_queued", reduce_queued},
    {"reduce_parts_queued", reduce_parts_queued},
    {"describe_queued", describe_queued},
    {"accumulate_queued", accumulate_queued},
    {"accumulate", accumulate},
};

static bool is_untouched(const any_result *result) {
    for (size_t i = 0; i < sizeof *result; i++)
        if (((const unsigned char *)result)[i] != 0x5C)
            return false;
    return true;
}

/* Whichever call it is: its status and its sentence are passed on, the result is as it was, and the next call finds all
 * in order. */
static void test_failures(void **state) {
    (void)state;
    for (size_t folds = 0; folds < 2; folds++)
        for (size_t shares = 0; shares < 2; shares++)
            for (size_t o = 0; o < COUNT(operations); o++) {
                gpu->folds = folds != 0;
                gpu->shares = shares != 0;
                gpu->of_host = values;
                gpu->is_late = true;
                reopen();
                const bool has_stream = strstr(operations[o].name, "queued") != NULL;
                any_result result;
                for (int call = 0; call < GPU_CALLS; call++)
                    for (unsigned long k = 1;; k++) {
                        memset(&result, 0x5C, sizeof result);
                        gpu->failing = (gpu_call)call;
                        gpu->fails_at = k;
                        const wf_status status = operations[o].run(&result);
                        const bool has_failed = gpu->fails_at == 0;
                        gpu->fails_at = 0;
                        if (folds != 0 && has_stream) {
                            refuses(status, WF_INVALID_ARGUMENT, "nvidia:0 has no streams");
                            break;
                        }
                        if (!has_failed) {
                            require(status);
                            break;
                        }
                        refuses(status, call == GPU_ALLOCATE ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR,
                                " on nvidia:0: the noting GPU was told to fail");
                        if (!is_untouched(&result))
                            fail_msg("%s: its result has changed", operations[o].name);
                        if (!has_stream && call != GPU_FINISH && gpu->answered != gpu->launches)
                            fail_msg("%s: it returns before its launches have ended", operations[o].name);
                        assert_int_equal(locks_held(), 0);
                    }
            }
}

/* Of several launches none is under way any more when the rung returns: the arrays are the caller's again. */
static void test_failing_rungs(void **state) {
    (void)state;
    enum { ELEMENTS = 100000 };
    static float in[ELEMENTS], out[2 * ELEMENTS];
    gpu->is_late = true;
    size_t several = 0;
    for (size_t r = 0; r < wf_rung_count(); r++)
        for (unsigned long k = 1;; k++) {
            const wf_rung_options options = {.type = WF_F32};
            wf_rung_info info;
            require(wf_rung_get_info(r, &info));
            forget_calls();
            gpu->failing = GPU_LAUNCH;
            gpu->fails_at = k;
            const wf_status status = wf_rung_run(context, r, &options, in, ELEMENTS, out, NULL);
            const bool has_failed = gpu->fails_at == 0 && gpu->calls[GPU_LAUNCH] != 0;
            gpu->fails_at = 0;
            if (!has_failed) {
                require(status);
                break;
            }
            refuses(status, WF_DEVICE_ERROR, "launching on nvidia:0");
            if (gpu->answered != gpu->launches)
                fail_msg("%s: it returns before its launches have ended", info.name);
            several += gpu->launches != 0;
        }
    assert_true(several > 10);
}

/* A GPU that is asked for something has memory taken, by the vendor's runtime; and one that is lost, or another
 * process's alone, fails. So those that nobody names are not asked. */
static void test_other_devices(void **state) {
    (void)state;
    wf_context *second = NULL, *none = NULL;
    memset(gpu->asked, 0, sizeof gpu->asked);
    gpu->lost[0] = true;
    require(wf_context_create(&second, "nvidia:1"));
    assert_int_equal(gpu->asked[0], 0);
    assert_int_not_equal(gpu->asked[1], 0);
    assert_int_equal(gpu->asked[2], 0);
    wf_context_destroy(second);
    refuses(wf_context_create(&none, "nvidia:0"), WF_DEVICE_ERROR, "'nvidia:0': the noting GPU was told to fail");
    gpu->lost[0] = false;
    memset(gpu->asked, 0, sizeof gpu->asked);
    static const char *const names[] = {"nvidia:3", "nvidia:01", "nvidia:", "nvidia: 1", "nvidia:-1"};
    for (size_t i = 0; i < COUNT(names); i++)
        refuses(wf_context_create(&none, names[i]), WF_NO_DEVICE, "there is nvidia:0, nvidia:1, nvidia:2");
    for (size_t i = 0; i < GPUS; i++)
        assert_int_equal(gpu->asked[i], 0);
    assert_null(none);
}

/* A context whose device or whose memory fails is not made, and leaves nothing. */
static void test_no_context(void **state) {
    (void)state;
    if (!can_fail_malloc())
        skip();
    wf_context *none = NULL;
    static const gpu_call calls[] = {GPU_ALLOCATE, GPU_CLEAR, GPU_FINISH};
    const long held = gpu->held, locks = locks_there();
    for (size_t c = 0; c < COUNT(calls); c++) {
        gpu->failing = calls[c];
        gpu->fails_at = 1;
        refuses(wf_context_create(&none, "nvidia:0"), c == 0 ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR,
                "making room for what tiles tell each other on nvidia:0: the noting GPU was told to fail");
        assert_int_equal(gpu->fails_at, 0);
        assert_null(none);
        assert_int_equal(gpu->held, held);
        assert_int_equal(locks_there(), locks);
    }
    size_t without = 0;
    bool has_failed = true;
    for (unsigned long k = 1; has_failed; k++) {
        fail_malloc_at(k);
        const wf_status status = wf_context_create(&none, "nvidia:0");
        has_failed = end_failing_malloc();
        if (has_failed && status != WF_OK)
            refuses(status, WF_OUT_OF_MEMORY, " ");
        assert_true((status == WF_OK) == (none != NULL));
        without += has_failed && status == WF_OK;
        wf_context_destroy(none);
        none = NULL;
        assert_int_equal(gpu->held, held);
        assert_int_equal(locks_there(), locks);
    }
    assert_int_equal(without, 1); /* the device has no memory to share, and is used without */
}

/* Of the host's memory, too, nothing is left. */
static void test_host_memory(void **state) {
    (void)state;
    wf_context *made;
    long kept[3]; /* builds that are not for release keep what tells a destroyed context */
    for (size_t i = 0; i < COUNT(kept); i++) {
        const long before = blocks_held();
        require(wf_context_create(&made, "nvidia:0"));
        wf_context_destroy(made);
        kept[i] = blocks_held() - before;
    }
    assert_int_equal(kept[2], kept[1]);
#if defined(NDEBUG)
    assert_int_equal(kept[2], 0);
#else
    assert_int_equal(kept[2], 1);
#endif
}

/* ---- What is refused before anything is launched ---- */

static void test_refused(void **state) {
    (void)state;
    any_result result;
    memset(&result, 0x5C, sizeof result);
    char *const at = (char *)&result;
    refuses(wf_reduce_async(context, &exact, far_away, 100, at + 1, NULL), WF_INVALID_ARGUMENT,
            "result must be aligned to 4 bytes");
    refuses(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_I8, .op = WF_ARGMIN}, far_away, 100, at + 4, NULL),
            WF_INVALID_ARGUMENT, "result must be aligned to 8 bytes");
    require(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_I8, .op = WF_MIN}, far_away, 100, at + 1, NULL));
    require(wf_reduce_async(context, &exact, far_away + 1, 100, &result, NULL));
    refuses(wf_describe_async(context, &described, far_away, 100, (wf_description *)(void *)(at + 4), NULL),
            WF_INVALID_ARGUMENT, "result must be aligned to 8 bytes");
    refuses(wf_sum_state_accumulate_async(context, &exact, far_away, 100, (wf_sum_state *)(void *)(at + 4), NULL),
            WF_INVALID_ARGUMENT, "state must be aligned to 8 bytes");
    refuses(wf_reduce_async(context, &maps, far_away + 1, 100, &result, NULL), WF_INVALID_ARGUMENT,
            "in must be aligned");
    const wf_describe_spec unknown = {.type = (wf_type)99};
    refuses(wf_describe(context, &unknown, far_away, 100, &result.description), WF_INVALID_ARGUMENT, "type 99");
    refuses(wf_describe_async(context, &unknown, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "type 99");
    refuses(wf_describe_async(NULL, &described, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "context must not be NULL");
    refuses(wf_describe_async(context, NULL, far_away, 100, &result.description, NULL), WF_INVALID_ARGUMENT,
            "what must not be NULL");
    refuses(wf_reduce_async(NULL, &exact, far_away, 100, &result, NULL), WF_INVALID_ARGUMENT,
            "context must not be NULL");
    refuses(wf_sum_state_accumulate(NULL, &exact, far_away, 100, &result.state), WF_INVALID_ARGUMENT,
            "context must not be NULL");
    refuses(wf_sum_state_accumulate(context, NULL, far_away, 100, &result.state), WF_INVALID_ARGUMENT,
            "what must not be NULL");
    forget_calls();
    refuses(wf_sum_state_accumulate(context, &exact, far_away, 100, &result.state), WF_INVALID_ARGUMENT, "state ");
    wf_sum_state_init(&result.state);
    const wf_reduce_spec least = {.type = WF_F32, .op = WF_MIN};
    refuses(wf_sum_state_accumulate(context, &least, far_away, 100, &result.state), WF_UNSUPPORTED,
            "min of f32 has no state");
    refuses(wf_sum_state_accumulate_async(context, &least, far_away, 100, &result.state, NULL), WF_UNSUPPORTED,
            "min of f32 has no state");
    assert_int_equal(gpu->launches, 0);
    /* The state's sum is exact, whatever is said of accuracy and accumulator. */
    const wf_reduce_spec other_sum = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST, .accumulator = WF_ACCUMULATE_I32};
    require(wf_sum_state_accumulate_async(context, &other_sum, far_away, 100, &result.state, NULL));
    assert_int_equal(only_launch()->kernel, WF_KERNEL_exact);
    assert_int_equal(only_launch()->accumulator, WF_F32);
    assert_int_equal(only_launch()->result_count, 1);
    assert_int_equal(only_launch()->exact_result, WF_EXACT_ADDED);
}

int main(void) {
    char path[1024];
    const char *const folder = getenv("WAVEFOLD_BACKEND_PATH");
    snprintf(path, sizeof path, "%s/libwavefold-nvidia.so", folder != NULL ? folder : "");
    void *const module = dlopen(path, RTLD_NOW);
    noting_gpu_function *state = NULL;
    if (module != NULL)
        *(void **)&state = dlsym(module, NOTING_GPU);
    if (state == NULL) {
        fprintf(stderr, "WAVEFOLD_BACKEND_PATH must be the folder of noting_gpu.c's module: %s\n", dlerror());
        return 1;
    }
    setenv("WAVEFOLD_CACHE", "/nonexistent", 1); /* nobody's own launch tables */
    gpu = state();
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shapes, begin, end),
        cmocka_unit_test_setup_teardown(test_spread, begin, end),
        cmocka_unit_test_setup_teardown(test_other_shapes, begin, end),
        cmocka_unit_test_setup_teardown(test_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_f64, begin, end),
        cmocka_unit_test_setup_teardown(test_parts, begin, end),
        cmocka_unit_test_setup_teardown(test_failing_parts, begin, end),
        cmocka_unit_test_setup_teardown(test_pieces, begin, end),
        cmocka_unit_test_setup_teardown(test_staging, begin, end),
        cmocka_unit_test_setup_teardown(test_streams, begin, end),
        cmocka_unit_test_setup_teardown(test_refused_streams, begin, end),
        cmocka_unit_test_setup_teardown(test_captures, begin, end),
        cmocka_unit_test_setup_teardown(test_slots, begin, end),
        cmocka_unit_test_setup_teardown(test_notices, begin, end),
        cmocka_unit_test_setup_teardown(test_waiting_with_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_turns, begin, end),
        cmocka_unit_test_setup_teardown(test_failing_beside, begin, end),
        cmocka_unit_test_setup_teardown(test_cancelled_in_launches, begin, end),
        cmocka_unit_test_setup_teardown(test_cancelled_in_wait, begin, end),
        cmocka_unit_test_setup_teardown(test_failures, begin, end),
        cmocka_unit_test_setup_teardown(test_failing_rungs, begin, end),
        cmocka_unit_test_setup_teardown(test_other_devices, begin, end),
        cmocka_unit_test_setup_teardown(test_no_context, begin, end),
        cmocka_unit_test_setup_teardown(test_host_memory, begin, end),
        cmocka_unit_test_setup_teardown(test_refused, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
