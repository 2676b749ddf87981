/* wf_reduce_by_key and its _async: where runs begin, then a reduction of segments. */
#include "wavefold_by_key.h"

#include "algebra.h"
#include "call.h"
#include "check.h"
#include "check_arrays.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "status.h"
#include "steps.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdlib.h>
#include <string.h>

typedef struct runs_plan {
    wf_context *context;
    wf_reduce_plan reduction;
    wf_by_key_values of; /* its plan is `reduction`, or NULL */
    size_t key_bytes;
    const void *keys;
    uint64_t count;
    void *unique_keys, *result;
    uint64_t room; /* for runs */
    uint64_t *runs;
    bool is_async; /* runs is device memory */
} runs_plan;

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static wf_status check_arrays(const runs_plan *plan) {
    const size_t count = (size_t)plan->count, room = (size_t)plan->room;
    const size_t value_bytes = plan->of.plan != NULL ? plan->of.plan->element_bytes : 0;
    const wf_named_array inputs[] = {{"keys", plan->keys, count * plan->key_bytes},
                                     {"values", plan->of.values, count * value_bytes}};
    const wf_named_array outputs[] = {{"unique_keys", plan->unique_keys, room * plan->key_bytes},
                                      {"result", plan->result, room * plan->of.result_bytes},
                                      {"runs", plan->runs, sizeof *plan->runs}};
    wf_status status = wf_check_array("keys", plan->keys, count, plan->key_bytes, plan->key_bytes);
    if (status == WF_OK && plan->unique_keys != NULL)
        status = wf_check_array("unique_keys", plan->unique_keys, room, plan->key_bytes, plan->key_bytes);
    if (status == WF_OK)
        status = wf_check_array("result", plan->result, room, plan->of.result_bytes, plan->of.result_alignment);
    if (status == WF_OK)
        status = wf_check_array("runs", plan->runs, 1, sizeof *plan->runs, sizeof *plan->runs);
    return status == WF_OK ? wf_check_apart(outputs, 3, inputs, 2) : status;
}

static wf_status check_room(const runs_plan *plan, size_t result_bytes) {
    if (result_bytes % plan->of.result_bytes == 0)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'result_bytes' is %zu: it must be a multiple of %zu, the size of a result",
                   result_bytes, plan->of.result_bytes);
}

/* ---- Launches --------------------------------------------------------------------------------------------------- */

/* In bytes from the start of the room. */
typedef struct runs_layout {
    size_t runs, chunk_counts, offsets, rest, end;
} runs_layout;

static runs_layout layout_of(const runs_plan *plan) {
    runs_layout made = {.end = 0};
    made.runs = wf_add_part(&made.end, sizeof(uint64_t));
    made.chunk_counts = wf_add_part(&made.end, WF_BY_KEY_MOST_CHUNKS * sizeof(uint64_t));
    made.offsets = wf_add_part(&made.end, (plan->room + 1) * sizeof(uint64_t));
    made.rest = wf_add_part(&made.end, wf_by_key_reduce_bytes(&plan->of, plan->count));
    return made;
}

static wf_status find_runs(const wf_queue *queue, const runs_plan *plan, char *room, const runs_layout *layout) {
    const uint64_t step = (uint64_t)WF_BY_KEY_TILE * WF_BY_KEY_ROWS;
    const uint64_t most = wf_smaller(WF_BY_KEY_MOST_CHUNKS, queue->context->info.max_tiles);
    const uint64_t steps = plan->count != 0 ? wf_ceil_div(plan->count, step) : 1;
    const uint64_t steps_of_chunk = wf_ceil_div(steps, most);
    wf_by_key_request request = {.step = WF_BY_KEY_COUNT_RUNS,
                                 .element_bytes = (uint32_t)plan->key_bytes,
                                 .source = plan->keys,
                                 .count = plan->count,
                                 .chunk = steps_of_chunk * step,
                                 .chunk_counts = room + layout->chunk_counts,
                                 .unique_keys = plan->unique_keys,
                                 .runs = plan->is_async ? (void *)plan->runs : room + layout->runs,
                                 .room = plan->room,
                                 .fills = plan->is_async,
                                 .offsets = room + layout->offsets};
    const uint64_t chunks = wf_ceil_div(steps, steps_of_chunk);
    const wf_status status = wf_by_key_launch(queue, &request, chunks * WF_BY_KEY_TILE);
    request.step = WF_BY_KEY_WRITE_RUNS;
    return status == WF_OK ? wf_by_key_launch(queue, &request, chunks * WF_BY_KEY_TILE) : status;
}

/* A blocking call reads the number of runs before it reduces them. */
static wf_status fetch_runs(const wf_queue *queue, const runs_plan *plan, const void *from) {
    const wf_context *context = queue->context;
    const wf_status status = context->backend->copy(context->device, plan->runs, from, sizeof *plan->runs, WF_TO_HOST);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying the number of runs");
}

static wf_status queue_in_turn(const wf_queue *given, const void *of) {
    const runs_plan *plan = of;
    const runs_layout layout = layout_of(plan);
    void *memory;
    wf_status status = wf_queue_room(given, layout.end, &memory);
    if (status != WF_OK)
        return status;
    char *const room = memory;
    wf_queue queue = *given;
    queue.room = room + layout.rest;
    queue.room_bytes = layout.end - layout.rest;
    status = find_runs(&queue, plan, room, &layout);
    if (status == WF_OK && !plan->is_async)
        status = fetch_runs(&queue, plan, room + layout.runs);
    if (status != WF_OK)
        return status;
    const uint64_t segments = plan->is_async ? plan->room : wf_smaller(*plan->runs, plan->room);
    return wf_by_key_reduce(&queue, &plan->of, plan->of.values, plan->count, room + layout.offsets, segments,
                            plan->result);
}

static wf_status queue_runs(const wf_queue *queue, const void *of) {
    return wf_staging_take_turn(queue, queue_in_turn, of);
}

/* ---- The CPU ---------------------------------------------------------------------------------------------------- */

#define DEFINE_BEGINS(bits)                                                                                            \
    /* Writes where runs begin, for at most `room` offsets, and returns how many there are. */                         \
    static uint64_t begins_##bits(const uint##bits##_t *keys, uint64_t count, uint64_t *offsets, uint64_t room) {      \
        uint64_t runs = 0;                                                                                             \
        for (uint64_t i = 0; i < count; i++)                                                                           \
            if (i == 0 || keys[i] != keys[i - 1]) {                                                                    \
                if (runs < room)                                                                                       \
                    offsets[runs] = i;                                                                                 \
                runs++;                                                                                                \
            }                                                                                                          \
        return runs;                                                                                                   \
    }
DEFINE_BEGINS(8)
DEFINE_BEGINS(16)
DEFINE_BEGINS(32)
DEFINE_BEGINS(64)

static uint64_t begins_of(const runs_plan *plan, uint64_t *offsets, uint64_t room) {
    switch (plan->key_bytes) {
    case 1:
        return begins_8(plan->keys, plan->count, offsets, room);
    case 2:
        return begins_16(plan->keys, plan->count, offsets, room);
    case 4:
        return begins_32(plan->keys, plan->count, offsets, room);
    default:
        return begins_64(plan->keys, plan->count, offsets, room);
    }
}

static wf_status run_on_cpu(const runs_plan *plan) {
    const uint64_t runs = begins_of(plan, NULL, 0), kept = wf_smaller(runs, plan->room);
    uint64_t *const offsets = malloc((size_t)(kept + 1) * sizeof *offsets);
    if (offsets == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for the offsets of %llu runs", (unsigned long long)kept);
    offsets[kept] = plan->count;
    begins_of(plan, offsets, kept + (kept < runs));
    const wf_status status =
        wf_by_key_reduce_on_cpu(plan->context, &plan->of, plan->of.values, plan->count, offsets, kept, plan->result);
    if (status == WF_OK) {
        *plan->runs = runs;
        for (uint64_t i = 0; i < kept && plan->unique_keys != NULL; i++)
            memcpy((char *)plan->unique_keys + i * plan->key_bytes,
                   (const char *)plan->keys + offsets[i] * plan->key_bytes, plan->key_bytes);
    }
    free(offsets);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------ */

static wf_status plan_of(const wf_reduce_spec *spec, wf_type key_type, size_t result_bytes, runs_plan *plan) {
    wf_status status = wf_check_context(plan->context);
    if (status == WF_OK)
        status = wf_check_type(key_type);
    if (status == WF_OK)
        status = wf_by_key_values_of(spec, plan->of.values, (size_t)plan->count, &plan->reduction, &plan->of);
    if (status == WF_OK)
        status = check_room(plan, result_bytes);
    if (status != WF_OK)
        return status;
    plan->key_bytes = wf_type_size(key_type);
    plan->room = wf_smaller(result_bytes / plan->of.result_bytes, plan->count); /* there are no more runs */
    return check_arrays(plan);
}

static wf_call call_of(const runs_plan *plan) {
    return (wf_call){.doing = "reducing by key", .count = 1, .queue = queue_runs, .plan = plan};
}

wf_status wf_reduce_by_key(wf_context *context, const wf_reduce_spec *spec, wf_type key_type, const void *keys,
                           const void *values, size_t count, void *unique_keys, void *result, size_t result_bytes,
                           uint64_t *runs) {
    runs_plan plan = {.context = context,
                      .of = {.values = values},
                      .keys = keys,
                      .count = count,
                      .unique_keys = unique_keys,
                      .result = result,
                      .runs = runs};
    const wf_status status = plan_of(spec, key_type, result_bytes, &plan);
    const wf_call call = call_of(&plan);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(context) ? run_on_cpu(&plan) : wf_call_and_wait(context, &call);
}

wf_status wf_reduce_by_key_async(wf_context *context, const wf_reduce_spec *spec, wf_type key_type, const void *keys,
                                 const void *values, size_t count, void *unique_keys, void *result, size_t result_bytes,
                                 uint64_t *runs, void *stream) {
    runs_plan plan = {.context = context,
                      .of = {.values = values},
                      .keys = keys,
                      .count = count,
                      .unique_keys = unique_keys,
                      .result = result,
                      .runs = runs,
                      .is_async = true};
    wf_status status = plan_of(spec, key_type, result_bytes, &plan);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    const wf_call call = call_of(&plan);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(context) ? run_on_cpu(&plan) : wf_call_async(context, &call, stream);
}
