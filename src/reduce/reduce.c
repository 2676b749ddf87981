/* The calls that reduce one array: wf_reduce, wf_describe, and sums into states. */
#include "check.h"
#include "run_plan.h"
#include "wavefold_sum.h"
#include "zero_product.h"

/* output is what the call fills; name is its parameter. */
static wf_status check_named(const wf_context *context, const void *what, const void *output, const char *name) {
    const wf_status status = wf_check_call(context, what, "what");
    return status == WF_OK ? wf_check_call(context, output, name) : status;
}

static wf_status check(const wf_context *context, const void *what, const void *result) {
    return check_named(context, what, result, "result");
}

wf_status wf_reduce(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result) {
    wf_reduce_plan plan;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of(what, &plan);
    if (status != WF_OK)
        return status;
    return wf_may_lose_a_zero(&plan) ? wf_reduce_product(context, &plan, in, count, result)
                                     : wf_run_plan(context, &plan, in, count, result);
}

wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result,
                          void *stream) {
    wf_reduce_plan plan;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of(what, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, result, stream) : status;
}

wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count,
                                  wf_sum_state *state) {
    wf_reduce_plan plan;
    wf_sum_state added;
    wf_status status = check_named(context, what, state, "state");
    if (status == WF_OK)
        status = wf_sum_state_check("state", state);
    if (status == WF_OK)
        status = wf_reduce_plan_of_state(what, WF_EXACT_STATE, &plan);
    if (status == WF_OK)
        status = wf_run_plan(context, &plan, in, count, &added);
    if (status == WF_OK)
        status = wf_sum_state_merge(&added, state);
    if (status != WF_OK)
        return status;
    *state = added;
    return wf_sum_state_normalise(state);
}

wf_status wf_sum_state_accumulate_async(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count,
                                        wf_sum_state *state, void *stream) {
    wf_reduce_plan plan;
    wf_status status = check_named(context, what, state, "state");
    if (status == WF_OK)
        status = wf_reduce_plan_of_state(what, WF_EXACT_ADDED, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, state, stream) : status;
}

wf_status wf_describe(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                      wf_description *result) {
    wf_reduce_plan plan;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of_description(what, &plan);
    return status == WF_OK ? wf_run_plan(context, &plan, in, count, result) : status;
}

wf_status wf_describe_async(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                            wf_description *result, void *stream) {
    wf_reduce_plan plan;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of_description(what, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, result, stream) : status;
}
