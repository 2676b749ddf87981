/* What the library's own files ask the table of reductions, beside what programs can (wavefold.h). */
#ifndef WAVEFOLD_REDUCTION_TABLE_H
#define WAVEFOLD_REDUCTION_TABLE_H

#include "wavefold.h"

#include <stdbool.h>

/* Whether it is a sum that is rounded once. */
bool wf_reduction_is_exact(const wf_reduce_spec *spec, const wf_reduction_info *info);
/* Whether a reduction's result is an element, so that scans take it as well: sum, min and max of f32, f64, i32 and i64
 * in their own type, propagating NaN, and the ordered operators. */
bool wf_reduction_is_of_elements(const wf_reduce_spec *spec, const wf_reduction_info *info);

#endif
