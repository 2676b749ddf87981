/* How often the program times a rung, and what it says of the times (src/cli/measure/sampling.h). */
#include "cli/measure/sampling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 20000 };

/* How many samples are taken where each takes `seconds`, but for the first one. */
static size_t taken(const sampling *rule, double first, double seconds) {
    double *samples = calloc(ROOM, sizeof *samples);
    size_t count = 0;
    assert_non_null(samples);
    while (count < ROOM && sampling_goes_on(rule, samples, count)) {
        samples[count] = count == 0 ? first : seconds;
        count++;
    }
    free(samples);
    return count;
}

static void test_repeat_is_obeyed(void **state) {
    (void)state;
    static const uint32_t repeats[] = {1, 2, 7, 10000};
    static const double times[] = {0, 1e-9, 1e-3, 100};
    for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++)
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            const sampling rule = sampling_of(repeats[i], 11);
            assert_int_equal(taken(&rule, times[k], times[k]), repeats[i]);
            assert_int_equal(rule.most, repeats[i]);
        }
}

static void test_short_times_are_taken_more_often(void **state) {
    (void)state;
    static const struct {
        double seconds;
        size_t count;
    } cases[] = {{0, 101},   {1e-6, 101}, {4e-4, 101}, {1.01e-3, 50}, {4e-3, 13}, {5e-3, 11},
                 {0.05, 11}, {0.09, 11},  {0.15, 7},   {0.4, 3},      {1, 3},     {60, 3}};
    const sampling rule = sampling_of(0, 11);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(taken(&rule, cases[i].seconds, cases[i].seconds), cases[i].count);
    assert_int_equal(rule.most, 101);
}

/* Of a run of 10 microseconds that stalls for 0.3 s it is not said that three runs are enough. */
static void test_one_late_sample_does_not_end_it(void **state) {
    (void)state;
    const sampling rule = sampling_of(0, 5);
    assert_int_equal(taken(&rule, 0.3, 1e-5), 101);
}

static void expect_near(double got, double wanted) {
    assert_true(got >= wanted - 1e-12 && got <= wanted + 1e-12);
}

static void test_spread(void **state) {
    (void)state;
    expect_near(spread_of((const double[]){4}, 1), 0);
    expect_near(spread_of((const double[]){0, 0}, 2), 0);
    expect_near(spread_of((const double[]){10, 12, 11}, 3), 1.0 / 11);
    expect_near(spread_of((const double[]){8, 9, 10, 11, 12}, 5), 0.1);
    expect_near(spread_of((const double[]){10, 10.1, 9.9, 200, 10}, 5), 0.01); /* half the range is 951 % */
    expect_near(spread_of((const double[]){1, 100}, 2), 49.5 / 50.5);
    expect_near(spread_of((const double[]){1, 1, 1000, 1000, 1000}, 5), 0);
}

static void test_spread_never_exceeds_the_median(void **state) {
    (void)state;
    double samples[6];
    for (unsigned pick = 0; pick < 4096; pick++) {
        static const double values[] = {1e-7, 1, 3, 1e6};
        for (size_t i = 0; i < 6; i++)
            samples[i] = values[pick >> 2 * i & 3];
        for (size_t count = 1; count <= 6; count++)
            assert_true(spread_of(samples, count) <= 1);
    }
}

static void test_timing(void **state) {
    (void)state;
    const timing odd = timing_of((const double[]){3, 1, 2}, 3), even = timing_of((const double[]){4, 1, 3, 2}, 4);
    assert_true(odd.median == 2 && odd.min == 1 && odd.max == 3);
    assert_true(even.median == 2.5 && even.min == 1 && even.max == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_repeat_is_obeyed),
                                       cmocka_unit_test(test_short_times_are_taken_more_often),
                                       cmocka_unit_test(test_one_late_sample_does_not_end_it),
                                       cmocka_unit_test(test_spread),
                                       cmocka_unit_test(test_spread_never_exceeds_the_median),
                                       cmocka_unit_test(test_timing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
