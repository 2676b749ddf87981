/* The tests of test_exact that are in other files than the one with its list, and what all of them know. */
#ifndef WAVEFOLD_TESTS_EXACT_TESTS_H
#define WAVEFOLD_TESTS_EXACT_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include <wavefold.h>

extern wf_context *context;
extern bool is_native;          /* it folds without kernels */
extern uint64_t seed, compared; /* of random data; how many states and results were */

static const wf_type float_types[] = {WF_F32, WF_F64, WF_F16, WF_BF16};

/* states.c */
void test_broken_states(void **state);
void test_bounds_of_states(void **state);
void test_bytes_of_states(void **state);
void test_added_states(void **state);
void test_headroom(void **state);
void test_means_of_many(void **state);

/* tiles.c */
void test_one_tile(void **state);
void test_largest_short_sums(void **state);
void test_short_misfits(void **state);
void test_rounds_of_a_tile(void **state);
void test_nan_among_misfits(void **state);
void test_many_tiles(void **state);

#endif
