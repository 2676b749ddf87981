#include "plan.h"

#include "reduction_table.h"
#include "status.h"
#include "stream_workspace.h"
#include "wavefold_sum.h"
#include "wf_context.h"
#include "widened.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

wf_status wf_reduce_plan_of(const wf_reduce_spec *spec, wf_reduce_plan *plan) {
    wf_reduction_info info;
    const wf_status status = wf_reduction_get_info(spec, &info);
    if (status != WF_OK)
        return status;
    const bool is_exact = wf_reduction_is_exact(spec, &info);
    *plan = (wf_reduce_plan){.spec = *spec,
                             .is_exact = is_exact,
                             .accumulator = info.accumulator,
                             .element_bytes = info.element_bytes,
                             .value_bytes = wf_op_is_ordered(spec->op) ? info.element_bytes
                                            : is_exact                 ? WF_EXACT_VALUE_BYTES
                                                                       : WF_REDUCE_VALUE_BYTES,
                             .result_bytes = info.result_bytes,
                             .result_alignment = info.has_index ? sizeof(uint64_t) : wf_type_size(info.result_type)};
    wf_put_identity(spec, &info, &plan->of_none.result);
    return WF_OK;
}

wf_status wf_reduce_plan_of_state(const wf_reduce_spec *spec, wf_exact_result result, wf_reduce_plan *made) {
    wf_reduce_spec exact = *spec;
    exact.accuracy = WF_ACCURACY_BEST; /* EXACT would fail with a message that recommends a fast sum */
    exact.accumulator = WF_ACCUMULATE_DEFAULT;
    wf_reduce_plan plan;
    const wf_status status = wf_reduce_plan_of(&exact, &plan);
    if (status != WF_OK)
        return status;
    if (!plan.is_exact)
        return wf_fail(WF_UNSUPPORTED,
                       "%s of %s has no state: use sum, mean or asum of floats, or sumsq of f16, bf16 "
                       "and f32",
                       wf_op_name(spec->op), wf_type_name(spec->type));
    plan.exact_result = result;
    plan.result_bytes = sizeof(wf_sum_state);
    plan.result_alignment = sizeof(int64_t);
    *made = plan;
    return WF_OK;
}

/* A description's min or max for no elements. */
static wf_number extreme_of_none(const wf_describe_spec *spec, wf_op op) {
    const wf_reduce_spec extreme = {.type = spec->type, .op = op, .nan = spec->nan};
    wf_reduction_info info;
    wf_result result;
    (void)wf_reduction_get_info(&extreme, &info); /* succeeds for every type */
    wf_put_identity(&extreme, &info, &result);
    return wf_number_at(spec->type, &result, 0);
}

wf_status wf_reduce_plan_of_description(const wf_describe_spec *spec, wf_reduce_plan *plan) {
    const wf_reduce_spec extreme = {.type = spec->type, .op = WF_MIN, .nan = spec->nan};
    wf_reduction_info info;
    const wf_status status = wf_reduction_get_info(&extreme, &info);
    if (status != WF_OK)
        return status;
    *plan = (wf_reduce_plan){.spec = extreme,
                             .describes = true,
                             .accumulator = info.accumulator,
                             .element_bytes = info.element_bytes,
                             .value_bytes = WF_DESCRIBE_VALUE_BYTES,
                             .result_bytes = sizeof(wf_description),
                             .result_alignment = sizeof(uint64_t)};
    plan->of_none.description = (wf_description){.min = extreme_of_none(spec, WF_MIN),
                                                 .max = extreme_of_none(spec, WF_MAX),
                                                 .argmin = UINT64_MAX,
                                                 .argmax = UINT64_MAX,
                                                 .mean = (double)NAN,
                                                 .variance = (double)NAN};
    return WF_OK;
}

wf_plan_text wf_plan_name(const wf_reduce_plan *plan) {
    wf_plan_text name;
    snprintf(name.text, sizeof name.text, "%s of %s", plan->describes ? "description" : wf_op_name(plan->spec.op),
             wf_type_name(plan->spec.type));
    return name;
}

void wf_put_fold_of_none(const wf_reduce_plan *plan, void *result) {
    if (plan->is_exact && plan->exact_result != WF_EXACT_ROUNDED)
        wf_sum_state_init(result);
    else
        memcpy(result, &plan->of_none, plan->result_bytes);
}

static wf_reduce_kind kind_of(const wf_reduce_plan *plan) {
    return plan->describes                   ? WF_REDUCE_DESCRIBE
           : plan->is_exact                  ? WF_REDUCE_EXACT
           : wf_op_is_ordered(plan->spec.op) ? WF_REDUCE_ORDERED
                                             : WF_REDUCE_VALUES;
}

/* Packs that a thread takes at once in a kernel for a single tile; 0: there is no such kernel. */
static uint32_t packs_of_one_tile(const wf_reduce_plan *plan) {
    const wf_op_facts op = wf_facts_of_op(plan->spec.op);
    const bool is_float = wf_type_is_float(plan->spec.type);
    if (plan->describes)
        return is_float ? 0 : WF_FEW_SHORT_PACKS;
    const bool is_sum = op.op_class == WF_CLASS_SUM, is_extreme = op.op_class == WF_CLASS_EXTREME;
    const bool takes_many = plan->element_bytes >= 4 && (is_sum || (!op.has_index && op.values == 1 && !is_float));
    return kind_of(plan) != WF_REDUCE_VALUES || !(is_sum || is_extreme) ? 0
           : takes_many                                                 ? WF_MANY_SHORT_PACKS
                                                                        : WF_FEW_SHORT_PACKS;
}

uint32_t wf_short_packs(const wf_reduce_plan *plan) {
    const uint32_t packs = packs_of_one_tile(plan);
    return packs == WF_FEW_SHORT_PACKS ? packs : 0;
}

uint32_t wf_cluster_packs(const wf_reduce_plan *plan) {
    const uint32_t packs = packs_of_one_tile(plan);
    if (!plan->is_exact) /* 8 bytes: nvcc does not keep four loads in flight; with two, 128 KiB took 6 % less time */
        return plan->element_bytes == 8 && packs != 0 ? WF_FEW_SHORT_PACKS : packs;
    /* The cluster kernel's common cases; in other cases a single block would have to round on a slower path. */
    const bool is_usual = plan->spec.op != WF_MEAN && plan->exact_result == WF_EXACT_ROUNDED &&
                          wf_facts_of_op(plan->spec.op).term != WF_TERM_SQUARE &&
                          (plan->element_bytes <= 2 || plan->accumulator == plan->spec.type);
    return is_usual ? WF_EXACT_SHORT_PACKS : 0;
}

wf_reduce_request wf_reduce_request_of(const wf_context *context, const wf_reduce_plan *plan, wf_launch_shape shape,
                                       void *workspace, const void *source, uint64_t first, uint64_t count,
                                       uint64_t whole, void *result) {
    const bool is_whole = first == 0 && count == whole;
    char *const words = workspace;
    return (wf_reduce_request){
        .head = {.tiles = shape.tiles, .tile_size = shape.tile_size, .wave_width = context->info.wave_width},
        .kind = kind_of(plan),
        .type = plan->spec.type,
        .op = plan->spec.op,
        .accumulator = plan->accumulator,
        .nan = plan->spec.nan,
        .is_cluster = shape.is_cluster,
        .source = source,
        .source_count = count,
        .result = result,
        .first = first,
        .whole_count = whole,
        .is_first = first == 0,
        .is_last = first + count == whole,
        .of_none = &plan->of_none,
        .ticket = words + WF_WORKSPACE_TICKET,
        .tile_status = words + WF_WORKSPACE_STATUS,
        .tile_status_words = (uint64_t)shape.tiles * plan->value_bytes / WF_STATUS_VALUE_BYTES,
        .carry = words + WF_WORKSPACE_CARRY,
        .partials = words + WF_WORKSPACE_PARTIALS,
        .exact_result = plan->exact_result,
        .sum_words = words + (is_whole ? WF_WORKSPACE_SUM : WF_WORKSPACE_SUM_PARTS),
        .in_f64 = context->info.f64_ratio <= WF_FAST_F64_RATIO,
        .request = plan->request};
}

wf_reduce_request wf_reduce_request_on_cpu(const wf_reduce_plan *plan, const void *source, uint64_t count,
                                           void *result) {
    return (wf_reduce_request){.kind = kind_of(plan),
                               .type = plan->spec.type,
                               .op = plan->spec.op,
                               .accumulator = plan->accumulator,
                               .nan = plan->spec.nan,
                               .source = source,
                               .source_count = count,
                               .result = result,
                               .exact_result = plan->exact_result};
}
