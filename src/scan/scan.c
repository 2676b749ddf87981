/* wf_scan: checked entry into the single-pass scan. */
#include "algebra.h"
#include "check.h"
#include "device_memory.h"
#include "ladder/run_scans.h"
#include "ladder/rung.h"
#include "launch.h"
#include "reduction_table.h"
#include "status.h"
#include "wf_context.h"

static wf_status check(const wf_context *context, const wf_scan_spec *what, const void *in, size_t count,
                       const void *result, wf_reduction_info *info) {
    wf_status status = wf_check_call(context, what, "what");
    if (status != WF_OK)
        return status;
    const wf_reduce_spec fold = {.type = what->type, .op = what->op, .accuracy = WF_ACCURACY_FAST};
    status = wf_reduction_get_info(&fold, info);
    if (status != WF_OK)
        return status;
    if ((wf_fold_group(&fold, info) & WF_FOLDS_ORDERED) == 0)
        return wf_fail(
            WF_UNSUPPORTED,
            "no scan by %s of %s: scans take sum, min and max of f32, f64, i32 and i64, and matmul and affine",
            wf_op_name(what->op), wf_type_name(what->type));
    const size_t element = info->element_bytes, alignment = wf_type_size(what->type);
    status = wf_check_array("in", in, count, element, alignment);
    if (status == WF_OK)
        status = wf_check_array("result", result, count, element, alignment);
    if (status == WF_OK)
        status = wf_check_overlap(in, count * element, result, count * element, true);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "in", in, count * element);
    return status == WF_OK ? wf_check_device_memory(context, "result", result, count * element) : status;
}

static wf_status queue_scan(wf_context *context, const wf_scan_spec *what, const wf_reduction_info *info,
                            const void *in, size_t count, void *result, void *stream, wf_rung_report *queued) {
    const wf_look_back scan = {.type = what->type,
                               .op = what->op,
                               .exclusive = what->exclusive,
                               .element_bytes = info->element_bytes,
                               .tile_size = WF_DEFAULT_TILE,
                               .in = in,
                               .count = count,
                               .result = result};
    return wf_look_back_run(context, stream, &scan, queued);
}

wf_status wf_scan_async(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result,
                        void *stream) {
    wf_reduction_info info;
    wf_status status = check(context, what, in, count, result, &info);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    return status != WF_OK || count == 0 ? status : queue_scan(context, what, &info, in, count, result, stream, NULL);
}

wf_status wf_scan(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result) {
    wf_reduction_info info;
    const wf_status status = check(context, what, in, count, result, &info);
    if (status != WF_OK)
        return status;
    if (count == 0)
        return wf_finish_nothing(context, "scanning");
    wf_rung_report queued = {.launches = 0};
    const wf_status scanned = queue_scan(context, what, &info, in, count, result, NULL, &queued);
    if (scanned != WF_OK && queued.launches == 0)
        return scanned; /* before ROCm 7 another call of the runtime would take the program's own error from it */
    const wf_status finished = context->backend->finish(context->device); /* also of what was queued before a failure */
    if (scanned != WF_OK || finished == WF_OK)
        return scanned;
    return wf_backend_fail(context, finished, "scanning");
}
