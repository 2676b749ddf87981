/* The host side of the rungs that scan. */
#include "run_scans.h"

#include "ladder_table.h"
#include "launch.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>

/* ---- Level by level: scan tiles, scan the tiles' sums, fold these onto the tiles -------------------------------- */

typedef struct level {
    const char *source;
    char *result;
    uint64_t length;
    char *sums; /* of its tiles: the level above, which scans them in place */
    uint64_t tiles;
} level;

/* A kernel over a level. */
typedef struct level_launch {
    const wf_rung_run_args *args;
    const level *of;
    wf_kernel kernel;
    uint32_t span;
    bool exclusive;
} level_launch;

static wf_launch level_piece(const void *of, uint64_t tile, uint64_t tiles) {
    const level_launch *all = of;
    const wf_rung_run_args *args = all->args;
    const size_t element = args->info.element_bytes;
    const bool scans = all->kernel != WF_KERNEL_add_prefixes;
    const uint64_t offset = tile * all->span;
    const uint64_t length = wf_smaller(all->of->length - offset, tiles * all->span);
    char *sums = all->of->sums + tile * element;
    return (wf_launch){.kernel = all->kernel,
                       .type = args->options.type,
                       .op = args->options.op,
                       .accumulator = args->options.type,
                       .tiles = (uint32_t)tiles,
                       .tile_size = args->options.tile_size,
                       .wave_width = args->context->info.wave_width,
                       .source = scans ? all->of->source + offset * element : sums,
                       .source_count = scans ? length : tiles,
                       .result = all->of->result + offset * element,
                       .result_count = length,
                       .partials = sums,
                       .span = all->span,
                       .exclusive = all->exclusive};
}

/* From the level's tile number first on. */
static wf_status launch_level(const level_launch *what, uint64_t first) {
    wf_context *context = what->args->context;
    const wf_pieces pieces = {
        .first = first, .end = what->of->tiles, .most = context->info.max_tiles, .piece = level_piece, .of = what};
    return wf_launch_in_pieces(context, NULL, &pieces, what->args->report);
}

wf_status wf_run_scan_levels(const wf_rung *rung, const wf_rung_run_args *args) {
    const size_t element = args->info.element_bytes;
    uint32_t span = args->options.tile_size * rung->loads;
    while (2 * span * element > WF_TILE_MEMORY) /* two cells per element are the most that a kernel takes */
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
    level_launch what = {.args = args, .kernel = rung->kernel, .span = span};
    for (size_t i = 0; i <= top && status == WF_OK; i++) {
        what.of = &levels[i];
        what.exclusive = i > 0 || args->options.exclusive != 0;
        status = launch_level(&what, 0);
    }
    what.kernel = WF_KERNEL_add_prefixes;
    for (size_t i = top; i-- > 0 && status == WF_OK;) {
        what.of = &levels[i];
        status = launch_level(&what, 1); /* the first tile has nothing before it */
    }
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

/* The words that tiles tell each other: each what an element takes. */
static uint64_t tile_status_words(const wf_look_back *scan, uint64_t tiles) {
    return tiles * scan->element_bytes / WF_STATUS_VALUE_BYTES;
}

/* The workspace, of any array of this length: where it lies must not make the workspace grow. */
typedef struct room {
    char *ticket, *tile_status;
    size_t bytes; /* of both, one behind the other */
} room;

static wf_status make_room(wf_context *context, const wf_look_back *scan, room *made) {
    const uint64_t tile = cut_of(context, scan).wave * (scan->tile_size / context->info.wave_width);
    const size_t bytes = (size_t)tile_status_words(scan, scan->count / tile + 2) * sizeof(uint64_t);
    enum { TICKET, TILE_STATUS, PARTS };
    char *parts[PARTS];
    const wf_status status = wf_divide_workspace(context, PARTS, (const size_t[]){WF_LINE, bytes}, parts);
    if (status == WF_OK)
        *made = (room){.ticket = parts[TICKET], .tile_status = parts[TILE_STATUS], .bytes = WF_LINE + bytes};
    return status;
}

wf_status wf_look_back_prepare(wf_context *context, const wf_look_back *scan) {
    if (cut_of(context, scan).tiles > UINT32_MAX)
        return wf_fail(WF_UNSUPPORTED, "a scan numbers its tiles in 32 bits: %zu elements are too many for tiles of %u",
                       scan->count, scan->tile_size);
    room made;
    return make_room(context, scan, &made);
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

/* of: the launch of all tiles, which count on from launch to launch. */
static wf_launch look_back_piece(const void *of, uint64_t tile, uint64_t tiles) {
    (void)tile;
    wf_launch what = *(const wf_launch *)of;
    what.tiles = (uint32_t)tiles;
    return what;
}

wf_status wf_look_back_run(wf_context *context, void *stream, const wf_look_back *scan, wf_rung_report *report) {
    room made;
    wf_status status = wf_look_back_prepare(context, scan);
    if (status == WF_OK)
        status = make_room(context, scan, &made);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, stream, made.ticket, made.bytes);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");

    const uint64_t tiles = cut_of(context, scan).tiles;
    const wf_launch whole = {.kernel = WF_KERNEL_look_back,
                             .type = scan->type,
                             .op = scan->op,
                             .accumulator = scan->type,
                             .tile_size = scan->tile_size,
                             .wave_width = context->info.wave_width,
                             .source = scan->in,
                             .source_count = scan->count,
                             .result = scan->result,
                             .result_count = scan->count,
                             .ticket = made.ticket,
                             .exclusive = scan->exclusive,
                             .tile_status = made.tile_status,
                             .tile_status_words = tile_status_words(scan, tiles),
                             .polls = POLLS};
    const wf_pieces pieces = {.end = tiles, .most = context->info.max_tiles, .piece = look_back_piece, .of = &whole};
    status = wf_launch_in_pieces(context, stream, &pieces, report);
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
