/* wf_reduce_segments and wf_reduce_segments_async: checks, and the CPU's reduction or launches. */
#include "algebra.h"
#include "call.h"
#include "check.h"
#include "launches.h"
#include "reduce/plan.h"
#include "result_of_none.h"
#include "status.h"
#include "wavefold_segments.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct segments_plan {
    wf_axes_request request;
    wf_context *context;
} segments_plan;

static wf_status check_segments(const wf_segments *segments) {
    wf_status status =
        wf_check_reserved("segments", segments->reserved, sizeof segments->reserved / sizeof *segments->reserved);
    if (status != WF_OK)
        return status;
    if (segments->offset_bytes != 4 && segments->offset_bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "'offset_bytes' is %u: offsets have 4 or 8 bytes", segments->offset_bytes);
    if ((segments->flags & ~(uint32_t)WF_CHECK_OFFSETS) != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: it must be 0 or WF_CHECK_OFFSETS", segments->flags);
    if (segments->count >= UINT64_MAX / 16)
        return wf_fail(WF_INVALID_ARGUMENT, "%llu segments are more than an address space holds",
                       (unsigned long long)segments->count);
    const size_t count = (size_t)segments->count, bytes = segments->offset_bytes;
    const size_t begins = count == 0 ? 0 : count + (segments->ends == NULL);
    status = wf_check_array("begins", segments->begins, begins, bytes, bytes);
    if (status == WF_OK && segments->ends != NULL)
        status = wf_check_array("ends", segments->ends, count, bytes, bytes);
    return status;
}

static wf_status check_arrays(const wf_reduce_plan *plan, const wf_segments *segments, const void *in, size_t count,
                              const void *result, size_t result_bytes) {
    const size_t rows = (size_t)segments->count, offsets = rows * segments->offset_bytes;
    wf_status status = wf_check_array("in", in, count, plan->element_bytes, wf_type_size(plan->spec.type));
    if (status == WF_OK)
        status = wf_check_array("result", result, rows, plan->result_bytes, plan->result_alignment);
    if (status == WF_OK)
        status = wf_check_result_bytes(result_bytes, rows * plan->result_bytes, wf_plan_name(plan).text);
    if (status == WF_OK)
        status = wf_check_overlap(in, count * plan->element_bytes, result, result_bytes, false);
    if (status == WF_OK)
        status = wf_check_overlap(segments->begins, offsets, result, result_bytes, false);
    if (status == WF_OK && segments->ends != NULL)
        status = wf_check_overlap(segments->ends, offsets, result, result_bytes, false);
    return status;
}

static wf_status plan_of(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments, const void *in,
                         size_t count, void *result, size_t result_bytes, segments_plan *made) {
    wf_reduce_plan plan;
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = wf_check_call(context, segments, "segments");
    if (status == WF_OK)
        status = check_segments(segments);
    if (status == WF_OK)
        status = wf_reduce_plan_of(spec, &plan);
    if (status == WF_OK)
        status = check_arrays(&plan, segments, in, count, result, result_bytes);
    if (status != WF_OK)
        return status;
    *made = (segments_plan){.context = context,
                            .request = {.type = spec->type,
                                        .op = spec->op,
                                        .accumulator = plan.accumulator,
                                        .nan = spec->nan,
                                        .source = in,
                                        .result = result,
                                        .result_bytes = (uint32_t)plan.result_bytes,
                                        .rows = segments->count,
                                        .length = count,
                                        .begins = segments->begins,
                                        .ends = segments->ends,
                                        .offset_bytes = segments->offset_bytes}};
    wf_put_axes_result_of_none(&plan, &made->request);
    return WF_OK;
}

/* ---- WF_CHECK_OFFSETS -------------------------------------------------------------------------------------------- */

static uint64_t offset_at(const void *offsets, uint32_t bytes, size_t i) {
    return bytes == 8 ? ((const uint64_t *)offsets)[i] : ((const uint32_t *)offsets)[i];
}

/* Segments first to first + count - 1, whose offsets are in host memory. */
static wf_status check_offsets(const wf_segments *segments, const void *begins, const void *ends, uint64_t first,
                               size_t count, uint64_t elements) {
    const uint32_t bytes = segments->offset_bytes;
    for (size_t i = 0; i < count; i++) {
        const uint64_t begin = offset_at(begins, bytes, i);
        const uint64_t end = ends != NULL ? offset_at(ends, bytes, i) : offset_at(begins, bytes, i + 1);
        if (begin > end || end > elements)
            return wf_fail(WF_INVALID_ARGUMENT,
                           "segment %llu of %llu goes from %llu to %llu: segments end behind where they begin, and at "
                           "%llu elements at the latest",
                           (unsigned long long)(first + i), (unsigned long long)segments->count,
                           (unsigned long long)begin, (unsigned long long)end, (unsigned long long)elements);
    }
    return WF_OK;
}

static wf_status fetch(const wf_context *context, void *to, const void *offsets, uint64_t first, size_t count,
                       uint32_t bytes) {
    const wf_status status =
        context->backend->copy(context->device, to, (const char *)offsets + first * bytes, count * bytes, WF_TO_HOST);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying the offsets");
}

/* On a GPU they are copied, some at a time. */
static wf_status check_all_offsets(const wf_context *context, const wf_segments *segments, uint64_t elements) {
    enum { AT_ONCE = 1 << 16 };
    const uint32_t bytes = segments->offset_bytes;
    if (wf_folds_on_cpu(context))
        return check_offsets(segments, segments->begins, segments->ends, 0, (size_t)segments->count, elements);
    char *const room = malloc((size_t)2 * (AT_ONCE + 1) * bytes);
    if (room == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory to check offsets");
    char *const ends = segments->ends != NULL ? room + (size_t)(AT_ONCE + 1) * bytes : NULL;
    wf_status status = WF_OK;
    for (uint64_t first = 0; first < segments->count && status == WF_OK; first += AT_ONCE) {
        const size_t count = (size_t)wf_smaller(AT_ONCE, segments->count - first);
        status = fetch(context, room, segments->begins, first, count + (ends == NULL), bytes);
        if (status == WF_OK && ends != NULL)
            status = fetch(context, ends, segments->ends, first, count, bytes);
        if (status == WF_OK)
            status = check_offsets(segments, room, ends, first, count, elements);
    }
    free(room);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static wf_status reduce_on_cpu(const segments_plan *plan) {
    const wf_context *context = plan->context;
    if (plan->request.rows == 0)
        return WF_OK;
    const wf_status status = context->backend->reduce_axes(context->device, &plan->request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

static wf_status queue_segments(const wf_queue *queue, const void *of) {
    return wf_segments_queue(queue, of);
}

static wf_call call_of(const segments_plan *plan) {
    return (wf_call){.doing = "reducing", .count = plan->request.rows, .queue = queue_segments, .plan = &plan->request};
}

wf_status wf_reduce_segments(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                             const void *in, size_t count, void *result, size_t result_bytes) {
    segments_plan plan = {.context = NULL};
    wf_status status = plan_of(context, spec, segments, in, count, result, result_bytes, &plan);
    if (status == WF_OK && (segments->flags & WF_CHECK_OFFSETS) != 0)
        status = check_all_offsets(context, segments, count);
    if (status != WF_OK)
        return status;
    const wf_call call = call_of(&plan);
    return wf_folds_on_cpu(context) ? reduce_on_cpu(&plan) : wf_call_and_wait(context, &call);
}

wf_status wf_reduce_segments_async(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                   const void *in, size_t count, void *result, size_t result_bytes, void *stream) {
    segments_plan plan = {.context = NULL};
    wf_status status = plan_of(context, spec, segments, in, count, result, result_bytes, &plan);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    if (status == WF_OK && (segments->flags & WF_CHECK_OFFSETS) != 0)
        status = wf_folds_on_cpu(context)
                     ? check_all_offsets(context, segments, count)
                     : wf_fail(WF_UNSUPPORTED, "WF_CHECK_OFFSETS reads the offsets on the host, which "
                                               "wf_reduce_segments_async does not wait for: use wf_reduce_segments");
    if (status != WF_OK)
        return status;
    const wf_call call = call_of(&plan);
    return wf_folds_on_cpu(context) ? reduce_on_cpu(&plan) : wf_call_async(context, &call, stream);
}
