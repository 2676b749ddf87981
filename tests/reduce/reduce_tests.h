/* The tests of test_reduce that are in other files than the one with its list, and the device that all run on. */
#ifndef WAVEFOLD_TESTS_REDUCE_TESTS_H
#define WAVEFOLD_TESTS_REDUCE_TESTS_H

#include "data.h"

#include <wavefold.h>

extern wf_context *context;
extern const char *device; /* as the test was told */
extern data_share share;   /* of what is the same for many arrays */

enum { LARGE = 600011 }; /* several threads share an array of so many */

void put_number(wf_type type, void *values, size_t i, int small); /* of any type */

/* extremes.c */
void test_extreme_floats(void **state);

/* Of products.c. */
void test_zero_products(void **state);

/* edges.c */
void test_nothing_beside(void **state);

/* callers.c */
void test_modes_of_the_caller(void **state);
void test_modes_are_kept(void **state);
void test_traps_of_the_caller(void **state);
void test_small_stacks(void **state);
void test_cancelled_callers(void **state);
void test_signals_of_the_caller(void **state);

/* descriptions.c */
double uniform(size_t i, uint64_t seed); /* from -1 to 1 */
void test_description(void **state);
void test_hard_descriptions(void **state);
void test_describe_by_a_pivot(void **state);
void test_describe_minus_zeros(void **state);
void test_describe_outside_the_window(void **state);
void test_describe_in_the_window(void **state);
void test_describe_means_between_two(void **state);
void test_describe_neighbours(void **state);
void test_describe_an_edge_behind(void **state);
void test_describe_what_is_taken_again(void **state);

/* long.c */
void test_long_descriptions(void **state);

/* integers.c */
void test_close_integers(void **state);
void test_integers_bits(void **state);
void test_far_integers(void **state);

#endif
