/* wf_sort, wf_argsort and their _async: checks, a plan, and the CPU's sort or launches. */
#include "call.h"
#include "check.h"
#include "check_sort.h"
#include "sort_queue.h"
#include "status.h"
#include "wf_context.h"

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static wf_status check_in_place(const wf_sort_spec *spec) {
    if ((spec->flags & ~(uint32_t)WF_SORT_IN_PLACE) != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: it must be 0 or WF_SORT_IN_PLACE", spec->flags);
    if (spec->flags == 0)
        return WF_OK;
    const uint32_t value_bytes = spec->value_bytes;
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return wf_fail(WF_UNSUPPORTED,
                       "values of %u bytes: with WF_SORT_IN_PLACE 'value_bytes' is 0, 4 or 8; leave out the flag",
                       value_bytes);
    if (spec->begin_bit != 0 || spec->end_bit != 0)
        return wf_fail(WF_UNSUPPORTED, "bits %u to %u: WF_SORT_IN_PLACE compares all bits; leave out the flag",
                       spec->begin_bit, spec->end_bit);
    return wf_check_sort_type("wf_sort with WF_SORT_IN_PLACE", spec->type);
}

static wf_status check_spec(const wf_sort_spec *spec) {
    const wf_status status = wf_sort_check_spec(spec);
    return status == WF_OK ? check_in_place(spec) : status;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

typedef struct sort_plan {
    wf_context *context;
    wf_array_sort array;
} sort_plan;

static sort_plan plan_of(wf_context *context, const wf_sort_spec *spec, size_t count) {
    return (sort_plan){.context = context,
                       .array = {.sorting = {.type = spec->type,
                                             .descending = spec->descending,
                                             .value_bytes = spec->value_bytes,
                                             .begin_bit = spec->begin_bit,
                                             .end_bit = spec->end_bit,
                                             .count = count},
                                 .in_place = (spec->flags & WF_SORT_IN_PLACE) != 0}};
}

static wf_status plan_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                           sort_plan *plan) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_spec(spec);
    if (status == WF_OK)
        status = wf_sort_check_values(spec, values);
    if (status == WF_OK)
        status = wf_sort_check_arrays(context, spec, keys, "values", values, count);
    if (status != WF_OK)
        return status;
    *plan = plan_of(context, spec, count);
    plan->array.sorting.source_keys = plan->array.sorting.keys = keys;
    plan->array.sorting.source_values = plan->array.sorting.values = values;
    return WF_OK;
}

static wf_status plan_argsort(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                              size_t count, sort_plan *plan) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = wf_sort_check_positions("wf_argsort", spec, count);
    if (status == WF_OK)
        status = check_spec(spec);
    if (status == WF_OK)
        status = wf_sort_check_arrays(context, spec, keys, "positions", positions, count);
    if (status != WF_OK)
        return status;
    *plan = plan_of(context, spec, count);
    plan->array.sorting.source_keys = keys;
    plan->array.sorting.values = positions;
    return WF_OK;
}

/* ---- Launches, or the CPU's sort -------------------------------------------------------------------------------- */

static wf_status sort_on_cpu(const sort_plan *plan) {
    if (plan->array.sorting.count == 0)
        return WF_OK;
    const wf_context *context = plan->context;
    const wf_status status = context->backend->sort(context->device, &plan->array.sorting, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "sorting");
}

static wf_call call_of(const sort_plan *plan) {
    return (wf_call){
        .doing = "sorting", .count = plan->array.sorting.count, .queue = wf_sort_queue, .plan = &plan->array};
}

static wf_status run(const sort_plan *plan) {
    const wf_call call = call_of(plan);
    return wf_folds_on_cpu(plan->context) ? sort_on_cpu(plan) : wf_call_and_wait(plan->context, &call);
}

static wf_status run_async(const sort_plan *plan, void *stream) {
    const wf_call call = call_of(plan);
    const wf_status status = wf_check_stream(plan->context, stream);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(plan->context) ? sort_on_cpu(plan) : wf_call_async(plan->context, &call, stream);
}

wf_status wf_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_sort(context, spec, keys, values, count, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_sort_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                        void *stream) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_sort(context, spec, keys, values, count, &plan);
    return status == WF_OK ? run_async(&plan, stream) : status;
}

wf_status wf_argsort(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions, size_t count) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_argsort(context, spec, keys, positions, count, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_argsort_async(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                           size_t count, void *stream) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_argsort(context, spec, keys, positions, count, &plan);
    return status == WF_OK ? run_async(&plan, stream) : status;
}
