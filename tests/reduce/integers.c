/* Descriptions of integers that lie close together far from zero, or far apart: no bit of their moments may be lost. */
#include "numbers.h"
#include "reduce_tests.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { APART = 200 }; /* so many numbers are next to each other */

static const struct {
    wf_type type;
    int64_t base; /* the least of them, at any rate */
} cases[] = {
    {WF_I64, INT64_MIN}, {WF_I64, INT64_MAX - APART},  {WF_I64, -APART / 2},        {WF_U64, INT64_MAX - APART / 2},
    {WF_U64, 0},         {WF_I32, INT32_MIN},          {WF_I32, INT32_MAX - APART}, {WF_U32, UINT32_MAX - APART},
    {WF_I16, INT16_MIN}, {WF_U16, UINT16_MAX - APART}, {WF_I8, -APART / 2},         {WF_U8, 0}};

/* Of what is an integer until the last step: up to four words become one double, and it is multiplied twice by 1 / n,
 * itself rounded. */
static const long double roundings = 8 * 0x1p-53L;

static void check_close(const char *spec, size_t c, size_t n, double got, long double expected) {
    if (!(fabsl((long double)got - expected) <= fabsl(expected) * roundings))
        fail_msg("%s of %s from %lld on, n %zu: expected %.20Lg, got %.17g", spec, wf_type_name(cases[c].type),
                 (long long)cases[c].base, n, expected, got);
}

/* The two farthest numbers of a type, and others that are far apart: of so many of each the variance is known. */
static void check_two(wf_type type, uint64_t one, uint64_t other, long double gap, size_t n) {
    const size_t bytes = wf_type_size(type);
    unsigned char *values = malloc(n * bytes);
    assert_non_null(values);
    size_t ones = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_one = i % 5 == 1 || i % 1024 == 1000;
        number_put_integer(type, values, i, is_one ? one : other);
        ones += is_one;
    }
    wf_description got;
    require(wf_describe(context, &(wf_describe_spec){.type = type}, values, n, &got));
    assert_true(got.sum.u64 == one * ones + other * (n - ones));
    const long double expected =
        gap * gap * (long double)ones * (long double)(n - ones) / (long double)n / (long double)n;
    if (!(fabsl((long double)got.variance - expected) <= expected * roundings))
        fail_msg("variance of %s, %llu of %zu apart by %Lg: expected %.20Lg, got %.17g", wf_type_name(type),
                 (unsigned long long)ones, n, gap, expected, got.variance);
    free(values);
}

void test_far_integers(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 2, 34, 1000, 4100, 70001};
    for (size_t l = 0; l < COUNT(lengths); l++) {
        check_two(WF_U64, UINT64_MAX, 0, 0x1p64L - 1, lengths[l]);
        check_two(WF_I64, (uint64_t)INT64_MAX, (uint64_t)INT64_MIN, 0x1p64L - 1, lengths[l]);
        check_two(WF_I64, (uint64_t)INT64_MIN, 77, 0x1p63L + 77, lengths[l]);
        check_two(WF_I64, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN, 0, lengths[l]); /* whose squares are 2^126 */
        check_two(WF_I64, (uint64_t)INT64_MIN + 1, (uint64_t)INT64_MIN, 1, lengths[l]);
        check_two(WF_I64, (uint64_t)1 << 32, 0, 0x1p32L, lengths[l]);
        check_two(WF_I64, (uint64_t)(INT64_MIN + 5), (uint64_t)(INT64_MIN + 5 + UINT32_MAX), 0x1p32L - 1, lengths[l]);
        check_two(WF_U32, UINT32_MAX, 0, 0x1p32L - 1, lengths[l]);
        check_two(WF_I32, (uint64_t)INT32_MIN, INT32_MAX, 0x1p32L - 1, lengths[l]);
        check_two(WF_I16, (uint64_t)INT16_MIN, INT16_MAX, 0x1p16L - 1, lengths[l]);
        check_two(WF_U8, UINT8_MAX, 0, 0x1p8L - 1, lengths[l]);
        check_two(WF_I8, (uint64_t)INT8_MIN, INT8_MAX, 0x1p8L - 1, lengths[l]);
    }
}

void test_close_integers(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 2, 33, 257, 1000, 4100, 70001};
    for (size_t c = 0; c < COUNT(cases); c++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const size_t n = lengths[l];
            unsigned char *values = malloc(n * wf_type_size(cases[c].type));
            assert_non_null(values);
            uint64_t sum = 0, squares = 0; /* of the distances from the base */
            for (size_t i = 0; i < n; i++) {
                const uint64_t distance = (i * 7919 + l) % APART * (i % 3 == 0);
                number_put_integer(cases[c].type, values, i, (uint64_t)cases[c].base + distance);
                sum += distance;
                squares += distance * distance;
            }
            wf_description got;
            require(wf_describe(context, &(wf_describe_spec){.type = cases[c].type}, values, n, &got));
            assert_true(got.sum.u64 == (uint64_t)cases[c].base * n + sum);
            const long double count = (long double)n, mean = (long double)sum / count;
            check_close("mean", c, n, got.mean, (long double)cases[c].base + mean);
            check_close("variance", c, n, got.variance, (long double)(n * squares - sum * sum) / count / count);
            free(values);
        }
}

/* The bits of mean and variance, which are the same on every device, whatever the caller's mode of rounding. */
void test_integers_bits(void **state) {
    (void)state;
    static const struct {
        wf_type type;
        size_t n;
        uint64_t mean, variance;
    } known[] = {
        {WF_I8, 3, 0x4049800000000000, 0x4085000000000000},
        {WF_I8, 1000, 0x400c7ced916872b0, 0x40b3b0a5728a6118},
        {WF_I8, 70001, 0xbfe0c976390756fc, 0x40b554d481831c3c},
        {WF_U8, 3, 0x4049800000000000, 0x4085000000000000},
        {WF_U8, 1000, 0x405f08c49ba5e354, 0x40b6cff0b2fa93af},
        {WF_U8, 70001, 0x405feb6a8344821f, 0x40b55ba8630d91d0},
        {WF_I16, 3, 0x40be885555555555, 0x41999a2e0e38e38d},
        {WF_I16, 1000, 0x40923527ef9db22d, 0x41b56ccc7da01f64},
        {WF_I16, 70001, 0x40588a2240976ecd, 0x41b56665dc3f9050},
        {WF_U16, 3, 0x40dcf76aaaaaaaab, 0x41bbc3e0d8e38e38},
        {WF_U16, 1000, 0x40de93f656041893, 0x41b51625b63b7165},
        {WF_U16, 70001, 0x40dffbde34e749fe, 0x41b555024b859dd4},
        {WF_I32, 3, 0xc1be9c36cd000000, 0x43b1e52e2655bafd},
        {WF_I32, 1000, 0x41800cd27ecac083, 0x43b6fb0d2b871b96},
        {WF_I32, 70001, 0xc139cb4f27dbcf37, 0x43b56e0506231509},
        {WF_U32, 3, 0x41e181ce7bb55555, 0x43a7c6209e72926c},
        {WF_U32, 1000, 0x41df7a41b6c73b64, 0x43b35b4003a776cf},
        {WF_U32, 70001, 0x41dff96f36bc7672, 0x43b541f3405b3f54},
        {WF_I64, 3, 0xc3b8c08d0b1e9c37, 0x47c3502199548516},
        {WF_I64, 1000, 0xc390348e28e06c47, 0x47b51d75672c1cdf},
        {WF_I64, 70001, 0xc36065a9a636eda0, 0x47b56c768252f2bc},
        {WF_U64, 3, 0x43e23d43b3f181cf, 0x47953036613583f1},
        {WF_U64, 1000, 0x43e042f7349c5096, 0x47b545b1c22cbdab},
        {WF_U64, 70001, 0x43e008b484b71f28, 0x47b550e8f978caa4},
    };
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t k = 0; k < COUNT(known); k++) {
        unsigned char *values = malloc(known[k].n * wf_type_size(known[k].type));
        assert_non_null(values);
        uint64_t random = known[k].n;
        for (size_t i = 0; i < known[k].n; i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            number_put_integer(known[k].type, values, i, random >> 13 ^ random << 31);
        }
        for (size_t m = 0; m < COUNT(modes); m++) {
            wf_description got;
            const int before = fegetround();
            fesetround(modes[m]);
            const wf_status status =
                wf_describe(context, &(wf_describe_spec){.type = known[k].type}, values, known[k].n, &got);
            fesetround(before);
            require(status);
            uint64_t mean, variance;
            memcpy(&mean, &got.mean, sizeof mean);
            memcpy(&variance, &got.variance, sizeof variance);
            if (mean != known[k].mean || variance != known[k].variance)
                fail_msg("{WF_%s, %zu, 0x%016llx, 0x%016llx}, expected 0x%016llx, 0x%016llx, mode %zu",
                         wf_type_name(known[k].type), known[k].n, (unsigned long long)mean,
                         (unsigned long long)variance, (unsigned long long)known[k].mean,
                         (unsigned long long)known[k].variance, m);
        }
        free(values);
    }
}
