/* Which launches sort rows: within tiles, row by row, or all rows at once. */
#include "row_queue.h"

#include "algebra.h"
#include "call.h"
#include "check.h"
#include "joint_sort.h"
#include "radix.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "request.h"
#include "short_rows.h"
#include "sort_queue.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>

/* Few rows, and those that fill a GPU by themselves, are sorted one after the other: in fewer passes. */
enum { FEW_ROWS = 2, LONG_ROW = 1 << 20 };

typedef struct longest_search {
    const wf_row_list *list;
    uint64_t *found;
} longest_search;

/* Waits for the device. */
static wf_status find_longest(const wf_queue *queue, const void *of) {
    const longest_search *const search = of;
    const wf_context *const context = queue->context;
    const wf_device_info *const info = &context->info;
    const uint64_t most = wf_smaller(info->multiprocessors, info->max_tiles);
    wf_sort_request request = {
        .pass = WF_SORT_LONGEST,
        .type = WF_U64,
        .list = *search->list,
        .count = 1,
        .head = {.tiles = (uint32_t)wf_smaller(wf_ceil_div(search->list->rows, WF_ROW_TILE), most),
                 .tile_size = WF_ROW_TILE,
                 .wave_width = info->wave_width}};
    wf_status status = wf_stream_room(queue->context, queue->stream, sizeof *search->found, &request.keys);
    if (status != WF_OK)
        return status;
    status = context->backend->clear(context->device, queue->stream, request.keys, sizeof *search->found);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    status = wf_launch(queue, WF_ALGORITHM_SORT, &request);
    if (status != WF_OK)
        return status;
    status = context->backend->copy(context->device, search->found, request.keys, sizeof *search->found, WF_TO_HOST);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying the length of the longest segment");
}

static wf_status sort_row_by_row(const wf_queue *queue, const wf_row_sorting *sorting) {
    const size_t key_bytes = wf_bytes_of_type(sorting->all.type), value_bytes = sorting->all.value_bytes;
    wf_status status = WF_OK;
    for (uint64_t row = 0; status == WF_OK && row < sorting->list.rows; row++) {
        const uint64_t begin = row * sorting->list.length;
        wf_array_sort sort = {.sorting = sorting->all};
        wf_sorting *const of = &sort.sorting;
        of->count = sorting->list.length;
        of->source_keys = (const char *)of->source_keys + begin * key_bytes;
        if (of->keys != NULL)
            of->keys = (char *)of->keys + begin * key_bytes;
        if (of->source_values != NULL)
            of->source_values = (const char *)of->source_values + begin * value_bytes;
        if (of->values != NULL)
            of->values = (char *)of->values + begin * value_bytes;
        status = wf_sort_queue(queue, &sort);
    }
    return status;
}

wf_status wf_row_queue(const wf_queue *queue, const void *of) {
    wf_row_sorting sorting = *(const wf_row_sorting *)of;
    wf_row_list *const list = &sorting.list;
    const uint64_t tile = wf_radix_tile_keys(sorting.all.type);
    if (sorting.find_longest != 0 && list->longest > tile) {
        uint64_t found = 0;
        const longest_search search = {.list = list, .found = &found};
        const wf_status status = wf_staging_take_turn(queue, find_longest, &search);
        if (status != WF_OK)
            return status;
        list->longest = wf_smaller(list->longest, found);
        if (list->longest == 0)
            return WF_OK;
    }
    if (list->longest <= tile)
        return wf_sort_short_rows(
            queue, &(wf_short_rows){.sorting = sorting.all, .list = *list, .is_first = true, .is_last = true});
    if (list->offsets == NULL && (list->rows <= FEW_ROWS || list->length >= LONG_ROW))
        return sort_row_by_row(queue, &sorting);
    return wf_staging_take_turn(queue, wf_joint_sort, &sorting);
}

wf_status wf_row_run(wf_context *context, const wf_row_sorting *sorting, const char *doing,
                     wf_status (*queue)(const wf_queue *queue, const void *of), bool is_async, void *stream) {
    const size_t count = sorting->list.rows == 0 ? 0 : (size_t)sorting->all.count;
    const wf_call call = {.doing = doing, .count = count, .queue = queue, .plan = sorting};
    if (!wf_folds_on_cpu(context))
        return is_async ? wf_call_async(context, &call, stream) : wf_call_and_wait(context, &call);
    wf_status status = is_async ? wf_check_stream(context, stream) : WF_OK;
    if (status != WF_OK || count == 0)
        return status;
    status = context->backend->sort_rows(context->device, sorting, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, doing);
}
