/* wf_scatter_reduce and its _async. Integer atomics count; other reductions take a stable sort by bins, and then a
 * reduction of segments. */
#include "scatter.h"

#include "wavefold_by_key.h"

#include "call.h"
#include "check.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "sort/radix.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* ---- Launches --------------------------------------------------------------------------------------------------- */

static wf_by_key_request request_of(const wf_scatter_plan *plan, wf_by_key_step step) {
    return (wf_by_key_request){.step = step,
                               .element_bytes = (uint32_t)wf_type_size(plan->index_type),
                               .source = plan->indices,
                               .count = plan->count,
                               .bins = plan->bins,
                               .sign_bit = wf_scatter_sign_bit(plan)};
}

static wf_status queue_counts(const wf_queue *queue, const wf_scatter_plan *plan) {
    const wf_context *context = queue->context;
    if (!plan->onto) {
        const wf_status status = context->backend->clear(context->device, queue->stream, plan->result,
                                                         (size_t)plan->bins * sizeof(uint64_t));
        if (status != WF_OK)
            return wf_backend_fail(context, status, "clearing the counts");
    }
    wf_by_key_request request = request_of(plan, WF_BY_KEY_COUNT_INDICES);
    request.result = plan->result;
    return wf_by_key_launch_striding(queue, &request, plan->count);
}

/* In bytes from the start of the room. What is behind `rest` is the reduction's, when the sort is done. */
typedef struct scatter_layout {
    size_t offsets, sorted_bins, sorted_values, rest, bins, joined, radix, end;
} scatter_layout;

static wf_sorting sorting_of(const wf_scatter_plan *plan, void *sorted_bins) {
    return (wf_sorting){.type = WF_U32,
                        .value_bytes = (uint32_t)plan->value_bytes,
                        .end_bit = wf_scatter_bits(plan),
                        .count = wf_scatter_elements(plan),
                        .keys = sorted_bins};
}

static scatter_layout layout_of(const wf_scatter_plan *plan) {
    const uint64_t elements = wf_scatter_elements(plan);
    const wf_sorting sorting = sorting_of(plan, plan->result); /* any address: a sort without keys takes more room */
    scatter_layout made = {.end = 0};
    made.offsets = wf_add_part(&made.end, (plan->bins + 1) * sizeof(uint64_t));
    made.sorted_bins = wf_add_part(&made.end, elements * sizeof(uint32_t));
    made.sorted_values = wf_add_part(&made.end, elements * plan->value_bytes);
    made.rest = made.bins = wf_add_part(&made.end, elements * sizeof(uint32_t));
    made.joined = wf_add_part(&made.end, plan->onto ? elements * plan->value_bytes : 0);
    made.radix = wf_add_part(&made.end, wf_radix_bytes(&sorting));
    const size_t reduction_end = made.rest + wf_by_key_reduce_bytes(&plan->of, elements);
    if (made.end < reduction_end)
        made.end = reduction_end;
    return made;
}

static wf_status sort_by_bins(const wf_queue *queue, const wf_scatter_plan *plan, char *room,
                              const scatter_layout *layout) {
    const uint64_t elements = wf_scatter_elements(plan);
    wf_by_key_request bins = request_of(plan, WF_BY_KEY_BINS);
    bins.bins_first = plan->onto ? plan->bins : 0;
    bins.result = room + layout->bins;
    bins.results = elements;
    wf_status status = wf_by_key_launch(queue, &bins, elements);
    const void *values = plan->of.values;
    if (status == WF_OK && plan->onto) {
        wf_by_key_request join = {.step = WF_BY_KEY_JOIN,
                                  .element_bytes = (uint32_t)plan->value_bytes,
                                  .first = plan->result,
                                  .first_count = plan->bins,
                                  .source = values,
                                  .count = plan->count,
                                  .result = room + layout->joined,
                                  .results = elements};
        values = join.result;
        status = wf_by_key_launch(queue, &join, elements);
    }
    wf_sorting sorting = sorting_of(plan, room + layout->sorted_bins);
    sorting.source_keys = room + layout->bins;
    sorting.source_values = values;
    sorting.values = room + layout->sorted_values;
    if (status != WF_OK)
        return status;
    return wf_radix_is_short(&sorting) ? wf_radix_run_short(queue, &sorting)
                                       : wf_radix_run(queue, &sorting, room + layout->radix);
}

static wf_status queue_in_turn(const wf_queue *given, const void *of) {
    const wf_scatter_plan *plan = of;
    const uint64_t elements = wf_scatter_elements(plan);
    const scatter_layout layout = layout_of(plan);
    void *memory;
    wf_status status = wf_queue_room(given, layout.end, &memory);
    if (status != WF_OK)
        return status;
    char *const room = memory;
    wf_queue queue = *given;
    queue.room = room + layout.rest;
    queue.room_bytes = layout.end - layout.rest;
    if (elements != 0)
        status = sort_by_bins(&queue, plan, room, &layout);
    wf_by_key_request offsets = {.step = WF_BY_KEY_BIN_OFFSETS,
                                 .element_bytes = sizeof(uint32_t),
                                 .source = room + layout.sorted_bins,
                                 .count = elements,
                                 .bins = plan->bins,
                                 .offsets = room + layout.offsets};
    if (status == WF_OK)
        status = wf_by_key_launch(&queue, &offsets, plan->bins + 1);
    if (status != WF_OK)
        return status;
    return wf_by_key_reduce(&queue, &plan->of, room + layout.sorted_values, elements, room + layout.offsets, plan->bins,
                            plan->result);
}

/* The place of the first index outside of the bins is found before anything is written. */
static wf_status check_in_turn(const wf_queue *queue, const void *of) {
    const wf_scatter_plan *plan = of;
    const wf_context *context = queue->context;
    uint64_t first_bad = UINT64_MAX;
    void *room;
    wf_status status = wf_queue_room(queue, sizeof first_bad, &room);
    if (status != WF_OK)
        return status;
    status = context->backend->copy(context->device, room, &first_bad, sizeof first_bad, WF_TO_DEVICE);
    wf_by_key_request request = request_of(plan, WF_BY_KEY_CHECK_INDICES);
    request.first_bad = room;
    if (status != WF_OK)
        return wf_backend_fail(context, status, "checking indices");
    status = wf_by_key_launch_striding(queue, &request, plan->count);
    if (status != WF_OK)
        return status;
    status = context->backend->copy(context->device, &first_bad, room, sizeof first_bad, WF_TO_HOST);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "checking indices");
    return first_bad == UINT64_MAX ? WF_OK : wf_scatter_refuse(plan, first_bad);
}

static wf_status queue_scatter(const wf_queue *queue, const void *of) {
    const wf_scatter_plan *plan = of;
    if (plan->checks) {
        const wf_status status = wf_staging_take_turn(queue, check_in_turn, plan);
        if (status != WF_OK)
            return status;
    }
    if (plan->bins == 0)
        return WF_OK;
    return plan->of.plan == NULL ? queue_counts(queue, plan) : wf_staging_take_turn(queue, queue_in_turn, plan);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

static wf_call call_of(const wf_scatter_plan *plan) {
    const size_t count = plan->checks && plan->count != 0 ? 1 : (size_t)plan->bins; /* 0: nothing is launched */
    return (wf_call){.doing = "reducing by index", .count = count, .queue = queue_scatter, .plan = plan};
}

wf_status wf_scatter_reduce(wf_context *context, const wf_reduce_spec *spec, const wf_scatter *scatter,
                            const void *indices, const void *values, size_t count, void *result, size_t result_bytes) {
    wf_scatter_plan plan = {
        .context = context, .of = {.values = values}, .indices = indices, .count = count, .result = result};
    const wf_status status = wf_scatter_plan_of(spec, scatter, result_bytes, &plan);
    const wf_call call = call_of(&plan);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(context) ? wf_scatter_on_cpu(&plan) : wf_call_and_wait(context, &call);
}

wf_status wf_scatter_reduce_async(wf_context *context, const wf_reduce_spec *spec, const wf_scatter *scatter,
                                  const void *indices, const void *values, size_t count, void *result,
                                  size_t result_bytes, void *stream) {
    wf_scatter_plan plan = {
        .context = context, .of = {.values = values}, .indices = indices, .count = count, .result = result};
    wf_status status = wf_scatter_plan_of(spec, scatter, result_bytes, &plan);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    if (status == WF_OK && plan.checks && !wf_folds_on_cpu(context))
        status = wf_fail(WF_UNSUPPORTED, "WF_CHECK_INDICES reports on the host, which calls that queue do not wait "
                                         "for: use wf_scatter_reduce");
    const wf_call call = call_of(&plan);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(context) ? wf_scatter_on_cpu(&plan) : wf_call_async(context, &call, stream);
}
