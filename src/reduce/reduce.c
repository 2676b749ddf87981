/* wf_reduce and wf_describe: the one call. Checks, and who runs it: the CPU itself, or one launch. */
#define _GNU_SOURCE
#include "launch.h"
#include "reduce_launch.h"
#include "staging.h"
#include "stream_workspace.h"

#include <stdatomic.h>
#include <string.h>

static wf_status check(const wf_context *context, const void *what, const void *result) {
    const wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (what == NULL || result == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "%s must not be NULL", what == NULL ? "what" : "result");
    return WF_OK;
}

static wf_status check_in(const wf_reduce_plan *spec, const void *in, size_t count) {
    const bool ordered = wf_op_is_ordered(spec->what.op);
    return wf_check_array("in", in, count, spec->element_bytes, ordered ? wf_type_size(spec->what.type) : 1);
}

static wf_launch_shape shape_for(const wf_context *context, const wf_reduce_plan *spec, size_t count) {
    return wf_shape_for(context->launches, &context->info, count, spec->element_bytes, spec->value_bytes,
                        spec->describes ? context->backend->describe_tile : UINT32_MAX);
}

/* Elements of one launch, at the most. Ordered operators' kernel counts in 64 bits. */
static uint64_t most_elements(const wf_reduce_plan *spec) {
    return wf_op_is_ordered(spec->what.op) ? UINT64_MAX : WF_REDUCE_BYTES / spec->element_bytes;
}

/* ---- Queued ------------------------------------------------------------------------------------------------------ */

static wf_status queue(wf_context *context, const wf_reduce_plan *spec, const void *in, size_t count, void *result,
                       void *stream) {
    void *place;
    wf_status status = wf_stream_workspace_of(context, stream, &place);
    if (status != WF_OK)
        return status;
    const wf_launch_shape shape = shape_for(context, spec, count);
    const uint64_t most = most_elements(spec);
    if (count > most)
        wf_staging_lock(context);
    uint64_t first = 0;
    do {
        const uint64_t part = wf_smaller(most, count - first);
        const char *source = (const char *)in + first * spec->element_bytes;
        const wf_launch what = wf_reduce_launch(context, spec, shape, place, source, first, part, count, result);
        status = wf_launch_on(context, stream, &what, NULL);
        first += part;
    } while (first < count && status == WF_OK);
    if (count > most)
        wf_staging_unlock(context);
    return status;
}

/* ---- Awaited ----------------------------------------------------------------------------------------------------- */

/* A result that takes longer is waited for by the runtime, which need not keep a core busy. */
static const double longest_spin = 200e-6; /* seconds */

static bool spin_for(const wf_result_slot *cell) {
    const _Atomic uint64_t *const word = (const _Atomic uint64_t *)cell->word;
    const double deadline = wf_now() + longest_spin;
    enum { LOOKS = 64 };
    do
        for (int look = 0; look < LOOKS; look++)
            if (atomic_load_explicit(word, memory_order_acquire) == cell->number)
                return true;
    while (wf_now() < deadline);
    return false;
}

static wf_status finish(const wf_context *context) {
    const wf_status status = context->backend->finish(context->device);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "waiting for the result");
}

/* Launches, and brings the result. Ordered operators' kernel gives no notice. */
static wf_status launch_and_wait(wf_context *context, wf_launch *what, const wf_result_slot *cell, void *result,
                                 size_t bytes) {
    const bool gives_notice = what->kernel != WF_KERNEL_last_block_ordered && cell->here != NULL;
    what->result = cell->there;
    what->notice = gives_notice ? cell->notice : NULL;
    what->notice_number = cell->number;
    wf_status status = wf_launch_on(context, NULL, what, NULL);
    if (status != WF_OK)
        return status;
    if (cell->here == NULL) {
        status = context->backend->copy(context->device, result, cell->there, bytes, WF_TO_HOST);
        return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying the result");
    }
    if (!gives_notice || !spin_for(cell))
        status = finish(context);
    if (status == WF_OK)
        memcpy(result, cell->here, bytes);
    return status;
}

/* One part of a fold on the context's own queue; the last one brings the result. */
static wf_status reduce_part(wf_context *context, const wf_reduce_plan *spec, wf_launch_shape shape, const void *source,
                             uint64_t first, uint64_t count, uint64_t whole, void *result) {
    void *place;
    wf_status status = wf_stream_workspace_of(context, NULL, &place);
    if (status != WF_OK)
        return status;
    wf_launch what = wf_reduce_launch(context, spec, shape, place, source, first, count, whole, NULL);
    if (!what.is_last)
        return wf_launch_on(context, NULL, &what, NULL);
    const wf_result_slot cell = wf_take_result_slot(context);
    status = launch_and_wait(context, &what, &cell, result, spec->result_bytes);
    wf_give_result_slot(context, &cell);
    return status;
}

/* Pieces of an array of ordered elements are folds of their own, whose results are folded here, in order. */
static wf_status fold_ordered_piece(wf_context *context, const wf_reduce_plan *spec, wf_launch_shape shape,
                                    const void *source, uint64_t count, void *result) {
    wf_result folded;
    const wf_status status = reduce_part(context, spec, shape, source, 0, count, count, &folded);
    if (status == WF_OK)
        wf_fold(spec->what.type, spec->what.op, result, &folded, 1);
    return status;
}

static wf_status fold_staged(wf_context *context, const wf_reduce_plan *spec, const char *in, uint64_t count,
                             void *result) {
    void *stage;
    size_t room;
    wf_staging_lock(context);
    wf_status status = wf_staging_reserve(context, count * spec->element_bytes, &stage, &room);
    if (status != WF_OK) {
        wf_staging_unlock(context);
        return status;
    }
    const uint64_t piece = room / spec->element_bytes;
    const wf_launch_shape shape = shape_for(context, spec, wf_smaller(piece, count));
    const bool ordered = wf_op_is_ordered(spec->what.op);
    wf_result folded = spec->of_none.result;
    for (uint64_t first = 0; first < count && status == WF_OK; first += piece) {
        const uint64_t length = wf_smaller(piece, count - first);
        status = context->backend->copy(context->device, stage, in + first * spec->element_bytes,
                                        length * spec->element_bytes, WF_TO_DEVICE);
        if (status != WF_OK)
            wf_backend_fail(context, status, "copying from the host");
        else if (ordered)
            status = fold_ordered_piece(context, spec, shape, stage, length, &folded);
        else
            status = reduce_part(context, spec, shape, stage, first, length, count, result);
    }
    wf_staging_unlock(context);
    if (status == WF_OK && ordered)
        memcpy(result, &folded, spec->result_bytes);
    return status;
}

static wf_status fold(wf_context *context, const wf_reduce_plan *spec, const void *in, size_t count, void *result) {
    if (count == 0) {
        memcpy(result, &spec->of_none, spec->result_bytes);
        return WF_OK;
    }
    const void *there;
    const wf_status status = context->backend->reaches(context->device, in, &there);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "asking where the array lies");
    if (there == NULL)
        return fold_staged(context, spec, in, count, result);
    const wf_launch_shape shape = shape_for(context, spec, count);
    const uint64_t most = most_elements(spec);
    if (count <= most)
        return reduce_part(context, spec, shape, there, 0, count, count, result);
    wf_staging_lock(context);
    wf_status folded = WF_OK;
    for (uint64_t first = 0; first < count && folded == WF_OK; first += most)
        folded = reduce_part(context, spec, shape, (const char *)there + first * spec->element_bytes, first,
                             wf_smaller(most, count - first), count, result);
    wf_staging_unlock(context);
    return folded;
}

/* ---- What is called ---------------------------------------------------------------------------------------------- */

static wf_status refuse_stream(const wf_context *context, const void *stream) {
    if (stream == NULL)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "%s has no streams: stream must be NULL", context->info.id);
}

static wf_status fold_natively(wf_context *context, const wf_reduce_plan *spec, const void *in, size_t count,
                               void *result) {
    const wf_launch what = {.kernel = spec->describes ? WF_KERNEL_describe : WF_KERNEL_wavefold,
                            .type = spec->what.type,
                            .op = spec->what.op,
                            .accumulator = spec->accumulator,
                            .nan = spec->what.nan,
                            .source = in,
                            .source_count = count,
                            .result = result};
    const wf_status status = context->backend->reduce(context->device, &what);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "folding");
}

static wf_status run(wf_context *context, const wf_reduce_plan *spec, const void *in, size_t count, void *result) {
    const wf_status status = check_in(spec, in, count);
    if (status != WF_OK)
        return status;
    return context->places == NULL ? fold_natively(context, spec, in, count, result)
                                   : fold(context, spec, in, count, result);
}

static wf_status run_async(wf_context *context, const wf_reduce_plan *spec, const void *in, size_t count, void *result,
                           void *stream) {
    wf_status status = check_in(spec, in, count);
    if (status == WF_OK && context->places == NULL)
        status = refuse_stream(context, stream);
    if (status != WF_OK)
        return status;
    if ((uintptr_t)result % spec->result_alignment != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "result must be aligned to %zu bytes", spec->result_alignment);
    return context->places == NULL ? fold_natively(context, spec, in, count, result)
                                   : queue(context, spec, in, count, result, stream);
}

wf_status wf_reduce(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result) {
    wf_reduce_plan spec;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of(what, &spec);
    return status == WF_OK ? run(context, &spec, in, count, result) : status;
}

wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result,
                          void *stream) {
    wf_reduce_plan spec;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of(what, &spec);
    return status == WF_OK ? run_async(context, &spec, in, count, result, stream) : status;
}

wf_status wf_describe(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                      wf_description *result) {
    wf_reduce_plan spec;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of_description(what, &spec);
    return status == WF_OK ? run(context, &spec, in, count, result) : status;
}

wf_status wf_describe_async(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                            wf_description *result, void *stream) {
    wf_reduce_plan spec;
    wf_status status = check(context, what, result);
    if (status == WF_OK)
        status = wf_reduce_plan_of_description(what, &spec);
    return status == WF_OK ? run_async(context, &spec, in, count, result, stream) : status;
}
