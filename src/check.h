/* What every entry refuses, in the same words. */
#ifndef WAVEFOLD_CHECK_H
#define WAVEFOLD_CHECK_H

#include "wavefold.h"
#include "wavefold_sum.h"

#include <stdbool.h>

/* WF_INVALID_ARGUMENT for NULL, and in debug builds for a context that has been destroyed. */
wf_status wf_check_context(const wf_context *context);
/* The same, and WF_INVALID_ARGUMENT for another argument that is NULL; name is what its caller knows it by. */
wf_status wf_check_call(const wf_context *context, const void *other, const char *name);
/* Where the CPU folds there are no streams, nor where it emulates kernels that are watched. */
wf_status wf_check_stream(const wf_context *context, const void *stream);

/* wf_check_array refuses an array that is NULL, misaligned or too long, wf_check_bytes a number of bytes that no array
 * has; wf_check_overlap a pair that overlaps. may_be_same: the two may start at the same address. */
wf_status wf_check_array(const char *name, const void *array, size_t count, size_t element, size_t alignment);
wf_status wf_check_bytes(size_t bytes);
wf_status wf_check_overlap(const void *in, size_t in_bytes, const void *out, size_t out_bytes, bool may_be_same);
/* Refuses a result of another size than the call writes; of: what it is, such as "sum of f32". */
wf_status wf_check_result_bytes(size_t given, size_t written, const char *of);
/* Refuses a spec or options whose reserved fields are not 0. */
wf_status wf_check_reserved(const char *name, const uint32_t *reserved, size_t count);
/* Refuses what is no type. */
wf_status wf_check_type(wf_type type);
/* Refuses types that no sort takes, too; name is who refuses. */
wf_status wf_check_sort_type(const char *name, wf_type type);
/* Refuses what is no state of a sum that this version knows; name says which it is. */
wf_status wf_sum_state_check(const char *name, const wf_sum_state *state);

#endif
