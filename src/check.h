/* Checks of arguments that all public functions share. Each returns WF_OK, or fails with a message. */
#ifndef WAVEFOLD_CHECK_H
#define WAVEFOLD_CHECK_H

#include "wavefold.h"
#include "wavefold_sum.h"

#include <stdbool.h>

/* Refuses NULL; debug builds also refuse a destroyed context. */
wf_status wf_check_context(const wf_context *context);
/* Refuses the same, and another argument if it is NULL; name is its parameter, for the message. */
wf_status wf_check_call(const wf_context *context, const void *other, const char *name);
/* Refuses a stream other than NULL on the host device and on "watched", which have no streams. */
wf_status wf_check_stream(const wf_context *context, const void *stream);

/* wf_check_array refuses an array that is NULL, misaligned or too long; wf_check_bytes a size beyond the address space;
 * wf_check_overlap two arrays that overlap. may_be_same: the two may start at the same address. */
wf_status wf_check_array(const char *name, const void *array, size_t count, size_t element, size_t alignment);
wf_status wf_check_bytes(size_t bytes);
wf_status wf_check_overlap(const void *in, size_t in_bytes, const void *out, size_t out_bytes, bool may_be_same);
/* Refuses result_bytes if it is not the size that the call writes; name is the result, such as "sum of f32". */
wf_status wf_check_result_bytes(size_t given, size_t written, const char *name);
/* Refuses a spec or options whose reserved fields are not 0. */
wf_status wf_check_reserved(const char *name, const uint32_t *reserved, size_t count);
/* Refuses values outside the enumeration. */
wf_status wf_check_type(wf_type type);
/* Also refuses types that sorts do not take; name is the function or rung, for the message. */
wf_status wf_check_sort_type(const char *name, wf_type type);
/* Refuses an invalid state, or one of another version; name is its parameter, for the message. */
wf_status wf_sum_state_check(const char *name, const wf_sum_state *state);

#endif
