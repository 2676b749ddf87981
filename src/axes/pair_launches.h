/* Reductions of two arrays by kernels. */
#ifndef WAVEFOLD_AXES_PAIR_LAUNCHES_H
#define WAVEFOLD_AXES_PAIR_LAUNCHES_H

#include "launch.h"
#include "second_array.h"

/* Launches a request whose second array is not NULL; head and what is chosen by the shape are not set yet. */
wf_status wf_pairs_queue(const wf_queue *queue, const wf_axes_request *request);

#endif
