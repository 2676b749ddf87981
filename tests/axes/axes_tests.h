/* What the parts of test_axes share. */
#ifndef WAVEFOLD_TESTS_AXES_TESTS_H
#define WAVEFOLD_TESTS_AXES_TESTS_H

#include <wavefold_axes.h>

#include <stdint.h>

/* One in `shares` of the reductions is tested, that number `share`; long tests take all. */
extern size_t shares, share;
extern wf_context *context, *host; /* the device under test; the CPU, which reduces rows that lie in one piece */

/* Numbers below 2^64 that depend on the seed alone. */
uint64_t next_random(uint64_t *state);

/* Of shapes.c. */
void test_rows_and_columns(void **state);
void test_random_shapes(void **state);
void test_long_results(void **state);
void test_sums_that_need_digits(void **state);
void test_means_of_large_terms(void **state);
/* Of workspaces.c. */
void test_lanes_that_disagree(void **state);
void test_threads_that_share_a_context(void **state);
void test_huge_counts(void **state);
/* Of refused.c. */
void test_refused(void **state);
void test_empty(void **state);

#endif
