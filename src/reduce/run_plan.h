/* A plan's way: the checks of its array, and the CPU's fold or launches. */
#ifndef WAVEFOLD_REDUCE_RUN_PLAN_H
#define WAVEFOLD_REDUCE_RUN_PLAN_H

#include "plan.h"

/* As wf_reduce, and as wf_reduce_async: result has the plan's result_bytes. The context has been checked. */
wf_status wf_run_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result);
wf_status wf_queue_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result,
                        void *stream);

/* Of the array alone: both begin with it. */
wf_status wf_check_plan_in(const wf_reduce_plan *plan, const void *in, size_t count);

#endif
