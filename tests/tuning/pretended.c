/* What wf_tune measures on a device that is made up, and what it makes of that; and when the device's calls fail. */
#include "tuning_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "pretended_device.h"
#include "require.h"
#include "table_files.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void rows_of_tuning(wf_context *context, const wf_tuning_row *expected, size_t count) {
    wf_tuning_info info;
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.is_tuned, 1);
    assert_int_equal(info.row_count, count);
    for (size_t r = 0; r < count; r++)
        if (memcmp(&info.rows[r], &expected[r], sizeof *expected) != 0)
            fail_msg("row %zu is %llu %u %u %u", r, (unsigned long long)info.rows[r].bytes, info.rows[r].tile_size,
                     info.rows[r].loads, info.rows[r].tiles_per_processor);
}

/* All measurements of the k-th size, in the order in which they were made: how many follow the one of 4 launches. */
static const measured *of_size(size_t k, size_t *count) {
    size_t at = 0;
    for (size_t seen = 0; at < pretended.logged; at++)
        if (pretended.log[at].launches == 4 && seen++ == k)
            break;
    assert_true(at < pretended.logged);
    for (*count = 0; at + 1 + *count < pretended.logged && pretended.log[at + 1 + *count].launches != 4;)
        ++*count;
    return pretended.log + at;
}

typedef struct shape {
    uint32_t tile_size, tiles;
} shape;

/* Nine rounds of all these shapes, in any order, but in the same one each time. The first is the built-in table's. */
static void measures_rounds_of(size_t k, uint64_t bytes, uint32_t launches, const shape *shapes, size_t count) {
    size_t made;
    const measured *log = of_size(k, &made);
    assert_true(log->bytes == bytes && log->tile_size == shapes[0].tile_size && log->tiles == shapes[0].tiles);
    log++;
    assert_int_equal(made, 9 * count);
    for (size_t i = 0; i < made; i++) {
        assert_true(log[i].bytes == bytes && log[i].launches == launches);
        assert_true(log[i].tiles == log[i % count].tiles && log[i].tile_size == log[i % count].tile_size);
    }
    assert_true(log->tile_size == shapes[0].tile_size && log->tiles == shapes[0].tiles);
    for (size_t s = 0; s < count; s++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            found += log[i].tile_size == shapes[s].tile_size && log[i].tiles == shapes[s].tiles;
        if (found != 1)
            fail_msg("%llu bytes: %u tiles of %u are measured %zu times a round", (unsigned long long)bytes,
                     shapes[s].tiles, shapes[s].tile_size, found);
    }
}

/* Powers of two of up to 2048 threads for each of four multiprocessors, a thread having 1 to 16 loads of 16 bytes. */
static void test_shapes(void **state) {
    (void)state;
    static const shape of_4_kib[] = {{256, 1}, {64, 4}, {64, 2}, {64, 1}, {128, 2}, {128, 1}, {512, 1}, {1024, 1}};
    static const shape of_16_kib[] = {{512, 1}, {64, 16}, {64, 8},  {64, 4},  {64, 2},  {64, 1},  {128, 8}, {128, 4},
                                      {128, 2}, {128, 1}, {256, 4}, {256, 2}, {512, 2}, {256, 1}, {1024, 1}};
    static const shape of_1_mib[] = {{256, 32}, {64, 32}, {64, 16}, {64, 8},   {64, 4},  {128, 32},
                                     {128, 16}, {128, 8}, {128, 4}, {256, 16}, {256, 8}, {256, 4},
                                     {512, 16}, {512, 8}, {512, 4}, {1024, 8}, {1024, 4}};
    static const wf_tuning_row expected[] = {{8192, 256, 2, 1}, {16384, 512, 2, 1}, {UINT64_MAX, 256, 4, 8}};
    wf_context *context = pretend("host", 32, 1024, always_30us);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1}));
    /* 50 ms of the first launch, until the clocks have risen; then 200 us of launches, or little more. */
    size_t warm = 0;
    while (pretended.log[warm].launches == 1)
        warm++;
    assert_int_equal(warm, 1667);
    assert_true(pretended.log[0].bytes == 4096 && pretended.log[0].tile_size == 256 && pretended.log[0].tiles == 1);
    measures_rounds_of(0, 4096, 7, of_4_kib, COUNT(of_4_kib));
    measures_rounds_of(2, 16384, 7, of_16_kib, COUNT(of_16_kib));
    measures_rounds_of(8, 1 << 20, 7, of_1_mib, COUNT(of_1_mib));
    assert_int_equal(pretended.allocations, 1);
    assert_int_equal(pretended.allocated[0], (512 << 20) + RESULT);
    assert_int_equal(pretended.cleared, pretended.allocated[0]);
    rows_of_tuning(context, expected, COUNT(expected));
    wf_context_destroy(context);
    /* Tiles of up to 512 threads; those of 1024 are the last two above. */
    context = pretend("host", 64, 512, always_30us);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1}));
    measures_rounds_of(8, 1 << 20, 7, of_1_mib, COUNT(of_1_mib) - 2);
    wf_context_destroy(context);
}

/* Five rounds of nine tell, whatever the others do: the first shape is 9 us, the built-in one 10 us, another 12 us, and
 * often less. */
static double by_median(const measured *what, size_t round) {
    const uint32_t tiles = what->bytes == 4096 ? 1 : what->bytes == 8192 ? 2 : 4;
    if (what->launches <= 4)
        return 30e-6;
    const double noise = 1e-8 * (double)(round % 9); /* no two are alike */
    if (what->tile_size == 64 && what->tiles == tiles)
        return noise + (round % 9 == 4 || round % 9 == 0 || round % 9 == 7 || round % 9 == 2 ? 20e-6 : 9e-6);
    if (what->tile_size == 1024)
        return noise + (round % 9 == 4 || round % 9 == 0 || round % 9 == 7 || round % 9 == 2 ? 5e-6 : 12e-6);
    return noise + (round % 9 == 4 || round % 9 == 1 || round % 9 == 6 || round % 9 == 8 ? 1e-6 : 10e-6);
}

static void test_medians(void **state) {
    (void)state;
    /* What is shorter than 4 KiB is not measured. The row of 4 KiB comes to the best shape at the next two sizes, too,
     * and is kept; then the built-in rows. */
    static const wf_tuning_row expected[] = {
        {2 << 10, 32, 4, 1},    {16 << 10, 64, 4, 1},      {32 << 10, 512, 4, 1}, {64 << 10, 1024, 4, 1},
        {256 << 10, 256, 1, 1}, {512 << 10, 128, 4, 1},    {6 << 20, 256, 4, 2},  {32 << 20, 512, 4, 2},
        {1 << 30, 1024, 1, 2},  {UINT64_MAX, 1024, 1, 16},
    };
    wf_context *context = pretend("nvidia", 32, 1024, by_median);
    wf_tuning_info builtin;
    require(wf_context_get_tuning(context, &builtin));
    assert_true(builtin.row_count == 11 && builtin.rows[0].bytes == 2048); /* not that of exact sums */
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 16384, .dry_run = 1}));
    rows_of_tuning(context, expected, COUNT(expected));
    static const uint32_t builtin_tiles[] = {128, 128, 256};
    for (size_t k = 0; k < 3; k++) { /* the built-in shape says how many launches; the best one wins over it again */
        size_t made;
        const measured *log = of_size(k, &made);
        assert_true(log->tile_size == builtin_tiles[k] && log->tiles == 1);
        assert_int_equal(made % 9, 0);
        log += made - 17;
        for (size_t i = 0; i < 9; i++) {
            assert_true(log[2 * i].tile_size == builtin_tiles[k] && log[2 * i].tiles == 1);
            assert_true(log[2 * i + 1].tile_size == 64 && log[2 * i + 1].tiles == UINT32_C(1) << k);
        }
    }
    wf_context_destroy(context);
}

/* In the first nine rounds one shape is lucky. No time passes when launches are counted. */
static double lucky(const measured *what, size_t round) {
    if (what->launches == 4)
        return 0;
    return what->tile_size != 64 || what->tiles > 2 ? 10e-6 : what->tiles == 2 ? 9.5e-6 : round < 9 ? 9e-6 : 10e-6;
}

static void test_luck(void **state) {
    (void)state;
    static const wf_tuning_row builtin[] = {{8192, 256, 2, 1}, {16384, 512, 2, 1}, {UINT64_MAX, 256, 4, 8}};
    wf_context *context = pretend("host", 32, 1024, lucky);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096, .dry_run = 1}));
    rows_of_tuning(context, builtin, COUNT(builtin));
    size_t made;
    const measured *log = of_size(0, &made);
    assert_int_equal(made, 9 * 8 + 9 * 2);
    assert_int_equal(log[1].launches, 1024);
    assert_int_equal(pretended.allocated[0], (4 << 20) + RESULT);
    wf_context_destroy(context);
}

/* Three quarters of a second for all eight shapes, a quarter for the two; fewer than three rounds choose nothing. */
static double slow_seconds;

static double slow(const measured *what, size_t round) {
    (void)round;
    return what->tile_size == 64 && what->tiles == 1 ? slow_seconds / 2 : slow_seconds;
}

static void test_slow_devices(void **state) {
    (void)state;
    static const wf_tuning_row builtin[] = {{8192, 256, 2, 1}, {16384, 512, 2, 1}, {UINT64_MAX, 256, 4, 8}};
    static const wf_tuning_row chosen[] = {
        {4096, 64, 4, 1}, {8192, 256, 2, 1}, {16384, 512, 2, 1}, {UINT64_MAX, 256, 4, 8}};
    static const struct {
        double seconds;
        size_t first, second; /* measurements */
    } cases[] = {{21e-3, 34, 16}, {26e-3, 27, 12}, {32.5e-3, 21, 0}, {1.0, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        wf_context *context = pretend("host", 32, 1024, slow);
        slow_seconds = cases[i].seconds;
        require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096, .dry_run = 1}));
        size_t made;
        of_size(0, &made);
        if (made != cases[i].first + cases[i].second)
            fail_msg("launches of %g s: %zu measurements", slow_seconds, made);
        if (cases[i].second != 0)
            rows_of_tuning(context, chosen, COUNT(chosen));
        else
            rows_of_tuning(context, builtin, COUNT(builtin));
        wf_context_destroy(context);
    }
}

static double best_in_1024(const measured *what, size_t round) {
    (void)round;
    return what->tile_size == 1024 ? 27e-6 : 30e-6;
}

/* The row of the largest arrays is for all beyond that the built-in table does not tell from them. */
static void test_all_sizes(void **state) {
    (void)state;
    static const struct {
        const char *backend;
        wf_tuning_row rows[5];
        size_t count;
    } expected[] = {
        {"host", {{UINT64_MAX, 1024, 1, 1}}, 1},
        {"nvidia", /* where the built-in one is as fast, it is kept */
         {{2 << 10, 32, 4, 1},
          {32 << 10, 1024, 1, 1},
          {32 << 20, 1024, 4, 1},
          {1 << 30, 1024, 1, 2},
          {UINT64_MAX, 1024, 1, 16}},
         5},
    };
    static const wf_tune_spec none = {.dry_run = 1}, most = {.most_bytes = 256 << 20, .dry_run = 1};
    static const wf_tune_spec *const specs[] = {NULL, &none, &most};
    for (size_t e = 0; e < COUNT(expected); e++)
        for (size_t i = 0; i < COUNT(specs); i++) {
            wf_context *context = pretend(expected[e].backend, 32, 1024, best_in_1024);
            require(tune_pretended(context, specs[i]));
            rows_of_tuning(context, expected[e].rows, expected[e].count);
            size_t made;
            assert_true(of_size(16, &made)->bytes == 256 << 20);
            wf_context_destroy(context);
        }
}

/* Half of what is free, as far as there is memory for it; arrays of up to half of that. */
static void test_little_memory(void **state) {
    (void)state;
    static const struct {
        uint64_t free_bytes;
        size_t largest;
        uint64_t allocated[3];
        size_t sizes; /* 0: it is refused */
    } cases[] = {
        {40000, SIZE_MAX, {16384 + RESULT}, 2},
        {16384, SIZE_MAX, {8192 + RESULT}, 1},
        {16382, SIZE_MAX, {0}, 0},
        {0, SIZE_MAX, {0}, 0},
        {81920, 9000, {40960 + RESULT, 20480 + RESULT, 8192 + RESULT}, 1},
        {81920, 8000, {40960 + RESULT, 20480 + RESULT, 8192 + RESULT}, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        wf_context *context = pretend("host", 32, 1024, always_30us);
        pretended.device.memory_free_bytes = cases[i].free_bytes;
        pretended.largest = cases[i].largest;
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1});
        for (size_t a = 0; a < 3; a++)
            assert_int_equal(a < pretended.allocations ? pretended.allocated[a] : 0, cases[i].allocated[a]);
        if (cases[i].sizes == 0) {
            refuses(status, WF_OUT_OF_MEMORY, "bytes of memory free, too few to tune with");
        } else {
            require(status);
            size_t made;
            of_size(cases[i].sizes - 1, &made);
            assert_int_equal(pretended.log[pretended.logged - 1].bytes, 2048 << cases[i].sizes);
        }
        wf_context_destroy(context);
    }
}

/* Every call of the backend's fails once: nothing has changed, and nothing is left. */
static void test_backend_fails(void **state) {
    (void)state;
    wf_context *context = pretend("host", 32, 1024, slow);
    slow_seconds = 50e-3;
    wf_tuning_info before, after;
    require(wf_context_get_tuning(context, &before));
    unsigned long number = 1;
    for (const char *failed = ""; failed != NULL; number++) {
        fail_at = number;
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
        failed = failed_call;
        if (failed == NULL || strcmp(failed, "finish") == 0) { /* what ends all: launches that nobody waits for */
            require(status);
            unlink(before.path);
            continue;
        }
        if (status != WF_DEVICE_ERROR || strstr(wf_last_error(), " on host:32: ") == NULL)
            fail_msg("%s fails, call %lu: %s, %s", failed, number, wf_status_name(status), wf_last_error());
        require(wf_context_get_tuning(context, &after));
        assert_memory_equal(&after, &before, sizeof before);
        assert_int_equal(files_in(folder), 0);
    }
    assert_true(number > 30);
    fail_at = 0;
    wf_context_destroy(context);
}

/* A device whose waves no power of two fits: the library's own table would be refused when it is read. */
static void test_no_valid_table(void **state) {
    (void)state;
    wf_context *context = pretend("host", 48, 1024, always_30us);
    refuses(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096}), WF_UNSUPPORTED,
            "makes no valid table (line 9: tile_size 256");
    assert_int_equal(files_in(folder), 0);
    wf_context_destroy(context);
}

int run_pretended_tests(void) {
    const struct CMUnitTest made_up[] = {
        cmocka_unit_test_setup_teardown(test_shapes, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_medians, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_luck, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_slow_devices, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_all_sizes, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_little_memory, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_backend_fails, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_no_valid_table, begin, end_pretending),
    };
    return cmocka_run_group_tests_name("a device that is made up", made_up, NULL, NULL);
}
