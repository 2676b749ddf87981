/* Data for reductions of parts of an array, and comparisons with wf_reduce of each part by itself. */
#ifndef WAVEFOLD_TESTS_FOLDS_H
#define WAVEFOLD_TESTS_FOLDS_H

#include <wavefold.h>

#include <stdbool.h>
#include <stddef.h>

/* The next number of a sequence; *state is its seed, not 0. */
uint64_t fold_random(uint64_t *state);
/* Random bits for integers. Floats of both signs, zeros among them; wild: also infinities, NaN, and all exponents. */
void fold_fill(wf_type type, char *array, size_t count, bool wild, uint64_t *seed);
/* The reduction by which wf_reduce gives the same bits: fast sums of floats in parts are rounded once, into the
 * accumulator's type. */
wf_reduce_spec fold_rounded_once(wf_reduce_spec spec, const wf_reduction_info *info);
/* True if two results have the same bits. All NaN are alike. */
bool fold_results_alike(const wf_reduction_info *info, const char *a, const char *b);

#endif
