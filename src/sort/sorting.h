/* The plan of a sort, for all algorithms and for the CPU. */
#ifndef WAVEFOLD_SORT_SORTING_H
#define WAVEFOLD_SORT_SORTING_H

#include "wavefold.h"

/* If source_values is NULL and value_bytes is not 0, the values are the keys' positions. */
typedef struct wf_sorting {
    wf_type type;
    uint32_t descending;
    uint32_t value_bytes;
    uint32_t begin_bit, end_bit; /* both 0: all bits */
    uint64_t count;              /* at least 1 */
    const void *source_keys, *source_values;
    void *keys, *values; /* may be the source; keys may be NULL, but not for networks: only the values are wanted */
} wf_sorting;

#endif
