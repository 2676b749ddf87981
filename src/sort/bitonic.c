/* The sorting networks: the sequence of passes over the array, and their launches.
 *
 * Both networks merge sorted blocks, doubling their length each time. A block without an upper half is already sorted,
 * and is left out. */
#include "bitonic.h"

#include "request.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* The request of the first pass; the later ones are made from it. */
static wf_sort_request first_pass(const wf_queue *queue, const wf_sorting *sorting, uint32_t tile_size) {
    return (wf_sort_request){.head = {.tile_size = tile_size, .wave_width = queue->context->info.wave_width},
                             .type = sorting->type,
                             .value_bytes = sorting->value_bytes,
                             .descending = sorting->descending,
                             .source_keys = sorting->source_keys,
                             .source_values = sorting->source_values,
                             .keys = sorting->keys,
                             .values = sorting->values,
                             .count = sorting->count,
                             .is_first = 1};
}

/* The later passes read the records that the first one wrote. */
static void go_on(wf_sort_request *pass) {
    pass->source_keys = pass->keys;
    pass->source_values = pass->values;
    pass->is_first = 0;
}

/* The number of elements in blocks that have an upper half. */
static uint64_t merged_count(uint64_t count, uint64_t block) {
    const uint64_t rest = count % block;
    return rest > block / 2 ? count : count - rest;
}

static wf_status launch_piece(const wf_queue *queue, const void *of, uint64_t tile, uint64_t tiles) {
    wf_sort_request request = *(const wf_sort_request *)of;
    request.first_tile = tile;
    request.head.tiles = (uint32_t)tiles;
    return wf_launch(queue, WF_ALGORITHM_SORT, &request);
}

static wf_status launch_pass(const wf_queue *queue, wf_sort_request *pass, wf_sort_pass kind, uint64_t tiles) {
    pass->pass = kind;
    const wf_pieces pieces = {.end = tiles, .most = queue->context->info.max_tiles, .launch = launch_piece, .of = pass};
    return wf_launch_in_pieces(queue, &pieces);
}

/* Makes one launch for every stride that does not fit into a tile. */
wf_status wf_sort_stepwise(const wf_queue *queue, const wf_sorting *sorting, uint32_t tile_size) {
    const uint64_t count = sorting->count;
    const uint64_t tile = 2 * (uint64_t)tile_size; /* records */
    wf_sort_request pass = first_pass(queue, sorting, tile_size);
    pass.block = tile;
    pass.is_last = count <= tile;
    wf_status status = launch_pass(queue, &pass, WF_SORT_TILE, wf_ceil_div(count, tile));
    go_on(&pass);
    for (pass.block = 2 * tile; status == WF_OK && pass.block / 2 < count; pass.block *= 2) {
        pass.count = merged_count(count, pass.block);
        for (pass.stride = pass.block / 2; status == WF_OK && pass.stride >= tile; pass.stride /= 2) {
            const uint64_t threads = wf_ceil_div(pass.count, 2 * pass.stride) * pass.stride;
            status = launch_pass(queue, &pass, WF_SORT_STEP, threads / tile_size);
        }
        pass.is_last = pass.block >= count;
        if (status == WF_OK)
            status = launch_pass(queue, &pass, WF_SORT_TILE, wf_ceil_div(pass.count, tile));
    }
    return status;
}

/* The records of a tile whose threads hold them in registers. */
static uint64_t register_tile(const wf_sorting *sorting) {
    const size_t key_bytes = wf_type_size(sorting->type), value_bytes = sorting->value_bytes;
    const size_t record_bytes = value_bytes == 0 ? key_bytes : key_bytes == 8 || value_bytes == 8 ? 16 : 8;
    return UINT64_C(1) << WF_REGISTER_TILE_BITS(record_bytes);
}

uint32_t wf_sort_registers_tile_size(const wf_sorting *sorting) {
    return (uint32_t)(register_tile(sorting) >> WF_REGISTER_BITS);
}

/* Makes one launch for up to eight long strides. Passes across tiles do four or eight steps. Steps beyond the long
 * strides are repeated within the tiles, where they change nothing. */
wf_status wf_sort_registers(const wf_queue *queue, const wf_sorting *sorting) {
    const uint64_t count = sorting->count;
    const uint64_t tile = register_tile(sorting); /* records */
    wf_sort_request pass = first_pass(queue, sorting, wf_sort_registers_tile_size(sorting));
    pass.is_last = count <= tile;
    wf_status status = launch_pass(queue, &pass, WF_SORT_REGISTERS_SORT, wf_ceil_div(count, tile));
    go_on(&pass);
    for (pass.block = 2 * tile; status == WF_OK && pass.block / 2 < count; pass.block *= 2) {
        pass.count = merged_count(count, pass.block);
        uint64_t sorted_apart = pass.block; /* parts of this length no longer exchange records */
        while (status == WF_OK && sorted_apart > tile) {
            const bool is_long = sorted_apart > tile << WF_REGISTER_BITS;
            const uint64_t tiles = wf_ceil_div(pass.count, sorted_apart) * (sorted_apart / tile);
            sorted_apart >>= is_long ? 2 * WF_REGISTER_BITS : WF_REGISTER_BITS;
            pass.stride = sorted_apart;
            status =
                launch_pass(queue, &pass, is_long ? WF_SORT_REGISTERS_ACROSS_8 : WF_SORT_REGISTERS_ACROSS_4, tiles);
        }
        pass.is_last = pass.block >= count;
        if (status == WF_OK)
            status = launch_pass(queue, &pass, WF_SORT_REGISTERS_MERGE, wf_ceil_div(pass.count, tile));
    }
    return status;
}
