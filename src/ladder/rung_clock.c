#include "ladder_table.h"
#include "wf_context.h"

wf_status wf_stop_clock(const wf_rung_run_args *args, double *stopped) {
    const wf_context *context = args->context;
    const wf_status status = context->backend->timer_stop(context->device, &args->report->device_seconds);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "running");
    args->report->total_seconds = args->report->device_seconds;
    if (stopped != NULL)
        *stopped = wf_now();
    return WF_OK;
}
