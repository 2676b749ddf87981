#include "steps.h"

#include "axes/launches.h"
#include "check.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

enum { TILES_OF_PROCESSOR = 8 };

wf_status wf_by_key_values_of(const wf_reduce_spec *spec, const void *values, size_t count, wf_reduce_plan *plan,
                              wf_by_key_values *made) {
    if (spec == NULL && values != NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'values' are given without 'spec': it must say what is reduced, or 'values' be NULL to count");
    *made =
        (wf_by_key_values){.values = values, .result_bytes = sizeof(uint64_t), .result_alignment = sizeof(uint64_t)};
    if (spec == NULL)
        return WF_OK;
    const wf_status status = wf_reduce_plan_of(spec, plan);
    if (status != WF_OK)
        return status;
    made->plan = plan;
    made->result_bytes = plan->result_bytes;
    made->result_alignment = plan->result_alignment;
    return wf_check_array("values", values, count, plan->element_bytes, wf_type_size(spec->type));
}

static wf_status launch_piece(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    wf_by_key_request request = *(const wf_by_key_request *)of;
    request.first_tile = tile;
    request.head.tiles = (uint32_t)tiles;
    return wf_launch(queue, WF_ALGORITHM_BY_KEY, &request);
}

static void set_head(const wf_queue *queue, wf_by_key_request *request) {
    request->head = (wf_launch_head){.tile_size = WF_BY_KEY_TILE, .wave_width = queue->context->info.wave_width};
}

wf_status wf_by_key_launch(const wf_queue *queue, wf_by_key_request *request, uint64_t items) {
    set_head(queue, request);
    const wf_pieces pieces = {.end = wf_ceil_div(items, WF_BY_KEY_TILE),
                              .most = queue->context->info.max_tiles,
                              .launch = launch_piece,
                              .of = request};
    return items == 0 ? WF_OK : wf_launch_in_pieces(queue, &pieces);
}

wf_status wf_by_key_launch_striding(const wf_queue *queue, wf_by_key_request *request, uint64_t items) {
    const wf_device_info *info = &queue->context->info;
    const uint64_t most = wf_smaller((uint64_t)info->multiprocessors * TILES_OF_PROCESSOR, info->max_tiles);
    set_head(queue, request);
    request->head.tiles = (uint32_t)wf_smaller(wf_ceil_div(items, WF_BY_KEY_TILE), most);
    return items == 0 ? WF_OK : wf_launch(queue, WF_ALGORITHM_BY_KEY, request);
}

wf_status wf_by_key_reduce(const wf_queue *queue, const wf_by_key_values *of, const void *values, uint64_t count,
                           void *offsets, uint64_t segments, void *result) {
    if (segments == 0)
        return WF_OK;
    if (of->plan == NULL) {
        wf_by_key_request request = {.step = WF_BY_KEY_LENGTHS,
                                     .element_bytes = sizeof(uint64_t),
                                     .offsets = offsets,
                                     .result = result,
                                     .results = segments};
        return wf_by_key_launch(queue, &request, segments);
    }
    const wf_axes_request request = wf_segments_request_of(of->plan, values, count, offsets, segments, result);
    return wf_segments_queue(queue, &request);
}

size_t wf_by_key_reduce_bytes(const wf_by_key_values *of, uint64_t count) {
    if (of->plan == NULL)
        return 0;
    const wf_axes_request request = wf_segments_request_of(of->plan, NULL, count, NULL, 1, NULL);
    return wf_segments_room_bytes(&request);
}

wf_status wf_by_key_reduce_on_cpu(const wf_context *context, const wf_by_key_values *of, const void *values,
                                  uint64_t count, const uint64_t *offsets, uint64_t segments, void *result) {
    if (segments == 0)
        return WF_OK;
    if (of->plan == NULL) {
        for (uint64_t i = 0; i < segments; i++)
            ((uint64_t *)result)[i] = offsets[i + 1] - offsets[i];
        return WF_OK;
    }
    const wf_axes_request request = wf_segments_request_of(of->plan, values, count, offsets, segments, result);
    const wf_status status = context->backend->reduce_axes(context->device, &request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "reducing");
}
