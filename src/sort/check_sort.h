/* Checks that sorts of arrays, of rows and of segments share. Each returns WF_OK, or fails with a message. */
#ifndef WAVEFOLD_SORT_CHECK_SORT_H
#define WAVEFOLD_SORT_CHECK_SORT_H

#include "wavefold.h"

/* Checks all fields of a spec but flags and value_bytes. */
wf_status wf_sort_check_spec(const wf_sort_spec *spec);
/* Checks value_bytes: of values, or of positions below count; name is the function, for the message. */
wf_status wf_sort_check_values(const wf_sort_spec *spec, const void *values);
wf_status wf_sort_check_positions(const char *name, const wf_sort_spec *spec, size_t count);
/* Checks memory, alignment and overlap; name is that of the values. */
wf_status wf_sort_check_arrays(const wf_context *context, const wf_sort_spec *spec, const void *keys, const char *name,
                               const void *values, size_t count);

#endif
