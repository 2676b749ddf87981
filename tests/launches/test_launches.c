/* What a fold on a GPU comes to, on one that only notes what it is asked for (noting_gpu.h): which tiles are launched;
 * in other files, in how many pieces, where those lie, what a stream's launches keep, who waits for whom, and what is
 * left when a call fails. No kernel runs, so that arrays may be as large as they like. */
#define _GNU_SOURCE
#include "launches_tests.h"

#include "checked_locks.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_sum.h>

#include "require.h"
#include "result_bytes.h"

noting_gpu *gpu;
wf_context *context;
char streams[100];
char *const far_away = (char *)0x100000;
double values[10];

const wf_reduce_spec fast = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST}, exact = {.type = WF_F32},
                     wide = {.type = WF_F64, .accuracy = WF_ACCURACY_FAST}, exact_wide = {.type = WF_F64},
                     maps = {.type = WF_I32, .op = WF_AFFINE};
static const wf_reduce_spec single = {.type = WF_I8}, place = {.type = WF_F32, .op = WF_ARGMAX},
                            extremes = {.type = WF_F32, .op = WF_MINMAX}, minimum = {.type = WF_F32, .op = WF_MIN},
                            integer_minimum = {.type = WF_U32, .op = WF_MIN},
                            product = {.type = WF_F32, .op = WF_PRODUCT}, wide_minimum = {.type = WF_I64, .op = WF_MIN},
                            byte_minimum = {.type = WF_I8, .op = WF_MAX},
                            float_minimum = {.type = WF_F64, .op = WF_MIN},
                            float_place = {.type = WF_F64, .op = WF_ARGMIN},
                            wide_place = {.type = WF_U64, .op = WF_ARGMIN},
                            half = {.type = WF_BF16, .accuracy = WF_ACCURACY_FAST}, exact_half = {.type = WF_BF16};

void forget_calls(void) {
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

void reopen(void) {
    assert_int_equal(end(NULL), 0);
    open_context();
}

const wf_reduce_request *only_launch(void) {
    assert_int_equal(gpu->launches, 1);
    return &gpu->launch[0];
}

/* ---- Shapes ---- */

static void test_shapes(void **state) {
    (void)state;
    enum { SPREAD = 0 };
    static const struct {
        const wf_reduce_spec *spec;
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
        require(wf_reduction_get_info(cases[i].spec, &info));
        require(wf_reduce(context, cases[i].spec, far_away, cases[i].bytes / info.element_bytes, result,
                          bytes_of_result(cases[i].spec)));
        const wf_reduce_request *const spec = only_launch();
        const uint32_t tiles = spec->is_cluster && spec->head.tiles == 1 ? SPREAD : spec->head.tiles;
        if (tiles != cases[i].tiles || spec->head.tile_size != cases[i].tile_size)
            fail_msg("case %zu: %u tiles of %u, not %u of %u", i, tiles, spec->head.tile_size, cases[i].tiles,
                     cases[i].tile_size);
    }
}

/* A tile is a cluster tile where its kernels are for the array, and the device is one of those that spread it. */
static void test_spread(void **state) {
    (void)state;
    static const wf_reduce_spec mean = {.type = WF_F32, .op = WF_MEAN}, squares = {.type = WF_F32, .op = WF_SUMSQ},
                                into_f64 = {.type = WF_F32, .accumulator = WF_ACCUMULATE_F64},
                                halves_into_f32 = {.type = WF_F16, .accumulator = WF_ACCUMULATE_F32},
                                magnitudes = {.type = WF_F64, .op = WF_ASUM};
    static const struct {
        const wf_reduce_spec *spec;
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
        require(wf_reduction_get_info(cases[i].spec, &info));
        require(wf_reduce(context, cases[i].spec, far_away + cases[i].offset, cases[i].bytes / info.element_bytes,
                          result, bytes_of_result(cases[i].spec)));
        const wf_reduce_request *const spec = only_launch();
        if (spec->is_cluster != (cases[i].tile_size != 0) ||
            (spec->is_cluster && spec->head.tile_size != cases[i].tile_size))
            fail_msg("case %zu: spread %u, %u tiles of %u", i, spec->is_cluster, spec->head.tiles,
                     spec->head.tile_size);
    }
    /* States and descriptions of floats have no such kernels; those of integers have. */
    gpu->info.f64_ratio = 2;
    gpu->info.wave_width = 32;
    reopen();
    wf_sum_state sum;
    wf_sum_state_init(&sum);
    require(wf_sum_state_accumulate(context, &exact, far_away, 16 << 10, &sum));
    assert_false(only_launch()->is_cluster);
    wf_description described;
    forget_calls();
    require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, far_away, 16 << 10, &described));
    assert_false(only_launch()->is_cluster);
    forget_calls();
    require(wf_describe(context, &(wf_describe_spec){.type = WF_U32}, far_away, 16 << 10, &described));
    assert_true(only_launch()->is_cluster);
}

static void test_other_shapes(void **state) {
    (void)state;
    uint64_t result[4];
    /* Another maker's device of the same number. */
    strcpy(gpu->info.backend, "amd");
    reopen();
    require(wf_reduce(context, &fast, far_away, 16 * MIB, result, bytes_of_result(&fast)));
    assert_int_equal(only_launch()->head.tile_size, 256);
    /* The host's range for tiles that are spread begins below what one pack of each thread takes. */
    static const struct {
        wf_reduce_spec spec;
        bool is_cluster;
    } on_host[] = {{{.type = WF_F32}, true},
                   {{.type = WF_F32, .op = WF_MEAN}, false},
                   {{.type = WF_F32, .op = WF_PRODUCT, .accuracy = WF_ACCURACY_FAST}, false}};
    strcpy(gpu->info.backend, "host");
    for (size_t i = 0; i < COUNT(on_host); i++) {
        reopen();
        require(wf_reduce(context, &on_host[i].spec, far_away, 4 << 10, result, bytes_of_result(&on_host[i].spec)));
        assert_int_equal(only_launch()->is_cluster, on_host[i].is_cluster);
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
        if (only_launch()->head.tiles != cases[i].tiles || only_launch()->head.tile_size != cases[i].tile_size)
            fail_msg("case %zu: %u tiles of %u, not %u of %u", i, only_launch()->head.tiles,
                     only_launch()->head.tile_size, cases[i].tiles, cases[i].tile_size);
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
        assert_int_equal(only_launch()->head.tiles, of_floats[i].tiles);
    }
    /* Nothing is folded by one tile. */
    forget_calls();
    require(wf_reduce_async(context, &fast, NULL, 0, result, bytes_of_result(&fast), NULL));
    assert_int_equal(only_launch()->head.tiles, 1);
}

/* Of no elements: nothing is launched. */
static void test_nothing(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec spec;
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
        require(wf_reduce(context, &cases[i].spec, NULL, 0, result, bytes_of_result(&cases[i].spec)));
        if (memcmp(result, cases[i].result, sizeof cases[i].result) != 0)
            fail_msg("%s of no %s: %#llx, %#llx", wf_op_name(cases[i].spec.op), wf_type_name(cases[i].spec.type),
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
        require(wf_reduce(context, &exact, far_away, 100, &result, bytes_of_result(&exact)));
        assert_int_equal(only_launch()->in_f64, ratios[i] <= 4);
    }
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
