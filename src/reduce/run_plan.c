/* Runs a plan: on the CPU without kernels, in one launch, or in several parts. */
#define _GNU_SOURCE
#include "run_plan.h"

#include "algebra.h"
#include "cancellation.h"
#include "check.h"
#include "launch.h"
#include "sequential.h"
#include "shape.h"
#include "staging.h"
#include "status.h"
#include "stream_workspace.h"
#include "wavefold_sum.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdatomic.h>
#include <string.h>

wf_status wf_check_plan_in(const wf_reduce_plan *plan, const void *in, size_t count) {
    const bool ordered = wf_op_is_ordered(plan->spec.op);
    return wf_check_array("in", in, count, plan->element_bytes, ordered ? wf_type_size(plan->spec.type) : 1);
}

/* The most elements of one launch. The kernel of ordered operators counts in 64 bits, and has no limit. */
static uint64_t most_elements(const wf_reduce_plan *plan) {
    return wf_op_is_ordered(plan->spec.op) ? UINT64_MAX : WF_REDUCE_BYTES / plan->element_bytes;
}

/* ---- Queued ------------------------------------------------------------------------------------------------------ */

/* A reduction in one launch, or in several launches that pass on an intermediate result. */
typedef struct parts {
    const wf_context *context;
    const wf_reduce_plan *plan;
    wf_launch_shape shape;
    void *workspace;
    const char *source;
    uint64_t whole;
    void *result;
} parts;

static wf_reduce_request request_of_part(const parts *all, uint64_t first, uint64_t count) {
    const char *source = all->source + first * all->plan->element_bytes;
    return wf_reduce_request_of(all->context, all->plan, all->shape, all->workspace, source, first, count, all->whole,
                                all->result);
}

static wf_status launch_part(const wf_queue *queue, const void *of, uint64_t first, uint64_t count) {
    const wf_reduce_request request = request_of_part(of, first, count);
    return wf_launch(queue, WF_ALGORITHM_REDUCE, &request);
}

/* Clears the partial sum after a failed reduction in parts. The caller holds the staging lock. */
static wf_status clear_after_failure(wf_context *context, void *stream, const parts *all, wf_status status) {
    if (status != WF_OK && (all->plan->is_exact || all->plan->describes) && all->workspace != NULL)
        (void)context->backend->clear(context->device, stream, (char *)all->workspace + WF_WORKSPACE_SUM_PARTS,
                                      WF_SUM_WORDS * sizeof(int64_t)); /* the call reports the first failure */
    return status;
}

static wf_status queue_parts(const wf_queue *queue, const parts *all, uint64_t end) {
    const wf_pieces pieces = {.end = end, .most = most_elements(all->plan), .launch = launch_part, .of = all};
    return wf_launch_in_pieces(queue, &pieces);
}

static wf_status queue_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result,
                            void *stream) {
    parts all = {context, plan, wf_reduce_shape(context, plan, in, count), NULL, in, count, result};
    bool is_new;
    wf_status status = wf_stream_workspace_of(context, stream, &all.workspace, &is_new);
    if (status != WF_OK)
        return status;
    const bool takes_turns = count > most_elements(plan);
    if (takes_turns)
        wf_staging_lock(context);
    wf_launch_count launched = {.launches = 0};
    const wf_queue queue = {.context = context, .stream = stream, .count = &launched};
    status = queue_parts(&queue, &all, count);
    if (takes_turns) { /* without the lock, the partial sum is another call's */
        status = clear_after_failure(context, stream, &all, status);
        wf_staging_unlock(context);
    }
    if (status == WF_INVALID_ARGUMENT && is_new && launched.launches == 0) /* the stream was refused */
        wf_stream_workspace_give_back(context, all.workspace);
    return status;
}

/* ---- Awaited ----------------------------------------------------------------------------------------------------- */

/* Beyond this time the runtime waits for the result, so that no core is kept busy. */
static const uint64_t longest_spin = 200000; /* nanoseconds */

static bool spin_for(const wf_result_slot *slot) {
    const _Atomic uint64_t *const word = (const _Atomic uint64_t *)slot->word;
    const uint64_t deadline = wf_now_in_nanoseconds() + longest_spin;
    enum { LOOKS = 64 }; /* polls between two readings of the clock */
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

/* Launches, waits, and copies the result. The kernel of ordered operators gives no notice. */
static wf_status launch_and_wait(wf_context *context, wf_reduce_request *request, const wf_result_slot *slot,
                                 void *result, size_t bytes) {
    const bool gives_notice = request->kind != WF_REDUCE_ORDERED && slot->here != NULL;
    const wf_queue queue = {.context = context};
    request->result = slot->there;
    request->notice = gives_notice ? slot->notice : NULL;
    request->notice_number = slot->number;
    wf_status status = wf_launch(&queue, WF_ALGORITHM_REDUCE, request);
    if (status != WF_OK)
        return status;
    if (slot->here == NULL) {
        unsigned char copied[sizeof(wf_sum_state)]; /* the largest result; a failed copy must not change *result */
        status = context->backend->copy(context->device, copied, slot->there, bytes, WF_TO_HOST);
        if (status == WF_OK) {
            memcpy(result, copied, bytes);
            return WF_OK;
        }
        wf_backend_fail(context, status, "copying the result");
        (void)context->backend->finish(context->device); /* kernels may still read the array */
        return status;
    }
    if (!gives_notice || !spin_for(slot))
        status = finish(context);
    if (status == WF_OK)
        memcpy(result, slot->here, bytes);
    return status;
}

/* Launches on the context's own queue, and waits for the result in a slot. */
static wf_status await_result(wf_context *context, wf_reduce_request request, size_t bytes, void *result) {
    const wf_result_slot slot = wf_take_result_slot(context);
    const wf_status status = launch_and_wait(context, &request, &slot, result, bytes);
    wf_give_result_slot(context, &slot);
    return status;
}

static wf_status fold_in_place(wf_context *context, const wf_reduce_plan *plan, const void *in, uint64_t count,
                               void *result) {
    parts all = {context, plan, wf_reduce_shape(context, plan, in, count), NULL, in, count, NULL};
    wf_status status = wf_stream_workspace_of(context, NULL, &all.workspace, NULL);
    if (status != WF_OK)
        return status;
    const uint64_t most = most_elements(plan), before_last = (count - 1) / most * most;
    wf_launch_count launched = {.launches = 0};
    const wf_queue queue = {.context = context, .count = &launched};
    if (before_last > 0) {
        wf_staging_lock(context);
        status = queue_parts(&queue, &all, before_last);
    }
    if (status == WF_OK)
        status =
            await_result(context, request_of_part(&all, before_last, count - before_last), plan->result_bytes, result);
    if (before_last > 0)
        status = clear_after_failure(context, NULL, &all, status);
    if (status != WF_OK && launched.launches != 0)
        (void)context->backend->finish(context->device); /* earlier launches may still read the array */
    if (before_last > 0)
        wf_staging_unlock(context);
    return status;
}

/* Reduces a piece of host memory that was copied to the device. Ordered operators: each piece is a reduction of its
 * own, whose result the host combines into *so_far. Others: the launches pass on an intermediate result, and the last
 * one gives the result. */
static wf_status fold_piece(wf_context *context, const parts *all, const void *stage, uint64_t first, uint64_t count,
                            wf_result *so_far) {
    const wf_reduce_plan *plan = all->plan;
    if (wf_op_is_ordered(plan->spec.op)) {
        wf_result folded;
        const wf_reduce_request request =
            wf_reduce_request_of(context, plan, all->shape, all->workspace, stage, 0, count, count, NULL);
        const wf_status status = await_result(context, request, plan->result_bytes, &folded);
        if (status == WF_OK)
            wf_fold(plan->spec.type, plan->spec.op, so_far, &folded, 1);
        return status;
    }
    const wf_queue queue = {.context = context};
    const wf_reduce_request request =
        wf_reduce_request_of(context, plan, all->shape, all->workspace, stage, first, count, all->whole, NULL);
    return request.is_last ? await_result(context, request, plan->result_bytes, all->result)
                           : wf_launch(&queue, WF_ALGORITHM_REDUCE, &request);
}

static wf_status fold_pieces(wf_context *context, const wf_reduce_plan *plan, const char *in, uint64_t count,
                             void *result) {
    void *stage;
    size_t room;
    wf_status status = wf_staging_reserve(context, count * plan->element_bytes, &stage, &room);
    if (status != WF_OK)
        return status;
    const uint64_t piece = room / plan->element_bytes;
    parts all = {context, plan,  wf_reduce_shape(context, plan, NULL, wf_smaller(piece, count)), NULL, in,
                 count,   result};
    status = wf_stream_workspace_of(context, NULL, &all.workspace, NULL);
    wf_result so_far = plan->of_none.result;
    for (uint64_t first = 0; first < count && status == WF_OK; first += piece) {
        const uint64_t length = wf_smaller(piece, count - first);
        const char *from = in + first * plan->element_bytes;
        status = context->backend->copy(context->device, stage, from, length * plan->element_bytes, WF_TO_DEVICE);
        status = status == WF_OK ? fold_piece(context, &all, stage, first, length, &so_far)
                                 : wf_backend_fail(context, status, "copying from the host");
        status = clear_after_failure(context, NULL, &all, status);
    }
    if (status == WF_OK && wf_op_is_ordered(plan->spec.op))
        memcpy(result, &so_far, plan->result_bytes);
    return status;
}

static wf_status fold(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result) {
    const void *there;
    wf_status status;
    if (count == 0) {
        status = wf_finish_nothing(context, "waiting for the result"); /* the queue may hold other work */
        if (status == WF_OK)
            wf_put_fold_of_none(plan, result);
        return status;
    }
    status = context->backend->reaches(context->device, in, &there);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "querying the array's memory");
    if (there != NULL)
        return fold_in_place(context, plan, there, count, result);
    wf_staging_lock(context);
    status = fold_pieces(context, plan, in, count, result);
    wf_staging_unlock(context);
    return status;
}

/* ---- Entry points ------------------------------------------------------------------------------------------------ */

static wf_status fold_natively(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count,
                               void *result) {
    const wf_reduce_request request = wf_reduce_request_on_cpu(plan, in, count, result);
    const wf_status status = context->backend->reduce(context->device, &request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}

wf_status wf_run_plan(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count, void *result) {
    const wf_status status = wf_check_plan_in(plan, in, count);
    if (status != WF_OK)
        return status;
    if (wf_folds_on_cpu(context))
        return fold_natively(context, plan, in, count, result);
    /* A cancelled thread would keep its result slot or the staging lock. */
    const int before = wf_disable_cancellation();
    const wf_status folded = fold(context, plan, in, count, result);
    wf_restore_cancellation(before);
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
    const int before = wf_disable_cancellation();
    const wf_status queued = queue_plan(context, plan, in, count, result, stream);
    wf_restore_cancellation(before);
    return queued;
}
