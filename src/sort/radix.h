/* The radix sort, for wf_sort and for the ladder. */
#ifndef WAVEFOLD_SORT_RADIX_H
#define WAVEFOLD_SORT_RADIX_H

#include "launch.h"
#include "request.h"
#include "sorting.h"

#include <stdbool.h>

/* True if one tile holds the array, so that wf_radix_run_short sorts it, without a workspace. */
bool wf_radix_is_short(const wf_sorting *sorting);
wf_status wf_radix_run_short(const wf_queue *queue, const wf_sorting *sorting);

/* The bytes of the workspace that wf_radix_run needs: a copy of the keys and of the values, and some KiB for each
 * tile. It may hold anything before, and is aligned to WF_LINE. */
size_t wf_radix_bytes(const wf_sorting *sorting);
wf_status wf_radix_run(const wf_queue *queue, const wf_sorting *sorting, void *workspace);
uint32_t wf_radix_tile_size(void);         /* threads of a pass over a digit */
uint64_t wf_radix_tile_keys(wf_type type); /* that a tile holds */
/* A request of one launch, with the digits of a sort within tiles. */
wf_sort_request wf_radix_request(const wf_queue *queue, const wf_sorting *sorting);

#endif
