/* Descriptions of integers that lie close together far from zero, or far apart: no bit of their moments may be lost. */
#include "numbers.h"
#include "reduce_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

static void check_close(const char *what, size_t c, size_t n, double got, long double expected) {
    if (!(fabsl((long double)got - expected) <= fabsl(expected) * roundings))
        fail_msg("%s of %s from %lld on, n %zu: expected %.20Lg, got %.17g", what, wf_type_name(cases[c].type),
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
