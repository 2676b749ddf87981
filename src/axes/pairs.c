/* Reductions of two arrays: checks, the common shape, and the CPU's reduction or launches. */
#include "wavefold_pairs.h"

#include "algebra.h"
#include "array_shape.h"
#include "call.h"
#include "check.h"
#include "check_second.h"
#include "pair_launches.h"
#include "reduce/plan.h"
#include "result_of_none.h"
#include "second_array.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>
#include <string.h>

typedef struct pairs_plan {
    wf_axes_request request;
    wf_axes_second second;
    wf_context *context;
} pairs_plan;

typedef struct pairs_call {
    wf_context *context;
    const wf_reduce_spec *spec;
    const wf_axes *axes;
    const void *in;
    const wf_second *second;
    void *result;
    size_t result_bytes;
    const char *in_name, *second_name; /* for messages */
} pairs_call;

/* ---- The common shape -------------------------------------------------------------------------------------------- */

static void remove_ones(wf_axis_list *list, int64_t *strides) {
    uint32_t length = 0;
    for (uint32_t i = 0; i < list->length; i++)
        if (list->axis[i].count != 1) {
            strides[length] = strides[i];
            list->axis[length++] = list->axis[i];
        }
    list->length = length;
}

/* The shortest stride of the first array comes last. */
static void sort(wf_axis_list *list, int64_t *strides) {
    for (uint32_t i = 1; i < list->length; i++) {
        const wf_axis axis = list->axis[i];
        const int64_t stride = strides[i];
        uint32_t at = i;
        for (; at > 0 && wf_magnitude_of_stride(list->axis[at - 1].stride) < wf_magnitude_of_stride(axis.stride);
             at--) {
            list->axis[at] = list->axis[at - 1];
            strides[at] = strides[at - 1];
        }
        list->axis[at] = axis;
        strides[at] = stride;
    }
}

/* Neighbours that are one to both arrays and to the result. Unsigned: a product may leave 64 bits. */
static void join_neighbours(wf_axis_list *list, int64_t *strides) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < list->length; i++) {
        wf_axis *const outer = &list->axis[last];
        const wf_axis inner = list->axis[i];
        if ((uint64_t)outer->stride == (uint64_t)inner.stride * inner.count &&
            (uint64_t)outer->result_stride == (uint64_t)inner.result_stride * inner.count &&
            (uint64_t)strides[last] == (uint64_t)strides[i] * inner.count) {
            *outer = (wf_axis){outer->count * inner.count, inner.stride, inner.result_stride};
            strides[last] = strides[i];
        } else {
            list->axis[++last] = inner;
            strides[last] = strides[i];
        }
    }
    if (list->length > 0)
        list->length = last + 1;
}

static void collapse(wf_axis_list *list, int64_t *strides, bool keeps_order) {
    remove_ones(list, strides);
    if (!keeps_order)
        sort(list, strides);
    join_neighbours(list, strides);
}

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static wf_status check_arrays(const pairs_call *call, const wf_reduce_plan *plan, const wf_shape *shape,
                              const wf_shape *second, size_t second_element) {
    const bool writes = shape->rows != 0, reads = writes && shape->length != 0;
    const size_t element = plan->element_bytes;
    const size_t all_results =
        writes ? (size_t)(shape->highest_result - shape->lowest_result + 1) * plan->result_bytes : 0;
    wf_status status = wf_check_array(call->in_name, call->in, reads, element, element);
    if (status == WF_OK)
        status = wf_check_array(call->second_name, call->second->data, reads, second_element, second_element);
    if (status == WF_OK)
        status = wf_check_array("result", call->result, writes, plan->result_bytes, plan->result_alignment);
    if (status == WF_OK)
        status = wf_check_result_bytes(call->result_bytes, all_results, wf_plan_name(plan).text);
    if (status != WF_OK || !reads)
        return status;
    const char *const first_result = (const char *)call->result + shape->lowest_result * (int64_t)plan->result_bytes;
    status = wf_check_overlap((const char *)call->in + shape->lowest * (int64_t)element,
                              (size_t)(shape->highest - shape->lowest + 1) * element, first_result, all_results, false);
    if (status != WF_OK)
        return status;
    return wf_check_overlap((const char *)call->second->data + second->lowest * (int64_t)second_element,
                            (size_t)(second->highest - second->lowest + 1) * second_element, first_result, all_results,
                            false);
}

static wf_status plan_of(const pairs_call *call, pairs_plan *made) {
    wf_reduce_plan plan;
    wf_shape shape, second;
    wf_status status = wf_check_call(call->context, call->spec, "spec");
    if (status == WF_OK)
        status = wf_check_call(call->context, call->axes, "axes");
    if (status == WF_OK)
        status = wf_check_call(call->context, call->second, "second");
    if (status == WF_OK)
        status = wf_check_reserved("axes", call->axes->reserved, sizeof call->axes->reserved / sizeof(uint32_t));
    if (status == WF_OK)
        status = wf_check_second(call->second);
    if (status == WF_OK)
        status = wf_reduce_plan_of(call->spec, &plan);
    if (status == WF_OK)
        status = wf_check_op_of_second(call->spec, call->second);
    if (status == WF_OK)
        status = wf_shape_of(call->axes, plan.element_bytes, plan.result_bytes, &shape);
    if (status != WF_OK)
        return status;
    wf_axes others = *call->axes;
    const bool has_mask = call->second->kind == WF_MASK;
    const size_t second_element = has_mask ? 1 : plan.element_bytes;
    others.has_strides = call->second->has_strides;
    memcpy(others.strides, call->second->strides, sizeof others.strides);
    status = wf_shape_of(&others, second_element, plan.result_bytes, &second);
    if (status == WF_OK)
        status = check_arrays(call, &plan, &shape, &second, second_element);
    if (status != WF_OK)
        return status;
    const bool is_empty = shape.rows == 0 || shape.length == 0;
    *made = (pairs_plan){.context = call->context,
                         .request = {.type = call->spec->type,
                                     .op = call->spec->op,
                                     .accumulator = plan.accumulator,
                                     .nan = call->spec->nan,
                                     .source = is_empty ? NULL : call->in,
                                     .result = call->result,
                                     .result_bytes = (uint32_t)plan.result_bytes,
                                     .kept = shape.kept,
                                     .reduced = shape.reduced,
                                     .rows = shape.rows,
                                     .length = shape.length,
                                     .lowest = shape.lowest,
                                     .highest = shape.highest,
                                     .lowest_result = shape.lowest_result,
                                     .highest_result = shape.highest_result},
                         .second = {.use = has_mask ? WF_SECOND_MASK : WF_SECOND_FACTORS,
                                    .source = is_empty ? NULL : call->second->data,
                                    .lowest = second.lowest,
                                    .highest = second.highest}};
    for (uint32_t d = 0; d < WF_MOST_DIMENSIONS; d++) {
        made->second.kept[d] = second.kept.axis[d].stride;
        made->second.reduced[d] = second.reduced.axis[d].stride;
    }
    if (shape.length == 0)
        made->request.reduced = (wf_axis_list){.length = 1};
    collapse(&made->request.kept, made->second.kept, false);
    collapse(&made->request.reduced, made->second.reduced, wf_facts_of_op(call->spec->op).has_index);
    wf_put_axes_result_of_none(&plan, &made->request);
    return WF_OK;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static wf_status reduce_on_cpu(pairs_plan *plan) {
    if (plan->request.rows == 0)
        return WF_OK;
    const wf_context *context = plan->context;
    const wf_status status = context->backend->reduce_axes(context->device, &plan->request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

/* The scale of a norm of f64. */
static wf_status find_extremes_on_cpu(const pairs_plan *plan, double *extremes) {
    const wf_context *context = plan->context;
    wf_axes_request request = plan->request;
    request.op = WF_MINMAX;
    request.result = extremes;
    request.result_bytes = 2 * sizeof *extremes;
    request.second = NULL;
    const wf_status status = context->backend->reduce_axes(context->device, &request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

static wf_status queue_reduction(const wf_queue *queue, const void *of) {
    return wf_pairs_queue(queue, of);
}

static wf_status run(pairs_plan *plan, bool waits, void *stream) {
    plan->request.second = &plan->second;
    if (!waits) {
        const wf_status status = wf_check_stream(plan->context, stream);
        if (status != WF_OK)
            return status;
    }
    if (wf_folds_on_cpu(plan->context))
        return reduce_on_cpu(plan);
    const wf_call call = {
        .doing = "reducing", .count = plan->request.rows, .queue = queue_reduction, .plan = &plan->request};
    return waits ? wf_call_and_wait(plan->context, &call) : wf_call_async(plan->context, &call, stream);
}

static wf_status reduce(const pairs_call *call, bool waits, void *stream) {
    pairs_plan plan;
    const wf_status status = plan_of(call, &plan);
    return status == WF_OK ? run(&plan, waits, stream) : status;
}

wf_status wf_reduce_axes_with(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                              const wf_second *second, void *result, size_t result_bytes) {
    const pairs_call call = {context, spec, axes, in, second, result, result_bytes, "in", "second"};
    return reduce(&call, true, NULL);
}

wf_status wf_reduce_axes_with_async(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes,
                                    const void *in, const wf_second *second, void *result, size_t result_bytes,
                                    void *stream) {
    const pairs_call call = {context, spec, axes, in, second, result, result_bytes, "in", "second"};
    return reduce(&call, false, stream);
}

static wf_status dot(wf_context *context, const wf_reduce_spec *spec, const void *x, const void *y, size_t count,
                     void *result, size_t result_bytes, bool waits, void *stream) {
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {count}};
    const wf_second second = {.kind = WF_WEIGHTS, .data = y};
    const pairs_call call = {context, spec, &axes, x, &second, result, result_bytes, "x", "y"};
    return reduce(&call, waits, stream);
}

wf_status wf_dot(wf_context *context, const wf_reduce_spec *spec, const void *x, const void *y, size_t count,
                 void *result, size_t result_bytes) {
    return dot(context, spec, x, y, count, result, result_bytes, true, NULL);
}

wf_status wf_dot_async(wf_context *context, const wf_reduce_spec *spec, const void *x, const void *y, size_t count,
                       void *result, size_t result_bytes, void *stream) {
    return dot(context, spec, x, y, count, result, result_bytes, false, stream);
}

static wf_status norm(wf_context *context, wf_type type, const void *x, size_t count, void *result, size_t result_bytes,
                      bool waits, void *stream) {
    const wf_reduce_spec spec = {.type = type};
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {count}};
    const wf_second second = {.kind = WF_WEIGHTS, .data = x};
    const pairs_call call = {context, &spec, &axes, x, &second, result, result_bytes, "x", "x"};
    pairs_plan plan;
    double extremes[2] = {0, 0};
    wf_status status = plan_of(&call, &plan);
    if (status == WF_OK && !wf_type_is_float(type))
        status = wf_fail(WF_UNSUPPORTED, "a norm of %s does not exist: use f16, bf16, f32 or f64", wf_type_name(type));
    if (status != WF_OK)
        return status;
    plan.second.use = WF_SECOND_NORM;
    if (type == WF_F64 && count != 0 && wf_folds_on_cpu(context)) {
        status = find_extremes_on_cpu(&plan, extremes);
        plan.second.extremes = extremes;
    }
    return status == WF_OK ? run(&plan, waits, stream) : status;
}

wf_status wf_nrm2(wf_context *context, wf_type type, const void *x, size_t count, void *result, size_t result_bytes) {
    return norm(context, type, x, count, result, result_bytes, true, NULL);
}

wf_status wf_nrm2_async(wf_context *context, wf_type type, const void *x, size_t count, void *result,
                        size_t result_bytes, void *stream) {
    return norm(context, type, x, count, result, result_bytes, false, stream);
}
