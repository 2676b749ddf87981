/* What the parts of test_pairs share. */
#ifndef WAVEFOLD_TESTS_PAIRS_TESTS_H
#define WAVEFOLD_TESTS_PAIRS_TESTS_H

#include <wavefold_pairs.h>

#include <stdbool.h>
#include <stdint.h>

/* One in `shares` of the reductions is tested, that number `share`; long tests take all. */
extern size_t shares, share;
extern wf_context *context, *host; /* the device under test; the CPU, which reduces gathered elements */

/* TAME: a few exponents, both signs, zeros. WILD: also subnormals, infinities and NaN. WIDE: all finite exponents.
 * NEAR_ONE: products neither overflow nor underflow. */
typedef enum pair_data { TAME, WILD, WIDE, NEAR_ONE } pair_data;

/* Numbers below 2^64 that depend on the seed alone. */
uint64_t next_random(uint64_t *state);
void fill_numbers(wf_type type, void *array, size_t count, pair_data kind, uint64_t *seed);

/* Every number of a shape of two dimensions, of which `axis` is reduced: its results against those of each row,
 * gathered. Strides are in C order for 0; else they are padded, and some are negative or 0, as the number says.
 * mask_kind: none, all or some of a mask's bytes are not 0. */
void check_pairs(const wf_reduce_spec *spec, wf_second_kind kind, const uint64_t *counts, uint32_t reduced,
                 unsigned strides, pair_data data, unsigned mask_kind, uint64_t seed);

/* Lengths at the edges of waves, packs and tiles. */
extern const uint64_t edge_counts[13];

/* Of weights.c. */
void test_weights(void **state);
void test_long_weights(void **state);
void test_dot(void **state);
void test_refused_weights(void **state);
/* Of masks.c. */
void test_masks(void **state);
void test_long_masks(void **state);
void test_masked_means(void **state);
void test_refused_masks(void **state);
/* Of norms.c. */
void test_norms(void **state);
void test_norms_of_huge_and_tiny_numbers(void **state);
void test_refused_norms(void **state);

#endif
