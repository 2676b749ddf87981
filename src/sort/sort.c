/* wf_sort and wf_sort_async: checks, a plan, and the bitonic network in registers. */
#include "bitonic.h"
#include "call.h"
#include "check.h"
#include "device_memory.h"
#include "status.h"
#include "wf_context.h"

static wf_status check_spec(const wf_sort_spec *spec, const void *values) {
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_check_sort_type("wf_sort", spec->type);
    if (status != WF_OK)
        return status;
    const uint32_t value_bytes = spec->value_bytes;
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "values of %u bytes: 'value_bytes' must be 0 (keys alone), 4 or 8",
                       value_bytes);
    if (value_bytes == 0 && values != NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'values' are given, but 'value_bytes' is 0: it must be 4 or 8, or 'values' NULL");
    return WF_OK;
}

static wf_status check_arrays(const wf_context *context, const wf_sort_spec *spec, const void *keys, const void *values,
                              size_t count) {
    const size_t key_bytes = wf_type_size(spec->type), value_bytes = spec->value_bytes;
    wf_status status = wf_check_array("keys", keys, count, key_bytes, key_bytes);
    if (status == WF_OK && value_bytes != 0)
        status = wf_check_array("values", values, count, value_bytes, value_bytes);
    if (status == WF_OK && value_bytes != 0 &&
        wf_check_overlap(keys, count * key_bytes, values, count * value_bytes, false) != WF_OK)
        status = wf_fail(WF_INVALID_ARGUMENT, "'keys' and 'values' overlap; they must be apart");
    if (status == WF_OK)
        status = wf_check_device_memory(context, "keys", keys, count * key_bytes);
    return status == WF_OK ? wf_check_device_memory(context, "values", values, count * value_bytes) : status;
}

static wf_status plan_of(const wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                         wf_sorting *plan) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_spec(spec, values);
    if (status == WF_OK)
        status = check_arrays(context, spec, keys, values, count);
    if (status != WF_OK)
        return status;
    *plan = (wf_sorting){.type = spec->type,
                         .descending = spec->descending,
                         .value_bytes = spec->value_bytes,
                         .count = count,
                         .source_keys = keys,
                         .source_values = values,
                         .keys = keys,
                         .values = values};
    return WF_OK;
}

static wf_status queue_sort(const wf_queue *queue, const void *plan) {
    return wf_sort_registers(queue, plan);
}

static wf_call call_of(const wf_sorting *plan) {
    return (wf_call){.doing = "sorting", .count = plan->count, .queue = queue_sort, .plan = plan};
}

wf_status wf_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count) {
    wf_sorting plan = {.count = 0};
    const wf_status status = plan_of(context, spec, keys, values, count, &plan);
    const wf_call call = call_of(&plan);
    return status == WF_OK ? wf_call_and_wait(context, &call) : status;
}

wf_status wf_sort_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                        void *stream) {
    wf_sorting plan = {.count = 0};
    const wf_status status = plan_of(context, spec, keys, values, count, &plan);
    const wf_call call = call_of(&plan);
    return status == WF_OK ? wf_call_async(context, &call, stream) : status;
}
