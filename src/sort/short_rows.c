#include "short_rows.h"

#include "radix.h"
#include "request.h"
#include "wf_context.h"
#include "whole_numbers.h"

static wf_status launch_piece(const wf_queue *queue, const void *of, uint64_t first, uint64_t count) {
    wf_sort_request request = *(const wf_sort_request *)of;
    request.first_tile = first;
    request.head.tiles = (uint32_t)count;
    return wf_launch(queue, WF_ALGORITHM_SORT, &request);
}

static wf_status launch(const wf_queue *queue, const wf_sort_request *request, uint64_t tiles) {
    const wf_pieces pieces = {
        .end = tiles, .most = queue->context->info.max_tiles, .launch = launch_piece, .of = request};
    return wf_launch_in_pieces(queue, &pieces);
}

/* The lanes that share a row. */
static uint32_t lanes_of(uint64_t longest, uint32_t wave_width) {
    uint32_t lanes = 1;
    while (lanes < wave_width && lanes < longest)
        lanes *= 2;
    return lanes;
}

/* Rows of at most WF_RANK_KEYS, and then those of a tile: each launch leaves the rows of the other one. */
wf_status wf_sort_short_rows(const wf_queue *queue, const wf_short_rows *rows) {
    wf_sort_request request = wf_radix_request(queue, &rows->sorting);
    request.list = rows->list;
    request.list.shortest = 1;
    request.result_count = rows->result_count;
    request.is_first = rows->is_first;
    request.is_last = rows->is_last;
    const uint64_t longest = rows->list.longest;
    const bool has_segments = rows->list.offsets != NULL;
    wf_status status = WF_OK;
    if (rows->list.parts == 1 && (longest <= WF_RANK_KEYS || has_segments)) {
        wf_sort_request ranks = request;
        ranks.pass = WF_SORT_RANK;
        ranks.head.tile_size = WF_ROW_TILE;
        ranks.list.longest = wf_smaller(longest, WF_RANK_KEYS);
        ranks.lanes = lanes_of(ranks.list.longest, ranks.head.wave_width);
        status = launch(queue, &ranks, wf_ceil_div(rows->list.rows, WF_ROW_TILE / ranks.lanes));
        request.list.shortest = WF_RANK_KEYS + 1;
        if (longest <= WF_RANK_KEYS)
            return status;
    }
    request.pass = WF_SORT_RADIX_SHORT;
    return status == WF_OK ? launch(queue, &request, rows->list.rows * rows->list.parts) : status;
}
