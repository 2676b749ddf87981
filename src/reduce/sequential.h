/* Sequential reductions on the host, and the results for no elements. */
#ifndef WAVEFOLD_REDUCE_SEQUENTIAL_H
#define WAVEFOLD_REDUCE_SEQUENTIAL_H

#include "wavefold.h"

/* Large and aligned enough for any result or element. */
typedef union wf_result {
    uint64_t words[4];
    double f64;
} wf_result;

/* *into = *into op values[0] op ... op values[count - 1], in this order. Only for reductions for which
 * wf_reduction_is_of_elements is true. */
void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count);
/* Writes the result for no elements. */
void wf_put_identity(const wf_reduce_spec *spec, const wf_reduction_info *info, wf_result *result);
/* Reduces in order, for any reduction of the table. The caller has entered the default floating-point environment. */
void wf_fold_all(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *values, size_t count,
                 wf_result *result);

#endif
