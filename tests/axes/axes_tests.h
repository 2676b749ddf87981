/* What the parts of test_axes share. */
#ifndef WAVEFOLD_TESTS_AXES_TESTS_H
#define WAVEFOLD_TESTS_AXES_TESTS_H

#include <wavefold_axes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One in `shares` of the reductions is tested, that number `share`; long tests take all. */
extern size_t shares, share;
extern wf_context *context, *host; /* the device under test; the CPU, which reduces rows that lie in one piece */

/* Numbers below 2^64 that depend on the seed alone. */
uint64_t next_random(uint64_t *state);

typedef enum data { NEAR_ONE, NEAR_HALF, TAME, WILD } data;

typedef struct array_shape {
    wf_axes axes;
    size_t first, span;               /* of elements: index of the first, and all that is reached */
    size_t first_result, result_span; /* the same of results */
} array_shape;

/* Of arrays.c. */
/* Fills an array with random numbers. Floats of NEAR_ONE are of both signs: products neither overflow nor underflow; of
 * NEAR_HALF: nor do those of matrices, nor cancel. TAME: of both signs and a few exponents, with zeros. WILD: also
 * subnormals, infinities and NaN. */
void fill_array(wf_type type, void *array, size_t count, data kind, uint64_t *seed);
/* Elements and results from the lowest to the highest offset. */
array_shape shape_of_axes(const wf_axes *axes);
/* The next index of the dimensions that `among` names; false behind the last one. */
bool step_index(const wf_axes *axes, uint32_t among, uint64_t *index);
int64_t offset_along(const wf_axes *axes, const uint64_t *index, const int64_t *strides, uint32_t among);
/* A slice of an array that is padded, permuted, turned round, or repeats elements. */
wf_axes random_axes(uint64_t *seed);

/* Of shapes.c. */
void test_rows_and_columns(void **state);
void test_random_shapes(void **state);
void test_long_results(void **state);
void test_sums_that_need_digits(void **state);
void test_means_of_large_terms(void **state);
/* Of descriptions.c. */
void test_descriptions_of_rows_and_columns(void **state);
void test_descriptions_of_random_shapes(void **state);
void test_long_descriptions(void **state);
void test_variances(void **state);
void test_refused_descriptions(void **state);
/* Of workspaces.c. */
void test_lanes_that_disagree(void **state);
void test_threads_that_share_a_context(void **state);
void test_huge_counts(void **state);
/* Of refused.c. */
void test_refused(void **state);
void test_empty(void **state);

#endif
