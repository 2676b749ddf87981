/* Selection by rounds. Each round cuts the rows into parts that fit into a tile, sorts each part, and keeps its first k
 * elements: the candidates of the next round. The order of candidates is that of the row where elements are equal:
 * parts follow each other in it, and sorts are stable. So the last round finds the lowest positions. */
#include "top_k_queue.h"

#include "algebra.h"
#include "joint_sort.h"
#include "radix.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "row_sorting.h"
#include "short_rows.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* The rows of a round, cut into parts that tiles hold. */
static wf_row_list rows_of_round(const wf_row_list *list, uint64_t tile) {
    wf_row_list cut = *list;
    cut.parts = wf_ceil_div(list->length, tile);
    cut.part_length = cut.longest = tile;
    return cut;
}

/* The candidates of a round are the rows of the next one. Those of a short last part leave a gap behind the row. */
static wf_row_list candidates_of(const wf_row_list *cut) {
    const uint64_t last = cut->length - (cut->parts - 1) * cut->part_length;
    wf_row_list next = *cut;
    next.stride = cut->parts * cut->kept;
    next.length = next.stride - cut->kept + wf_smaller(cut->kept, last);
    return next;
}

static wf_status select_by_rounds(const wf_queue *queue, const void *of) {
    const wf_row_sorting *const sorting = of;
    const uint64_t tile = wf_radix_tile_keys(sorting->all.type);
    const size_t key_bytes = wf_bytes_of_type(sorting->all.type), value_bytes = sorting->all.value_bytes;
    wf_short_rows round = {.sorting = sorting->all, .list = rows_of_round(&sorting->list, tile), .is_first = true};
    const uint64_t most = candidates_of(&round.list).stride * round.list.rows; /* later rounds have fewer */
    const size_t key_room = (size_t)wf_ceil_div(most * key_bytes, WF_LINE) * WF_LINE;
    const size_t round_room = key_room + (size_t)wf_ceil_div(most * value_bytes, WF_LINE) * WF_LINE;
    void *room;
    wf_status status = wf_stream_room(queue->context, queue->stream, 2 * round_room, &room);
    for (uint64_t number = 0; status == WF_OK && !round.is_last; number++) {
        char *const own = (char *)room + number % 2 * round_room;
        round.is_last = round.list.parts == 1;
        round.result_count = round.list.rows * round.list.parts * round.list.kept;
        round.sorting.keys = round.is_last ? sorting->all.keys : own;
        round.sorting.values = value_bytes == 0 ? NULL : round.is_last ? sorting->all.values : own + key_room;
        status = wf_sort_short_rows(queue, &round);
        const wf_row_list next = candidates_of(&round.list);
        round.list = rows_of_round(&next, tile);
        round.is_first = false;
        round.sorting.count = round.result_count;
        round.sorting.source_keys = round.sorting.keys;
        round.sorting.source_values = round.sorting.values;
    }
    return status;
}

wf_status wf_top_k_queue(const wf_queue *queue, const void *of) {
    const wf_row_sorting *const sorting = of;
    const wf_row_list *const list = &sorting->list;
    const uint64_t tile = wf_radix_tile_keys(sorting->all.type);
    if (list->length <= tile)
        return wf_sort_short_rows(queue, &(wf_short_rows){.sorting = sorting->all,
                                                          .list = *list,
                                                          .result_count = list->rows * list->kept,
                                                          .is_first = true,
                                                          .is_last = true});
    /* With more results than that, a round would not halve the elements. */
    const bool has_few_results = list->kept <= tile / 2;
    return wf_staging_take_turn(queue, has_few_results ? select_by_rounds : wf_joint_sort, sorting);
}
