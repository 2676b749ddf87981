/* The order of all keys, without regard to rows, is found by a radix sort; a second one, stable, puts it into the order
 * of rows. Then keys and values move once. Every pass runs at the memory's bandwidth, whatever the rows' lengths. */
#include "joint_sort.h"

#include "algebra.h"
#include "radix.h"
#include "reduce/stream_workspace.h"
#include "request.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>

enum { TILES_OF_PROCESSOR = 8, PLACES_OF_THREAD = 4 };

/* In bytes from the start of the room. passes: the workspace of the radix sorts, and later copies of what moves. */
typedef struct joint_layout {
    size_t order, numbers, row_order, passes, end;
} joint_layout;

typedef struct joint_run {
    const wf_queue *queue;
    const wf_row_sorting *sorting;
    wf_type word;        /* of elements' and rows' numbers */
    uint32_t word_bytes; /* of it */
    uint32_t row_bits;   /* of the rows' numbers */
    wf_sorting by_key, by_row;
    joint_layout layout;
    char *room;
} joint_run;

/* ---- The plan --------------------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t add_part(size_t *end, uint64_t bytes) {
    const size_t begin = *end;
    *end += (size_t)wf_ceil_div(bytes, WF_LINE) * WF_LINE;
    return begin;
}

static joint_run plan_of(const wf_queue *queue, const wf_row_sorting *sorting) {
    const wf_sorting *const all = &sorting->all;
    const wf_row_list *const list = &sorting->list;
    const uint64_t largest_row = list->offsets != NULL ? list->rows + 1 : list->rows - 1;
    const bool is_long = all->count > UINT32_MAX || largest_row >= UINT32_MAX;
    joint_run run = {.queue = queue,
                     .sorting = sorting,
                     .word = is_long ? WF_U64 : WF_U32,
                     .word_bytes = is_long ? 8 : 4,
                     .row_bits = largest_row == 0 ? 0 : (uint32_t)wf_log2(largest_row) + 1};
    run.by_key = *all;
    run.by_key.value_bytes = run.word_bytes;
    run.by_key.source_values = run.by_key.keys = NULL;
    run.by_row =
        (wf_sorting){.type = run.word, .value_bytes = run.word_bytes, .end_bit = run.row_bits, .count = all->count};
    const uint64_t words = all->count * run.word_bytes, key_bytes = wf_bytes_of_type(all->type);
    size_t passes = wf_radix_bytes(&run.by_key);
    if (run.row_bits != 0)
        passes = larger(passes, wf_radix_bytes(&run.by_row));
    passes = larger(passes, (size_t)(all->count * larger(key_bytes, all->value_bytes)));
    run.layout.order = add_part(&run.layout.end, words);
    run.layout.numbers = add_part(&run.layout.end, run.row_bits != 0 ? words : 0);
    run.layout.row_order = add_part(&run.layout.end, run.row_bits != 0 ? words : 0);
    run.layout.passes = add_part(&run.layout.end, passes);
    return run;
}

/* ---- The launches ----------------------------------------------------------------------------------------------- */

static wf_status launch(const joint_run *run, wf_sort_request *request, wf_sort_pass pass, uint64_t places) {
    const wf_device_info *const info = &run->queue->context->info;
    const uint64_t most = wf_smaller((uint64_t)info->multiprocessors * TILES_OF_PROCESSOR, info->max_tiles);
    request->pass = pass;
    request->type = run->word;
    request->count = run->sorting->all.count;
    request->list = run->sorting->list;
    request->head =
        (wf_launch_head){.tiles = (uint32_t)wf_smaller(wf_ceil_div(places, WF_ROW_TILE * PLACES_OF_THREAD), most),
                         .tile_size = WF_ROW_TILE,
                         .wave_width = info->wave_width};
    return wf_launch(run->queue, WF_ALGORITHM_SORT, request);
}

/* Writes the number of the row of each element of an order. */
static wf_status number(const joint_run *run, const void *order, void *numbers) {
    wf_sort_request request = {.order = order, .keys = numbers};
    return launch(run, &request, WF_SORT_NUMBER, run->sorting->all.count);
}

/* Moves as many values as there are results; source is NULL for positions. */
static wf_status move(const joint_run *run, const void *order, const void *source, void *target, size_t bytes,
                      const wf_row_list *list) {
    const uint64_t results = list->kept != 0 ? list->rows * list->kept : run->sorting->all.count;
    wf_row_sorting changed = *run->sorting;
    changed.list = *list;
    joint_run with_list = *run;
    with_list.sorting = &changed;
    wf_sort_request request = {.order = order,
                               .source_values = source,
                               .values = target,
                               .value_bytes = (uint32_t)bytes,
                               .result_count = results};
    return launch(&with_list, &request, WF_SORT_MOVE, results);
}

/* One row of all, so that nothing stays where it is. */
static wf_row_list whole_array(uint64_t count) {
    return (wf_row_list){.rows = 1, .stride = count, .length = count, .parts = 1, .part_length = count};
}

/* Segments' numbers are searched for in the order of the array, where neighbours find the same, and moved then. */
static wf_status number_rows(const joint_run *run) {
    char *const order = run->room + run->layout.order, *const numbers = run->room + run->layout.numbers;
    if (run->sorting->list.offsets == NULL)
        return number(run, order, numbers);
    char *const of_places = run->room + run->layout.row_order;
    const wf_row_list all = whole_array(run->sorting->all.count);
    const wf_status status = number(run, NULL, of_places);
    return status == WF_OK ? move(run, order, of_places, numbers, run->word_bytes, &all) : status;
}

/* *order becomes the elements' numbers in the order of the result. */
static wf_status find_order(joint_run *run, const void **order) {
    char *const by_key = run->room + run->layout.order, *const passes = run->room + run->layout.passes;
    run->by_key.values = by_key;
    wf_status status = wf_radix_run(run->queue, &run->by_key, passes);
    *order = by_key;
    if (status != WF_OK || run->row_bits == 0)
        return status;
    status = number_rows(run);
    run->by_row.source_keys = run->room + run->layout.numbers;
    run->by_row.source_values = by_key;
    run->by_row.values = run->room + run->layout.row_order;
    *order = run->by_row.values;
    return status == WF_OK ? wf_radix_run(run->queue, &run->by_row, passes) : status;
}

/* What moves in place is copied first. */
static wf_status move_to_result(const joint_run *run, const void *order, const void *source, void *target,
                                size_t bytes) {
    wf_status status = WF_OK;
    if (source == target) {
        const wf_row_list all = whole_array(run->sorting->all.count);
        void *const copy = run->room + run->layout.passes;
        status = move(run, NULL, source, copy, bytes, &all);
        source = copy;
    }
    return status == WF_OK ? move(run, order, source, target, bytes, &run->sorting->list) : status;
}

wf_status wf_joint_sort(const wf_queue *queue, const void *of) {
    joint_run run = plan_of(queue, of);
    const wf_sorting *const all = &run.sorting->all;
    const void *order = NULL;
    void *room;
    wf_status status = wf_stream_room(queue->context, queue->stream, run.layout.end, &room);
    if (status != WF_OK)
        return status;
    run.room = room;
    status = find_order(&run, &order);
    if (status == WF_OK && all->keys != NULL)
        status = move_to_result(&run, order, all->source_keys, all->keys, wf_bytes_of_type(all->type));
    if (status == WF_OK && all->value_bytes != 0)
        status = move_to_result(&run, order, all->source_values, all->values, all->value_bytes);
    return status;
}
