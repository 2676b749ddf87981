/* Runs a plan: checks its array, then reduces on the CPU or by launches. */
#ifndef WAVEFOLD_REDUCE_RUN_PLAN_H
#define WAVEFOLD_REDUCE_RUN_PLAN_H

#include "plan.h"

/* As wf_reduce and wf_reduce_async. result has the plan's result_bytes. The caller has checked the context. */
wf_status wf_run_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result);
wf_status wf_queue_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result,
                        void *stream);

/* The check of the array alone, which the two functions above start with. */
wf_status wf_check_plan_in(const wf_reduce_plan *plan, const void *in, size_t count);

#endif
