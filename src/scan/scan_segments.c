/* wf_scan_segments, wf_scan_flagged and their _async. */
#include "scan_plan.h"

#include "check.h"
#include "device_memory.h"
#include "status.h"
#include "wf_context.h"

#include <stdint.h>
#include <stdlib.h>

static wf_status check_segments(const wf_context *context, const wf_segments *segments) {
    wf_status status = wf_check_call(context, segments, "segments");
    if (status == WF_OK)
        status =
            wf_check_reserved("segments", segments->reserved, sizeof segments->reserved / sizeof *segments->reserved);
    if (status != WF_OK)
        return status;
    const uint32_t bytes = segments->offset_bytes;
    if (bytes != 4 && bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "'offset_bytes' is %u: offsets have 4 or 8 bytes", bytes);
    if (segments->ends != NULL)
        return wf_fail(WF_UNSUPPORTED, "scans take segments that lie one behind the other: 'ends' must be NULL");
    if (segments->flags != 0)
        return wf_fail(WF_UNSUPPORTED, "'flags' is %u: scans do not check offsets, so it must be 0", segments->flags);
    const size_t begins = (size_t)segments->count;
    status = wf_check_array("begins", segments->begins, begins, bytes, bytes);
    return status == WF_OK ? wf_check_device_memory(context, "begins", segments->begins, begins * bytes) : status;
}

/* The results of a request must not overlap what tells of segments, which is read while they are written. */
static wf_status check_apart(const char *name, const void *array, size_t bytes, const wf_scan_request *request) {
    const int64_t first = request->lowest_result * (int64_t)request->result_bytes;
    const size_t result_bytes = (size_t)request->length * request->result_bytes;
    if (wf_check_overlap(array, bytes, (const char *)request->result + first, result_bytes, false) == WF_OK)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'%s' and 'result' overlap; they must be apart", name);
}

static uint64_t offset_at(const wf_segments *segments, uint64_t i) {
    return segments->offset_bytes == 8 ? ((const uint64_t *)segments->begins)[i]
                                       : ((const uint32_t *)segments->begins)[i];
}

/* The CPU has no workspace. */
static wf_status scan_on_cpu(wf_context *context, const wf_segments *segments, wf_scan_request *request, bool is_async,
                             void *stream) {
    unsigned char *const flags = calloc((size_t)request->length + 1, 1);
    if (flags == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for the flags of %llu elements",
                       (unsigned long long)request->length);
    for (uint64_t i = 0; i < segments->count; i++)
        if (offset_at(segments, i) < request->length)
            flags[offset_at(segments, i)] = 1;
    request->flags = flags;
    const wf_status status = wf_scan_run(context, request, is_async, stream);
    free(flags);
    return status;
}

static wf_status scan_segments(wf_context *context, const wf_scan_spec *spec, const wf_segments *segments,
                               const void *in, size_t count, void *result, bool is_async, void *stream) {
    wf_scan_request request;
    wf_status status = wf_scan_plan_of_segments(context, spec, in, count, result, &request);
    if (status == WF_OK)
        status = check_segments(context, segments);
    if (status == WF_OK)
        status = check_apart("begins", segments->begins, (size_t)segments->count * segments->offset_bytes, &request);
    if (status != WF_OK)
        return status;
    if (segments->count == 0) { /* all of the array is one */
        const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {count}};
        status = wf_scan_plan_of(context, spec, &axes, in, result, &request);
        return status == WF_OK ? wf_scan_run(context, &request, is_async, stream) : status;
    }
    if (wf_folds_on_cpu(context))
        return scan_on_cpu(context, segments, &request, is_async, stream);
    request.begins = segments->begins;
    request.begin_count = segments->count;
    request.offset_bytes = segments->offset_bytes;
    return wf_scan_run(context, &request, is_async, stream);
}

wf_status wf_scan_segments(wf_context *context, const wf_scan_spec *spec, const wf_segments *segments, const void *in,
                           size_t count, void *result) {
    return scan_segments(context, spec, segments, in, count, result, false, NULL);
}

wf_status wf_scan_segments_async(wf_context *context, const wf_scan_spec *spec, const wf_segments *segments,
                                 const void *in, size_t count, void *result, void *stream) {
    return scan_segments(context, spec, segments, in, count, result, true, stream);
}

static wf_status scan_flagged(wf_context *context, const wf_scan_spec *spec, const uint8_t *flags, const void *in,
                              size_t count, void *result, bool is_async, void *stream) {
    wf_scan_request request;
    wf_status status = wf_scan_plan_of_segments(context, spec, in, count, result, &request);
    if (status == WF_OK)
        status = wf_check_array("flags", flags, count, 1, 1);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "flags", flags, count);
    if (status == WF_OK)
        status = check_apart("flags", flags, count, &request);
    if (status != WF_OK)
        return status;
    request.flags = flags;
    return wf_scan_run(context, &request, is_async, stream);
}

wf_status wf_scan_flagged(wf_context *context, const wf_scan_spec *spec, const uint8_t *flags, const void *in,
                          size_t count, void *result) {
    return scan_flagged(context, spec, flags, in, count, result, false, NULL);
}

wf_status wf_scan_flagged_async(wf_context *context, const wf_scan_spec *spec, const uint8_t *flags, const void *in,
                                size_t count, void *result, void *stream) {
    return scan_flagged(context, spec, flags, in, count, result, true, stream);
}
