/* Folds on the host, one element after the other, and what no elements come to. */
#ifndef WAVEFOLD_REDUCE_SEQUENTIAL_H
#define WAVEFOLD_REDUCE_SEQUENTIAL_H

#include "wavefold.h"

/* Large and aligned enough for one result, or one element, of any kind. */
typedef union wf_result {
    uint64_t words[4];
    double f64;
} wf_result;

/* *into = *into op values[0] op ... op values[count - 1], in this order; for what wf_reduction_is_of_elements
 * alone. */
void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count);
/* The result of no elements. */
void wf_put_identity(const wf_reduce_spec *spec, const wf_reduction_info *info, wf_result *result);
/* The result of any reduction, folded in order; in the usual modes of floats, which the caller is in. */
void wf_fold_all(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *values, size_t count,
                 wf_result *result);

#endif
