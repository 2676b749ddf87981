/* The launches of sorts of rows and segments. */
#ifndef WAVEFOLD_SORT_ROW_QUEUE_H
#define WAVEFOLD_SORT_ROW_QUEUE_H

#include "launch.h"
#include "row_sorting.h"

#include <stdbool.h>

/* of: a wf_row_sorting of some keys in some rows. */
wf_status wf_row_queue(const wf_queue *queue, const void *of);

/* Runs the plan on the CPU, or calls queue; stream is used if is_async. doing: "sorting", for messages. */
wf_status wf_row_run(wf_context *context, const wf_row_sorting *sorting, const char *doing,
                     wf_status (*queue)(const wf_queue *queue, const void *of), bool is_async, void *stream);

#endif
