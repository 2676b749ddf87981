/* The host side of the rungs that scan. */
#include "ladder_table.h"
#include "look_back/look_back.h"
#include "request.h"
#include "scan/scan_plan.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Level by level: scan tiles, scan the tiles' sums, combine these with the tiles ----------------------------- */

typedef struct level {
    const char *source;
    char *result;
    uint64_t length;
    char *sums; /* the tiles' sums, which the level above scans in place */
    uint64_t tiles;
} level;

/* The launch of a kernel over a level. */
typedef struct level_launch {
    const wf_rung_run_args *args;
    const level *level;
    const char *kernel;
    bool scans; /* false: adds prefixes */
    uint32_t span;
    bool exclusive;
} level_launch;

static wf_status launch_piece(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    const level_launch *all = of;
    const wf_rung_run_args *args = all->args;
    const size_t element = args->info.element_bytes;
    const uint64_t offset = tile * all->span;
    const uint64_t length = wf_smaller(all->level->length - offset, tiles * all->span);
    char *sums = all->level->sums + tile * element;
    const wf_ladder_request request = {.head = {.tiles = (uint32_t)tiles,
                                                .tile_size = args->options.tile_size,
                                                .wave_width = args->context->info.wave_width},
                                       .kernel = all->kernel,
                                       .type = args->options.type,
                                       .op = args->options.op,
                                       .source = all->scans ? all->level->source + offset * element : sums,
                                       .source_count = all->scans ? length : tiles,
                                       .result = all->level->result + offset * element,
                                       .result_count = length,
                                       .partials = sums,
                                       .span = all->span,
                                       .exclusive = all->exclusive};
    return wf_launch(queue, WF_ALGORITHM_LADDER, &request);
}

/* Launches the kernel for the level's tiles from tile `first` on. */
static wf_status launch_level(const level_launch *launch, uint64_t first) {
    const wf_pieces pieces = {.first = first,
                              .end = launch->level->tiles,
                              .most = launch->args->context->info.max_tiles,
                              .launch = launch_piece,
                              .of = launch};
    return wf_launch_in_pieces(&launch->args->queue, &pieces);
}

wf_status wf_run_scan_levels(const wf_rung *rung, const wf_rung_run_args *args) {
    const size_t element = args->info.element_bytes;
    uint32_t span = args->options.tile_size * rung->loads;
    while (2 * span * element > WF_TILE_MEMORY) /* kernels take up to two cells per element */
        span /= 2;

    enum { MOST_LEVELS = 64 };
    level levels[MOST_LEVELS] = {{.source = args->in, .result = args->result, .length = args->count}};
    size_t bytes[MOST_LEVELS], top = 0;
    for (;; top++) {
        levels[top].tiles = wf_ceil_div(levels[top].length, span);
        bytes[top] = (size_t)levels[top].tiles * element;
        if (levels[top].tiles == 1)
            break;
        levels[top + 1].length = levels[top].tiles;
    }
    char *sums[MOST_LEVELS];
    wf_status status = wf_divide_workspace(args->context, top + 1, bytes, sums);
    if (status != WF_OK)
        return status;
    for (size_t i = 0; i <= top; i++) {
        levels[i].sums = sums[i];
        if (i < top)
            levels[i + 1].source = levels[i + 1].result = sums[i];
    }

    status = wf_start_clock(args->context);
    level_launch launch = {.args = args, .kernel = rung->kernel_name, .scans = true, .span = span};
    for (size_t i = 0; i <= top && status == WF_OK; i++) {
        launch.level = &levels[i];
        launch.exclusive = i > 0 || args->options.exclusive != 0;
        status = launch_level(&launch, 0);
    }
    launch.kernel = "add_prefixes";
    launch.scans = false;
    for (size_t i = top; i-- > 0 && status == WF_OK;) {
        launch.level = &levels[i];
        status = launch_level(&launch, 1); /* the first tile has no prefix */
    }
    /* On each level log2(span) steps for each load of a thread, then the thread's own elements, then a prefix for each
     * level. Blelloch's down-sweep takes as many steps as its up-sweep. */
    args->report->depth = (top + 1) * wf_log2(span) * rung->loads + (rung->loads - 1) + top;
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

/* ---- In one pass ------------------------------------------------------------------------------------------------ */

wf_status wf_run_look_back(const wf_rung *rung, const wf_rung_run_args *args) {
    (void)rung;
    const wf_look_back scan = {.type = args->options.type,
                               .op = args->options.op,
                               .exclusive = args->options.exclusive,
                               .element_bytes = args->info.element_bytes,
                               .tile_size = args->options.tile_size,
                               .in = args->in,
                               .count = args->count,
                               .result = args->result};
    args->report->depth = wf_look_back_depth(args->context, &scan);
    wf_status status = wf_look_back_prepare(args->context, &scan);
    if (status == WF_OK)
        status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_look_back_run(&args->queue, &scan);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

/* ---- In an order that depends on indices alone ------------------------------------------------------------------ */

wf_status wf_run_scan_fixed_order(const wf_rung *rung, const wf_rung_run_args *args) {
    (void)rung;
    const wf_scan_spec spec = {.reduce = {.type = args->options.type, .op = args->options.op},
                               .exclusive = args->options.exclusive};
    const wf_axes axes = {.dimensions = 1, .reduced = 1, .counts = {args->count}};
    wf_scan_request request;
    wf_status status = wf_scan_plan_of(args->context, &spec, &axes, args->in, args->result, &request);
    if (status != WF_OK)
        return status;
    args->report->depth = wf_scan_depth(&request);
    status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_scan_queue(&args->queue, &request);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}
