/* The host side of the rungs that reduce rows, columns or segments. Results go to the caller's array. */
#include "ladder_table.h"
#include "request.h"
#include "row_shape.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdlib.h>

/* The request that all launches of a rung share. */
static wf_ladder_request request_of(const wf_rung *rung, const wf_rung_run_args *args) {
    return (wf_ladder_request){
        .head = {.tile_size = args->options.tile_size, .wave_width = args->context->info.wave_width},
        .kernel = rung->kernel_name,
        .type = args->options.type,
        .op = args->options.op,
        .source = args->in,
        .source_count = args->count,
        .result = args->result,
        .result_count = wf_row_results(rung->info.kind, args->count, args->options.row_length),
        .row_length = args->options.row_length};
}

/* Launches in which a tile has `per_tile` results, and a piece starts `step` elements after the one before for each of
 * its results. */
typedef struct row_launch {
    wf_ladder_request all;
    uint64_t per_tile, step;
    size_t element;
} row_launch;

static wf_status launch_piece(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    const row_launch *launch = of;
    const uint64_t result = tile * launch->per_tile, source = result * launch->step;
    wf_ladder_request piece = launch->all;
    piece.head.tiles = (uint32_t)tiles;
    piece.source = (const char *)piece.source + source * launch->element;
    piece.source_count -= source;
    piece.result = (char *)piece.result + result * launch->element;
    piece.result_count = wf_smaller(piece.result_count - result, tiles * launch->per_tile);
    return wf_launch(queue, WF_ALGORITHM_LADDER, &piece);
}

static wf_status launch_all(const wf_rung_run_args *args, const row_launch *launch) {
    const wf_pieces pieces = {.end = wf_ceil_div(launch->all.result_count, launch->per_tile),
                              .most = args->context->info.max_tiles,
                              .launch = launch_piece,
                              .of = launch};
    return wf_launch_in_pieces(&args->queue, &pieces);
}

/* An upper bound of the operations that join the threads of a tile. */
static uint64_t tree_depth(const wf_rung_run_args *args) {
    return 2 * wf_log2(args->context->info.wave_width) + wf_log2(args->options.tile_size);
}

wf_status wf_run_rows(const wf_rung *rung, const wf_rung_run_args *args) {
    const uint32_t tile_size = args->options.tile_size, width = args->context->info.wave_width;
    const uint32_t threads = rung->grid == WF_GRID_TILE_A_ROW   ? tile_size
                             : rung->grid == WF_GRID_WAVE_A_ROW ? width
                                                                : 1;
    const row_launch launch = {.all = request_of(rung, args),
                               .per_tile = tile_size / threads,
                               .step = args->options.row_length,
                               .element = args->info.element_bytes};
    wf_status status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = launch_all(args, &launch);
    args->report->depth = wf_ceil_div(wf_smaller(args->options.row_length, args->count), threads);
    if (threads > 1)
        args->report->depth += tree_depth(args);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

/* The number of bands that gives about the options' tiles, and each wave a row. */
static uint64_t bands_of(const wf_rung_run_args *args, uint64_t strips, uint64_t waves) {
    const uint64_t rows = wf_ceil_div(args->count, args->options.row_length);
    const uint64_t bands = wf_smaller(args->options.tiles / strips, wf_ceil_div(rows, waves));
    return bands > 1 ? bands : 1;
}

wf_status wf_run_columns(const wf_rung *rung, const wf_rung_run_args *args) {
    const uint32_t width = args->context->info.wave_width, waves = args->options.tile_size / width;
    const uint64_t columns = wf_row_results(rung->info.kind, args->count, args->options.row_length);
    const uint64_t strips = wf_ceil_div(columns, width), bands = bands_of(args, strips, waves);
    const uint64_t rows = wf_ceil_div(args->count, args->options.row_length);
    row_launch last = {
        .all = request_of(rung, args), .per_tile = width, .step = 1, .element = args->info.element_bytes};
    last.all.bands = 1;
    void *partials = NULL;
    wf_status status = WF_OK;
    if (bands > 1)
        status = wf_workspace(args->context, (size_t)(bands * columns) * args->info.element_bytes, &partials);
    if (status == WF_OK)
        status = wf_start_clock(args->context);
    args->report->depth = wf_ceil_div(rows, waves * bands) + waves;
    if (status == WF_OK && bands > 1) {
        wf_ladder_request first = last.all;
        first.head.tiles = (uint32_t)(strips * bands);
        first.result = partials;
        first.result_count = bands * columns;
        first.bands = (uint32_t)bands;
        status = wf_launch(&args->queue, WF_ALGORITHM_LADDER, &first);
        last.all.source = partials;
        last.all.source_count = first.result_count;
        last.all.row_length = (uint32_t)columns;
        args->report->depth += wf_ceil_div(bands, waves) + waves;
    }
    if (status == WF_OK)
        status = launch_all(args, &last);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

/* Writes the segments' ends to device memory. */
static wf_status put_ends(const wf_rung_run_args *args, uint64_t segments, void *ends) {
    uint64_t *made = malloc((size_t)segments * sizeof *made);
    if (made == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for the ends of %zu segments (%zu bytes)", (size_t)segments,
                       (size_t)segments * sizeof *made);
    for (uint64_t i = 0; i < segments; i++)
        made[i] = wf_segment_first(i + 1, args->count, args->options.row_length);
    const wf_context *context = args->context;
    const wf_status status =
        context->backend->copy(context->device, ends, made, (size_t)segments * sizeof *made, WF_TO_DEVICE);
    free(made);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying the segments' ends");
}

/* of: the request of all tiles. */
static wf_status launch_segments(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    wf_ladder_request piece = *(const wf_ladder_request *)of;
    piece.head.tiles = (uint32_t)tiles;
    piece.first = tile;
    return wf_launch(queue, WF_ALGORITHM_LADDER, &piece);
}

wf_status wf_run_segments(const wf_rung *rung, const wf_rung_run_args *args) {
    const uint32_t waves = args->options.tile_size / args->context->info.wave_width;
    wf_ladder_request request = request_of(rung, args);
    request.span = args->options.tile_size * rung->loads;
    const uint64_t tiles = wf_ceil_div(args->count + request.result_count, request.span);

    enum { ENDS, CARRIES, PARTS };
    char *parts[PARTS];
    wf_status status = wf_divide_workspace(
        args->context, PARTS,
        (const size_t[]){(size_t)request.result_count * sizeof(uint64_t), (size_t)tiles * args->info.element_bytes},
        parts);
    if (status == WF_OK)
        status = put_ends(args, request.result_count, parts[ENDS]);
    if (status == WF_OK)
        status = wf_start_clock(args->context);
    request.ends = parts[ENDS];
    request.partials = parts[CARRIES];
    request.partial_count = tiles;
    wf_pieces pieces = {.end = tiles, .most = args->context->info.max_tiles, .launch = launch_segments, .of = &request};
    if (status == WF_OK)
        status = wf_launch_in_pieces(&args->queue, &pieces);
    args->report->depth = rung->loads + tree_depth(args) + waves + 2;
    if (status == WF_OK && tiles > 1) {
        request.kernel = "join_segments";
        pieces.end = wf_ceil_div(tiles, waves); /* a wave for each tile */
        status = wf_launch_in_pieces(&args->queue, &pieces);
        args->report->depth += wf_ceil_div(tiles, args->context->info.wave_width) + tree_depth(args) + 1;
    }
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}
