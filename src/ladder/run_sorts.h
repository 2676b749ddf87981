/* Sorts, as the ladder and wf_sort run them. */
#ifndef WAVEFOLD_LADDER_RUN_SORTS_H
#define WAVEFOLD_LADDER_RUN_SORTS_H

#include "backend.h"
#include "wavefold.h"

/* What is sorted, and where. The values are value_bytes each; where source_values is NULL, they are positions. */
typedef struct wf_sorting {
    wf_context *context;
    void *stream;
    wf_rung_report *report; /* may be NULL */
    wf_type type;
    uint32_t descending;
    uint32_t value_bytes;
    uint64_t count; /* 1 at the least */
    const void *source_keys, *source_values;
    void *keys, *values; /* may be the source */
} wf_sorting;

/* Queues the launches of bitonic_registers. */
wf_status wf_sort_registers(const wf_sorting *what);

#endif
