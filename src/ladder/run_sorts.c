/* The host side of the sorts: which passes over the array there are, in how many launches.
 *
 * Both networks merge sorted blocks of ever twice the length. A block whose upper half would lie behind the end is
 * sorted already: it is left out. */
#include "run_sorts.h"
#include "ladder_table.h"
#include "launch.h"
#include "wf_context.h"
#include "whole_numbers.h"

/* All passes of a sort share what the first one is launched with. */
static wf_launch first_pass(const wf_sorting *sorting, uint32_t tile_size) {
    return (wf_launch){.type = sorting->type,
                       .tile_size = tile_size,
                       .wave_width = sorting->context->info.wave_width,
                       .source = sorting->source_keys,
                       .source_count = sorting->count,
                       .result = sorting->keys,
                       .result_count = sorting->count,
                       .source_values = sorting->source_values,
                       .result_values = sorting->values,
                       .value_bytes = sorting->value_bytes,
                       .descending = sorting->descending,
                       .is_first = 1};
}

/* What follows goes on where the first pass left its records. */
static void go_on(wf_launch *pass) {
    pass->source = pass->result;
    pass->source_values = pass->result_values;
    pass->is_first = 0;
}

/* The elements of a merge: all blocks that have an upper half. */
static uint64_t merged_count(uint64_t count, uint64_t block) {
    const uint64_t rest = count % block;
    return rest > block / 2 ? count : count - rest;
}

static wf_launch pass_piece(const void *of, uint64_t tile, uint64_t tiles) {
    wf_launch pass = *(const wf_launch *)of;
    pass.first = tile;
    pass.tiles = (uint32_t)tiles;
    return pass;
}

/* Launches a pass over so many tiles. */
static wf_status launch_pass(const wf_sorting *sorting, wf_launch *pass, wf_kernel kernel, uint64_t tiles) {
    pass->kernel = kernel;
    const wf_pieces pieces = {.end = tiles, .most = sorting->context->info.max_tiles, .piece = pass_piece, .of = pass};
    return wf_launch_in_pieces(sorting->context, sorting->stream, &pieces, sorting->report);
}

/* A launch for every stride that does not fit into a tile. */
static wf_status sort_stepwise(const wf_sorting *sorting, uint32_t tile_size) {
    const uint64_t count = sorting->count;
    const uint64_t tile = 2 * (uint64_t)tile_size; /* records */
    wf_launch pass = first_pass(sorting, tile_size);
    pass.block = tile;
    pass.is_last = count <= tile;
    wf_status status = launch_pass(sorting, &pass, WF_KERNEL_bitonic_tile, wf_ceil_div(count, tile));
    go_on(&pass);
    for (pass.block = 2 * tile; status == WF_OK && pass.block / 2 < count; pass.block *= 2) {
        pass.source_count = pass.result_count = merged_count(count, pass.block);
        for (pass.stride = pass.block / 2; status == WF_OK && pass.stride >= tile; pass.stride /= 2) {
            const uint64_t threads = wf_ceil_div(pass.source_count, 2 * pass.stride) * pass.stride;
            status = launch_pass(sorting, &pass, WF_KERNEL_bitonic_step, threads / tile_size);
        }
        pass.is_last = pass.block >= count;
        if (status == WF_OK)
            status = launch_pass(sorting, &pass, WF_KERNEL_bitonic_tile, wf_ceil_div(pass.source_count, tile));
    }
    return status;
}

/* Up to eight long strides in a launch. Passes across tiles do four or eight steps; what they do beyond the long
 * strides is done again within the tiles, and changes nothing there. */
wf_status wf_sort_registers(const wf_sorting *sorting) {
    const uint64_t count = sorting->count;
    const size_t key_bytes = wf_type_size(sorting->type), value_bytes = sorting->value_bytes;
    const size_t record_bytes = value_bytes == 0 ? key_bytes : key_bytes == 8 || value_bytes == 8 ? 16 : 8;
    const uint64_t tile = UINT64_C(1) << WF_REGISTER_TILE_BITS(record_bytes); /* records */
    wf_launch pass = first_pass(sorting, (uint32_t)(tile >> WF_REGISTER_BITS));
    pass.is_last = count <= tile;
    if (sorting->report != NULL)
        sorting->report->tile_size = pass.tile_size;
    wf_status status = launch_pass(sorting, &pass, WF_KERNEL_bitonic_registers_sort, wf_ceil_div(count, tile));
    go_on(&pass);
    for (pass.block = 2 * tile; status == WF_OK && pass.block / 2 < count; pass.block *= 2) {
        pass.source_count = pass.result_count = merged_count(count, pass.block);
        uint64_t sorted_apart = pass.block; /* parts of this length no longer exchange anything */
        while (status == WF_OK && sorted_apart > tile) {
            const bool is_long = sorted_apart > tile << WF_REGISTER_BITS;
            const uint64_t tiles = wf_ceil_div(pass.source_count, sorted_apart) * (sorted_apart / tile);
            sorted_apart >>= is_long ? 2 * WF_REGISTER_BITS : WF_REGISTER_BITS;
            pass.stride = sorted_apart;
            status = launch_pass(sorting, &pass,
                                 is_long ? WF_KERNEL_bitonic_registers_across_8 : WF_KERNEL_bitonic_registers_across_4,
                                 tiles);
        }
        pass.is_last = pass.block >= count;
        if (status == WF_OK)
            status =
                launch_pass(sorting, &pass, WF_KERNEL_bitonic_registers_merge, wf_ceil_div(pass.source_count, tile));
    }
    return status;
}

/* ---- As rungs ------------------------------------------------------------------------------------------------- */

static wf_sorting sorting_of(const wf_rung *rung, const wf_rung_run_args *args) {
    const bool has_positions = rung->info.kind == WF_RUNG_SORTS_PAIRS;
    return (wf_sorting){.context = args->context,
                        .report = args->report,
                        .type = args->options.type,
                        .descending = args->options.descending,
                        .value_bytes = has_positions ? sizeof(uint32_t) : 0,
                        .count = args->count,
                        .source_keys = args->in,
                        .keys = args->result,
                        .values = has_positions ? (char *)args->result + args->count * args->info.element_bytes : NULL};
}

wf_status wf_run_bitonic(const wf_rung *rung, const wf_rung_run_args *args) {
    const wf_sorting sorting = sorting_of(rung, args);
    wf_status status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = sort_stepwise(&sorting, args->options.tile_size);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

wf_status wf_run_bitonic_registers(const wf_rung *rung, const wf_rung_run_args *args) {
    const wf_sorting sorting = sorting_of(rung, args);
    wf_status status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_sort_registers(&sorting);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}
