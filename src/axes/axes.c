/* wf_reduce_axes, wf_describe_axes and their _async: checks, the shape, and the CPU's reduction or launches. */
#include "algebra.h"
#include "array_shape.h"
#include "call.h"
#include "check.h"
#include "launches.h"
#include "reduce/plan.h"
#include "result_of_none.h"
#include "status.h"
#include "wf_context.h"

#include <stdint.h>

typedef struct axes_plan {
    wf_axes_request request;
    wf_context *context;
} axes_plan;

/* Bytes from the first to the last result. */
static size_t bytes_of_results(const wf_shape *shape, size_t result_bytes) {
    return shape->rows == 0 ? 0 : (size_t)(shape->highest_result - shape->lowest_result + 1) * result_bytes;
}

static wf_status check_arrays(const wf_reduce_plan *plan, const wf_shape *shape, const void *in, const void *result,
                              size_t result_bytes) {
    const size_t element = plan->element_bytes, alignment = wf_type_size(plan->spec.type);
    const bool reads = shape->rows != 0 && shape->length != 0, writes = shape->rows != 0;
    wf_status status = wf_check_array("in", in, reads, element, alignment);
    if (status == WF_OK)
        status = wf_check_array("result", result, writes, plan->result_bytes, plan->result_alignment);
    if (status == WF_OK)
        status =
            wf_check_result_bytes(result_bytes, bytes_of_results(shape, plan->result_bytes), wf_plan_name(plan).text);
    if (status != WF_OK || !reads)
        return status;
    const char *const first = (const char *)in + shape->lowest * (int64_t)element;
    const char *const first_result = (const char *)result + shape->lowest_result * (int64_t)plan->result_bytes;
    return wf_check_overlap(first, (size_t)(shape->highest - shape->lowest + 1) * element, first_result, result_bytes,
                            false);
}

/* The rest of the checks, and the request of a plan. */
static wf_status request_of(wf_context *context, const wf_reduce_plan *plan, const wf_axes *axes, const void *in,
                            void *result, size_t result_bytes, axes_plan *made) {
    wf_shape shape;
    wf_status status = wf_shape_of(axes, plan->element_bytes, plan->result_bytes, &shape);
    if (status == WF_OK)
        status = check_arrays(plan, &shape, in, result, result_bytes);
    if (status != WF_OK)
        return status;
    const wf_op_facts op = wf_facts_of_op(plan->spec.op);
    const int64_t offset =
        wf_shape_collapse(&shape, plan->describes || op.has_index || op.op_class == WF_CLASS_ORDERED);
    *made = (axes_plan){.context = context,
                        .request = {.type = plan->spec.type,
                                    .op = plan->spec.op,
                                    .accumulator = plan->accumulator,
                                    .nan = plan->spec.nan,
                                    .source = shape.rows == 0 || shape.length == 0
                                                  ? NULL
                                                  : (const char *)in + offset * (int64_t)plan->element_bytes,
                                    .result = result,
                                    .result_bytes = (uint32_t)plan->result_bytes,
                                    .kept = shape.kept,
                                    .reduced = shape.reduced,
                                    .rows = shape.rows,
                                    .length = shape.length,
                                    .lowest = shape.lowest - offset,
                                    .highest = shape.highest - offset,
                                    .lowest_result = shape.lowest_result,
                                    .highest_result = shape.highest_result,
                                    .regime = plan->describes ? WF_AXES_DESCRIBE_ROWS : WF_AXES_ROWS}};
    wf_put_axes_result_of_none(plan, &made->request);
    return WF_OK;
}

static wf_status check_call(const wf_context *context, const void *spec, const wf_axes *axes) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = wf_check_call(context, axes, "axes");
    if (status == WF_OK)
        status = wf_check_reserved("axes", axes->reserved, sizeof axes->reserved / sizeof *axes->reserved);
    return status;
}

static wf_status plan_of(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                         void *result, size_t result_bytes, axes_plan *made) {
    wf_reduce_plan plan;
    wf_status status = check_call(context, spec, axes);
    if (status == WF_OK)
        status = wf_reduce_plan_of(spec, &plan);
    return status == WF_OK ? request_of(context, &plan, axes, in, result, result_bytes, made) : status;
}

static wf_status plan_of_description(wf_context *context, const wf_describe_spec *spec, const wf_axes *axes,
                                     const void *in, void *results, size_t result_bytes, axes_plan *made) {
    wf_reduce_plan plan;
    wf_status status = check_call(context, spec, axes);
    if (status == WF_OK)
        status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_reduce_plan_of_description(spec, &plan);
    return status == WF_OK ? request_of(context, &plan, axes, in, results, result_bytes, made) : status;
}

static wf_status reduce_on_cpu(const axes_plan *plan) {
    if (plan->request.rows == 0)
        return WF_OK;
    const wf_context *context = plan->context;
    const wf_status status = context->backend->reduce_axes(context->device, &plan->request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

static wf_status queue_reduction(const wf_queue *queue, const void *of) {
    const wf_axes_request *const request = of;
    return request->regime == WF_AXES_DESCRIBE_ROWS ? wf_describe_rows_queue(queue, request)
                                                    : wf_axes_queue(queue, request);
}

static wf_call call_of(const axes_plan *plan) {
    return (wf_call){
        .doing = "reducing", .count = plan->request.rows, .queue = queue_reduction, .plan = &plan->request};
}

static wf_status run(const axes_plan *plan) {
    const wf_call call = call_of(plan);
    return wf_folds_on_cpu(plan->context) ? reduce_on_cpu(plan) : wf_call_and_wait(plan->context, &call);
}

static wf_status queue(const axes_plan *plan, void *stream) {
    const wf_status status = wf_check_stream(plan->context, stream);
    if (status != WF_OK)
        return status;
    const wf_call call = call_of(plan);
    return wf_folds_on_cpu(plan->context) ? reduce_on_cpu(plan) : wf_call_async(plan->context, &call, stream);
}

wf_status wf_reduce_axes(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                         void *result, size_t result_bytes) {
    axes_plan plan = {.context = NULL};
    const wf_status status = plan_of(context, spec, axes, in, result, result_bytes, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_reduce_axes_async(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                               void *result, size_t result_bytes, void *stream) {
    axes_plan plan = {.context = NULL};
    const wf_status status = plan_of(context, spec, axes, in, result, result_bytes, &plan);
    return status == WF_OK ? queue(&plan, stream) : status;
}

wf_status wf_describe_axes(wf_context *context, const wf_describe_spec *spec, const wf_axes *axes, const void *in,
                           wf_description *results, size_t result_bytes) {
    axes_plan plan = {.context = NULL};
    const wf_status status = plan_of_description(context, spec, axes, in, results, result_bytes, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_describe_axes_async(wf_context *context, const wf_describe_spec *spec, const wf_axes *axes, const void *in,
                                 wf_description *results, size_t result_bytes, void *stream) {
    axes_plan plan = {.context = NULL};
    const wf_status status = plan_of_description(context, spec, axes, in, results, result_bytes, &plan);
    return status == WF_OK ? queue(&plan, stream) : status;
}
