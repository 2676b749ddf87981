/* wf_scan, wf_scan_axes and their _async. */
#include "scan_plan.h"

#include "status.h"

wf_status wf_scan_get_info(const wf_scan_spec *spec, wf_reduction_info *info) {
    if (spec == NULL || info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", spec == NULL ? "spec" : "info");
    wf_reduction_info found;
    const wf_status status = wf_scan_check_spec(spec, &found);
    if (status == WF_OK)
        *info = found;
    return status;
}

static wf_status scan_array(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result,
                            bool is_async, void *stream) {
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {count}};
    wf_scan_request request;
    const wf_status status = wf_scan_plan_of(context, spec, &axes, in, result, &request);
    return status == WF_OK ? wf_scan_run(context, &request, is_async, stream) : status;
}

wf_status wf_scan(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result) {
    return scan_array(context, spec, in, count, result, false, NULL);
}

wf_status wf_scan_async(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result,
                        void *stream) {
    return scan_array(context, spec, in, count, result, true, stream);
}

wf_status wf_scan_axes(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                       void *result) {
    wf_scan_request request;
    const wf_status status = wf_scan_plan_of(context, spec, axes, in, result, &request);
    return status == WF_OK ? wf_scan_run(context, &request, false, NULL) : status;
}

wf_status wf_scan_axes_async(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                             void *result, void *stream) {
    wf_scan_request request;
    const wf_status status = wf_scan_plan_of(context, spec, axes, in, result, &request);
    return status == WF_OK ? wf_scan_run(context, &request, true, stream) : status;
}
