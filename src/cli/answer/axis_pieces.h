#ifndef WAVEFOLD_CLI_ANSWER_AXIS_PIECES_H
#define WAVEFOLD_CLI_ANSWER_AXIS_PIECES_H

#include "answer.h"
#include "axis_plan.h"

/* Reduces the elements of the file: piece by piece, with a progress bar, where that gives the same results; else at
 * once.
 *   elements: in the order of the file; aligned, in this machine's byte order
 *   results:  as wf_reduce_axes writes them
 *   fails:    as wf_reduce_axes, wf_malloc and the copies; the first failure ends it */
wf_status axis_pieces_reduce(const answer *a, const axis_plan *plan, wf_context *context, const void *elements,
                             void *results);

#endif
