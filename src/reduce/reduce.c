/* The public functions that reduce one array: wf_reduce, wf_describe, wf_sum_state_accumulate, and their _async. */
#include "check.h"
#include "run_plan.h"
#include "wavefold_sum.h"
#include "zero_product.h"

/* `output` must not be NULL; `name` is used in the message. */
static wf_status check_named(const wf_context *context, const void *spec, const void *output, const char *name) {
    const wf_status status = wf_check_call(context, spec, "spec");
    return status == WF_OK ? wf_check_call(context, output, name) : status;
}

/* Checks the arguments of wf_reduce and makes its plan. */
static wf_status plan_of(const wf_context *context, const wf_reduce_spec *spec, const void *result, size_t result_bytes,
                         wf_reduce_plan *plan) {
    wf_status status = check_named(context, spec, result, "result");
    if (status == WF_OK)
        status = wf_reduce_plan_of(spec, plan);
    return status == WF_OK ? wf_check_result_bytes(result_bytes, plan->result_bytes, wf_plan_name(plan).text) : status;
}

static wf_status plan_of_description(const wf_context *context, const wf_describe_spec *spec, const void *result,
                                     wf_reduce_plan *plan) {
    wf_status status = check_named(context, spec, result, "result");
    if (status == WF_OK)
        status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    return status == WF_OK ? wf_reduce_plan_of_description(spec, plan) : status;
}

wf_status wf_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                    size_t result_bytes) {
    wf_reduce_plan plan;
    const wf_status status = plan_of(context, spec, result, result_bytes, &plan);
    if (status != WF_OK)
        return status;
    return wf_may_lose_a_zero(&plan) ? wf_reduce_product(context, &plan, in, count, result)
                                     : wf_run_plan(context, &plan, in, count, result);
}

wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                          size_t result_bytes, void *stream) {
    wf_reduce_plan plan;
    const wf_status status = plan_of(context, spec, result, result_bytes, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, result, stream) : status;
}

wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                  wf_sum_state *state) {
    wf_reduce_plan plan;
    wf_sum_state added;
    wf_status status = check_named(context, spec, state, "state");
    if (status == WF_OK)
        status = wf_sum_state_check("state", state);
    if (status == WF_OK)
        status = wf_reduce_plan_of_state(spec, WF_EXACT_STATE, &plan);
    if (status == WF_OK)
        status = wf_run_plan(context, &plan, in, count, &added);
    if (status == WF_OK)
        status = wf_sum_state_merge(&added, state);
    if (status != WF_OK)
        return status;
    *state = added;
    return wf_sum_state_normalise(state);
}

wf_status wf_sum_state_accumulate_async(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                        wf_sum_state *state, void *stream) {
    wf_reduce_plan plan;
    wf_status status = check_named(context, spec, state, "state");
    if (status == WF_OK)
        status = wf_reduce_plan_of_state(spec, WF_EXACT_ADDED, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, state, stream) : status;
}

wf_status wf_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                      wf_description *result) {
    wf_reduce_plan plan;
    const wf_status status = plan_of_description(context, spec, result, &plan);
    return status == WF_OK ? wf_run_plan(context, &plan, in, count, result) : status;
}

wf_status wf_describe_async(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                            wf_description *result, void *stream) {
    wf_reduce_plan plan;
    const wf_status status = plan_of_description(context, spec, result, &plan);
    return status == WF_OK ? wf_queue_plan(context, &plan, in, count, result, stream) : status;
}
