/* What the library's own files ask the table of reductions, beside what programs can (wavefold.h). */
#ifndef WAVEFOLD_REDUCTION_TABLE_H
#define WAVEFOLD_REDUCTION_TABLE_H

#include "wavefold.h"

#include <stdbool.h>

/* What a rung's options say about the fold. */
wf_reduce_spec wf_reduction_of(const wf_rung_options *options);
/* Whether it is a sum that is rounded once. */
bool wf_reduction_is_exact(const wf_reduce_spec *what, const wf_reduction_info *info);
/* The group of WF_FOLDS_* that a reduction of the table is in: CORE, ORDERED without CORE, or WIDE without CORE. */
uint32_t wf_fold_group(const wf_reduce_spec *what, const wf_reduction_info *info);

#endif
