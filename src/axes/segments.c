/* wf_reduce_segments, wf_reduce_segments_with and their _async: checks, and the CPU's reduction or launches. */
#include "algebra.h"
#include "array_shape.h"
#include "call.h"
#include "check.h"
#include "check_second.h"
#include "launches.h"
#include "reduce/plan.h"
#include "second_array.h"
#include "status.h"
#include "wavefold_pairs.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct segments_call {
    wf_context *context;
    const wf_reduce_spec *spec;
    const wf_segments *segments;
    const void *in;
    size_t count;
    const wf_second *second; /* NULL: there is one array */
    void *result;
    size_t result_bytes;
} segments_call;

typedef struct segments_plan {
    wf_axes_request request;
    wf_axes_second second;
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

static wf_status check_arrays(const segments_call *call, const wf_reduce_plan *plan) {
    const wf_segments *const segments = call->segments;
    const size_t rows = (size_t)segments->count, offsets = rows * segments->offset_bytes;
    wf_status status = wf_check_array("in", call->in, call->count, plan->element_bytes, wf_type_size(plan->spec.type));
    if (status == WF_OK)
        status = wf_check_array("result", call->result, rows, plan->result_bytes, plan->result_alignment);
    if (status == WF_OK)
        status = wf_check_result_bytes(call->result_bytes, rows * plan->result_bytes, wf_plan_name(plan).text);
    if (status == WF_OK)
        status = wf_check_overlap(call->in, call->count * plan->element_bytes, call->result, call->result_bytes, false);
    if (status == WF_OK)
        status = wf_check_overlap(segments->begins, offsets, call->result, call->result_bytes, false);
    if (status == WF_OK && segments->ends != NULL)
        status = wf_check_overlap(segments->ends, offsets, call->result, call->result_bytes, false);
    return status;
}

/* Checks the second array, which has `count` elements in one dimension. */
static wf_status plan_second(const segments_call *call, const wf_reduce_plan *plan, wf_axes_second *made) {
    const wf_second *const second = call->second;
    const bool has_mask = second->kind == WF_MASK;
    const size_t element = has_mask ? 1 : plan->element_bytes;
    const wf_axes axes = {.dimensions = 1,
                          .reduced = 1,
                          .has_strides = second->has_strides,
                          .counts = {call->count},
                          .strides = {second->strides[0]}};
    wf_shape shape;
    wf_status status = wf_check_second(second);
    if (status == WF_OK)
        status = wf_check_op_of_second(call->spec, second);
    if (status == WF_OK)
        status = wf_shape_of(&axes, element, plan->result_bytes, &shape);
    if (status == WF_OK)
        status = wf_check_array("second", second->data, call->count, element, element);
    if (status == WF_OK && call->count != 0)
        status = wf_check_overlap((const char *)second->data + shape.lowest * (int64_t)element,
                                  (size_t)(shape.highest - shape.lowest + 1) * element, call->result,
                                  call->result_bytes, false);
    if (status == WF_OK)
        *made = (wf_axes_second){.use = has_mask ? WF_SECOND_MASK : WF_SECOND_FACTORS,
                                 .source = call->count == 0 ? NULL : second->data,
                                 .reduced = {shape.reduced.axis[0].stride},
                                 .lowest = shape.lowest,
                                 .highest = shape.highest};
    return status;
}

static wf_status plan_of(const segments_call *call, segments_plan *made) {
    const wf_segments *const segments = call->segments;
    wf_reduce_plan plan;
    wf_axes_second second = {.source = NULL};
    wf_status status = wf_check_call(call->context, call->spec, "spec");
    if (status == WF_OK)
        status = wf_check_call(call->context, segments, "segments");
    if (status == WF_OK)
        status = check_segments(segments);
    if (status == WF_OK)
        status = wf_reduce_plan_of(call->spec, &plan);
    if (status == WF_OK)
        status = check_arrays(call, &plan);
    if (status == WF_OK && call->second != NULL)
        status = plan_second(call, &plan, &second);
    if (status != WF_OK)
        return status;
    *made = (segments_plan){.context = call->context,
                            .second = second,
                            .request = wf_segments_request_of(&plan, call->in, call->count, segments->begins,
                                                              segments->count, call->result)};
    made->request.ends = segments->ends;
    made->request.offset_bytes = segments->offset_bytes;
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

static wf_status reduce(const segments_call *of) {
    segments_plan plan = {.context = NULL};
    wf_status status = plan_of(of, &plan);
    if (status == WF_OK && (of->segments->flags & WF_CHECK_OFFSETS) != 0)
        status = check_all_offsets(of->context, of->segments, of->count);
    if (status != WF_OK)
        return status;
    plan.request.second = of->second != NULL ? &plan.second : NULL;
    const wf_call call = call_of(&plan);
    return wf_folds_on_cpu(of->context) ? reduce_on_cpu(&plan) : wf_call_and_wait(of->context, &call);
}

static wf_status queue(const segments_call *of, void *stream) {
    segments_plan plan = {.context = NULL};
    wf_status status = plan_of(of, &plan);
    if (status == WF_OK)
        status = wf_check_stream(of->context, stream);
    if (status == WF_OK && (of->segments->flags & WF_CHECK_OFFSETS) != 0)
        status = wf_folds_on_cpu(of->context)
                     ? check_all_offsets(of->context, of->segments, of->count)
                     : wf_fail(WF_UNSUPPORTED, "WF_CHECK_OFFSETS reads the offsets on the host, which calls that queue "
                                               "do not wait for: use wf_reduce_segments or wf_reduce_segments_with");
    if (status != WF_OK)
        return status;
    plan.request.second = of->second != NULL ? &plan.second : NULL;
    const wf_call call = call_of(&plan);
    return wf_folds_on_cpu(of->context) ? reduce_on_cpu(&plan) : wf_call_async(of->context, &call, stream);
}

wf_status wf_reduce_segments(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                             const void *in, size_t count, void *result, size_t result_bytes) {
    return reduce(&(segments_call){context, spec, segments, in, count, NULL, result, result_bytes});
}

wf_status wf_reduce_segments_async(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                   const void *in, size_t count, void *result, size_t result_bytes, void *stream) {
    return queue(&(segments_call){context, spec, segments, in, count, NULL, result, result_bytes}, stream);
}

wf_status wf_reduce_segments_with(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                  const void *in, size_t count, const wf_second *second, void *result,
                                  size_t result_bytes) {
    const wf_status status = wf_check_call(context, second, "second");
    return status != WF_OK ? status
                           : reduce(&(segments_call){context, spec, segments, in, count, second, result, result_bytes});
}

wf_status wf_reduce_segments_with_async(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                        const void *in, size_t count, const wf_second *second, void *result,
                                        size_t result_bytes, void *stream) {
    const segments_call call = {context, spec, segments, in, count, second, result, result_bytes};
    const wf_status status = wf_check_call(context, second, "second");
    return status == WF_OK ? queue(&call, stream) : status;
}
