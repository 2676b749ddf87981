/* The radix sort: the digits, the workspace, and the launches.
 *
 * A pass reads the keys from one array and writes them to another, so an even number of passes leaves them where they
 * were. If only the values are wanted, the last pass writes no keys. */
#include "radix.h"

#include "algebra.h"
#include "request.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* Polls of an unpublished tile before a tile counts that tile's digits itself: some milliseconds on a GPU, longer than
 * any running tile takes. */
enum { POLLS = 1000, COUNT_TILES_OF_PROCESSOR = 8, COUNT_BYTES_OF_THREAD = 64 };

uint64_t wf_radix_tile_keys(wf_type type) {
    return (uint64_t)WF_RADIX_TILE * WF_RADIX_KEYS(wf_bytes_of_type(type));
}

static uint64_t keys_of_tile(const wf_sorting *sorting) {
    return wf_radix_tile_keys(sorting->type);
}

bool wf_radix_is_short(const wf_sorting *sorting) {
    return sorting->count <= keys_of_tile(sorting);
}

uint32_t wf_radix_tile_size(void) {
    return WF_RADIX_TILE;
}

/* Sets the digits: passes of about the same number of bits; even, if passes over two arrays must end in the first. */
static void set_digits(const wf_sorting *sorting, bool is_even, wf_sort_request *request) {
    request->begin_bit = sorting->begin_bit;
    request->end_bit = sorting->end_bit == 0 ? 8 * (uint32_t)wf_bytes_of_type(sorting->type) : sorting->end_bit;
    const uint32_t bits = request->end_bit - request->begin_bit;
    request->passes = (uint32_t)wf_ceil_div(bits, WF_RADIX_BITS);
    if (is_even)
        request->passes += request->passes % 2;
    request->digit_bits = (uint32_t)wf_ceil_div(bits, request->passes);
}

static wf_sort_request request_of(const wf_queue *queue, const wf_sorting *sorting) {
    return (wf_sort_request){.head = {.tile_size = WF_RADIX_TILE, .wave_width = queue->context->info.wave_width},
                             .type = sorting->type,
                             .value_bytes = sorting->value_bytes,
                             .descending = sorting->descending,
                             .source_keys = sorting->source_keys,
                             .source_values = sorting->source_values,
                             .keys = sorting->keys,
                             .values = sorting->values,
                             .count = sorting->count,
                             .is_first = 1,
                             .is_last = 1,
                             .polls = POLLS};
}

wf_sort_request wf_radix_request(const wf_queue *queue, const wf_sorting *sorting) {
    wf_sort_request request = request_of(queue, sorting);
    set_digits(sorting, false, &request);
    return request;
}

wf_status wf_radix_run_short(const wf_queue *queue, const wf_sorting *sorting) {
    const uint64_t count = sorting->count;
    wf_sort_request request = wf_radix_request(queue, sorting);
    request.pass = WF_SORT_RADIX_SHORT;
    request.head.tiles = 1;
    request.list =
        (wf_row_list){.rows = 1, .stride = count, .length = count, .parts = 1, .part_length = count, .longest = count};
    return wf_launch(queue, WF_ALGORITHM_SORT, &request);
}

/* ---- The workspace ---------------------------------------------------------------------------------------------- */

/* In bytes from the start of the workspace. The tickets are those of the passes, and that of RADIX_COUNT. */
typedef struct radix_layout {
    size_t tickets, counts, tile_status, starts, keys[2], values, end;
} radix_layout;

static uint64_t words_of_tiles(const wf_sorting *sorting) {
    return wf_ceil_div(sorting->count, keys_of_tile(sorting)) * (WF_RADIX_VALUES / 2);
}

static radix_layout layout_of(const wf_sorting *sorting) {
    const uint64_t key_bytes = sorting->count * wf_bytes_of_type(sorting->type);
    const uint64_t words = (uint64_t)WF_RADIX_MOST_PASSES * WF_RADIX_VALUES;
    radix_layout made = {.end = 0};
    made.tickets = wf_add_part(&made.end, (WF_RADIX_MOST_PASSES + 1) * sizeof(uint32_t));
    made.counts = wf_add_part(&made.end, words * sizeof(uint64_t));
    made.tile_status = wf_add_part(&made.end, words_of_tiles(sorting) * sizeof(uint64_t));
    made.starts = wf_add_part(&made.end, 2 * words * sizeof(uint64_t));
    made.keys[0] = wf_add_part(&made.end, key_bytes);
    made.keys[1] = wf_add_part(&made.end, sorting->keys == NULL ? key_bytes : 0);
    made.values = wf_add_part(&made.end, sorting->count * sorting->value_bytes);
    return made;
}

size_t wf_radix_bytes(const wf_sorting *sorting) {
    return layout_of(sorting).end;
}

/* ---- The launches ----------------------------------------------------------------------------------------------- */

typedef struct radix_run {
    const wf_queue *queue;
    const wf_sorting *sorting;
    wf_sort_request request; /* of all passes */
    radix_layout layout;
    char *workspace;
} radix_run;

/* RADIX_COUNT strides over the array, and the tiles of one launch find the last of them. */
static wf_status count_digits(const radix_run *run) {
    const wf_device_info *info = &run->queue->context->info;
    wf_sort_request request = run->request;
    const uint64_t bytes = request.count * wf_bytes_of_type(request.type);
    const uint64_t most = wf_smaller((uint64_t)info->multiprocessors * COUNT_TILES_OF_PROCESSOR, info->max_tiles);
    const uint64_t tiles = wf_ceil_div(bytes, (uint64_t)WF_RADIX_COUNT_TILE * COUNT_BYTES_OF_THREAD);
    request.pass = WF_SORT_RADIX_COUNT;
    request.head.tile_size = WF_RADIX_COUNT_TILE;
    request.head.tiles = (uint32_t)wf_smaller(tiles, most);
    request.ticket = run->workspace + run->layout.tickets + WF_RADIX_MOST_PASSES * sizeof(uint32_t);
    request.starts = run->workspace + run->layout.starts;
    return wf_launch(run->queue, WF_ALGORITHM_SORT, &request);
}

/* The arrays of a pass. Each pass but the first reads what the one before has written. */
static void set_arrays(const radix_run *run, uint32_t number, wf_sort_request *request) {
    const wf_sorting *sorting = run->sorting;
    char *const own = run->workspace + run->layout.keys[0], *const values = run->workspace + run->layout.values;
    void *const other = sorting->keys != NULL ? sorting->keys : run->workspace + run->layout.keys[1];
    const bool to_result = (request->passes - 1 - number) % 2 == 0; /* the last pass ends there */
    request->is_first = number == 0;
    request->is_last = number == request->passes - 1;
    request->keys = request->is_last ? sorting->keys : to_result ? other : own;
    request->values = to_result ? sorting->values : values;
    if (number != 0) {
        request->source_keys = to_result ? own : other;
        request->source_values = to_result ? values : sorting->values;
    }
}

/* A part of the array is a launch of a pass: within it tiles look back, and add its counts to starts for the next. */
static wf_status launch_pass(const radix_run *run, uint32_t number) {
    const size_t starts_bytes = WF_RADIX_VALUES * sizeof(uint64_t);
    const uint64_t tile = keys_of_tile(run->sorting), tiles = wf_ceil_div(run->sorting->count, tile);
    const uint64_t most =
        wf_smaller(run->queue->context->info.max_tiles, ((UINT64_C(1) << WF_RADIX_COUNT_BITS) - 1) / tile);
    char *const starts = run->workspace + run->layout.starts + number * starts_bytes;
    char *const other_starts = starts + WF_RADIX_MOST_PASSES * starts_bytes;
    wf_sort_request request = run->request;
    request.pass = WF_SORT_RADIX;
    request.number = number;
    request.ticket = run->workspace + run->layout.tickets + number * sizeof(uint32_t);
    set_arrays(run, number, &request);
    wf_status status = WF_OK;
    for (uint64_t first = 0, part = 0; status == WF_OK && first < tiles; first += most, part++) {
        request.first_tile = first;
        request.head.tiles = (uint32_t)wf_smaller(tiles - first, most);
        request.starts = part % 2 == 0 ? starts : other_starts;
        request.next_starts = part % 2 == 0 ? other_starts : starts;
        status = wf_launch(run->queue, WF_ALGORITHM_SORT, &request);
    }
    return status;
}

wf_status wf_radix_run(const wf_queue *queue, const wf_sorting *sorting, void *workspace) {
    const wf_context *context = queue->context;
    radix_run run = {.queue = queue,
                     .sorting = sorting,
                     .request = request_of(queue, sorting),
                     .layout = layout_of(sorting),
                     .workspace = workspace};
    set_digits(sorting, sorting->keys == sorting->source_keys, &run.request);
    run.request.counts = run.workspace + run.layout.counts;
    run.request.tile_status = run.workspace + run.layout.tile_status;
    run.request.tile_status_words = words_of_tiles(sorting);
    wf_status status = context->backend->clear(context->device, queue->stream, workspace, run.layout.starts);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "clearing the workspace");
    status = count_digits(&run);
    for (uint32_t number = 0; status == WF_OK && number < run.request.passes; number++)
        status = launch_pass(&run, number);
    return status;
}
