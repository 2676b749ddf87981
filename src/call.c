#include "call.h"

#include "check.h"

wf_status wf_call_and_wait(wf_context *context, const wf_call *call) {
    if (call->count == 0)
        return wf_finish_nothing(context, call->doing);
    wf_launch_count launched = {.launches = 0};
    const wf_queue queue = {.context = context, .count = &launched};
    return wf_finish_launches(&queue, call->queue(&queue, call->plan), call->doing);
}

wf_status wf_call_async(wf_context *context, const wf_call *call, void *stream) {
    const wf_status status = wf_check_stream(context, stream);
    if (status != WF_OK || call->count == 0)
        return status;
    const wf_queue queue = {.context = context, .stream = stream};
    return call->queue(&queue, call->plan);
}
