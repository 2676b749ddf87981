/* The plan of a sort of rows or segments, or of a selection from rows, for kernels and for the CPU. */
#ifndef WAVEFOLD_SORT_ROW_SORTING_H
#define WAVEFOLD_SORT_ROW_SORTING_H

#include "row_list.h"
#include "sorting.h"

typedef struct wf_row_sorting {
    wf_sorting all;        /* of the whole array. If source_values is NULL, the values are positions in the row */
    wf_row_list list;      /* parts: 1. kept: not 0 in a selection, whose target is apart from its source */
    uint32_t find_longest; /* not 0: list.longest is not known, and the call may wait for the device */
} wf_row_sorting;

#endif
