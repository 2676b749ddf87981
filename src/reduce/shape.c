/* Chooses a reduction's launch by its plan, size and alignment. */
#include "shape.h"

#include "algebra.h"
#include "wf_context.h"
#include "whole_numbers.h"

static wf_launch_kind launch_kind_of(const wf_reduce_plan *plan, const void *in) {
    const wf_type type = plan->spec.type;
    const wf_op_facts op = wf_facts_of_op(plan->spec.op);
    const bool is_extreme = op.op_class == WF_CLASS_EXTREME, is_unaligned = (uintptr_t)in % plan->element_bytes != 0;
    if (plan->is_exact)
        return type == WF_F32 ? WF_LAUNCH_EXACT_F32 : WF_LAUNCH_EXACT;
    if (plan->describes && !wf_type_is_float(type))
        return WF_LAUNCH_DESCRIBED;
    if (plan->describes)
        return is_unaligned ? WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS : WF_LAUNCH_DESCRIBED_EXACTLY;
    if (op.has_index || (is_extreme && op.values == 2))
        return type == WF_F64 ? WF_LAUNCH_PAIRS_F64 : WF_LAUNCH_PAIRS;
    return is_extreme && wf_type_is_float(type) && type != WF_F64 ? WF_LAUNCH_FLOAT_EXTREMES : WF_LAUNCH_VALUES;
}

/* Kinds without built-in rows use the context's table, which may be tuned. */
static const wf_launch_row *launch_rows_for(const wf_context *context, const wf_reduce_plan *plan, const void *in) {
    const wf_launch_kind kind = launch_kind_of(plan, in);
    const wf_launch_row *rows = kind != WF_LAUNCH_VALUES ? wf_builtin_launch_rows(&context->info, kind) : NULL;
    return rows != NULL ? rows : context->launches->rows;
}

/* The limits of a cluster tile; the range is empty if none is used. Its kernels need aligned elements, and for exact
 * sums a device that is fast in f64. */
static wf_cluster_needs cluster_needs(const wf_context *context, const wf_reduce_plan *plan, const void *in,
                                      size_t count) {
    const wf_backend *const backend = context->backend;
    const wf_device_info *const device = &context->info;
    const wf_launch_kind kind = launch_kind_of(plan, in);
    /* A tuned table replaces cluster tiles, too. */
    const bool is_tuned = kind == WF_LAUNCH_VALUES && context->tuning->is_tuned != 0;
    if (is_tuned || device->wave_width != 32 || (uintptr_t)in % plan->element_bytes != 0 ||
        (plan->is_exact && device->f64_ratio > WF_FAST_F64_RATIO))
        return (wf_cluster_needs){0};
    /* In exact sums each element of an unaligned head or tail takes the place of a pack. */
    const bool has_edges = plan->is_exact && ((uintptr_t)in % 16 != 0 || count * plan->element_bytes % 16 != 0);
    return (wf_cluster_needs){.range = wf_builtin_cluster_range(device, kind, plan->element_bytes),
                              .blocks = backend->cluster_blocks,
                              .largest_block = plan->is_exact
                                                   ? (uint32_t)wf_smaller(backend->cluster_block, backend->exact_tile)
                                                   : backend->cluster_block,
                              .packs = wf_cluster_packs(plan),
                              .edges = has_edges ? (uint32_t)(2 * 16 / plan->element_bytes) : 0};
}

wf_launch_shape wf_reduce_shape(const wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count) {
    const wf_launch_needs needs = {.element_bytes = plan->element_bytes,
                                   .value_bytes = plan->value_bytes,
                                   .largest_tile = plan->is_exact                      ? context->backend->exact_tile
                                                   : !plan->describes                  ? UINT32_MAX
                                                   : wf_type_is_float(plan->spec.type) ? WF_DESCRIBE_FLOATS_TILE
                                                                                       : context->backend->wide_tile,
                                   .short_packs = wf_short_packs(plan),
                                   /* For narrow elements one round of 1024 threads takes longer than two of 512. */
                                   .largest_short = plan->element_bytes < 8 ? 512 : UINT32_MAX,
                                   .cluster = cluster_needs(context, plan, in, count)};
    return wf_shape_for(launch_rows_for(context, plan, in), &context->info, count, &needs);
}
