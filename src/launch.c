#define _GNU_SOURCE
#include "launch.h"
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

wf_status wf_launch_on(wf_context *context, void *stream, const wf_launch *what, wf_rung_report *report) {
    const wf_status status = context->backend->launch(context->device, stream, what);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "launching");
    if (report == NULL)
        return WF_OK;
    const uint64_t threads = (uint64_t)what->tiles * what->tile_size;
    report->launches++;
    if (threads > report->threads)
        report->threads = threads;
    return WF_OK;
}

wf_status wf_finish_nothing(const wf_context *context, const char *doing) {
    const wf_backend *backend = context->backend;
    wf_status status = backend->earlier_error != NULL ? backend->earlier_error(context->device) : WF_OK;
    if (status == WF_OK)
        status = backend->finish(context->device);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, doing);
}

wf_status wf_launch_in_pieces(wf_context *context, void *stream, const wf_pieces *pieces, wf_rung_report *report) {
    uint64_t first = pieces->first;
    wf_status status;
    do {
        const uint64_t count = wf_smaller(pieces->end - first, pieces->most);
        const wf_launch what = pieces->piece(pieces->of, first, count);
        status = wf_launch_on(context, stream, &what, report);
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
