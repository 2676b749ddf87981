/* Sorts of rows, segments, or parts of rows, none of which is longer than a tile: without a workspace. */
#ifndef WAVEFOLD_SORT_SHORT_ROWS_H
#define WAVEFOLD_SORT_SHORT_ROWS_H

#include "launch.h"
#include "row_list.h"
#include "sorting.h"

#include <stdbool.h>

/* The keys stay in codes between two launches: the first one encodes them, the last one decodes them. */
typedef struct wf_short_rows {
    wf_sorting sorting; /* count: of the source */
    wf_row_list list;
    uint64_t result_count; /* of the target; 0: count */
    bool is_first, is_last;
} wf_short_rows;

wf_status wf_sort_short_rows(const wf_queue *queue, const wf_short_rows *rows);

#endif
