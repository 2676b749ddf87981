/* The launch of descriptions of rows: lanes that share a row. No result depends on their number. */
#include "launches.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>

enum {
    OF_A_LANE = 8,          /* elements of a row that lanes of a wave share */
    MANY_LANES = 256 * 1024 /* that fill a device */
};

/* Neighbouring rows lie closer than neighbouring elements of a row. */
static bool is_columns(const wf_axes_request *request) {
    const wf_axis_list *const kept = &request->kept, *const reduced = &request->reduced;
    return kept->length != 0 && reduced->length != 0 &&
           wf_magnitude_of_stride(kept->axis[kept->length - 1].stride) <
               wf_magnitude_of_stride(reduced->axis[reduced->length - 1].stride);
}

/* A power of two up to the wave's width, or a tile. */
static uint32_t lanes_of(const wf_axes_request *request, uint32_t wave_width) {
    const bool prefers_one = is_columns(request);
    uint32_t lanes = 1;
    while (lanes < wave_width && (uint64_t)lanes * OF_A_LANE < request->length &&
           !(prefers_one && request->rows >= MANY_LANES / lanes))
        lanes *= 2;
    return lanes == wave_width && request->rows < MANY_LANES / wave_width &&
                   request->length > (uint64_t)wave_width * OF_A_LANE
               ? WF_AXES_TILE
               : lanes;
}

wf_status wf_describe_rows_queue(const wf_queue *queue, const wf_axes_request *given) {
    const uint32_t wave_width = queue->context->info.wave_width;
    wf_axes_request request = *given;
    request.head.tile_size = WF_AXES_TILE;
    request.head.wave_width = wave_width;
    request.lanes = lanes_of(given, wave_width);
    request.parts = request.interleaved = 1;
    request.part_length = request.length;
    request.tiles = wf_ceil_div(request.rows, WF_AXES_TILE / request.lanes);
    return wf_axes_launch(queue, &request);
}
