/* The launches of wf_top_k. */
#ifndef WAVEFOLD_SORT_TOP_K_QUEUE_H
#define WAVEFOLD_SORT_TOP_K_QUEUE_H

#include "launch.h"

/* of: a wf_row_sorting that keeps list.kept results of each row. */
wf_status wf_top_k_queue(const wf_queue *queue, const void *of);

#endif
