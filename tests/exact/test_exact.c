/* Exact sums: states and rounded results of random and built arrays against the tests' own arithmetic, on one device.
 *
 * usage: test_exact [DEVICE [COMPARISONS [SEED [PATTERN]]]]
 *        DEVICE: what wf_context_create takes (default: host:64). COMPARISONS: of states and of results, for random
 *        arrays (default: 20000). SEED: of those (default: 1).
 *
 * There is no tolerance: every bit counts. golden/exact.txt has results that never change: what a version of the
 * library has given, every later one gives.
 * WAVEFOLD_GOLDEN names that file; with WAVEFOLD_WRITE_GOLDEN set, what is not in it is added at its end. */
#include "big_sum.h"
#include "data.h"
#include "exact_data.h"
#include "exact_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_sum.h>

#include "require.h"
#include "result_bytes.h"
#include "state_hash.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

wf_context *context;
bool is_native;
uint64_t seed = 1, compared;
static bool is_host;
static uint64_t comparisons = 20000;

enum { MOST = 1 << 18 }; /* elements of an array */

static const struct {
    wf_op op;
    big_term term;
} ops[] = {{WF_SUM, BIG_ELEMENT}, {WF_MEAN, BIG_ELEMENT}, {WF_ASUM, BIG_MAGNITUDE}, {WF_SUMSQ, BIG_SQUARE}};

/* ---- Comparisons ---- */

static wf_accumulator accumulator_of(wf_type type, wf_type element) {
    return type == element ? WF_ACCUMULATE_DEFAULT : type == WF_F32 ? WF_ACCUMULATE_F32 : WF_ACCUMULATE_F64;
}

static void show(const char *spec, wf_type type, wf_op op, size_t n, size_t offset, int of) {
    print_error("%s: %s of %s, n = %zu, %zu bytes off, data %d, seed %llu\n", spec, wf_op_name(op), wf_type_name(type),
                n, offset, of, (unsigned long long)seed);
}

static void compare_states(const wf_sum_state *got, const wf_sum_state *expected, wf_type type, wf_op op, size_t n,
                           size_t offset, int of) {
    compared++;
    if (memcmp(got, expected, sizeof *got) == 0)
        return;
    show("state", type, op, n, offset, of);
    const int64_t *const a = (const int64_t *)got, *const b = (const int64_t *)expected;
    for (size_t i = 0; i < sizeof *got / 8; i++)
        if (a[i] != b[i])
            print_error("  number %zu: %llx, expected %llx\n", i, (unsigned long long)a[i], (unsigned long long)b[i]);
    fail();
}

/* Of n elements there, whose terms have been added to expected. */
static void compare_sum(const void *there, size_t n, wf_type type, big_sum *expected, int of) {
    big_sum_finish(expected);
    const wf_sum_state right = big_sum_state(expected);
    const wf_reduce_spec spec = {.type = type, .accuracy = WF_ACCURACY_EXACT};
    wf_sum_state found;
    wf_sum_state_init(&found);
    require(wf_sum_state_accumulate(context, &spec, there, n, &found));
    compare_states(&found, &right, type, WF_SUM, n, 0, of);
}

/* Of n elements at in (host memory): by the device, whole and in two parts. */
static void check_array(const unsigned char *in, const void *there, wf_type type, size_t n, size_t offset, int of,
                        size_t which_op) {
    static big_sum expected;
    const size_t size = wf_type_size(type);
    const wf_op op = ops[which_op].op;
    memset(&expected, 0, sizeof expected);
    for (size_t i = 0; i < n; i++)
        big_sum_add(&expected, type, ops[which_op].term, element_at(in, size, i));
    big_sum_finish(&expected);
    const wf_sum_state right = big_sum_state(&expected);

    wf_reduce_spec spec = {.type = type, .op = op, .accuracy = WF_ACCURACY_EXACT};
    wf_sum_state whole, parts, rest;
    wf_sum_state_init(&whole);
    require(wf_sum_state_accumulate(context, &spec, there, n, &whole));
    compare_states(&whole, &right, type, op, n, offset, of);

    const size_t cut = n == 0 ? 0 : draw_below(n + 1);
    wf_sum_state_init(&parts);
    wf_sum_state_init(&rest);
    require(wf_sum_state_accumulate(context, &spec, (const char *)there + cut * size, n - cut, &rest));
    require(wf_sum_state_accumulate(context, &spec, there, cut, &parts));
    require(wf_sum_state_merge(&parts, &rest));
    require(wf_sum_state_normalise(&parts));
    compare_states(&parts, &right, type, op, n, offset, of);

    const wf_type results[] = {type, WF_F32, WF_F64};
    for (size_t r = 0; r < COUNT(results); r++) {
        const wf_type to = results[r];
        uint64_t result = 0;
        spec.accumulator = accumulator_of(to, type);
        require(wf_reduce(context, &spec, there, n, &result, bytes_of_result(&spec)));
        const uint64_t rounded = big_sum_rounded(&expected, op == WF_MEAN, to);
        compared++;
        if (result != rounded) {
            show("result", type, op, n, offset, of);
            print_error("  in %s: %llx, expected %llx\n", wf_type_name(to), (unsigned long long)result,
                        (unsigned long long)rounded);
            fail();
        }
        uint64_t again = 0;
        require(wf_sum_state_round(&parts, op == WF_MEAN ? WF_MEAN : WF_SUM, to, &again, wf_type_size(to)));
        compared++;
        assert_true(again == rounded);
    }
}

static const size_t small_sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100};
static const size_t large_sizes[] = {127, 128, 129, 255, 257, 1000, 1023, 1025, 4095, 4097, 10007, 65537};

/* Arrays of every kind, type, operator and length, at random offsets, until so many are compared. */
static void test_random_arrays(void **state) {
    (void)state;
    unsigned char *const host = malloc(MOST * 8 + 64);
    unsigned char *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, MOST * 8 + 64));
    random_state = seed << 32;
    const uint64_t before = compared; /* by the other tests */
    for (uint64_t round = 0; compared - before < comparisons; round++) {
        const wf_type type = float_types[round % COUNT(float_types)];
        const size_t op = round / COUNT(float_types) % COUNT(ops), size = wf_type_size(type);
        if (type == WF_F64 && ops[op].op == WF_SUMSQ)
            continue;
        const kind of = (kind)draw_below(KINDS);
        const size_t n = draw_below(40) == 0 ? large_sizes[draw_below(COUNT(large_sizes))]
                                             : small_sizes[draw_below(COUNT(small_sizes))];
        const size_t offset = draw_below(16);
        const big_format format = big_format_of(type);
        for (size_t i = 0; i < n; i++)
            put_element(host + offset, size, i, make_element(format, of, i, n));
        require(wf_copy_to_device(context, there, host, n * size + offset + 1));
        check_array(host + offset, there + offset, type, n, offset, (int)of, op);
    }
    wf_free(context, there);
    free(host);
    print_message("%llu comparisons\n", (unsigned long long)(compared - before));
}

/* Large enough for every tile of the device. Runs of few comparisons share these arrays by their seeds. */
static void test_large_arrays(void **state) {
    (void)state;
    unsigned char *const host = malloc(MOST * 8 + 64);
    unsigned char *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, MOST * 8 + 64));
    const uint64_t shares = comparisons <= 1000 ? 2 : 1;
    for (size_t t = 0; t < COUNT(float_types); t++)
        for (int of = 0; of < KINDS; of++) {
            if ((t + (size_t)of) % shares != seed % shares)
                continue;
            const wf_type type = float_types[t];
            const size_t size = wf_type_size(type), n = MOST - 5;
            /* Some by a byte more, too: then packs are cut out of two loads. */
            for (size_t byte = 0; byte < ((t + (size_t)of / shares) % 4 == 0 ? 2 : 1); byte++) {
                const size_t offset = (size_t)of % 3 * size + byte;
                for (size_t i = 0; i < n; i++)
                    put_element(host + offset, size, i, make_element(big_format_of(type), (kind)of, i, n));
                require(wf_copy_to_device(context, there, host, n * size + offset));
                check_array(host + offset, there + offset, type, n, offset, of, (size_t)of % 3);
            }
        }
    wf_free(context, there);
    free(host);
}

/* What fits no window, then zeros, then what does, and again: each thread's rounds change their ways. On a GPU it takes
 * millions of elements for several rounds of each thread. */
static void test_changing_arrays(void **state) {
    (void)state;
    static const kind runs[] = {ALL_FINITE, ZEROS, NORMAL, FEW_OUTLIERS, ALL_FINITE, MINUS_ZEROS, NORMAL};
    const size_t run = is_host ? 40000 : (size_t)1 << 21, n = COUNT(runs) * run;
    unsigned char *const host = malloc(n * 8 + 64);
    unsigned char *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, n * 8 + 64));
    for (size_t t = 0; t < COUNT(float_types); t++)
        for (size_t variant = 0; variant < 3; variant++) {
            const wf_type type = float_types[t];
            /* By an element, and a byte more: then packs are cut out of two loads. */
            const size_t size = wf_type_size(type), offset = variant == 0 ? 0 : size + variant - 1;
            for (size_t i = 0; i < n; i++)
                put_element(host + offset, size, i,
                            runs[i / run] == ZEROS ? 0
                                                   : make_element(big_format_of(type), runs[i / run], i % run, run));
            /* An infinity, which must not be lost with the rest of a thread's elements. */
            const big_format format = big_format_of(type);
            const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1);
            if (variant != 0)
                put_element(host + offset, size, n - 1, infinity);
            require(wf_copy_to_device(context, there, host, n * size + offset));
            check_array(host + offset, there + offset, type, n, offset, ALL_FINITE, t % 3);
        }
    wf_free(context, there);
    free(host);
}

/* Short arrays, which a tile takes at once: the elements of each thread lie apart, and those of waves side by side lie
 * apart from each other, such that each wave's are multiples of its unit, and those of the smaller ones are none of the
 * larger one's. */
static void test_waves_apart(void **state) {
    (void)state;
    enum { BYTES = 12000, OF_WAVES = 1024 };
    static const unsigned gaps[] = {0, 1, 2, 3, 4, 5, 6, 8, 12, 17, 25, 40, 63, 70}, spreads[] = {0, 19, 23};
    unsigned char host[BYTES], *there;
    require(wf_malloc(context, (void **)&there, BYTES));
    random_state = seed;
    for (size_t c = 0; c < COUNT(float_types) * COUNT(gaps) * COUNT(spreads); c++) {
        const wf_type type = float_types[c % COUNT(float_types)];
        const unsigned gap = gaps[c / COUNT(float_types) % COUNT(gaps)];
        const unsigned spread = spreads[c / COUNT(float_types) / COUNT(gaps)];
        const big_format format = big_format_of(type);
        const unsigned least = 1U << (format.exponent_bits - 2);
        const size_t size = wf_type_size(type), n = BYTES / size - c % 3;
        for (size_t i = 0; i < n; i++) {
            const unsigned up = (i * size / OF_WAVES % 2 != 0 ? gap : 0) + (i % 2 != 0 ? spread : 0);
            put_element(host, size, i, element_of(format, draw() % 2 != 0, least + up, draw()));
        }
        require(wf_copy_to_device(context, there, host, n * size));
        check_array(host, there, type, n, 0, (int)gap, 0);
    }
    wf_free(context, there);
}

/* What is in an array for a cluster tile: the largest sums of all groups; zeros, of which one may have another
 * sign; a pair that cancels among -0; an infinity among numbers; and one wave's elements that lie above all others,
 * whose last bits tell whether they were brought to one unit. */
enum { LARGEST_SUMS, LONE_ZERO, MINUS_ZERO, ONE_PAIR, LONE_INFINITY, GAPS };
static const unsigned spread_gaps[] = {1, 4, 8, 25, 63};

typedef struct spread_array {
    unsigned way;
    size_t size, count, at; /* of an element; elements; the one that is apart */
    bool negative;
} spread_array;

static uint64_t spread_element(const spread_array *array, big_format format, size_t i) {
    enum { OF_WAVE = 32 * 16 };
    const int64_t least = INT64_C(1) << (format.exponent_bits - 2), last = (INT64_C(1) << format.exponent_bits) - 1;
    const bool is_apart = i == array->at;
    switch (array->way) {
    case LARGEST_SUMS:
        return element_of(format, array->negative, least, ~UINT64_C(0));
    case LONE_ZERO:
        return element_of(format, !is_apart, 0, 0);
    case MINUS_ZERO:
        return element_of(format, true, 0, 0);
    case ONE_PAIR:
        return i / 2 == array->at / 2 ? element_of(format, i % 2 != 0, least, 5) : element_of(format, true, 0, 0);
    case LONE_INFINITY:
        return is_apart ? element_of(format, array->negative, last, 0) : element_of(format, i % 2 != 0, least, i);
    default: {
        const bool is_high = i * array->size / OF_WAVE == array->at * array->size / OF_WAVE;
        return element_of(format, draw() % 2 != 0, least + (is_high ? spread_gaps[array->way - GAPS] : 0), draw() | 1);
    }
    }
}

static void test_spread_sums(void **state) {
    (void)state;
    enum { WAYS = GAPS + COUNT(spread_gaps), MOST_BYTES = 262144 };
    static const size_t lengths[] = {20000, 32768, 65536, 131072 - 144, 196608, MOST_BYTES};
    const size_t lengths_here = is_host ? 2 : COUNT(lengths); /* the host device's tiles are not that large */
    unsigned char *const host = malloc(MOST_BYTES), *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, MOST_BYTES));
    random_state = seed;
    for (size_t c = 0; c < COUNT(float_types) * WAYS * lengths_here; c++) {
        const wf_type type = float_types[c % COUNT(float_types)];
        const size_t way = c / COUNT(float_types) % WAYS, size = wf_type_size(type);
        /* Whole, or with edges at both ends. */
        const size_t offset = c % 3 == 0 ? 0 : size * (1 + draw() % 3), bytes = lengths[c / COUNT(float_types) / WAYS];
        const size_t count = bytes / size - (c % 3 == 0 ? 0 : 4 + draw() % 40);
        const spread_array array = {(unsigned)way, size, count, draw() % (count - 1), draw() % 2 != 0};
        for (size_t i = 0; i < count; i++)
            put_element(host + offset, size, i, spread_element(&array, big_format_of(type), i));
        require(wf_copy_to_device(context, there, host, offset + count * size));
        check_array(host + offset, there + offset, type, count, offset, (int)way, 0);
    }
    wf_free(context, there);
    free(host);
}

/* Of normal numbers, a subnormal one: half of the least. */
static void test_subnormal_difference(void **state) {
    (void)state;
    for (size_t t = 0; t < COUNT(float_types); t++) {
        const wf_type type = float_types[t];
        const big_format format = big_format_of(type);
        const size_t size = wf_type_size(type);
        const uint64_t half = UINT64_C(1) << (format.digits - 2);
        unsigned char *there, terms[16] = {0};
        put_element(terms, size, 0, element_of(format, false, 1, half));
        put_element(terms, size, 1, element_of(format, true, 1, 0));
        require(wf_malloc(context, (void **)&there, sizeof terms));
        require(wf_copy_to_device(context, there, terms, sizeof terms));
        const wf_reduce_spec spec = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_EXACT};
        uint64_t result = 0;
        require(wf_reduce(context, &spec, there, 2, &result, bytes_of_result(&spec)));
        assert_true(result == half);
        wf_free(context, there);
    }
}

/* ---- Golden results ---- */

/* "f32 sum normal 1009: 0x... 0x... 0x... 0x...": the hash of the state, then the results in the element's own type, in
 * f32 and in f64. */
static void golden_line(char *line, size_t size, wf_type type, size_t op, int of, const void *there, size_t n) {
    wf_reduce_spec spec = {.type = type, .op = ops[op].op, .accuracy = WF_ACCURACY_EXACT};
    const wf_type results[] = {type, WF_F32, WF_F64};
    wf_sum_state state;
    wf_sum_state_init(&state);
    require(wf_sum_state_accumulate(context, &spec, there, n, &state));
    uint64_t hash;
    require(hash_of_state(&state, &hash));
    uint64_t bits[COUNT(results)] = {0};
    for (size_t r = 0; r < COUNT(results); r++) {
        spec.accumulator = accumulator_of(results[r], type);
        require(wf_reduce(context, &spec, there, n, &bits[r], bytes_of_result(&spec)));
    }
    snprintf(line, size, "%s %s %s %zu: %016llx %llx %llx %llx\n", wf_type_name(type), wf_op_name(spec.op),
             kind_names[of], n, (unsigned long long)hash, (unsigned long long)bits[0], (unsigned long long)bits[1],
             (unsigned long long)bits[2]);
}

static bool has_line(FILE *file, const char *line) {
    char found[200];
    rewind(file);
    while (fgets(found, sizeof found, file) != NULL)
        if (strcmp(found, line) == 0)
            return true;
    return false;
}

static void test_golden_results(void **state) {
    (void)state;
    const char *const path = getenv("WAVEFOLD_GOLDEN");
    if (path == NULL)
        skip();
    const bool writes = getenv("WAVEFOLD_WRITE_GOLDEN") != NULL;
    FILE *const file = fopen(path, writes ? "a+" : "r");
    assert_non_null(file);
    enum { LENGTH = 1009 };
    unsigned char host[LENGTH * 8], *there;
    require(wf_malloc(context, (void **)&there, sizeof host));
    for (size_t t = 0; t < COUNT(float_types); t++)
        for (int of = 0; of < KINDS; of++)
            for (size_t op = 0; op < COUNT(ops); op++) {
                const wf_type type = float_types[t];
                const size_t size = wf_type_size(type);
                if (type == WF_F64 && ops[op].op == WF_SUMSQ)
                    continue;
                random_state = (uint64_t)of << 8;
                for (size_t i = 0; i < LENGTH; i++)
                    put_element(host, size, i, make_element(big_format_of(type), (kind)of, i, LENGTH));
                require(wf_copy_to_device(context, there, host, LENGTH * size));
                char line[200];
                golden_line(line, sizeof line, type, op, of, there, LENGTH);
                if (has_line(file, line))
                    continue;
                if (!writes)
                    fail_msg("not in %s: %s", path, line);
                fputs(line, file);
            }
    wf_free(context, there);
    fclose(file);
}

/* ---- Arrays that sit on some bound ---- */

/* What is left of numbers that cancel, at every place of a window: half of a last digit, and nothing more, or something
 * a few digits below, many digits below, or outside of the window. */
static void test_ties_below_what_cancels(void **state) {
    (void)state;
    for (int k = 0; k < 800; k++) {
        const int e = 40 - k / 8;
        const float sign = k % 2 == 0 ? 1 : -1;
        const float rests[] = {0, ldexpf(sign, e - 30), ldexpf(sign, e - 50), ldexpf(sign, -149)};
        const float rest = rests[k / 2 % 4];
        const float values[5] = {0x1p40F, -0x1p40F, ldexpf(sign, e), ldexpf(sign, e - 24), rest};
        const wf_reduce_spec spec = {.type = WF_F32, .accuracy = WF_ACCURACY_EXACT};
        float result = 0;
        require(wf_reduce(context, &spec, values, 5, &result, bytes_of_result(&spec)));
        if (result != ldexpf(sign, e) + (rest != 0 ? ldexpf(sign, e - 23) : 0))
            fail_msg("%a and %a and %a: %a", (double)values[2], (double)values[3], (double)rest, (double)result);
    }
}

/* A tie, but for one bit that lies some words below. */
static void test_ties_far_above_a_bit(void **state) {
    (void)state;
    for (int e = 0; e < 64; e++)
        for (int below = 90; below < 160; below++) {
            const double values[3] = {ldexp(1, e), ldexp(1, e - 53), ldexp(1, e - below)};
            double result = 0;
            require(wf_reduce(context, &(wf_reduce_spec){.type = WF_F64}, values, COUNT(values), &result,
                              bytes_of_result(&(wf_reduce_spec){.type = WF_F64})));
            if (result != ldexp(1, e) + ldexp(1, e - 52))
                fail_msg("%a and %a and %a: %a", values[0], values[1], values[2], result);
        }
}

/* Of two numbers beside each other the mean is in their middle: the even one. */
static void test_tied_means(void **state) {
    (void)state;
    static const float numbers[] = {1, 0x1.000002p0F, 0x1.000004p0F}, even[] = {1, 0x1.000004p0F};
    const wf_reduce_spec spec = {.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_EXACT};
    for (size_t i = 0; i < COUNT(even); i++) {
        float result = 0;
        require(wf_reduce(context, &spec, numbers + i, 2, &result, bytes_of_result(&spec)));
        assert_true(result == even[i]);
    }
}

/* The sum of -0 and of NaN that are passed over is -0. One +0 makes it +0. */
static void test_described_zeros(void **state) {
    (void)state;
    enum { LENGTH = 40 };
    const wf_describe_spec spec = {.type = WF_F32, .nan = WF_NAN_IGNORE};
    for (int k = 0; k < 4; k++) {
        float values[LENGTH];
        for (size_t i = 0; i < LENGTH; i++)
            values[i] = i % 3 == 1 ? copysignf(NAN, k % 2 == 0 ? 1.0F : -1.0F) : -0.0F;
        if (k >= 2)
            values[17] = 0;
        wf_description found;
        require(wf_describe(context, &spec, values, LENGTH, &found));
        const double sum = found.sum.f64, mean = found.mean;
        assert_true(sum == 0 && mean == 0);
        assert_true((signbit(sum) != 0) == (k < 2) && (signbit(mean) != 0) == (k < 2));
    }
}

/* Of one binade and one sign, so that the sums reach into the last word that they can have, which begins with each bit
 * of a limb once. */
static void test_largest_window_sums(void **state) {
    (void)state;
    enum { MORE = 8192, FEWER = 3000 };
    unsigned char *const host = malloc(MORE * 4);
    unsigned char *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, MORE * 4));
    static const wf_type types[] = {WF_F32, WF_BF16};
    for (size_t t = 0; t < COUNT(types); t++)
        for (int k = 0; k <= 32; k++) {
            const big_format format = big_format_of(types[t]);
            const size_t size = wf_type_size(types[t]), n = k < 32 ? MORE : FEWER;
            random_state = (uint64_t)k << 16;
            for (size_t i = 0; i < n; i++)
                put_element(host, size, i, element_of(format, t == 1, 100 + k, draw()));
            require(wf_copy_to_device(context, there, host, n * size));
            static big_sum expected;
            memset(&expected, 0, sizeof expected);
            for (size_t i = 0; i < n; i++)
                big_sum_add(&expected, types[t], BIG_ELEMENT, element_at(host, size, i));
            compare_sum(there, n, types[t], &expected, k);
            const wf_reduce_spec spec = {.type = types[t], .accuracy = WF_ACCURACY_EXACT};
            uint64_t result = 0;
            require(wf_reduce(context, &spec, there, n, &result, bytes_of_result(&spec)));
            assert_true(result == big_sum_rounded(&expected, false, types[t]));
        }
    wf_free(context, there);
    free(host);
}

/* What is counted in every column, by all waves of a tile in turn. */
static void test_nothing_but_infinities(void **state) {
    (void)state;
    enum { LENGTH = 4096 };
    unsigned char host[LENGTH * 8], *there;
    require(wf_malloc(context, (void **)&there, sizeof host));
    for (size_t t = 0; t < COUNT(float_types); t++)
        for (int of = 0; of < 3; of++) {
            const big_format format = big_format_of(float_types[t]);
            const size_t size = wf_type_size(float_types[t]);
            const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1);
            const uint64_t minus = UINT64_C(1) << (format.digits + format.exponent_bits - 1);
            for (size_t i = 0; i < LENGTH; i++)
                put_element(host, size, i, infinity | (of == 1 ? minus : 0) | (of == 2 ? 1 : 0));
            require(wf_copy_to_device(context, there, host, LENGTH * size));
            check_array(host, there, float_types[t], LENGTH, 0, of, 0);
        }
    wf_free(context, there);
}

/* Threads with 64 bytes of the same number each, of every exponent; some take all but little from a window's
 * constants. 16 KiB: every 16th thread says where the window lies. */
static void test_groups_of_one_number(void **state) {
    (void)state;
    enum { BYTES = 16 << 10, PACKS = BYTES / 16, THREADS = PACKS / 4 };
    unsigned char host[BYTES], *there;
    require(wf_malloc(context, (void **)&there, BYTES));
    for (size_t t = 0; t < COUNT(float_types); t++) {
        const wf_type type = float_types[t];
        const big_format format = big_format_of(type);
        const size_t size = wf_type_size(type), n = BYTES / size;
        const int64_t most = (INT64_C(1) << format.exponent_bits) - 2, one = most / 2;
        const int64_t windows[] = {36, one, one + 1};
        const uint64_t half = UINT64_C(1) << (format.digits - 2);
        int64_t exponent = 0;
        for (size_t w = 0; w < 5 * COUNT(windows); w++, exponent = 0)
            while (exponent <= most) {
                static big_sum expected;
                memset(&expected, 0, sizeof expected);
                for (size_t thread = 0; thread < THREADS; thread++) {
                    const uint64_t window = element_of(format, false, windows[w / 5], 0);
                    const int64_t below = exponent - exponent / 2; /* so far that which has half of the exponent */
                    const uint64_t little = below < format.digits ? half * 2 >> below : 0;
                    const uint64_t fractions[] = {0, 0, half, half, half - little};
                    const uint64_t number =
                        element_of(format, w % 5 % 2 != 0 || w % 5 == 4, exponent, fractions[w % 5]);
                    exponent += thread % 16 != 0;
                    for (size_t i = 0; i < 4 * (16 / size); i++) {
                        const size_t pack = thread + i / (16 / size) * THREADS,
                                     at = pack * (16 / size) + i % (16 / size);
                        put_element(host, size, at, thread % 16 == 0 ? window : number);
                        big_sum_add(&expected, type, BIG_ELEMENT, element_at(host, size, at));
                    }
                }
                require(wf_copy_to_device(context, there, host, sizeof host));
                compare_sum(there, n, type, &expected, (int)w);
            }
    }
    wf_free(context, there);
}

/* Beside a number that says where the window lies, each power of two, or one with a last digit; an infinity
 * or a NaN in the end. It fits the window, ends where that does, or lies outside. 16 KiB: each thread has a pack
 * with both, and three of zeros. */
static void test_every_power(void **state) {
    (void)state;
    enum { BYTES = 16 << 10, PAIRS_AT_A_TIME = BYTES / 64 - 1 };
    unsigned char host[BYTES], *there;
    require(wf_malloc(context, (void **)&there, BYTES));
    for (size_t t = 0; t < COUNT(float_types); t++) {
        const wf_type type = float_types[t];
        const big_format format = big_format_of(type);
        const size_t size = wf_type_size(type), n = BYTES / size, in_pack = 16 / size;
        const int64_t most = (INT64_C(1) << format.exponent_bits) - 2, one = most / 2;
        const int64_t windows[] = {1, 34, 36, one, one + 1, most};
        for (size_t w = 0; w < 4 * COUNT(windows); w++)
            for (int64_t first = 2 - format.digits; first <= most + 1; first += PAIRS_AT_A_TIME) {
                const size_t way = w % 4, low = in_pack > 2 ? 1 + way / 2 : 1, beside = in_pack > 2 ? 3 - low : 0;
                const uint64_t window = element_of(format, false, windows[w / 4], 0);
                memset(host, 0, sizeof host);
                put_element(host, size, 0, window);
                for (int64_t k = 0; k < PAIRS_AT_A_TIME && first + k <= most + 1; k++) {
                    const size_t pack = (size_t)(k + 1) * in_pack;
                    const int64_t exponent = first + k; /* below 1: a subnormal number's */
                    const uint64_t power = exponent < 1 ? UINT64_C(1) << (format.digits - 2 + exponent)
                                                        : (uint64_t)exponent << (format.digits - 1);
                    put_element(host, size, pack + beside, window);
                    put_element(host, size, pack + low, element_of(format, way % 2 == 1, 0, way / 2) | power);
                }
                static big_sum expected;
                memset(&expected, 0, sizeof expected);
                for (size_t i = 0; i < n; i++)
                    big_sum_add(&expected, type, BIG_ELEMENT, element_at(host, size, i));
                require(wf_copy_to_device(context, there, host, sizeof host));
                compare_sum(there, n, type, &expected, (int)w);
            }
    }
    wf_free(context, there);
}

/* Blocks of 2048 elements, as the CPU takes them. FULL: of the largest of one exponent, with one element as far below
 * as f64 holds beside their sum, or a binade further. LARGEST_OF_ALL: of the largest number, which fill f16's window.
 * NEXT_BINADE: the window of the block before ends a binade too low. LEFT_OVER: it holds all but the number 2.
 * LONE_LEAST: the least number, alone in its binade, among all others. */
enum { FULL, FULL_AND_MORE, LARGEST_OF_ALL, NEXT_BINADE, LEFT_OVER, LONE_LEAST, BLOCK_WAYS };

static uint64_t block_element(int way, big_format format, bool negative, size_t i) {
    enum { BLOCK_BITS = 11, BLOCK = 1 << BLOCK_BITS, F64_DIGITS = 53 };
    const int64_t bias = (INT64_C(1) << (format.exponent_bits - 1)) - 1;
    const uint64_t ones = ~UINT64_C(0);
    const bool is_apart = i % BLOCK == 1000, is_second = i >= BLOCK;
    const int64_t apart = F64_DIGITS - BLOCK_BITS - format.digits + (way == FULL_AND_MORE);
    switch (way) {
    case FULL:
    case FULL_AND_MORE:
        return element_of(format, negative, bias - (is_apart ? apart : 0), ones);
    case LARGEST_OF_ALL:
        return element_of(format, negative, 2 * bias, ones);
    case NEXT_BINADE:
        return element_of(format, negative, bias + 61 + is_second, UINT64_C(1) << (format.digits - 2));
    case LEFT_OVER:
        return element_of(format, negative, is_second && is_apart ? bias + 1 : bias + 119, 0);
    default:
        return i == 0 ? 1 : element_of(format, i % 2 != 0, (int64_t)i % (2 * bias) + 1, data_hash(i));
    }
}

static void test_blocks(void **state) {
    (void)state;
    enum { MOST_OF_BLOCKS = 4096, STEP = 128 };
    if (!is_native)
        skip();
    unsigned char host[MOST_OF_BLOCKS * 8], *there;
    require(wf_malloc(context, (void **)&there, sizeof host));
    for (size_t c = 0; c < COUNT(float_types) * BLOCK_WAYS * 2; c++) {
        const wf_type type = float_types[c % COUNT(float_types)];
        const int way = (int)(c / COUNT(float_types) % BLOCK_WAYS);
        const bool is_negative = c / COUNT(float_types) / BLOCK_WAYS != 0;
        const size_t size = wf_type_size(type);
        const size_t shortest = way == LARGEST_OF_ALL ? STEP : way == LONE_LEAST ? 2 * STEP : MOST_OF_BLOCKS;
        for (size_t i = 0; i < MOST_OF_BLOCKS; i++)
            put_element(host, size, i, block_element(way, big_format_of(type), is_negative, i));
        require(wf_copy_to_device(context, there, host, sizeof host));
        for (size_t n = shortest; n <= MOST_OF_BLOCKS / 2; n += 3 * STEP)
            check_array(host, there, type, n, 0, way, 0);
        check_array(host, there, type, MOST_OF_BLOCKS, 0, way, 0);
    }
    wf_free(context, there);
}

/* Waves that have given up their windows for a while meet nothing but zeros, and then more. */
static void test_zeros_among_misfits(void **state) {
    (void)state;
    enum { LENGTH = 1 << 20, QUARTER = LENGTH / 4 };
    float *const values = calloc(LENGTH, sizeof *values), result = 0;
    assert_non_null(values);
    for (size_t i = 0; i < LENGTH; i++) {
        const float term = i % 2 == 0 ? 0x1p100F : 0x1p-100F;
        values[i] = i < 2 * QUARTER ? (i % 4 < 2 ? term : -term) : i < 3 * QUARTER ? 0 : term;
    }
    const wf_reduce_spec spec = {.type = WF_F32, .accuracy = WF_ACCURACY_EXACT};
    require(wf_reduce(context, &spec, values, LENGTH, &result, bytes_of_result(&spec)));
    free(values);
    assert_true(result == (QUARTER / 2) * 0x1p100F);
}

int main(int count, char **arguments) {
    const char *const device = count > 1 ? arguments[1] : "host:64";
    if (count > 2)
        comparisons = strtoull(arguments[2], NULL, 10);
    if (count > 3)
        seed = strtoull(arguments[3], NULL, 10);
    if (count > 4)
        cmocka_set_test_filter(arguments[4]);
    is_host = strncmp(device, "host", 4) == 0;
    is_native = strcmp(device, "host") == 0;
    const wf_status created = wf_context_create(&context, device);
    if (created != WF_OK) {
        fprintf(stderr, "test_exact: %s\n", wf_last_error());
        return created == WF_UNSUPPORTED ? 77 : 1; /* instructions that this CPU lacks */
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_results),
                                       cmocka_unit_test(test_broken_states),
                                       cmocka_unit_test(test_bounds_of_states),
                                       cmocka_unit_test(test_bytes_of_states),
                                       cmocka_unit_test(test_added_states),
                                       cmocka_unit_test(test_headroom),
                                       cmocka_unit_test(test_means_of_many),
                                       cmocka_unit_test(test_ties_below_what_cancels),
                                       cmocka_unit_test(test_ties_far_above_a_bit),
                                       cmocka_unit_test(test_tied_means),
                                       cmocka_unit_test(test_described_zeros),
                                       cmocka_unit_test(test_largest_window_sums),
                                       cmocka_unit_test(test_nothing_but_infinities),
                                       cmocka_unit_test(test_every_power),
                                       cmocka_unit_test(test_groups_of_one_number),
                                       cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_zeros_among_misfits),
                                       cmocka_unit_test(test_random_arrays),
                                       cmocka_unit_test(test_large_arrays),
                                       cmocka_unit_test(test_changing_arrays),
                                       cmocka_unit_test(test_one_tile),
                                       cmocka_unit_test(test_largest_short_sums),
                                       cmocka_unit_test(test_short_misfits),
                                       cmocka_unit_test(test_rounds_of_a_tile),
                                       cmocka_unit_test(test_nan_among_misfits),
                                       cmocka_unit_test(test_waves_apart),
                                       cmocka_unit_test(test_spread_sums),
                                       cmocka_unit_test(test_many_tiles),
                                       cmocka_unit_test(test_subnormal_difference)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    return failed;
}
