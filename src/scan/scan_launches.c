/* Which kernel scans, and its launches. */
#include "scan_plan.h"

#include "call.h"
#include "check.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdint.h>

enum { MANY_COLUMNS = 8192, SHORT_COLUMN = 4096, LONG_ROW = 4 /* sections for each multiprocessor */ };

/* The lanes that share a row, where rows are short, or where neighbouring rows lie side by side; 0: tiles share it. */
static uint32_t lanes_of_row(const wf_scan_request *request) {
    const uint32_t pack = WF_SCAN_PACK(request->element_bytes, request->value_bytes);
    const uint32_t of_section = wf_scan_elements_of_section(request->element_bytes, request->value_bytes);
    if (request->rows < 2)
        return 0;
    if (wf_magnitude_of_stride(request->stride) != 1)
        return request->rows >= MANY_COLUMNS || request->length <= SHORT_COLUMN ? 1 : 0;
    if (request->length > of_section / 2)
        return 0;
    uint32_t lanes = 1;
    while (lanes < WF_SCAN_LANES && (uint64_t)lanes * pack < request->length)
        lanes *= 2;
    return lanes;
}

/* of: the request for all tiles. */
static wf_status launch_tiles(const wf_queue *queue, const void *of, uint64_t first, uint64_t count) {
    wf_scan_request request = *(const wf_scan_request *)of;
    request.first_tile = first;
    request.head.tiles = (uint32_t)count;
    return wf_launch(queue, WF_ALGORITHM_SCAN, &request);
}

static wf_status launch(const wf_queue *queue, const void *of) {
    const wf_scan_request *const request = of;
    const wf_pieces pieces = {
        .end = request->tiles, .most = queue->context->info.max_tiles, .launch = launch_tiles, .of = request};
    return wf_launch_in_pieces(queue, &pieces);
}

/* Words for tiles that share a row: those of the stream's workspace, whose halves take turns, or, for several rows and
 * for more tiles, others that are put to zeros first. Where the CPU scans, the ladder's kernels use the context's
 * workspace. */
static wf_status make_room(const wf_queue *queue, wf_scan_request *request) {
    wf_context *const context = queue->context;
    const size_t head = WF_WORKSPACE_SCAN_STATUS - WF_WORKSPACE_SCAN;
    const uint64_t in_workspace = WF_SCAN_STATUS_ROOM / 2 / sizeof(uint64_t);
    const bool has_workspace = !wf_folds_on_cpu(context), makes_flags = request->begins != NULL;
    const bool fits = has_workspace && !makes_flags && request->rows == 1 && request->used_words <= in_workspace;
    request->half_words = fits ? in_workspace : (request->used_words + 1) / 2 * 2;
    const size_t half = (size_t)request->half_words * sizeof(uint64_t);
    const size_t flags = makes_flags ? (size_t)request->length : 0, bytes = head + 2 * half + flags;
    void *room = NULL;
    wf_status status = fits            ? wf_stream_workspace_of(context, queue->stream, &room, NULL)
                       : has_workspace ? wf_stream_room(context, queue->stream, bytes, &room)
                                       : wf_workspace(context, bytes, &room);
    if (status != WF_OK)
        return status;
    const size_t zeros = makes_flags ? bytes : head + half;
    status = fits ? WF_OK : context->backend->clear(context->device, queue->stream, room, zeros);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    char *const start = (char *)room + (fits ? WF_WORKSPACE_SCAN : 0);
    request->ticket = start;
    request->words = start + head / 2;
    request->tile_status = start + head;
    if (!fits)
        request->used_words = 0;
    if (makes_flags)
        request->flags = start + head + 2 * half;
    return WF_OK;
}

/* Segments' offsets become flags first. */
static wf_status launch_with_room(const wf_queue *queue, const void *of) {
    wf_scan_request request = *(const wf_scan_request *)of;
    wf_status status = make_room(queue, &request);
    if (status == WF_OK && request.begins != NULL) {
        wf_scan_request marks = request;
        marks.tiles = wf_ceil_div(request.begin_count, WF_SCAN_TILE);
        status = launch(queue, &marks);
        request.begins = NULL;
    }
    return status == WF_OK ? launch(queue, &request) : status;
}

static wf_status queue_shared_rows(const wf_queue *queue, wf_scan_request *request) {
    const wf_context *const context = queue->context;
    const uint32_t element_bytes = request->element_bytes, value_bytes = request->value_bytes;
    const uint64_t sections = wf_ceil_div(request->length, wf_scan_elements_of_section(element_bytes, value_bytes));
    const uint64_t groups = wf_ceil_div(sections, WF_SCAN_GROUP), spans = wf_ceil_div(groups, WF_SCAN_GROUP);
    const uint64_t values = request->rows * (sections + groups + spans);
    if (sections > UINT32_MAX / 2 || request->rows > UINT32_MAX / 2 / sections)
        return wf_fail(WF_UNSUPPORTED,
                       "a scan numbers its tiles in 32 bits: %llu rows of %llu elements are too many: scan fewer rows "
                       "at once",
                       (unsigned long long)request->rows, (unsigned long long)request->length);
    const bool has_flags = request->flags != NULL || request->begins != NULL;
    const bool is_long = !has_flags && sections > (uint64_t)LONG_ROW * context->info.multiprocessors;
    request->row_sections = sections;
    request->sections = is_long ? WF_SCAN_SECTIONS(element_bytes, value_bytes) : 1;
    request->tiles = request->rows * wf_ceil_div(sections, request->sections);
    if (sections == 1 && request->begins == NULL)
        return launch(queue, request);
    /* As many tiles as multiprocessors start in the order of their numbers, on every GPU that we know, also if other
     * launches run: a tile that has not started waits for a place, and those before it have one. */
    request->draws = wf_is_host_device(context) || request->tiles > context->info.multiprocessors;
    request->used_words = values * request->value_bytes / WF_STATUS_VALUE_BYTES;
    return wf_folds_on_cpu(context) ? launch_with_room(queue, request)
                                    : wf_staging_take_turn(queue, launch_with_room, request);
}

wf_status wf_scan_queue(const wf_queue *queue, const void *of) {
    wf_scan_request request = *(const wf_scan_request *)of;
    request.head.tile_size = WF_SCAN_TILE;
    request.head.wave_width = queue->context->info.wave_width;
    request.lanes = lanes_of_row(&request);
    if (request.lanes == 0)
        return queue_shared_rows(queue, &request);
    request.tiles = wf_ceil_div(request.rows, WF_SCAN_TILE / request.lanes);
    return launch(queue, &request);
}

uint64_t wf_scan_depth(const wf_scan_request *request) {
    const uint64_t pack = WF_SCAN_PACK(request->element_bytes, request->value_bytes);
    const uint64_t rows = WF_SCAN_LANE_ROWS(request->element_bytes, request->value_bytes);
    const uint64_t sections = wf_ceil_div(request->length, WF_SCAN_TILE * pack * rows);
    const uint64_t in_section = pack - 1 + wf_log2(WF_SCAN_LANES) + rows + WF_SCAN_TEAMS;
    const uint64_t joins = 6; /* of spans, groups, sections, teams, lane rows and packs */
    return in_section + joins + wf_smaller(sections, WF_SCAN_GROUP) +
           wf_smaller(wf_ceil_div(sections, WF_SCAN_GROUP), WF_SCAN_GROUP) + sections / (WF_SCAN_GROUP * WF_SCAN_GROUP);
}

wf_status wf_scan_run(wf_context *context, const wf_scan_request *request, bool is_async, void *stream) {
    const uint64_t count = request->length == 0 ? 0 : request->rows;
    const wf_call call = {.doing = "scanning", .count = count, .queue = wf_scan_queue, .plan = request};
    if (!wf_folds_on_cpu(context))
        return is_async ? wf_call_async(context, &call, stream) : wf_call_and_wait(context, &call);
    wf_status status = is_async ? wf_check_stream(context, stream) : WF_OK;
    if (status != WF_OK || count == 0)
        return status;
    status = context->backend->scan(context->device, request, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "scanning");
}
