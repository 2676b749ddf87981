/* The plan of wf_scatter_reduce, and the checks of its arguments. */
#include "scatter.h"

#include "algebra.h"
#include "check.h"
#include "check_arrays.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

enum { MOST_VALUE_BYTES = 16 };
#define MOST_BINS (UINT64_C(1) << 31)
#define MOST_ELEMENTS UINT64_C(0xffffffff)

uint64_t wf_scatter_sign_bit(const wf_scatter_plan *plan) {
    return wf_type_is_signed(plan->index_type) ? UINT64_C(1) << (8 * wf_type_size(plan->index_type) - 1) : 0;
}

uint32_t wf_scatter_bits(const wf_scatter_plan *plan) {
    return (uint32_t)wf_log2(plan->bins) + 1;
}

wf_status wf_scatter_refuse(const wf_scatter_plan *plan, uint64_t i) {
    return wf_fail(WF_INVALID_ARGUMENT,
                   "indices[%llu] is outside of the %llu bins: leave out WF_CHECK_INDICES to leave out such elements",
                   (unsigned long long)i, (unsigned long long)plan->bins);
}

static wf_status check_scatter(const wf_scatter *scatter) {
    const uint32_t known = WF_SCATTER_ONTO | WF_CHECK_INDICES;
    wf_status status =
        wf_check_reserved("scatter", scatter->reserved, sizeof scatter->reserved / sizeof *scatter->reserved);
    if (status == WF_OK)
        status = wf_check_type(scatter->index_type);
    if (status != WF_OK)
        return status;
    if (wf_type_is_float(scatter->index_type))
        return wf_fail(WF_INVALID_ARGUMENT, "indices of type %s: 'index_type' must be an integer type",
                       wf_type_name(scatter->index_type));
    if ((scatter->flags & ~known) != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: it may have WF_SCATTER_ONTO and WF_CHECK_INDICES",
                       scatter->flags);
    if (scatter->bins > MOST_BINS)
        return wf_fail(WF_UNSUPPORTED, "%llu bins: there may be 2^31", (unsigned long long)scatter->bins);
    return WF_OK;
}

static wf_status check_reduction(const wf_scatter_plan *plan) {
    const wf_reduce_plan *const reduction = plan->of.plan;
    if (reduction == NULL)
        return WF_OK;
    const wf_reduce_spec *const spec = &reduction->spec;
    wf_reduction_info info;
    const wf_status status = wf_reduction_get_info(spec, &info);
    if (status != WF_OK)
        return status;
    if (info.has_index)
        return wf_fail(WF_UNSUPPORTED, "wf_scatter_reduce has no %s: elements leave their places; use min or max",
                       wf_op_name(spec->op));
    if (reduction->element_bytes > MOST_VALUE_BYTES)
        return wf_fail(WF_UNSUPPORTED, "elements of %zu bytes: wf_scatter_reduce takes at most %d",
                       reduction->element_bytes, MOST_VALUE_BYTES);
    if (plan->onto &&
        (info.result_type != spec->type || info.result_bytes != info.element_bytes || spec->op == WF_MEAN))
        return wf_fail(WF_UNSUPPORTED, "WF_SCATTER_ONTO with %s of %s: results must be elements; leave out the flag",
                       wf_op_name(spec->op), wf_type_name(spec->type));
    if (wf_scatter_elements(plan) > MOST_ELEMENTS)
        return wf_fail(WF_UNSUPPORTED, "%llu elements: wf_scatter_reduce takes at most 2^32 - 1",
                       (unsigned long long)wf_scatter_elements(plan));
    return WF_OK;
}

static wf_status check_arrays(const wf_scatter_plan *plan, size_t result_bytes) {
    const size_t index_bytes = wf_type_size(plan->index_type), count = (size_t)plan->count;
    const wf_named_array inputs[] = {{"indices", plan->indices, count * index_bytes},
                                     {"values", plan->of.values, count * plan->value_bytes}};
    const wf_named_array result = {"result", plan->result, (size_t)plan->bins * plan->of.result_bytes};
    wf_status status = wf_check_array("indices", plan->indices, count, index_bytes, index_bytes);
    if (status == WF_OK && plan->of.plan != NULL) /* whole elements are moved */
        status = wf_check_array("values", plan->of.values, count, plan->value_bytes, plan->value_bytes);
    if (status == WF_OK)
        status = wf_check_array("result", plan->result, (size_t)plan->bins, plan->of.result_bytes,
                                plan->onto && plan->of.plan != NULL ? plan->value_bytes : plan->of.result_alignment);
    if (status == WF_OK)
        status = wf_check_result_bytes(result_bytes, result.bytes,
                                       plan->of.plan != NULL ? wf_plan_name(plan->of.plan).text : "a count");
    return status == WF_OK ? wf_check_apart(&result, 1, inputs, 2) : status;
}

wf_status wf_scatter_plan_of(const wf_reduce_spec *spec, const wf_scatter *scatter, size_t result_bytes,
                             wf_scatter_plan *plan) {
    wf_status status = wf_check_call(plan->context, scatter, "scatter");
    if (status == WF_OK)
        status = check_scatter(scatter);
    if (status == WF_OK)
        status = wf_by_key_values_of(spec, plan->of.values, (size_t)plan->count, &plan->reduction, &plan->of);
    if (status != WF_OK)
        return status;
    plan->index_type = scatter->index_type;
    plan->bins = scatter->bins;
    plan->onto = (scatter->flags & WF_SCATTER_ONTO) != 0;
    plan->checks = (scatter->flags & WF_CHECK_INDICES) != 0;
    plan->value_bytes = plan->of.plan != NULL ? plan->of.plan->element_bytes : 0;
    status = check_reduction(plan);
    return status == WF_OK ? check_arrays(plan, result_bytes) : status;
}
