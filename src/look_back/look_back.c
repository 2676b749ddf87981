/* The single-pass scan: divides the array into tiles and launches them. */
#include "look_back.h"

#include "request.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>

/* Polls of an unpublished tile before a tile computes that tile's sum itself: some milliseconds on a GPU, longer than
 * any running tile takes. */
enum { POLLS = 1000 };

/* The division of an array into tiles; it must agree with hip/look_back/wave_rows.hpp. */
typedef struct cut {
    uint64_t wave; /* elements of a wave */
    uint64_t pack; /* elements in 16 bytes, at least 1 */
    uint64_t tiles;
} cut;

static cut cut_of(const wf_context *context, const wf_look_back *scan) {
    const uint64_t pack = 16, element = scan->element_bytes, past = (uintptr_t)scan->in % pack;
    const bool is_wide = element >= pack;
    const uint64_t shift = !is_wide && past % element == 0 ? past / element : 0;
    cut made = {.wave = WF_SCAN_PACKS * pack / (is_wide ? 2 : 1) / element, .pack = is_wide ? 1 : pack / element};
    made.tiles = wf_ceil_div(scan->count + shift, made.wave * (scan->tile_size / context->info.wave_width));
    return made;
}

/* The number of words that tiles publish: one element for each tile. */
static uint64_t tile_status_words(const wf_look_back *scan, uint64_t tiles) {
    return tiles * scan->element_bytes / WF_STATUS_VALUE_BYTES;
}

/* The workspace. Its size does not depend on the array's alignment: later calls of the same count allocate nothing. */
typedef struct room {
    char *ticket, *tile_status;
    size_t bytes; /* of both, which are contiguous */
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
        return wf_fail(WF_UNSUPPORTED,
                       "a scan numbers its tiles in 32 bits: %zu elements are too many for tiles of %u threads",
                       scan->count, scan->tile_size);
    room made;
    return make_room(context, scan, &made);
}

uint64_t wf_look_back_depth(const wf_context *context, const wf_look_back *scan) {
    const cut division = cut_of(context, scan);
    const uint64_t width = context->info.wave_width, wave_scan = 2 * wf_log2(width);
    const uint64_t own = division.pack - 1 + wave_scan + division.wave / width / division.pack + wave_scan;
    const uint64_t others = division.tiles > 1 ? division.wave * (scan->tile_size / width) / width + wave_scan : 0;
    return (own > others ? own : others) + division.tiles + 3;
}

/* of: the request for all tiles. The ticket numbers the tiles across launches. */
static wf_status launch_tiles(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    (void)tile;
    wf_look_back_request request = *(const wf_look_back_request *)of;
    request.head.tiles = (uint32_t)tiles;
    return wf_launch(queue, WF_ALGORITHM_LOOK_BACK, &request);
}

wf_status wf_look_back_run(const wf_queue *queue, const wf_look_back *scan) {
    wf_context *context = queue->context;
    room made;
    wf_status status = wf_look_back_prepare(context, scan);
    if (status == WF_OK)
        status = make_room(context, scan, &made);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, queue->stream, made.ticket, made.bytes);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");

    const uint64_t tiles = cut_of(context, scan).tiles;
    const wf_look_back_request whole = {.head = {.tile_size = scan->tile_size, .wave_width = context->info.wave_width},
                                        .type = scan->type,
                                        .op = scan->op,
                                        .exclusive = scan->exclusive,
                                        .source = scan->in,
                                        .result = scan->result,
                                        .count = scan->count,
                                        .ticket = made.ticket,
                                        .tile_status = made.tile_status,
                                        .tile_status_words = tile_status_words(scan, tiles),
                                        .polls = POLLS};
    const wf_pieces pieces = {.end = tiles, .most = context->info.max_tiles, .launch = launch_tiles, .of = &whole};
    return wf_launch_in_pieces(queue, &pieces);
}
