/* The launches of wf_sort and wf_argsort: the choice between networks and radix sorts. */
#ifndef WAVEFOLD_SORT_SORT_QUEUE_H
#define WAVEFOLD_SORT_SORT_QUEUE_H

#include "launch.h"
#include "sorting.h"

#include <stdbool.h>

/* in_place: by a network. */
typedef struct wf_array_sort {
    wf_sorting sorting;
    bool in_place;
} wf_array_sort;

/* of: a wf_array_sort of some keys. */
wf_status wf_sort_queue(const wf_queue *queue, const void *of);

#endif
