#include "launches.h"

#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* of: the request for all tiles. */
static wf_status launch_tiles(const wf_queue *queue, const void *of, uint64_t first, uint64_t count) {
    wf_axes_request request = *(const wf_axes_request *)of;
    request.first_tile = first;
    request.head.tiles = (uint32_t)count;
    return wf_launch(queue, WF_ALGORITHM_AXES, &request);
}

wf_status wf_axes_launch(const wf_queue *queue, const wf_axes_request *request) {
    const wf_pieces pieces = {
        .end = request->tiles, .most = queue->context->info.max_tiles, .launch = launch_tiles, .of = request};
    return wf_launch_in_pieces(queue, &pieces);
}

wf_status wf_axes_make_room(const wf_queue *queue, wf_axes_request *request) {
    const size_t mark_bytes = (size_t)request->all_marks * sizeof(uint64_t);
    const size_t value_bytes = (size_t)request->all_values * wf_axes_value_bytes(request);
    const size_t digit_bytes = (size_t)request->all_values * wf_axes_bytes_of_value(request) - value_bytes;
    void *room;
    const wf_status status = wf_queue_room(queue, mark_bytes + value_bytes + digit_bytes, &room);
    if (status == WF_OK) {
        request->partials = room;
        request->digits = (char *)room + value_bytes;
        request->marks = (char *)request->digits + digit_bytes;
    }
    return status;
}

wf_status wf_axes_launch_join(const wf_queue *queue, const wf_axes_request *rows, const wf_axes_request *parts) {
    wf_axes_request join = *rows;
    join.head = parts->head;
    join.regime = WF_AXES_JOIN;
    join.parts = join.interleaved = 1;
    join.values = parts->values;
    join.all_values = parts->all_values;
    join.partials = parts->partials;
    join.digits = parts->digits;
    join.lanes = 1;
    while (join.lanes < join.values && join.lanes < join.head.wave_width)
        join.lanes *= 2;
    if (join.values > 2 * join.head.wave_width)
        join.lanes = WF_AXES_TILE;
    join.tiles = wf_ceil_div(join.rows, WF_AXES_TILE / join.lanes);
    return wf_axes_launch(queue, &join);
}

static wf_status queue_parts(const wf_queue *queue, const wf_axes_request *rows, wf_axes_request *request) {
    wf_status status = wf_axes_make_room(queue, request);
    if (status == WF_OK)
        status = wf_axes_launch(queue, request);
    return status == WF_OK ? wf_axes_launch_join(queue, rows, request) : status;
}

wf_status wf_axes_queue_in_turn(const wf_queue *queue, const void *of) {
    const wf_axes_request *const request = of;
    wf_axes_request chosen = *request;
    wf_axes_choose(&chosen, queue->context->info.wave_width);
    return chosen.values == 0 ? wf_axes_launch(queue, &chosen) : queue_parts(queue, request, &chosen);
}

wf_status wf_axes_queue(const wf_queue *queue, const wf_axes_request *request) {
    wf_axes_request chosen = *request;
    wf_axes_choose(&chosen, queue->context->info.wave_width);
    return chosen.values == 0 ? wf_axes_launch(queue, &chosen)
                              : wf_staging_take_turn(queue, wf_axes_queue_in_turn, request);
}
