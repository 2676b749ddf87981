/* wf_reduce, wf_describe: checked entry into the one fold that people call. */
#include "driving.h"

static wf_status check(const wf_context *context, const wf_reduction *what, const void *in, size_t count,
                       const void *result, wf_reduction_info *info) {
    if (context == NULL || what == NULL || result == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "%s must not be NULL",
                       context == NULL ? "context"
                       : what == NULL  ? "what"
                                       : "result");
    const wf_status status = wf_reduction_get_info(what, info);
    if (status != WF_OK)
        return status;
    const size_t alignment = wf_op_is_ordered(what->op) ? wf_type_size(what->type) : 1;
    return wf_check_array("in", in, count, info->element_bytes, alignment);
}

wf_status wf_reduce(wf_context *context, const wf_reduction *what, const void *in, size_t count, void *result) {
    wf_reduction_info info;
    wf_status status = check(context, what, in, count, result, &info);
    if (status != WF_OK)
        return status;
    if (context->backend->fold == NULL)
        return wf_fail(WF_UNSUPPORTED, "not yet on %s", context->info.id);
    status = context->backend->fold(context->device, what, in, count, result);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

wf_status wf_describe(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                      wf_description *result) {
    wf_status status = WF_OK;
    if (context->backend->describe == NULL)
        return wf_fail(WF_UNSUPPORTED, "not yet on %s", context->info.id);
    status = context->backend->describe(context->device, what, in, count, result);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "describing");
}
