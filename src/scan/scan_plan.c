#include "scan_plan.h"

#include "algebra.h"
#include "axes/array_shape.h"
#include "check.h"
#include "device_memory.h"
#include "reduce/sequential.h"
#include "reduction_table.h"
#include "status.h"
#include "wf_context.h"

#include <stdint.h>
#include <string.h>

static bool is_sum_or_product(wf_op op) {
    return op == WF_SUM || op == WF_PRODUCT;
}

/* Whether kernels scan elements of a type in this accumulator. */
static bool has_accumulator(wf_type type, wf_type accumulator) {
    const size_t bytes = wf_type_size(type), of_sum = wf_type_size(accumulator);
    if (wf_type_is_float(type))
        return of_sum == (bytes == 2 ? 4u : bytes) || (type == WF_F32 && of_sum == 8);
    return of_sum == 8 || (bytes == 4 && of_sum == 4);
}

wf_status wf_scan_check_spec(const wf_scan_spec *spec, wf_reduction_info *info) {
    wf_reduce_spec reduce = spec->reduce;
    if (reduce.accuracy == WF_ACCURACY_BEST)
        reduce.accuracy = WF_ACCURACY_FAST; /* no scan is exact */
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_reduction_get_info(&reduce, info);
    if (status != WF_OK)
        return status;
    const wf_op op = reduce.op;
    const bool is_extreme = op == WF_MIN || op == WF_MAX || op == WF_ARGMIN || op == WF_ARGMAX;
    if (reduce.accuracy == WF_ACCURACY_EXACT)
        return wf_fail(WF_UNSUPPORTED, "no scan is exact: leave 'accuracy' 0, which has the same bits on every device");
    if (!is_sum_or_product(op) && !is_extreme && !wf_op_is_ordered(op))
        return wf_fail(WF_UNSUPPORTED,
                       "no scan by %s: scans take sum, product, min, max, argmin, argmax, matmul and affine",
                       wf_op_name(op));
    if (is_sum_or_product(op) && !has_accumulator(reduce.type, info->accumulator))
        return wf_fail(WF_UNSUPPORTED,
                       "no scan by %s of %s in %s: integers of 1 and 2 bytes take 64 bits, those of 4 bytes 32 or 64, "
                       "f16 and bf16 f32, and f32 itself or f64",
                       wf_op_name(op), wf_type_name(reduce.type), wf_type_name(info->accumulator));
    if (spec->as_elements != 0 && !is_sum_or_product(op))
        return wf_fail(WF_UNSUPPORTED, "'as_elements' is for sum and product: results of %s have the elements' type",
                       wf_op_name(op));
    if (spec->initial != NULL && info->has_index != 0)
        return wf_fail(WF_UNSUPPORTED, "no initial value for %s: leave 'initial' NULL", wf_op_name(op));
    if (spec->as_elements != 0) {
        info->result_type = reduce.type;
        info->result_bytes = (uint32_t)wf_type_size(reduce.type);
    }
    return WF_OK;
}

/* Bytes of what is folded. */
static uint32_t value_bytes_of(wf_op op, const wf_reduction_info *info) {
    if (is_sum_or_product(op))
        return (uint32_t)wf_type_size(info->accumulator);
    if (info->has_index != 0)
        return 16;
    return wf_op_is_ordered(op) ? info->element_bytes : info->element_bytes == 8 ? 8 : 4;
}

/* With a segment's flag behind it, as C lays it out. */
static uint32_t flagged_bytes(uint32_t value_bytes, const wf_scan_spec *spec) {
    const wf_op op = spec->reduce.op;
    const uint32_t number = wf_op_is_ordered(op) ? (uint32_t)wf_type_size(spec->reduce.type) : value_bytes;
    const uint32_t alignment = number < 8 ? 4 : 8;
    return (value_bytes + 4 + alignment - 1) / alignment * alignment;
}

static void put_initial(const wf_scan_spec *spec, const wf_reduction_info *info, wf_scan_request *request) {
    wf_reduce_spec reduce = spec->reduce;
    wf_reduction_info folded; /* without as_elements */
    wf_result none;
    const size_t bytes = is_sum_or_product(reduce.op) ? wf_type_size(info->accumulator) : info->element_bytes;
    request->has_initial = spec->initial != NULL || spec->exclusive != 0;
    if (spec->initial != NULL) {
        memcpy(request->initial, spec->initial, bytes);
    } else if (spec->exclusive != 0) {
        reduce.accuracy = WF_ACCURACY_FAST;
        (void)wf_reduction_get_info(&reduce, &folded); /* which has been checked */
        wf_put_identity(&reduce, &folded, &none);
        memcpy(request->initial, &none, bytes);
    }
}

/* The dimension that is scanned, apart from the others; the shape is that of all of them. */
static wf_status split(const wf_axes *axes, wf_shape *shape, wf_axis *along) {
    uint32_t scanned = 0;
    while (scanned < axes->dimensions && axes->reduced != 1u << scanned)
        scanned++;
    if (scanned == axes->dimensions)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'reduced' is 0x%x, which is not one of the array's %u dimensions: a scan goes along one",
                       axes->reduced, axes->dimensions);
    wf_axis_list *const kept = &shape->kept;
    *along = kept->axis[scanned];
    kept->length--;
    memmove(kept->axis + scanned, kept->axis + scanned + 1, (kept->length - scanned) * sizeof *kept->axis);
    shape->rows = 1;
    for (uint32_t i = 0; i < kept->length; i++)
        shape->rows *= kept->axis[i].count;
    shape->length = along->count;
    return WF_OK;
}

static wf_status shape_of(const wf_axes *axes, size_t element_bytes, size_t result_bytes, wf_shape *shape,
                          wf_axis *along) {
    wf_axes all = *axes;
    all.reduced = 0;
    wf_status status = wf_check_reserved("axes", axes->reserved, sizeof axes->reserved / sizeof *axes->reserved);
    if (status == WF_OK)
        status = wf_shape_of(&all, element_bytes, result_bytes, shape);
    return status == WF_OK ? split(axes, shape, along) : status;
}

/* In memory that both share. */
static bool has_same_places(const wf_shape *shape, const wf_axis *along) {
    bool same = along->count <= 1 || along->stride == along->result_stride;
    for (uint32_t i = 0; i < shape->kept.length; i++)
        same =
            same && (shape->kept.axis[i].count <= 1 || shape->kept.axis[i].stride == shape->kept.axis[i].result_stride);
    return same;
}

static wf_status check_arrays(const wf_context *context, const wf_scan_spec *spec, const wf_reduction_info *info,
                              const wf_shape *shape, const wf_axis *along, const void *in, const void *result) {
    if (shape->rows == 0 || shape->length == 0)
        return WF_OK;
    const size_t element = info->element_bytes, of_result = info->result_bytes;
    const size_t count = (size_t)(shape->rows * shape->length);
    wf_status status = wf_check_array("in", in, count, element, wf_type_size(spec->reduce.type));
    if (status == WF_OK)
        status = wf_check_array("result", result, count, of_result,
                                info->has_index != 0 ? sizeof(uint64_t) : wf_type_size(info->result_type));
    if (status != WF_OK)
        return status;
    const char *const first = (const char *)in + shape->lowest * (int64_t)element;
    const char *const first_result = (const char *)result + shape->lowest_result * (int64_t)of_result;
    const size_t bytes = (size_t)(shape->highest - shape->lowest + 1) * element;
    const size_t result_bytes = (size_t)(shape->highest_result - shape->lowest_result + 1) * of_result;
    const bool may_be_same = element == of_result && has_same_places(shape, along);
    status = wf_check_overlap(first, bytes, first_result, result_bytes, may_be_same);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "in", first, bytes);
    return status == WF_OK ? wf_check_device_memory(context, "result", first_result, result_bytes) : status;
}

/* A scan from the last element on starts there, and goes backwards. */
static void turn_round(wf_scan_request *request, uint32_t element_bytes) {
    if (request->length == 1)
        request->stride = request->result_stride = 0; /* else any number, which may have no negative */
    const int64_t last = (int64_t)(request->length - 1);
    const int64_t by = last * request->stride, result_by = last * request->result_stride;
    request->source = (const char *)request->source + by * (int64_t)element_bytes;
    request->result = (char *)request->result + result_by * (int64_t)request->result_bytes;
    request->lowest -= by;
    request->highest -= by;
    request->lowest_result -= result_by;
    request->highest_result -= result_by;
    request->stride = -request->stride;
    request->result_stride = -request->result_stride;
}

wf_status wf_scan_plan_of(const wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                          void *result, wf_scan_request *made) {
    wf_reduction_info info;
    wf_shape shape;
    wf_axis along = {.count = 0};
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = wf_check_call(context, axes, "axes");
    if (status == WF_OK)
        status = wf_scan_check_spec(spec, &info);
    if (status == WF_OK)
        status = shape_of(axes, info.element_bytes, info.result_bytes, &shape, &along);
    if (status == WF_OK)
        status = check_arrays(context, spec, &info, &shape, &along, in, result);
    if (status != WF_OK)
        return status;
    shape.reduced = (wf_axis_list){.length = 0};
    (void)wf_shape_collapse(&shape, true);
    *made = (wf_scan_request){.type = spec->reduce.type,
                              .op = spec->reduce.op,
                              .accumulator = info.accumulator,
                              .nan = spec->reduce.nan,
                              .element_bytes = info.element_bytes,
                              .value_bytes = value_bytes_of(spec->reduce.op, &info),
                              .exclusive = spec->exclusive != 0,
                              .reverse = spec->reverse != 0,
                              .narrow = spec->as_elements != 0 && info.result_type != info.accumulator,
                              .source = in,
                              .result = result,
                              .result_bytes = info.result_bytes,
                              .kept = shape.kept,
                              .stride = along.stride,
                              .result_stride = along.result_stride,
                              .rows = shape.rows,
                              .length = shape.length,
                              .lowest = shape.lowest,
                              .highest = shape.highest,
                              .lowest_result = shape.lowest_result,
                              .highest_result = shape.highest_result};
    put_initial(spec, &info, made);
    if (made->reverse != 0 && made->length != 0)
        turn_round(made, info.element_bytes);
    return WF_OK;
}

wf_status wf_scan_plan_of_segments(const wf_context *context, const wf_scan_spec *spec, const void *in, size_t count,
                                   void *result, wf_scan_request *made) {
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {count}};
    const wf_status status = wf_scan_plan_of(context, spec, &axes, in, result, made);
    if (status == WF_OK)
        made->value_bytes = flagged_bytes(made->value_bytes, spec);
    return status;
}
