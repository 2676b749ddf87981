/* The host side of the rungs, once per shape: how many launches, over what, and what is left for the host to fold.
 *
 * A launch is cut into pieces where the device cannot hold it in one (AMD: 2^32 threads; see max_tiles), so that any
 * count goes through any rung. */
#include "ladder_table.h"
#include "launch.h"
#include "reduce/reduce_launch.h"
#include "reduce/stream_workspace.h"

#include <stdbool.h>
#include <stdlib.h>

static wf_status launch(const wf_rung_run_args *args, const wf_launch *what) {
    return wf_launch_on(args->context, NULL, what, args->report);
}

/* Ends the timed launches and copies bytes of what they left to the host. */
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

/* The same with count partial results, which are folded into the result in order. */
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
        const wf_reduce_spec what = wf_reduction_of(&args->options);
        wf_fold_all(&what, &args->info, values, args->count, args->result);
        args->report->device_seconds = args->report->total_seconds = wf_now() - started;
        args->report->threads = 1;
        args->report->depth = args->count;
    } else {
        wf_backend_fail(context, status, "copying to the host");
    }
    free(values);
    return status;
}

wf_status wf_run_in_place(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const size_t element = args->info.element_bytes;
    const size_t bytes = args->count * element;

    /* The tail, which takes what is cut off where a length is no multiple of the window, lies right before the working
     * copy: one copy brings both to the host at the end. The padding keeps the working copy aligned. */
    enum { PADDING = 256 };
    void *workspace;
    wf_status status = wf_workspace(context, PADDING + bytes, &workspace);
    if (status != WF_OK)
        return status;
    char *data = (char *)workspace + PADDING;
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
        wf_launch what = {.kernel = rung->kernel,
                          .type = options->type,
                          .op = options->op,
                          .accumulator = args->info.accumulator,
                          .nan = options->nan,
                          .tile_size = options->tile_size,
                          .data = data,
                          .data_count = length,
                          .tail = tail,
                          .stride = stride,
                          .window = (uint32_t)window};
        while (status == WF_OK && what.first < stride) {
            const uint64_t most = (uint64_t)context->info.max_tiles * options->tile_size;
            const uint64_t threads = wf_smaller(stride - what.first, most);
            what.tiles = (uint32_t)wf_ceil_div(threads, options->tile_size);
            status = launch(args, &what);
            what.first += threads;
        }
        args->report->depth += window - 1;
        tails += length % window;
        length = stride;
    }
    args->report->depth += tails;
    return status == WF_OK ? finish(args, tail, (size_t)length + 1) : status;
}

wf_status wf_run_tiled(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_rung_options *options = &args->options;
    const size_t element = args->info.element_bytes;
    const uint64_t per_tile = (uint64_t)options->tile_size * rung->loads;

    /* Two arrays in turn: the sample's source and destination. */
    const uint64_t first_partials = wf_ceil_div(args->count, per_tile);
    const uint64_t second_partials = wf_ceil_div(first_partials, per_tile);
    void *workspace;
    wf_status status = wf_workspace(context, (size_t)(first_partials + second_partials) * element, &workspace);
    if (status != WF_OK)
        return status;
    char *partials = workspace;
    char *spare = partials + first_partials * element;

    status = wf_start_clock(context);
    const char *source = args->in;
    uint64_t length = args->count;
    do {
        const uint64_t tiles = wf_ceil_div(length, per_tile);
        for (uint64_t tile = 0; status == WF_OK && tile < tiles;) {
            const uint64_t piece = wf_smaller(tiles - tile, context->info.max_tiles);
            const uint64_t offset = tile * per_tile;
            const wf_launch what = {.kernel = rung->kernel,
                                    .type = options->type,
                                    .op = options->op,
                                    .accumulator = args->info.accumulator,
                                    .nan = options->nan,
                                    .tiles = (uint32_t)piece,
                                    .tile_size = options->tile_size,
                                    .wave_width = context->info.wave_width,
                                    .source = source + offset * element,
                                    .source_count = wf_smaller(length - offset, piece * per_tile),
                                    .result = partials + tile * element,
                                    .result_count = piece};
            status = launch(args, &what);
            tile += piece;
        }
        args->report->depth += wf_log2(per_tile);
        length = tiles;
        char *written = partials;
        partials = spare;
        spare = written;
        source = written;
    } while (status == WF_OK && length > options->tile_size);
    return status == WF_OK ? finish(args, source, length) : status;
}

/* Operations on the longest path through one launch of threads threads that stride over count elements: those of a
 * thread's share, an element before the first whole load and one behind the last included, and those of the tile's
 * tree, whether it goes by cells or twice by waves. */
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

    /* The answer and the ticket, each with a line of memory of its own, and what the tiles leave. */
    enum { LINE = 256 };
    void *workspace;
    wf_status status = wf_workspace(context, 2 * LINE + results * element, &workspace);
    if (status != WF_OK)
        return status;
    char *answer = workspace;
    char *ticket = answer + LINE;
    char *partials = ticket + LINE;
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
    const wf_launch first = {.kernel = rung->kernel,
                             .type = options->type,
                             .op = options->op,
                             .accumulator = args->info.accumulator,
                             .nan = options->nan,
                             .tiles = tiles,
                             .tile_size = tile_size,
                             .wave_width = width,
                             .source = args->in,
                             .source_count = args->count,
                             .result = into_answer ? answer : partials,
                             .result_count = into_answer ? 1 : results,
                             .partials = partials,
                             .ticket = ticket};
    status = launch(args, &first);
    args->report->depth += launch_depth(args->count, (uint64_t)tiles * tile_size, rung->loads, args);
    if (status == WF_OK && rung->join == WF_JOIN_SECOND_LAUNCH) {
        wf_launch second = first;
        second.tiles = 1;
        second.source = partials;
        second.source_count = results;
        second.result = answer;
        second.result_count = 1;
        status = launch(args, &second);
    }
    if (rung->join == WF_JOIN_SECOND_LAUNCH || has_ticket)
        args->report->depth += launch_depth(results, tile_size, rung->loads, args);
    if (rung->join == WF_JOIN_ATOMIC) { /* one after the other, in any order */
        const uint64_t atomics = (uint64_t)tiles * tile_size / width;
        args->report->depth += atomics;
        args->report->flushes = context->info.f32_atomics_flush ? atomics : 0;
    }
    if (status != WF_OK)
        return status;
    return rung->join == WF_JOIN_ON_HOST ? finish(args, partials, results) : finish(args, answer, 1);
}

/* What wf_reduce runs, in the shape that the options say. */
wf_status wf_run_wavefold(const wf_rung *rung, const wf_rung_run_args *args) {
    wf_context *context = args->context;
    const wf_reduce_spec what = wf_reduction_of(&args->options);
    wf_reduce_plan spec;
    wf_status status = wf_reduce_plan_of(&what, &spec);
    if (status != WF_OK)
        return status;
    /* A result, and a place with room for as many tiles as were asked for. */
    enum { LINE = 256 };
    const size_t status_bytes =
        (size_t)args->options.tiles * spec.value_bytes / WF_STATUS_VALUE_BYTES * sizeof(uint64_t);
    const size_t bytes = LINE + WF_WORKSPACE_STATUS + status_bytes;
    void *workspace;
    status = wf_workspace(context, bytes, &workspace);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, NULL, workspace, bytes);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    const wf_launch_shape shape = {.tiles = args->options.tiles, .tile_size = args->options.tile_size};
    const wf_launch once = wf_reduce_launch(context, &spec, shape, (char *)workspace + LINE, args->in, 0, args->count,
                                            args->count, workspace);
    status = wf_start_clock(context);
    if (status == WF_OK)
        status = launch(args, &once);
    /* A thread's share, whose loads are told in bytes; then the tiles' values, one after the other or by a tile. */
    const uint64_t threads = (uint64_t)shape.tiles * shape.tile_size;
    args->report->depth = launch_depth(args->count, threads, rung->loads / args->info.element_bytes, args) +
                          shape.tiles + launch_depth(shape.tiles, shape.tile_size, 1, args);
    return status == WF_OK ? fetch(args, workspace, args->result, args->info.result_bytes) : status;
}
