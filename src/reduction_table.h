/* Queries to the table of reductions, for the library's own files. wf_reduction_get_info is the public one. */
#ifndef WAVEFOLD_REDUCTION_TABLE_H
#define WAVEFOLD_REDUCTION_TABLE_H

#include "wavefold.h"

#include <stdbool.h>

/* True for an exact sum. */
bool wf_reduction_is_exact(const wf_reduce_spec *spec, const wf_reduction_info *info);
/* True if the result has the type of an element, which scans need: sum, min and max of f32, f64, i32 and i64 in their
 * own type, propagating NaN; and the ordered operators. */
bool wf_reduction_is_of_elements(const wf_reduce_spec *spec, const wf_reduction_info *info);

#endif
