/* Launches of reductions of segments: all of them; then the chunks of long ones; then what joins those. */
#include "algebra.h"
#include "launches.h"
#include "reduce/staging.h"
#include "result_of_none.h"
#include "wf_context.h"
#include "whole_numbers.h"

enum {
    PACK = 16,                 /* bytes of a load */
    PACKS_OF_A_LANE = 8,       /* of a segment of average length */
    MOST_PACKS_OF_A_LANE = 64, /* of a segment that its own lanes reduce */
    CHUNK = 64 * 1024,         /* bytes */
    MOST_TILES = 4096          /* of the launches over chunks, of which most have nothing to do */
};

/* Chunks of two arrays have a tile each: those that no segment marked end at once. */
static uint64_t tiles_of_chunks(const wf_axes_request *request) {
    return request->second != NULL && request->regime == WF_AXES_LONG_SEGMENTS
               ? request->all_marks
               : wf_smaller(request->all_marks, MOST_TILES);
}

/* Lanes for a segment of average length: a power of two. */
static uint32_t lanes_of(const wf_axes_request *request, uint64_t element, uint32_t wave_width) {
    const uint64_t average = wf_ceil_div(request->length, request->rows) * element;
    uint32_t lanes = 1;
    while (lanes < wave_width && (uint64_t)lanes * PACKS_OF_A_LANE * PACK < average)
        lanes *= 2;
    return lanes;
}

wf_axes_request wf_segments_request_of(const wf_reduce_plan *plan, const void *in, uint64_t count, const void *offsets,
                                       uint64_t rows, void *result) {
    wf_axes_request request = {.type = plan->spec.type,
                               .op = plan->spec.op,
                               .accumulator = plan->accumulator,
                               .nan = plan->spec.nan,
                               .source = in,
                               .result = result,
                               .result_bytes = (uint32_t)plan->result_bytes,
                               .rows = rows,
                               .length = count,
                               .begins = offsets,
                               .offset_bytes = 8};
    wf_put_axes_result_of_none(plan, &request);
    return request;
}

static uint64_t chunk_of(const wf_axes_request *request) {
    return CHUNK / (wf_bytes_of_type(request->type) * wf_facts_of_op(request->op).scalars);
}

size_t wf_segments_room_bytes(const wf_axes_request *request) {
    const uint64_t values = 2 * wf_ceil_div(request->length, chunk_of(request));
    return (size_t)values * (sizeof(uint64_t) + wf_axes_bytes_of_value(request));
}

static wf_axes_request request_of(const wf_queue *queue, const wf_axes_request *given) {
    wf_axes_request request = *given;
    const uint64_t element = wf_bytes_of_type(given->type) * wf_facts_of_op(given->op).scalars;
    const uint32_t wave_width = queue->context->info.wave_width;
    request.head = (wf_launch_head){.tile_size = WF_AXES_TILE, .wave_width = wave_width};
    request.regime = WF_AXES_SEGMENTS;
    request.reduced = (wf_axis_list){.length = 1, .axis = {{.count = given->length, .stride = 1}}};
    request.highest = given->length != 0 ? (int64_t)given->length - 1 : 0;
    request.highest_result = (int64_t)given->rows - 1;
    request.has_edges = request.parts = request.interleaved = 1;
    request.lanes = lanes_of(given, element, wave_width);
    request.most_of_team = (uint64_t)request.lanes * MOST_PACKS_OF_A_LANE * PACK / element;
    request.chunk = chunk_of(given);
    /* Segments with ends of their own may overlap, so that two could be long in one chunk. */
    if (given->ends == NULL && given->length > request.chunk)
        request.all_marks = request.all_values = 2 * wf_ceil_div(given->length, request.chunk);
    request.tiles = wf_ceil_div(given->rows, WF_AXES_TILE / request.lanes);
    return request;
}

static wf_status queue_ordered(const wf_queue *queue, wf_axes_request *request) {
    request->regime = WF_AXES_ORDERED;
    request->tiles = wf_ceil_div(request->rows, WF_AXES_TILE / request->head.wave_width);
    return wf_axes_launch(queue, request);
}

static wf_status queue_chunks(const wf_queue *queue, wf_axes_request *request, wf_axes_regime regime) {
    request->regime = regime;
    request->values = 1;
    request->lanes = WF_AXES_TILE;
    request->tiles = tiles_of_chunks(request);
    return wf_axes_launch(queue, request);
}

static wf_status queue_long(const wf_queue *queue, const void *of) {
    const wf_context *context = queue->context;
    wf_axes_request request = *(const wf_axes_request *)of;
    wf_status status = wf_axes_make_room(queue, &request);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, queue->stream, request.marks,
                                     (size_t)request.all_marks * sizeof(uint64_t));
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    status = wf_axes_launch(queue, &request);
    if (status == WF_OK)
        status = queue_chunks(queue, &request, WF_AXES_LONG_SEGMENTS);
    return status == WF_OK ? queue_chunks(queue, &request, WF_AXES_JOIN_SEGMENTS) : status;
}

wf_status wf_segments_queue(const wf_queue *queue, const wf_axes_request *given) {
    wf_axes_request request = request_of(queue, given);
    if (wf_op_is_ordered(request.op))
        return queue_ordered(queue, &request);
    return request.all_marks == 0 ? wf_axes_launch(queue, &request) : wf_staging_take_turn(queue, queue_long, &request);
}
