/* The host side of the rungs that reduce: one driver for each shape of kernel, which launches and combines on the host.
 *
 * A launch is split into pieces if a device does not take it at once (AMD: 2^32 threads; see max_tiles), so that every
 * rung takes any count. */
#include "algebra.h"
#include "ladder_table.h"
#include "reduce/plan.h"
#include "reduce/sequential.h"
#include "reduce/stream_workspace.h"
#include "reduction_table.h"
#include "request.h"
#include "status.h"
#include "wavefold_ladder.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>
#include <stdlib.h>

/* Ends the timed launches and copies `bytes` bytes of their result to the host. */
static wf_status fetch(const wf_rung_run_args *args, const void *from, void *to, size_t bytes) {
    const wf_context *context = args->context;
    double stopped;
    wf_status status = wf_stop_clock(args, &stopped);
    if (status != WF_OK)
        return status;
    status = context->backend->copy(context->device, to, from, bytes, WF_TO_HOST);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "copying the results");
    args->report->total_seconds += wf_now() - stopped;
    return WF_OK;
}

/* Ends the timed launches, copies count partial results to the host and combines them in order into the result. */
static wf_status finish(const wf_rung_run_args *args, const void *partials, size_t count) {
    const size_t bytes = count * args->info.element_bytes;
    void *copied = malloc(bytes);
    if (copied == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for %zu partial results (%zu bytes)", count, bytes);
    const wf_status status = fetch(args, partials, copied, bytes);
    if (status == WF_OK) {
        const double fetched = wf_now();
        wf_fold(args->options.type, args->options.op, args->result, copied, count);
        args->report->depth += count;
        args->report->total_seconds += wf_now() - fetched;
    }
    free(copied);
    return status;
}

wf_status wf_run_sequential(const wf_rung *rung, const wf_rung_run_args *args) {
    (void)rung;
    const wf_context *context = args->context;
    const size_t bytes = args->count * args->info.element_bytes;
    void *values = malloc(bytes);
    if (values == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for %zu elements (%zu bytes)", args->count, bytes);
    const wf_status status = context->backend->copy(context->device, values, args->in, bytes, WF_TO_HOST);
    if (status == WF_OK) {
        const double started = wf_now();
        const wf_reduce_spec spec = wf_reduction_of(&args->options);
        wf_fold_all(&spec, &args->info, values, args->count, args->result);
        args->report->device_seconds = args->report->total_seconds = wf_now() - started;
        args->report->threads = 1;
        args->report->depth = args->count;
    } else {
        wf_backend_fail(context, status, "copying to the host");
    }
    free(values);
    return status;
}

/* of: the request of all tiles. */
static wf_status launch_in_place(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    wf_ladder_request piece = *(const wf_ladder_request *)of;
    piece.head.tiles = (uint32_t)tiles;
    piece.first = tile * piece.head.tile_size;
    return wf_launch(queue, WF_ALGORITHM_LADDER, &piece);
}

wf_status wf_run_in_place(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const size_t element = args->info.element_bytes;
    const size_t bytes = args->count * element;

    /* The tail combines the elements that are left over if a length is no multiple of the window. It lies right before
     * the working copy, so that one copy brings both to the host. */
    enum { LINE_OF_TAIL, DATA, PARTS };
    char *parts[PARTS];
    wf_status status = wf_divide_workspace(context, PARTS, (const size_t[]){WF_LINE, bytes}, parts);
    if (status != WF_OK)
        return status;
    char *data = parts[DATA];
    char *tail = data - element;
    status = context->backend->copy(context->device, data, args->in, bytes, WF_WITHIN_DEVICE);
    if (status == WF_OK)
        status = context->backend->copy(context->device, tail, args->result, element, WF_TO_DEVICE);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "making the working copy");

    status = wf_start_clock(context);
    const uint64_t window = options->window ? options->window : 2;
    uint64_t length = args->count;
    uint64_t tails = 0;
    while (status == WF_OK && length >= window) {
        const uint64_t stride = length / window;
        const wf_ladder_request whole = {
            .head = {.tile_size = options->tile_size, .wave_width = context->info.wave_width},
            .kernel = rung->kernel_name,
            .type = options->type,
            .op = options->op,
            .data = data,
            .data_count = length,
            .tail = tail,
            .stride = stride,
            .window = (uint32_t)window};
        const wf_pieces pieces = {.end = wf_ceil_div(stride, options->tile_size),
                                  .most = context->info.max_tiles,
                                  .launch = launch_in_place,
                                  .of = &whole};
        status = wf_launch_in_pieces(&args->queue, &pieces);
        args->report->depth += window - 1;
        tails += length % window;
        length = stride;
    }
    args->report->depth += tails;
    return status == WF_OK ? finish(args, tail, (size_t)length + 1) : status;
}

/* A launch from source to partials, in which a tile reduces per_tile elements to one. */
typedef struct folding {
    const wf_rung *rung;
    const wf_rung_run_args *args;
    const char *source;
    uint64_t count, per_tile;
    char *partials;
} folding;

static wf_status launch_tiled(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    const folding *all = of;
    const wf_rung_run_args *args = all->args;
    const size_t element = args->info.element_bytes;
    const uint64_t offset = tile * all->per_tile;
    const wf_ladder_request request = {.head = {.tiles = (uint32_t)tiles,
                                                .tile_size = args->options.tile_size,
                                                .wave_width = args->context->info.wave_width},
                                       .kernel = all->rung->kernel_name,
                                       .type = args->options.type,
                                       .op = args->options.op,
                                       .source = all->source + offset * element,
                                       .source_count = wf_smaller(all->count - offset, tiles * all->per_tile),
                                       .result = all->partials + tile * element,
                                       .result_count = tiles};
    return wf_launch(queue, WF_ALGORITHM_LADDER, &request);
}

wf_status wf_run_tiled(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const size_t element = args->info.element_bytes;
    const uint64_t per_tile = (uint64_t)options->tile_size * rung->loads;

    /* Two arrays, alternately source and destination, as in the sample. */
    const uint64_t first_partials = wf_ceil_div(args->count, per_tile);
    const uint64_t second_partials = wf_ceil_div(first_partials, per_tile);
    char *partials[2];
    wf_status status = wf_divide_workspace(
        context, 2, (const size_t[]){(size_t)first_partials * element, (size_t)second_partials * element}, partials);
    if (status != WF_OK)
        return status;

    status = wf_start_clock(context);
    if (status != WF_OK)
        return status;
    folding level = {.rung = rung, .args = args, .source = args->in, .count = args->count, .per_tile = per_tile};
    size_t turn = 0;
    do {
        level.partials = partials[turn];
        const wf_pieces pieces = {.end = wf_ceil_div(level.count, per_tile),
                                  .most = context->info.max_tiles,
                                  .launch = launch_tiled,
                                  .of = &level};
        status = wf_launch_in_pieces(&args->queue, &pieces);
        args->report->depth += wf_log2(per_tile);
        level.source = level.partials;
        level.count = pieces.end;
        turn = 1 - turn;
    } while (status == WF_OK && level.count > options->tile_size);
    return status == WF_OK ? finish(args, level.source, level.count) : status;
}

/* Operations on the longest path through one launch of `threads` threads that stride over count elements: a thread's
 * share (with one element before its first whole load and one after its last), then the tile's tree, in cells or in two
 * steps of waves. */
static uint64_t launch_depth(uint64_t count, uint64_t threads, uint64_t loads, const wf_rung_run_args *args) {
    const uint64_t tree = wf_log2(args->options.tile_size) + 2 * wf_log2(args->context->info.wave_width);
    return wf_ceil_div(wf_ceil_div(count, loads), threads) * loads + 2 + tree;
}

wf_status wf_run_grid(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const size_t element = args->info.element_bytes;
    const uint32_t width = context->info.wave_width;
    const uint32_t tile_size = rung->grid == WF_GRID_ONE_WAVE ? width : options->tile_size;
    const uint32_t tiles = rung->grid == WF_GRID_FIXED ? options->tiles : 1;
    const size_t results = (size_t)tiles * (rung->results ? rung->results : 1);
    const bool has_ticket = rung->join == WF_JOIN_TICKET;

    enum { ANSWER, TICKET, PARTIALS, PARTS };
    char *parts[PARTS];
    wf_status status =
        wf_divide_workspace(context, PARTS, (const size_t[]){WF_LINE, WF_LINE, results * element}, parts);
    if (status != WF_OK)
        return status;
    char *answer = parts[ANSWER], *ticket = parts[TICKET], *partials = parts[PARTIALS];
    const uint32_t no_ticket = 0;
    if (rung->join == WF_JOIN_ATOMIC)
        status = context->backend->copy(context->device, answer, args->result, element, WF_TO_DEVICE);
    if (has_ticket)
        status = context->backend->copy(context->device, ticket, &no_ticket, sizeof no_ticket, WF_TO_DEVICE);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "preparing the launch");

    status = wf_start_clock(context);
    if (status != WF_OK)
        return status;
    const bool into_answer = rung->join == WF_JOIN_ATOMIC || has_ticket;
    const wf_ladder_request first = {.head = {.tiles = tiles, .tile_size = tile_size, .wave_width = width},
                                     .kernel = rung->kernel_name,
                                     .type = options->type,
                                     .op = options->op,
                                     .source = args->in,
                                     .source_count = args->count,
                                     .result = into_answer ? answer : partials,
                                     .result_count = into_answer ? 1 : results,
                                     .partials = partials,
                                     .ticket = ticket};
    status = wf_launch(&args->queue, WF_ALGORITHM_LADDER, &first);
    args->report->depth += launch_depth(args->count, (uint64_t)tiles * tile_size, rung->loads, args);
    if (status == WF_OK && rung->join == WF_JOIN_SECOND_LAUNCH) {
        wf_ladder_request second = first;
        second.head.tiles = 1;
        second.source = partials;
        second.source_count = results;
        second.result = answer;
        second.result_count = 1;
        status = wf_launch(&args->queue, WF_ALGORITHM_LADDER, &second);
    }
    if (rung->join == WF_JOIN_SECOND_LAUNCH || has_ticket)
        args->report->depth += launch_depth(results, tile_size, rung->loads, args);
    if (rung->join == WF_JOIN_ATOMIC) { /* sequential, in any order */
        const uint64_t atomics = (uint64_t)tiles * tile_size / width;
        args->report->depth += atomics;
        args->report->flushes = context->info.f32_atomics_flush ? atomics : 0;
    }
    if (status != WF_OK)
        return status;
    return rung->join == WF_JOIN_ON_HOST ? finish(args, partials, results) : finish(args, answer, 1);
}

wf_reduce_spec wf_exact_sum_of(const wf_rung_options *options, const wf_reduction_info *info) {
    wf_reduce_spec spec = wf_reduction_of(options);
    spec.accuracy = WF_ACCURACY_EXACT;
    if (wf_type_is_float(info->accumulator)) /* an exact sum's own default is the element's type */
        spec.accumulator = info->accumulator == WF_F64 ? WF_ACCUMULATE_F64 : WF_ACCUMULATE_F32;
    return spec;
}

/* A reduction by wf_reduce's kernels, with the launch shape of the options. */
typedef struct planned_reduction {
    const wf_rung_run_args *args;
    const wf_reduce_plan *plan;
    void *workspace, *answer;
} planned_reduction;

static wf_status launch_part(const wf_queue *queue, const void *of, uint64_t first, uint64_t count) {
    const planned_reduction *all = of;
    const wf_rung_run_args *args = all->args;
    const wf_launch_shape shape = {.tiles = args->options.tiles, .tile_size = args->options.tile_size};
    const char *source = (const char *)args->in + first * args->info.element_bytes;
    const wf_reduce_request request = wf_reduce_request_of(args->context, all->plan, shape, all->workspace, source,
                                                           first, count, args->count, all->answer);
    return wf_launch(queue, WF_ALGORITHM_REDUCE, &request);
}

/* The kernels of wf_reduce: exact sums for the rung exact, fast reductions for the rung wavefold. */
wf_status wf_run_wavefold(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const bool is_exact = rung->kernel == WF_KERNEL_exact;
    const wf_reduce_spec spec = is_exact ? wf_exact_sum_of(options, &args->info) : wf_reduction_of(options);
    wf_reduce_plan plan;
    wf_status status = wf_reduce_plan_of(&spec, &plan);
    if (status != WF_OK)
        return status;
    /* A workspace of its own, since the options may have more tiles than a stream workspace has room for. */
    enum { ANSWER, WORKSPACE, PARTS };
    char *parts[PARTS];
    const size_t workspace_bytes =
        WF_WORKSPACE_STATUS + (size_t)options->tiles * plan.value_bytes / WF_STATUS_VALUE_BYTES * sizeof(uint64_t);
    status = wf_divide_workspace(context, PARTS, (const size_t[]){WF_LINE, workspace_bytes}, parts);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, NULL, parts[WORKSPACE], workspace_bytes);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    const planned_reduction all = {.args = args, .plan = &plan, .workspace = parts[WORKSPACE], .answer = parts[ANSWER]};
    const wf_pieces pieces = {
        .end = args->count, .most = WF_REDUCE_BYTES / args->info.element_bytes, .launch = launch_part, .of = &all};
    status = wf_start_clock(context);
    if (status == WF_OK)
        status = wf_launch_in_pieces(&args->queue, &pieces);
    /* A thread's share (the rung's loads are in bytes), then the tiles' values, sequentially or by a tile, then the
     * pieces'. An exact sum does not round, so its depth is 0. */
    const uint64_t threads = (uint64_t)options->tiles * options->tile_size;
    if (!is_exact)
        args->report->depth =
            launch_depth(wf_smaller(args->count, pieces.most), threads, rung->loads / args->info.element_bytes, args) +
            options->tiles + launch_depth(options->tiles, options->tile_size, 1, args) +
            (args->count - 1) / pieces.most;
    return status == WF_OK ? fetch(args, parts[ANSWER], args->result, args->info.result_bytes) : status;
}
