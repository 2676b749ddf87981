/* Runs a plan: by the CPU itself, by one launch, or in parts. */
#define _GNU_SOURCE
#include "run_plan.h"

#include "algebra.h"
#include "cancellation.h"
#include "check.h"
#include "launch.h"
#include "sequential.h"
#include "staging.h"
#include "status.h"
#include "stream_workspace.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdatomic.h>
#include <string.h>

wf_status wf_check_plan_in(const wf_reduce_plan *plan, const void *in, size_t count) {
    const bool ordered = wf_op_is_ordered(plan->what.op);
    return wf_check_array("in", in, count, plan->element_bytes, ordered ? wf_type_size(plan->what.type) : 1);
}

static wf_launch_kind launch_kind_of(const wf_reduce_plan *plan, const void *in) {
    const wf_type type = plan->what.type;
    const wf_op_facts op = wf_facts_of_op(plan->what.op);
    const bool is_extreme = op.op_class == WF_CLASS_EXTREME, lies_across = (uintptr_t)in % plan->element_bytes != 0;
    if (plan->is_exact)
        return type == WF_F32 ? WF_LAUNCH_EXACT_F32 : WF_LAUNCH_EXACT;
    if (plan->describes && !wf_type_is_float(type))
        return WF_LAUNCH_DESCRIBED;
    if (plan->describes)
        return lies_across ? WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS : WF_LAUNCH_DESCRIBED_EXACTLY;
    if (op.has_index || (is_extreme && op.values == 2))
        return type == WF_F64 ? WF_LAUNCH_PAIRS_F64 : WF_LAUNCH_PAIRS;
    return is_extreme && wf_type_is_float(type) && type != WF_F64 ? WF_LAUNCH_FLOAT_EXTREMES : WF_LAUNCH_VALUES;
}

/* The table in use is of values, and may be the user's; the others are the library's own, where there is one. */
static const wf_launch_row *launch_rows_for(const wf_context *context, const wf_reduce_plan *plan, const void *in) {
    const wf_launch_kind kind = launch_kind_of(plan, in);
    const wf_launch_row *rows = kind != WF_LAUNCH_VALUES ? wf_builtin_launch_rows(&context->info, kind) : NULL;
    return rows != NULL ? rows : context->launches->rows;
}

/* What a tile that is spread has to be; its range is empty, or it takes no packs, where there is none. Such kernels are
 * for elements at addresses that are aligned to them; exact sums', where f64 is fast. in: where the kernels read. */
static wf_spread_needs spread_needs(const wf_context *context, const wf_reduce_plan *plan, const void *in,
                                    size_t count) {
    const wf_backend *const backend = context->backend;
    const wf_device_info *const device = &context->info;
    const wf_launch_kind kind = launch_kind_of(plan, in);
    /* The user's table says itself which tiles there are. */
    const bool is_tuned = kind == WF_LAUNCH_VALUES && context->tuning->is_tuned != 0;
    if (is_tuned || device->wave_width != 32 || (uintptr_t)in % plan->element_bytes != 0 ||
        (plan->is_exact && device->f64_ratio > WF_FAST_F64_RATIO))
        return (wf_spread_needs){0};
    /* Of exact sums each edge counts as a pack. */
    const bool has_edges = plan->is_exact && ((uintptr_t)in % 16 != 0 || count * plan->element_bytes % 16 != 0);
    return (wf_spread_needs){.range = wf_builtin_spread_range(device, kind, plan->element_bytes),
                             .blocks = backend->spread_blocks,
                             .largest_block = plan->is_exact
                                                  ? (uint32_t)wf_smaller(backend->spread_block, backend->exact_tile)
                                                  : backend->spread_block,
                             .packs = wf_spread_packs(plan),
                             .edges = has_edges ? (uint32_t)(2 * 16 / plan->element_bytes) : 0};
}

/* in: where the kernels read. */
static wf_launch_shape shape_for(const wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count) {
    const wf_launch_needs needs = {.element_bytes = plan->element_bytes,
                                   .value_bytes = plan->value_bytes,
                                   .largest_tile = plan->is_exact                      ? context->backend->exact_tile
                                                   : !plan->describes                  ? UINT32_MAX
                                                   : wf_type_is_float(plan->what.type) ? WF_DESCRIBE_FLOATS_TILE
                                                                                       : context->backend->wide_tile,
                                   .short_packs = wf_short_packs(plan),
                                   /* Of narrow elements one round of 1024 threads takes longer than two of 512. */
                                   .largest_short = plan->element_bytes < 8 ? 512 : UINT32_MAX,
                                   .spread = spread_needs(context, plan, in, count)};
    return wf_shape_for(launch_rows_for(context, plan, in), &context->info, count, &needs);
}

/* Elements of one launch, at the most. Ordered operators' kernel counts in 64 bits. */
static uint64_t most_elements(const wf_reduce_plan *plan) {
    return wf_op_is_ordered(plan->what.op) ? UINT64_MAX : WF_REDUCE_BYTES / plan->element_bytes;
}

/* ---- Queued ------------------------------------------------------------------------------------------------------ */

/* A fold in one launch, or in several of which each carries what came before. */
typedef struct parts {
    const wf_context *context;
    const wf_reduce_plan *plan;
    wf_launch_shape shape;
    void *workspace;
    const char *source;
    uint64_t whole;
    void *result;
} parts;

static wf_launch launch_of_part(const void *of, uint64_t first, uint64_t count) {
    const parts *all = of;
    const char *source = all->source + first * all->plan->element_bytes;
    return wf_reduce_launch(all->context, all->plan, all->shape, all->workspace, source, first, count, all->whole,
                            all->result);
}

/* What the parts of an exact sum have left is not for the next one. For who has the turn of folds in parts. */
static wf_status forget_on_failure(wf_context *context, void *stream, const parts *all, wf_status status) {
    if (status != WF_OK && (all->plan->is_exact || all->plan->describes) && all->workspace != NULL)
        (void)context->backend->clear(context->device, stream, (char *)all->workspace + WF_WORKSPACE_SUM_PARTS,
                                      WF_SUM_WORDS * sizeof(int64_t)); /* a device that cannot has failed already */
    return status;
}

static wf_status queue_parts(wf_context *context, void *stream, const parts *all, uint64_t end,
                             wf_rung_report *queued) {
    const wf_pieces pieces = {.end = end, .most = most_elements(all->plan), .piece = launch_of_part, .of = all};
    return wf_launch_in_pieces(context, stream, &pieces, queued);
}

static wf_status queue(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result,
                       void *stream) {
    parts all = {context, plan, shape_for(context, plan, in, count), NULL, in, count, result};
    bool is_new;
    wf_status status = wf_stream_workspace_of(context, stream, &all.workspace, &is_new);
    if (status != WF_OK)
        return status;
    const bool takes_turns = count > most_elements(plan);
    if (takes_turns)
        wf_staging_lock(context);
    wf_rung_report queued = {.launches = 0};
    status = queue_parts(context, stream, &all, count, &queued);
    if (takes_turns) { /* what others' parts have left is theirs */
        status = forget_on_failure(context, stream, &all, status);
        wf_staging_unlock(context);
    }
    if (status == WF_INVALID_ARGUMENT && is_new && queued.launches == 0) /* a refused stream is to keep nothing */
        wf_stream_workspace_give_back(context, all.workspace);
    return status;
}

/* ---- Awaited ----------------------------------------------------------------------------------------------------- */

/* A result that takes longer is waited for by the runtime, which need not keep a core busy. */
static const uint64_t longest_spin = 200000; /* nanoseconds */

static bool spin_for(const wf_result_slot *slot) {
    const _Atomic uint64_t *const word = (const _Atomic uint64_t *)slot->word;
    const uint64_t deadline = wf_now_in_nanoseconds() + longest_spin;
    enum { LOOKS = 64 };
    do
        for (int look = 0; look < LOOKS; look++)
            if (atomic_load_explicit(word, memory_order_acquire) == slot->number)
                return true;
    while (wf_now_in_nanoseconds() < deadline);
    return false;
}

static wf_status finish(const wf_context *context) {
    const wf_status status = context->backend->finish(context->device);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "waiting for the result");
}

/* Launches, and brings the result. Ordered operators' kernel gives no notice. */
static wf_status launch_and_wait(wf_context *context, wf_launch *what, const wf_result_slot *slot, void *result,
                                 size_t bytes) {
    const bool gives_notice = what->kernel != WF_KERNEL_last_block_ordered && slot->here != NULL;
    what->result = slot->there;
    what->notice = gives_notice ? slot->notice : NULL;
    what->notice_number = slot->number;
    wf_status status = wf_launch_on(context, NULL, what, NULL);
    if (status != WF_OK)
        return status;
    if (slot->here == NULL) {
        unsigned char copied[sizeof(wf_sum_state)]; /* no result is larger; and of a copy that fails any may come */
        status = context->backend->copy(context->device, copied, slot->there, bytes, WF_TO_HOST);
        if (status == WF_OK) {
            memcpy(result, copied, bytes);
            return WF_OK;
        }
        wf_backend_fail(context, status, "copying the result");
        (void)context->backend->finish(context->device); /* the array may still be read */
        return status;
    }
    if (!gives_notice || !spin_for(slot))
        status = finish(context);
    if (status == WF_OK)
        memcpy(result, slot->here, bytes);
    return status;
}

/* The launch that brings the result, on the context's own queue. */
static wf_status await_result(wf_context *context, wf_launch what, size_t bytes, void *result) {
    const wf_result_slot slot = wf_take_result_slot(context);
    const wf_status status = launch_and_wait(context, &what, &slot, result, bytes);
    wf_give_result_slot(context, &slot);
    return status;
}

static wf_status fold_in_place(wf_context *context, const wf_reduce_plan *plan, const void *in, uint64_t count,
                               void *result) {
    parts all = {context, plan, shape_for(context, plan, in, count), NULL, in, count, NULL};
    wf_status status = wf_stream_workspace_of(context, NULL, &all.workspace, NULL);
    if (status != WF_OK)
        return status;
    const uint64_t most = most_elements(plan), before_last = (count - 1) / most * most;
    wf_rung_report queued = {.launches = 0};
    if (before_last > 0) {
        wf_staging_lock(context);
        status = queue_parts(context, NULL, &all, before_last, &queued);
    }
    if (status == WF_OK)
        status =
            await_result(context, launch_of_part(&all, before_last, count - before_last), plan->result_bytes, result);
    if (before_last > 0)
        status = forget_on_failure(context, NULL, &all, status);
    if (status != WF_OK && queued.launches != 0)
        (void)context->backend->finish(context->device); /* what was queued before the failure reads the array */
    if (before_last > 0)
        wf_staging_unlock(context);
    return status;
}

/* A piece of host memory, copied to the device. Of ordered operators it is a fold of its own, whose result is folded
 * into *so_far here; other operators carry what came before, and the last piece brings the result. */
static wf_status fold_piece(wf_context *context, const parts *all, const void *stage, uint64_t first, uint64_t count,
                            wf_result *so_far) {
    const wf_reduce_plan *plan = all->plan;
    if (wf_op_is_ordered(plan->what.op)) {
        wf_result folded;
        const wf_launch what =
            wf_reduce_launch(context, plan, all->shape, all->workspace, stage, 0, count, count, NULL);
        const wf_status status = await_result(context, what, plan->result_bytes, &folded);
        if (status == WF_OK)
            wf_fold(plan->what.type, plan->what.op, so_far, &folded, 1);
        return status;
    }
    const wf_launch what =
        wf_reduce_launch(context, plan, all->shape, all->workspace, stage, first, count, all->whole, NULL);
    return what.is_last ? await_result(context, what, plan->result_bytes, all->result)
                        : wf_launch_on(context, NULL, &what, NULL);
}

static wf_status fold_pieces(wf_context *context, const wf_reduce_plan *plan, const char *in, uint64_t count,
                             void *result) {
    void *stage;
    size_t room;
    wf_status status = wf_staging_reserve(context, count * plan->element_bytes, &stage, &room);
    if (status != WF_OK)
        return status;
    const uint64_t piece = room / plan->element_bytes;
    parts all = {context, plan, shape_for(context, plan, NULL, wf_smaller(piece, count)), NULL, in, count, result};
    status = wf_stream_workspace_of(context, NULL, &all.workspace, NULL);
    wf_result so_far = plan->of_none.result;
    for (uint64_t first = 0; first < count && status == WF_OK; first += piece) {
        const uint64_t length = wf_smaller(piece, count - first);
        const char *from = in + first * plan->element_bytes;
        status = context->backend->copy(context->device, stage, from, length * plan->element_bytes, WF_TO_DEVICE);
        status = status == WF_OK ? fold_piece(context, &all, stage, first, length, &so_far)
                                 : wf_backend_fail(context, status, "copying from the host");
        status = forget_on_failure(context, NULL, &all, status);
    }
    if (status == WF_OK && wf_op_is_ordered(plan->what.op))
        memcpy(result, &so_far, plan->result_bytes);
    return status;
}

static wf_status fold(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result) {
    const void *there;
    wf_status status;
    if (count == 0) {
        status = wf_finish_nothing(context, "waiting for the result"); /* the queue may have something to end */
        if (status == WF_OK)
            wf_put_fold_of_none(plan, result);
        return status;
    }
    status = context->backend->reaches(context->device, in, &there);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "asking where the array lies");
    if (there != NULL)
        return fold_in_place(context, plan, there, count, result);
    wf_staging_lock(context);
    status = fold_pieces(context, plan, in, count, result);
    wf_staging_unlock(context);
    return status;
}

/* ---- Whole plans ------------------------------------------------------------------------------------------------- */

static wf_status fold_natively(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count,
                               void *result) {
    const wf_launch what = wf_reduce_on_cpu(plan, context->threads, in, count, result);
    const wf_status status = context->backend->reduce(context->device, &what);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "folding");
}

wf_status wf_run_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result) {
    const wf_status status = wf_check_plan_in(plan, in, count);
    if (status != WF_OK)
        return status;
    if (wf_folds_on_cpu(context))
        return fold_natively(context, plan, in, count, result);
    const int before = wf_cancel_later(); /* a slot for a result, or the turn of a fold in parts, would stay its own */
    const wf_status folded = fold(context, plan, in, count, result);
    wf_cancel_as(before);
    return folded;
}

wf_status wf_queue_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result,
                        void *stream) {
    wf_status status = wf_check_plan_in(plan, in, count);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    if (status != WF_OK)
        return status;
    if ((uintptr_t)result % plan->result_alignment != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must be aligned to %zu bytes",
                       plan->exact_result == WF_EXACT_ADDED ? "state" : "result", plan->result_alignment);
    if (wf_folds_on_cpu(context))
        return fold_natively(context, plan, in, count, result);
    const int before = wf_cancel_later();
    const wf_status queued = queue(context, plan, in, count, result, stream);
    wf_cancel_as(before);
    return queued;
}
