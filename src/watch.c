/* wavefold_watch.h: forwards the calls to the backend. */
#include "check.h"
#include "status.h"
#include "wf_context.h"

static wf_status check(const wf_context *context) {
    const wf_status status = wf_check_context(context);
    if (status != WF_OK || context->backend->watch_start != NULL)
        return status;
    return wf_fail(WF_UNSUPPORTED, "device '%s' is not watched: open \"watched:%u\" in its place", context->info.id,
                   context->info.wave_width);
}

wf_status wf_watch_start(wf_context *context, int keeps_events) {
    wf_status status = check(context);
    if (status != WF_OK)
        return status;
    status = context->backend->watch_start(context->device, keeps_events);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "starting to watch");
}

wf_status wf_watch_get(wf_context *context, wf_watch *watch) {
    wf_status status = check(context);
    if (status != WF_OK)
        return status;
    if (watch == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'watch' must not be NULL: it receives the counts");
    status = context->backend->watch_get(context->device, watch);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reading the counts");
}
