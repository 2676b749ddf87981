#define _GNU_SOURCE
#include "launch.h"
#include "launch_head.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <time.h>

static struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

double wf_now(void) {
    const struct timespec time = now();
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint64_t wf_now_in_nanoseconds(void) {
    const struct timespec time = now();
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static size_t whole_lines(size_t bytes) {
    return (size_t)wf_ceil_div(bytes, WF_LINE) * WF_LINE;
}

wf_status wf_divide_workspace(wf_context *context, size_t count, const size_t *bytes, char **parts) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += whole_lines(bytes[i]);
    void *workspace;
    const wf_status status = wf_workspace(context, all, &workspace);
    if (status != WF_OK)
        return status;
    char *unused = workspace;
    for (size_t i = 0; i < count; i++) {
        parts[i] = unused;
        unused += whole_lines(bytes[i]);
    }
    return WF_OK;
}

wf_status wf_launch(const wf_queue *queue, wf_algorithm algorithm, const void *request) {
    const wf_context *context = queue->context;
    const wf_status status = context->backend->launch(context->device, queue->stream, algorithm, request);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "launching");
    wf_launch_count *const count = queue->count;
    if (count == NULL)
        return WF_OK;
    const wf_launch_head *const head = request;
    const uint64_t threads = (uint64_t)head->tiles * head->tile_size;
    count->launches++;
    if (threads > count->threads)
        count->threads = threads;
    return WF_OK;
}

wf_status wf_finish_launches(const wf_queue *queue, wf_status status, const char *doing) {
    const wf_context *context = queue->context;
    if (status != WF_OK && queue->count->launches == 0)
        return status;
    const wf_status finished = context->backend->finish(context->device);
    if (status != WF_OK || finished == WF_OK)
        return status;
    return wf_backend_fail(context, finished, doing);
}

wf_status wf_finish_nothing(const wf_context *context, const char *doing) {
    const wf_backend *backend = context->backend;
    wf_status status = backend->earlier_error != NULL ? backend->earlier_error(context->device) : WF_OK;
    if (status == WF_OK)
        status = backend->finish(context->device);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, doing);
}

wf_status wf_launch_in_pieces(const wf_queue *queue, const wf_pieces *pieces) {
    uint64_t first = pieces->first;
    wf_status status;
    do {
        const uint64_t count = wf_smaller(pieces->end - first, pieces->most);
        status = pieces->launch(queue, pieces->of, first, count);
        first += count;
    } while (status == WF_OK && first < pieces->end);
    return status;
}

wf_status wf_start_clock(const wf_context *context) {
    const wf_backend *backend = context->backend;
    wf_status status = backend->hold != NULL ? backend->hold(context->device) : WF_OK;
    if (status == WF_OK)
        status = backend->timer_start(context->device);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "starting the timer");
}
