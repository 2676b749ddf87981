/* The host side of the rungs that scan. */
#include "run_scans.h"

#include "ladder_table.h"
#include "launch.h"

#include <stdint.h>

/* ---- Level by level: scan tiles, scan the tiles' sums, fold these onto the tiles -------------------------------- */

typedef struct level {
    const char *source;
    char *result;
    uint64_t length;
    char *sums; /* of its tiles: the level above, which scans them in place */
    uint64_t tiles;
} level;

/* Launches a kernel over the level's tiles from number first on, in pieces that the device can hold. */
static wf_status launch_level(const wf_rung_run_args *args, wf_kernel kernel, const level *of, uint64_t first,
                              uint32_t span, bool exclusive) {
    const size_t element = args->info.element_bytes;
    const bool scans = kernel != WF_KERNEL_add_prefixes;
    wf_status status = WF_OK;
    for (uint64_t tile = first; status == WF_OK && tile < of->tiles;) {
        const uint64_t piece = wf_smaller(of->tiles - tile, args->context->info.max_tiles);
        const uint64_t offset = tile * span;
        const uint64_t length = wf_smaller(of->length - offset, piece * span);
        char *sums = of->sums + tile * element;
        const wf_launch what = {.kernel = kernel,
                                .type = args->options.type,
                                .op = args->options.op,
                                .accumulator = args->options.type,
                                .tiles = (uint32_t)piece,
                                .tile_size = args->options.tile_size,
                                .wave_width = args->context->info.wave_width,
                                .source = scans ? of->source + offset * element : sums,
                                .source_count = scans ? length : piece,
                                .result = of->result + offset * element,
                                .result_count = length,
                                .partials = sums,
                                .span = span,
                                .exclusive = exclusive};
        status = wf_launch_on(args->context, NULL, &what, args->report);
        tile += piece;
    }
    return status;
}

wf_status wf_run_scan_levels(const wf_rung *rung, const wf_rung_run_args *args) {
    const size_t element = args->info.element_bytes;
    uint32_t span = args->options.tile_size * rung->loads;
    while (2 * span * element > WF_TILE_MEMORY) /* two cells per element are the most that a kernel takes */
        span /= 2;

    enum { MOST_LEVELS = 64 };
    level levels[MOST_LEVELS] = {{.source = args->in, .result = args->result, .length = args->count}};
    uint64_t sums = 0;
    size_t top = 0;
    for (;; top++) {
        levels[top].tiles = wf_ceil_div(levels[top].length, span);
        sums += levels[top].tiles;
        if (levels[top].tiles == 1)
            break;
        levels[top + 1].length = levels[top].tiles;
    }
    void *workspace;
    wf_status status = wf_workspace(args->context, (size_t)sums * element, &workspace);
    if (status != WF_OK)
        return status;
    char *unused = workspace;
    for (size_t i = 0; i <= top; i++) {
        levels[i].sums = unused;
        unused += levels[i].tiles * element;
        if (i < top)
            levels[i + 1].source = levels[i + 1].result = levels[i].sums;
    }

    status = wf_start_clock(args->context);
    for (size_t i = 0; i <= top && status == WF_OK; i++)
        status = launch_level(args, rung->kernel, &levels[i], 0, span, i > 0 || args->options.exclusive != 0);
    for (size_t i = top; i-- > 0 && status == WF_OK;) /* the first tile has nothing before it */
        status = launch_level(args, WF_KERNEL_add_prefixes, &levels[i], 1, span, false);
    /* Up to the level's sums on every level, down on the last; Blelloch's way down is as long again, and folds the
     * element; and the prefix of each level. */
    args->report->depth = (top + 1) * wf_log2(span) * rung->loads + (rung->loads - 1) + top;
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

/* ---- In one pass ------------------------------------------------------------------------------------------------ */

/* How often a tile asks another in vain before it folds that one's elements itself: some milliseconds on a GPU, longer
 * than any tile takes that runs. */
enum { POLLS = 1000 };

enum {
#define LOADS(name, shape, function, loads, folds) LOADS_OF_##name = loads,
    WF_KERNEL_MAP(LOADS)
#undef LOADS
};

/* How an array is cut; as hip/scan/wave_rows.hpp does. */
typedef struct cut {
    uint64_t wave; /* elements of a wave */
    uint64_t pack; /* elements of 16 bytes, or one */
    uint64_t tiles;
} cut;

static cut cut_of(const wf_context *context, const wf_look_back *scan) {
    const uint64_t pack = 16, element = scan->element_bytes, past = (uintptr_t)scan->in % pack;
    const bool is_wide = element >= pack;
    const uint64_t shift = !is_wide && past % element == 0 ? past / element : 0;
    cut of = {.wave = LOADS_OF_look_back * pack / (is_wide ? 2 : 1) / element, .pack = is_wide ? 1 : pack / element};
    of.tiles = wf_ceil_div(scan->count + shift, of.wave * (scan->tile_size / context->info.wave_width));
    return of;
}

/* The workspace: the ticket, in a line of its own, and what the tiles tell. */
enum { LINE = 256 };
static uint64_t tile_status_words(const wf_context *context, const wf_look_back *scan) {
    return cut_of(context, scan).tiles * scan->element_bytes / WF_STATUS_VALUE_BYTES;
}
/* Of any array of this length: where it lies must not make the workspace grow. */
static size_t workspace_bytes(const wf_context *context, const wf_look_back *scan) {
    const uint64_t tile = cut_of(context, scan).wave * (scan->tile_size / context->info.wave_width);
    const uint64_t most_tiles = scan->count / tile + 2;
    return LINE + most_tiles * scan->element_bytes / WF_STATUS_VALUE_BYTES * sizeof(uint64_t);
}

wf_status wf_look_back_prepare(wf_context *context, const wf_look_back *scan) {
    if (cut_of(context, scan).tiles > UINT32_MAX)
        return wf_fail(WF_UNSUPPORTED, "a scan numbers its tiles in 32 bits: %zu elements are too many for tiles of %u",
                       scan->count, scan->tile_size);
    void *workspace;
    return wf_workspace(context, workspace_bytes(context, scan), &workspace);
}

/* Operations on the longest path: up to the fold of a tile, or its fold by a wave that was kept waiting; then through
 * other tiles, at the most one for each, however the prefixes come together; and what came before the tile, before the
 * wave, and before the row. A wave's scan takes two operations per doubling at the most. */
static uint64_t look_back_depth(const wf_context *context, const wf_look_back *scan) {
    const cut of = cut_of(context, scan);
    const uint64_t width = context->info.wave_width, wave_scan = 2 * wf_log2(width);
    const uint64_t own = of.pack - 1 + wave_scan + of.wave / width / of.pack + wave_scan;
    const uint64_t others = of.tiles > 1 ? of.wave * (scan->tile_size / width) / width + wave_scan : 0;
    return (own > others ? own : others) + of.tiles + 3;
}

wf_status wf_look_back_run(wf_context *context, void *stream, const wf_look_back *scan, wf_rung_report *report) {
    void *workspace;
    wf_status status = wf_look_back_prepare(context, scan);
    if (status == WF_OK)
        status = wf_workspace(context, workspace_bytes(context, scan), &workspace);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, stream, workspace, workspace_bytes(context, scan));
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");

    const uint64_t tiles = cut_of(context, scan).tiles;
    wf_launch what = {.kernel = WF_KERNEL_look_back,
                      .type = scan->type,
                      .op = scan->op,
                      .accumulator = scan->type,
                      .tile_size = scan->tile_size,
                      .wave_width = context->info.wave_width,
                      .source = scan->in,
                      .source_count = scan->count,
                      .result = scan->result,
                      .result_count = scan->count,
                      .ticket = workspace,
                      .exclusive = scan->exclusive,
                      .tile_status = (char *)workspace + LINE,
                      .tile_status_words = tile_status_words(context, scan),
                      .polls = POLLS};
    /* Tiles count on from launch to launch. */
    for (uint64_t tile = 0; status == WF_OK && tile < tiles; tile += what.tiles) {
        what.tiles = (uint32_t)wf_smaller(tiles - tile, context->info.max_tiles);
        status = wf_launch_on(context, stream, &what, report);
    }
    if (report != NULL)
        report->depth = look_back_depth(context, scan);
    return status;
}

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
    wf_status status = wf_look_back_prepare(args->context, &scan);
    if (status == WF_OK)
        status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_look_back_run(args->context, NULL, &scan, args->report);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}
