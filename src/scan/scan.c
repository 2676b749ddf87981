/* wf_scan: checked entry into the single-pass scan. */
#include "algebra.h"
#include "check.h"
#include "device_memory.h"
#include "look_back.h"
#include "reduction_table.h"
#include "status.h"
#include "wf_context.h"

enum { TILE_SIZE = 256 }; /* threads */

static wf_status check(const wf_context *context, const wf_scan_spec *what, const void *in, size_t count,
                       const void *result, wf_reduction_info *info) {
    wf_status status = wf_check_call(context, what, "what");
    if (status != WF_OK)
        return status;
    const wf_reduce_spec fold = {.type = what->type, .op = what->op, .accuracy = WF_ACCURACY_FAST};
    status = wf_reduction_get_info(&fold, info);
    if (status != WF_OK)
        return status;
    if (!wf_reduction_is_of_elements(&fold, info))
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

static wf_status queue_scan(const wf_queue *queue, const wf_scan_spec *what, const wf_reduction_info *info,
                            const void *in, size_t count, void *result) {
    const wf_look_back scan = {.type = what->type,
                               .op = what->op,
                               .exclusive = what->exclusive,
                               .element_bytes = info->element_bytes,
                               .tile_size = TILE_SIZE,
                               .in = in,
                               .count = count,
                               .result = result};
    return wf_look_back_run(queue, &scan);
}

wf_status wf_scan_async(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result,
                        void *stream) {
    wf_reduction_info info;
    wf_status status = check(context, what, in, count, result, &info);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    const wf_queue queue = {.context = context, .stream = stream};
    return status != WF_OK || count == 0 ? status : queue_scan(&queue, what, &info, in, count, result);
}

wf_status wf_scan(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result) {
    wf_reduction_info info;
    const wf_status status = check(context, what, in, count, result, &info);
    if (status != WF_OK)
        return status;
    if (count == 0)
        return wf_finish_nothing(context, "scanning");
    wf_launch_count launched = {.launches = 0};
    const wf_queue queue = {.context = context, .count = &launched};
    return wf_finish_launches(&queue, queue_scan(&queue, what, &info, in, count, result), "scanning");
}
