/* A sort of rows of any lengths: of all keys at once, and then by row. */
#ifndef WAVEFOLD_SORT_JOINT_SORT_H
#define WAVEFOLD_SORT_JOINT_SORT_H

#include "launch.h"
#include "row_sorting.h"

/* of: a wf_row_sorting. The caller has the turn of the stream's room. */
wf_status wf_joint_sort(const wf_queue *queue, const void *of);

#endif
