/* Checks of several arrays at once. */
#ifndef WAVEFOLD_BY_KEY_CHECK_ARRAYS_H
#define WAVEFOLD_BY_KEY_CHECK_ARRAYS_H

#include "wavefold.h"

typedef struct wf_named_array {
    const char *name; /* the parameter, for messages */
    const void *data; /* NULL: there is none */
    size_t bytes;
} wf_named_array;

/* Refuses an output that overlaps an input or another output. */
wf_status wf_check_apart(const wf_named_array *outputs, size_t output_count, const wf_named_array *inputs,
                         size_t input_count);
#endif
