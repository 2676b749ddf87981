/* Exact sums by the rung "exact", whose tiles are as many and as large as a test says: so each thread goes round often,
 * each column is used often, and what one tile takes at once, or just not, is known. */
#include "big_sum.h"
#include "data.h"
#include "exact_data.h"
#include "exact_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_ladder.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { TERMS = 2 * 75008, TERMS_OF_WINDOW = 64 * 4112, TERMS_OF_LANES = 64 * 8800, TERMS_OF_DIGITS = 32 * 33000 };
/* COLUMNS: of one sign, so that what holds them fills up. No window has both exponents, and each term is shifted as far
 * as can be in its digit.
 * GROUPS: beside some terms the last place of others is, or is not, in a sum of 53 digits. What is lost there shows,
 * because the large ones cancel in the end.
 * DIGITS, NEGATIVE_DIGITS: after some that say where the window lies, and cancel, nothing but the largest of one
 * exponent far below, or its negative: more of them than a word of a column holds, if nobody carries.
 * CANCELLING: every second pack has the other sign, so that some columns are below 0; then zeros, with a least number
 * here and there, of which the sum is.
 * WINDOW, NOTHING_OF_WINDOW, ABOVE_WINDOW: doubles at a window's top, but for those that say where it lies; they fill
 * it up, or every second pack has the other sign and little is left. Or a little above the top: none of them fits.
 * ONE_BELOW: doubles that fill a window twice, and one far below it: of all groups that of one lane does not fit. Its
 * window holds a group less than the others' of its wave; it must not leave their loop at another time. */
typedef enum filling {
    COLUMNS,
    GROUPS,
    DIGITS,
    NEGATIVE_DIGITS,
    CANCELLING,
    WINDOW,
    NOTHING_OF_WINDOW,
    ABOVE_WINDOW,
    ONE_BELOW,
    FILLINGS
} filling;
static uint64_t filling_element(wf_type type, filling how, size_t i) {
    const big_format format = big_format_of(type);
    const int64_t bias = (INT64_C(1) << (format.exponent_bits - 1)) - 1;
    /* The exponents of which the lowest place is 31 above a multiple of 32, and 15 above one of 16, from 2^-1074 on. */
    const int64_t last = (32 + 31 - (1074 - bias - (format.digits - 1)) % 32) % 32;
    const int64_t apart = 53 - format.digits - (wf_type_size(type) == 2 ? 5 : 4) - 1 + (int64_t)draw_below(3);
    const size_t pack = i * wf_type_size(type) / 16;
    const uint64_t hash = data_hash(i - pack % 2 * (16 / wf_type_size(type))); /* that of the pack beside it */
    switch (how) {
    case COLUMNS:
        return element_of(format, false, last + (draw() & 1 ? 32 * (bias / 16 - 1) : 32), ~UINT64_C(0));
    case GROUPS:
        return i % 16 == 5 ? element_of(format, false, bias - apart, draw() | 1)
                           : element_of(format, i >= TERMS / 2, bias, ~UINT64_C(0));
    case DIGITS:
    case NEGATIVE_DIGITS:
        return i < 64 ? element_of(format, i % 2 != 0, 2 * bias, 0)
                      : element_of(format, how == NEGATIVE_DIGITS,
                                   how == NEGATIVE_DIGITS ? 1
                                   : last == 0            ? 32
                                                          : last,
                                   /* Below 0 an f64's lower digits are the largest of this. */
                                   how == NEGATIVE_DIGITS && type == WF_F64 ? 1 : ~UINT64_C(0));
    case CANCELLING:
        if (i >= TERMS / 4 * 3)
            return i % 64 == 0;
        return element_of(format, pack % 2 != 0, (int64_t)(hash % (2 * (uint64_t)bias)), hash >> 12);
    case WINDOW:
        return element_of(format, false, bias + (i % (TERMS_OF_WINDOW / 64) != 0 ? 8 : 0), ~UINT64_C(0) << 8);
    case NOTHING_OF_WINDOW:
        if (i + 2 >= TERMS_OF_WINDOW)
            return element_of(format, false, bias, 0);
        return element_of(format, pack % 2 != 0, bias + (i % (TERMS_OF_WINDOW / 64) >= 4 ? 8 : 0), hash << 8);
    case ABOVE_WINDOW:
        return element_of(format, false, bias + (i % (TERMS_OF_WINDOW / 64) != 0 ? 9 : 0), UINT64_C(1) << 50);
    case ONE_BELOW:
        return element_of(format, i % 3 == 0, bias - (i == 77 ? 90 : (int64_t)(i % 4)), hash | 1);
    case FILLINGS:
        break;
    }
    return 0;
}

static size_t rung_of(const char *name) {
    size_t rung = 0;
    for (wf_rung_info info; wf_rung_get_info(rung, &info) == WF_OK && strcmp(info.name, name) != 0;)
        rung++;
    return rung;
}

/* Threads of the rung's tiles, at the most. */
static uint32_t largest_tile(void) {
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    return strcmp(info.backend, "amd") == 0 ? 256 : 512;
}

/* The same kernel in one tile, by the ladder's rung: so each thread goes round often, and each column is used often. */
void test_one_tile(void **state) {
    (void)state;
    const size_t rung = rung_of("exact");
    if (is_native)
        skip(); /* rungs run on emulated waves alone */
    unsigned char *const host = malloc(TERMS_OF_DIGITS * 8);
    unsigned char *there;
    static big_sum expected;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, TERMS_OF_DIGITS * 8));
    for (size_t t = 0; t < COUNT(float_types); t++)
        for (filling how = COLUMNS; how < FILLINGS; how++) {
            const wf_type type = float_types[t];
            const bool is_of_window = how >= WINDOW, is_of_digits = how == DIGITS || how == NEGATIVE_DIGITS;
            if (is_of_window && type != WF_F64)
                continue; /* of others a window takes the sums of groups: it is not full so soon */
            const size_t size = wf_type_size(type);
            const size_t n = how == ONE_BELOW ? TERMS_OF_LANES
                             : is_of_window   ? TERMS_OF_WINDOW
                             : is_of_digits   ? TERMS_OF_DIGITS
                                              : TERMS;
            memset(&expected, 0, sizeof expected);
            for (size_t i = 0; i < n; i++) {
                const uint64_t bits = filling_element(type, how, i);
                put_element(host, size, i, bits);
                big_sum_add(&expected, type, BIG_ELEMENT, bits);
            }
            big_sum_finish(&expected);
            require(wf_copy_to_device(context, there, host, n * size));
            const wf_rung_options options = {.type = type,
                                             .op = WF_SUM,
                                             .accumulator = WF_ACCUMULATE_F64,
                                             .tile_size = is_of_digits ? largest_tile() : 64,
                                             .tiles = 1};
            uint64_t result = 0;
            require(
                wf_rung_run(context, rung, &options, there, n, &result, bytes_of_rung_result(rung, &options, n), NULL));
            const uint64_t rounded = big_sum_rounded(&expected, false, WF_F64);
            compared++;
            if (result != rounded)
                fail_msg("%s, filling %d: %llx, expected %llx", wf_type_name(type), (int)how,
                         (unsigned long long)result, (unsigned long long)rounded);
        }
    wf_free(context, there);
    free(host);
}

/* As much as the largest tiles take at once, of the largest groups: they fill 63 bits of a tile's sum. */
void test_largest_short_sums(void **state) {
    (void)state;
    enum { PACKS = 8, BYTES = 512 * PACKS * 16 };
    const size_t rung = rung_of("exact");
    if (is_native)
        skip();
    const uint32_t largest = largest_tile();
    unsigned char *const host = malloc(BYTES), *there;
    static big_sum expected;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, BYTES));
    for (size_t c = 0; c < COUNT(float_types) * 2 * 3; c++) {
        const wf_type type = float_types[c % COUNT(float_types)];
        const bool negative = c / COUNT(float_types) % 2 != 0;
        const wf_rung_options options = {
            .type = type, .op = WF_SUM, .tile_size = largest >> c / COUNT(float_types) / 2, .tiles = 1};
        const size_t size = wf_type_size(type), n = options.tile_size * PACKS * 16 / size;
        memset(&expected, 0, sizeof expected);
        for (size_t i = 0; i < n; i++) {
            const uint64_t bits = element_of(big_format_of(type), negative, 10, ~UINT64_C(0));
            put_element(host, size, i, bits);
            big_sum_add(&expected, type, BIG_ELEMENT, bits);
        }
        big_sum_finish(&expected);
        require(wf_copy_to_device(context, there, host, n * size));
        uint64_t result = 0;
        require(wf_rung_run(context, rung, &options, there, n, &result, bytes_of_rung_result(rung, &options, n), NULL));
        const uint64_t rounded = big_sum_rounded(&expected, false, size == 8 ? WF_F64 : WF_F32);
        compared++;
        if (result != rounded)
            fail_msg("%s, %zu of %u threads: %llx, expected %llx", wf_type_name(type), n, options.tile_size,
                     (unsigned long long)result, (unsigned long long)rounded);
    }
    wf_free(context, there);
    free(host);
}

/* What a tile takes at once, by the rung, in packs that are zeros but for these: something of both groups of threads;
 * an element more than one of them has, or than both. Then what it must leave to the long way: a group that f64 does
 * not hold, a thread's first or second one, beside one that cancels its large term and one that it would fit; of f64 a
 * number below the window, which makes more of a tie; waves that cancel above another's sum, of which no unit is a
 * whole number, or nothing is left; a sum beyond the largest number. */
typedef struct tile_array {
    wf_type type;
    uint32_t tile, tiles;
    size_t packs, more; /* elements behind the packs */
    struct {
        size_t pack;
        double numbers[3];
    } terms[6];
} tile_array;

static void check_tile_array(const tile_array *array) {
    enum { BYTES = 1537 * 16 };
    const bool is_f64 = array->type == WF_F64;
    const size_t size = wf_type_size(array->type), in_pack = 16 / size, n = array->packs * in_pack + array->more;
    unsigned char host[BYTES] = {0}, *there;
    static big_sum expected;
    for (size_t t = 0; t < COUNT(array->terms); t++)
        for (size_t k = 0; k < COUNT(array->terms[t].numbers); k++) {
            const double number = array->terms[t].numbers[k];
            const float narrow = (float)number;
            if (number != 0) /* a bf16 is an f32's upper half */
                memcpy(host + (array->terms[t].pack * in_pack + k) * size,
                       is_f64 ? (const char *)&number : (const char *)&narrow + sizeof narrow - size, size);
        }
    memset(&expected, 0, sizeof expected);
    for (size_t i = 0; i < n; i++)
        big_sum_add(&expected, array->type, BIG_ELEMENT, element_at(host, size, i));
    big_sum_finish(&expected);
    require(wf_malloc(context, (void **)&there, sizeof host));
    require(wf_copy_to_device(context, there, host, sizeof host));
    const wf_rung_options options = {
        .type = array->type, .op = WF_SUM, .tile_size = array->tile, .tiles = array->tiles};
    uint64_t result = 0;
    require(wf_rung_run(context, rung_of("exact"), &options, there, n, &result,
                        bytes_of_rung_result(rung_of("exact"), &options, n), NULL));
    const uint64_t rounded = big_sum_rounded(&expected, false, is_f64 ? WF_F64 : WF_F32);
    compared++;
    if (result != rounded)
        fail_msg("%s, %zu packs, the first of them pack %zu with %a: %llx, expected %llx", wf_type_name(array->type),
                 array->packs, array->terms[0].pack, array->terms[0].numbers[0], (unsigned long long)result,
                 (unsigned long long)rounded);
    wf_free(context, there);
}

void test_short_misfits(void **state) {
    (void)state;
    if (is_native)
        skip();
    enum { TILE = 64, AT_ONCE = 4 * TILE }; /* packs of all threads' first groups */
    check_tile_array(&(tile_array){WF_F32, TILE, 1, 2 * AT_ONCE, 0, {{3, {1}}, {300, {2, 64}}, {511, {4}}}});
    check_tile_array(&(tile_array){WF_F32, TILE, 1, AT_ONCE, 0, {{3, {1}}, {200, {8}}}});
    for (size_t groups = 1; groups <= 2; groups++) {
        const size_t packs = groups * AT_ONCE;
        check_tile_array(&(tile_array){WF_F32, TILE, 1, packs, 1, {{0, {1}}, {packs, {2}}}});
        check_tile_array(&(tile_array){WF_F64, TILE, 1, packs, 1, {{0, {1}}, {packs, {2}}}});
    }
    static const size_t places[] = {0, 5, AT_ONCE, AT_ONCE + 7};
    for (size_t i = 0; i < COUNT(places); i++) {
        const size_t first = places[i];
        check_tile_array(
            &(tile_array){WF_F32,
                          TILE,
                          1,
                          2 * AT_ONCE,
                          0,
                          {{first, {1, 0x1p-60}}, {first + 1, {-1}}, {first + 2, {0x1p-50}}, {500, {0x1p-49}}}});
        check_tile_array(
            &(tile_array){WF_F64, TILE, 1, 2 * AT_ONCE, 0, {{0, {1}}, {1, {0x1p-53}}, {first + 2, {0x1p-100}}}});
    }
    /* Of two in a word the upper one is the largest. */
    check_tile_array(
        &(tile_array){WF_BF16, TILE, 1, TILE, 0, {{0, {0x1p-30, 0x1p30}}, {1, {-0x1p30}}, {2, {0x1p-20}}}});
    /* The first number says that the window's constant is 1.5 2^-977. A thread has nothing but a number that makes of
     * its exponent, as it is stored, twice as much, half of it, or 0. */
    static const double strange[] = {0x1p-931, 0x1p-930, -0x1.8p-977 + 0x1p-1000, -0x1.8p-977};
    for (size_t i = 0; i < COUNT(strange); i++) {
        tile_array array = {WF_F64, TILE, 1, AT_ONCE - 1, 0, {{0, {0x1p-987}}}};
        for (size_t p = 0; p < 4; p++) {
            array.terms[1 + p].pack = 5 + p * TILE;
            array.terms[1 + p].numbers[0] = array.terms[1 + p].numbers[1] = strange[i];
        }
        check_tile_array(&array);
    }
    /* The first wave's large number says where the other's window lies, too. */
    check_tile_array(&(tile_array){WF_F64, 128, 1, 128, 0, {{0, {0x1p20}}, {64, {3}}}});
    static const int gaps[] = {53, 57, 62, 63, 64, 116};
    for (size_t i = 0; i < COUNT(gaps); i++)
        check_tile_array(
            &(tile_array){WF_F32, 128, 1, 128, 0, {{0, {0x1p60}}, {1, {-0x1p60}}, {64, {-ldexp(1, 60 - gaps[i])}}}});
    check_tile_array(&(tile_array){WF_F32, TILE, 1, TILE, 0, {{0, {0x1p100}}, {1, {-0x1p100}}}});
    check_tile_array(&(tile_array){WF_F32, TILE, 1, TILE, 0, {{0, {0x1p127, 0x1p127, 0x1p127}}}});
}

/* Several rounds of a tile, the last one with elements behind the packs. Then waves that come to the tile's columns in
 * different rounds: what the first ones have put there stays, and each goes on with its own packs. */
void test_rounds_of_a_tile(void **state) {
    (void)state;
    if (is_native)
        skip();
    enum { TILE = 128, AT_ONCE = 4 * TILE, LAST_WAVE = AT_ONCE - 112, SECOND_WAVE = TILE + 32 };
    for (size_t k = 0; k < 4; k++) {
        const size_t packs = 2 * AT_ONCE + (k < 2 ? 96 : 192) + 3; /* a lane's last pack would be behind them */
        const size_t more = k % 2 == 0 ? 3 : 0;
        check_tile_array(&(tile_array){
            WF_F32,
            TILE,
            1,
            packs,
            more,
            {{0, {1}}, {AT_ONCE + 5, {2}}, {AT_ONCE + SECOND_WAVE + 3, {4}}, {packs - 1 + more / 3, {8, 16, 32}}}});
    }
    /* Of two tiles, long enough for packs to be copied ahead, where they are. */
    check_tile_array(&(tile_array){WF_F64,
                                   TILE / 2,
                                   2,
                                   3 * AT_ONCE - 100,
                                   1,
                                   {{0, {1}},
                                    {AT_ONCE + 100, {2}},
                                    {AT_ONCE + 300, {4}},
                                    {2 * AT_ONCE + 100, {8}},
                                    {3 * AT_ONCE - 130, {16}},
                                    {3 * AT_ONCE - 101, {32, 64, 128}}}});
    /* A thread whose first group does not fit, and whose second one does. */
    check_tile_array(&(tile_array){WF_F32, TILE, 1, 3 * AT_ONCE, 0, {{0, {1, 0x1p-100}}, {AT_ONCE, {2}}}});
    for (size_t round = 0; round < 3; round++)
        check_tile_array(&(tile_array){
            WF_F32,
            TILE,
            1,
            3 * AT_ONCE,
            0,
            {{0, {1, 0x1p-100}}, {1, {-1}}, {AT_ONCE + 5, {0x1p-102}}, {round * AT_ONCE + LAST_WAVE, {0x1p-101}}}});
}

/* A group of which no pack fits the window that pack 48 says, with a NaN at each place: in waves of 32 lanes and of 64
 * such is the first lane's. */
void test_nan_among_misfits(void **state) {
    (void)state;
    if (is_native)
        skip();
    for (size_t k = 0; k < 3; k++)
        for (size_t step = 32; step <= 64; step += 32) {
            tile_array array = {WF_F32, 128, 1, 1536, 0, {{48, {1}}}};
            for (size_t p = 0; p < 4; p++) {
                array.terms[1 + p].pack = p * step;
                for (size_t i = 0; i < 3; i++)
                    array.terms[1 + p].numbers[i] = p == 2 && i == k ? NAN : 0x1p-100;
            }
            check_tile_array(&array);
        }
}

/* More tiles than the last one's threads read at a time; and of nothing but -0. */
void test_many_tiles(void **state) {
    (void)state;
    enum { TILES = 300, LENGTH = TILES * 64 * 4 };
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    if (is_native || info.max_tiles < TILES)
        skip();
    float *const host = malloc(LENGTH * sizeof *host), *there;
    assert_non_null(host);
    require(wf_malloc(context, (void **)&there, LENGTH * sizeof *there));
    for (int is_zero = 0; is_zero < 2; is_zero++) {
        double sum = 0;
        for (size_t i = 0; i < LENGTH; i++) {
            host[i] = is_zero != 0 ? -0.0F : (float)(i + 1); /* whole numbers below 2^53, and their sums */
            sum += (double)host[i];
        }
        require(wf_copy_to_device(context, there, host, LENGTH * sizeof *there));
        const wf_rung_options options = {
            .type = WF_F32, .op = WF_SUM, .accumulator = WF_ACCUMULATE_F64, .tile_size = 64, .tiles = TILES};
        double result = 1;
        require(wf_rung_run(context, rung_of("exact"), &options, there, LENGTH, &result,
                            bytes_of_rung_result(rung_of("exact"), &options, LENGTH), NULL));
        assert_true(result == (is_zero != 0 ? 0 : sum) && (signbit(result) != 0) == (is_zero != 0));
    }
    wf_free(context, there);
    free(host);
}
