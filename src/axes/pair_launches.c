#include "pair_launches.h"

#include "algebra.h"
#include "launches.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>

enum {
    PACK = 16,             /* bytes of a load */
    LOADS_OF_A_LANE = 8,   /* of a row that lanes of a wave share */
    MOST_LOADS = 64,       /* of a lane, before more lanes share a row */
    MANY_ROWS = 8192,      /* whose waves fill a device */
    MANY_TILES = 1024,     /* that fill it */
    MANY_COLUMNS = 32768,  /* lanes that fill it */
    LEAST_OF_A_LANE = 64,  /* elements of a part of a column */
    LEAST_OF_A_TILE = 2048 /* loads of a part of a row */
};

/* Both arrays lie without gaps along each row, and rows begin at multiples of a pack. */
static bool fits_packs(const wf_axes_request *request, size_t element, size_t second_element) {
    const wf_axes_second *const second = request->second;
    const uint64_t in_pack = PACK / element;
    if (request->reduced.length != 1 || request->reduced.axis[0].stride != 1 || second->reduced[0] != 1)
        return false;
    if ((uintptr_t)request->source % PACK != 0 || (uintptr_t)second->source % (in_pack * second_element) != 0)
        return false;
    for (uint32_t d = 0; d < request->kept.length; d++)
        if (wf_magnitude_of_stride(request->kept.axis[d].stride) % in_pack != 0 ||
            wf_magnitude_of_stride(second->kept[d]) % in_pack != 0)
            return false;
    return true;
}

static void cut_into_parts(wf_axes_request *request, uint64_t wanted, uint64_t least_length) {
    const uint64_t parts = wf_smaller(wanted, request->length / least_length);
    if (parts < 2)
        return;
    request->part_length = wf_ceil_div(wf_ceil_div(request->length, parts), PACK) * PACK; /* whole packs */
    request->parts = (uint32_t)wf_ceil_div(request->length, request->part_length);
    request->values = request->parts > 1 ? request->parts : 0;
    request->all_values = request->rows * request->values;
}

static bool is_columns(const wf_axes_request *request) {
    const wf_axis_list *const kept = &request->kept, *const reduced = &request->reduced;
    return kept->length != 0 && reduced->length != 0 &&
           wf_magnitude_of_stride(kept->axis[kept->length - 1].stride) <
               wf_magnitude_of_stride(reduced->axis[reduced->length - 1].stride);
}

static void choose(wf_axes_request *request, wf_axes_second *second, uint32_t wave_width) {
    const size_t element = wf_bytes_of_type(request->type);
    request->head.tile_size = WF_AXES_TILE;
    request->head.wave_width = wave_width;
    request->regime = WF_AXES_ROWS;
    request->lanes = 1;
    request->parts = request->interleaved = 1;
    request->part_length = request->length;
    if (request->length != 0 && is_columns(request)) {
        second->neighbours_first = 1;
        if (request->rows < MANY_COLUMNS)
            cut_into_parts(request, wf_ceil_div(MANY_COLUMNS, request->rows), LEAST_OF_A_LANE);
    } else if (request->length != 0) {
        request->is_packed = fits_packs(request, element, second->use == WF_SECOND_MASK ? 1 : element);
        const uint64_t in_load = request->is_packed != 0 ? PACK / element : 1;
        const uint64_t loads = wf_ceil_div(request->length, in_load);
        while (request->lanes < wave_width && request->lanes * LOADS_OF_A_LANE < loads)
            request->lanes *= 2;
        if (request->rows < MANY_ROWS && loads > (uint64_t)wave_width * LOADS_OF_A_LANE)
            request->lanes = WF_AXES_TILE;
        if (request->rows < MANY_TILES)
            cut_into_parts(request, wf_ceil_div(MANY_TILES, request->rows), LEAST_OF_A_TILE * in_load);
    }
    request->tiles = wf_ceil_div(request->rows * request->parts, WF_AXES_TILE / request->lanes);
}

/* The values of parts, and behind them the digits of those that are lost. */
static size_t value_bytes_of(const wf_axes_request *request) {
    return (size_t)request->all_values * wf_axes_value_bytes(request);
}
static size_t room_of(const wf_axes_request *request) {
    return value_bytes_of(request) + (size_t)request->all_values * WF_AXES_SLOT_WORDS * sizeof(uint32_t);
}

/* The least and the largest element of a norm, into two numbers in device memory. */
static wf_axes_request extremes_of(const wf_axes_request *request) {
    return (wf_axes_request){.type = request->type,
                             .op = WF_MINMAX,
                             .accumulator = request->type,
                             .source = request->source,
                             .result_bytes = 2 * sizeof(double),
                             .reduced = request->reduced,
                             .rows = 1,
                             .length = request->length,
                             .lowest = request->lowest,
                             .highest = request->highest};
}

/* Norms of f64 are scaled by a power of two, which their extremes determine. */
static bool is_scaled(const wf_axes_request *request) {
    return request->second->use == WF_SECOND_NORM && request->type == WF_F64 && request->length != 0;
}

static wf_status queue_extremes(const wf_queue *queue, wf_axes_request *extremes, wf_axes_second *second,
                                void *result) {
    extremes->result = result;
    second->extremes = result;
    return wf_axes_queue_in_turn(queue, extremes);
}

static wf_status queue_in_turn(const wf_queue *queue, const void *of) {
    const wf_axes_request *const request = of;
    wf_axes_request chosen = *request, extremes = extremes_of(request);
    wf_axes_second second = *request->second;
    chosen.second = &second;
    choose(&chosen, &second, queue->context->info.wave_width);
    size_t room_bytes = room_of(&chosen);
    if (is_scaled(request)) { /* the extremes lie behind the values of both reductions' parts */
        wf_axes_request chosen_extremes = extremes;
        wf_axes_choose(&chosen_extremes, chosen.head.wave_width);
        if (room_of(&chosen_extremes) > room_bytes)
            room_bytes = room_of(&chosen_extremes);
    }
    void *room;
    wf_status status = wf_stream_room(queue->context, queue->stream, room_bytes + extremes.result_bytes, &room);
    if (status == WF_OK && is_scaled(request))
        status = queue_extremes(queue, &extremes, &second, (char *)room + room_bytes);
    if (status != WF_OK)
        return status;
    chosen.partials = room;
    chosen.digits = (char *)room + value_bytes_of(&chosen);
    status = wf_axes_launch(queue, &chosen);
    return status == WF_OK && chosen.values != 0 ? wf_axes_launch_join(queue, &chosen, &chosen) : status;
}

wf_status wf_pairs_queue(const wf_queue *queue, const wf_axes_request *request) {
    wf_axes_request chosen = *request;
    wf_axes_second second = *request->second;
    chosen.second = &second;
    choose(&chosen, &second, queue->context->info.wave_width);
    return chosen.values == 0 && !is_scaled(request) ? wf_axes_launch(queue, &chosen)
                                                     : wf_staging_take_turn(queue, queue_in_turn, request);
}
