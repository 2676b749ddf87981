/* wf_scan and wf_scan_async: checks, a plan, and the single-pass scan. */
#include "algebra.h"
#include "call.h"
#include "check.h"
#include "device_memory.h"
#include "look_back.h"
#include "reduction_table.h"
#include "status.h"
#include "wf_context.h"

enum { TILE_SIZE = 256 }; /* threads */

/* Checks that scans take this reduction; *info becomes its facts. */
static wf_status check_spec(const wf_scan_spec *spec, wf_reduction_info *info) {
    wf_reduce_spec reduce = spec->reduce;
    if (reduce.accuracy == WF_ACCURACY_BEST)
        reduce.accuracy = WF_ACCURACY_FAST; /* no scan is exact */
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_reduction_get_info(&reduce, info);
    if (status != WF_OK)
        return status;
    if (reduce.accuracy == WF_ACCURACY_FAST && wf_reduction_is_of_elements(&reduce, info))
        return WF_OK;
    const char *const how = reduce.accuracy == WF_ACCURACY_EXACT          ? ", exact"
                            : reduce.accumulator != WF_ACCUMULATE_DEFAULT ? " with a chosen accumulator"
                            : reduce.nan != WF_NAN_PROPAGATE              ? " that ignores NaN"
                                                                          : "";
    return wf_fail(
        WF_UNSUPPORTED,
        "no scan by %s of %s%s: scans take sum, min and max of f32, f64, i32 and i64, and matmul and affine of "
        "f32, f64 and i32, with the default accumulator and NaN rule, not exact",
        wf_op_name(reduce.op), wf_type_name(reduce.type), how);
}

static wf_status check_arrays(const wf_context *context, const void *in, size_t count, const void *result,
                              size_t element, size_t alignment) {
    wf_status status = wf_check_array("in", in, count, element, alignment);
    if (status == WF_OK)
        status = wf_check_array("result", result, count, element, alignment);
    if (status == WF_OK)
        status = wf_check_overlap(in, count * element, result, count * element, true);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "in", in, count * element);
    return status == WF_OK ? wf_check_device_memory(context, "result", result, count * element) : status;
}

static wf_status plan_of(const wf_context *context, const wf_scan_spec *spec, const void *in, size_t count,
                         void *result, wf_look_back *plan) {
    wf_reduction_info info;
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_spec(spec, &info);
    if (status == WF_OK)
        status = check_arrays(context, in, count, result, info.element_bytes, wf_type_size(spec->reduce.type));
    if (status != WF_OK)
        return status;
    *plan = (wf_look_back){.type = spec->reduce.type,
                           .op = spec->reduce.op,
                           .exclusive = spec->exclusive,
                           .element_bytes = info.element_bytes,
                           .tile_size = TILE_SIZE,
                           .in = in,
                           .count = count,
                           .result = result};
    return WF_OK;
}

static wf_status queue_scan(const wf_queue *queue, const void *plan) {
    return wf_look_back_run(queue, plan);
}

static wf_call call_of(const wf_look_back *plan) {
    return (wf_call){.doing = "scanning", .count = plan->count, .queue = queue_scan, .plan = plan};
}

wf_status wf_scan(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result) {
    wf_look_back plan = {.count = 0};
    const wf_status status = plan_of(context, spec, in, count, result, &plan);
    const wf_call call = call_of(&plan);
    return status == WF_OK ? wf_call_and_wait(context, &call) : status;
}

wf_status wf_scan_async(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result,
                        void *stream) {
    wf_look_back plan = {.count = 0};
    const wf_status status = plan_of(context, spec, in, count, result, &plan);
    const wf_call call = call_of(&plan);
    return status == WF_OK ? wf_call_async(context, &call, stream) : status;
}
