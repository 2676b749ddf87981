#include "launch_table.h"

#include "stream_workspace.h"
#include "wavefold_tune.h"
#include "whole_numbers.h"

#include <string.h>

/* Measured; see docs/performance.md. */
static const wf_launch_row nvidia_9[] = {
    {2 << 10, 32, 4, 1},    {8 << 10, 128, 4, 1},   {16 << 10, 256, 4, 1},     {32 << 10, 512, 4, 1},
    {64 << 10, 1024, 4, 1}, {256 << 10, 256, 1, 1}, {512 << 10, 128, 4, 1},    {6 << 20, 256, 4, 2},
    {32 << 20, 512, 4, 2},  {1 << 30, 1024, 1, 2},  {UINT64_MAX, 1024, 1, 16},
};
static const wf_launch_row nvidia_9_float_extremes[] = {
    {1 << 10, 32, 2, 1},   {16 << 10, 128, 8, 1}, {32 << 10, 512, 4, 1},     {4 << 20, 256, 1, 2},
    {32 << 20, 512, 4, 2}, {1 << 30, 1024, 1, 2}, {UINT64_MAX, 1024, 1, 16},
};
static const wf_launch_row nvidia_9_pairs[] = {
    {1 << 10, 32, 2, 1},  {16 << 10, 256, 4, 1}, {32 << 10, 512, 4, 1}, {512 << 10, 256, 1, 1},   {1 << 20, 512, 1, 1},
    {2 << 20, 256, 2, 1}, {32 << 20, 512, 4, 2}, {1 << 30, 1024, 1, 2}, {UINT64_MAX, 1024, 1, 4},
};
static const wf_launch_row nvidia_9_pairs_f64[] = {
    {1 << 10, 32, 2, 1},  {16 << 10, 256, 4, 1}, {32 << 10, 512, 4, 1}, {512 << 10, 256, 1, 1},
    {2 << 20, 512, 1, 1}, {32 << 20, 512, 4, 2}, {1 << 30, 1024, 1, 2}, {UINT64_MAX, 1024, 1, 16},
};
static const wf_launch_row nvidia_9_exact[] = {
    {8 << 10, 128, 4, 1}, {32 << 10, 256, 8, 1}, {192 << 10, 128, 1, 1},
    {1 << 20, 128, 4, 1}, {16 << 20, 256, 4, 2}, {UINT64_MAX, 256, 4, 3},
};
static const wf_launch_row nvidia_9_exact_f32[] = {
    {8 << 10, 128, 4, 1}, {32 << 10, 256, 8, 1}, {64 << 10, 512, 8, 1},
    {4 << 20, 256, 4, 1}, {24 << 20, 512, 4, 1}, {UINT64_MAX, 256, 4, 3},
};
static const wf_launch_row nvidia_9_described[] = {
    {1 << 10, 32, 2, 1},    {4 << 10, 128, 2, 1},   {8 << 10, 256, 2, 1},     {16 << 10, 512, 2, 1},
    {256 << 10, 256, 1, 1}, {512 << 10, 256, 2, 1}, {2 << 20, 256, 1, 1},     {12 << 20, 512, 2, 1},
    {32 << 20, 512, 8, 2},  {256 << 20, 512, 4, 2}, {UINT64_MAX, 1024, 4, 2},
};
/* Descriptions of floats, which contain an exact sum. */
static const wf_launch_row nvidia_9_described_exactly[] = {
    {12 << 10, 128, 8, 1}, {32 << 10, 256, 8, 1}, {1 << 20, 128, 4, 1},
    {6 << 20, 256, 4, 1},  {64 << 20, 256, 4, 2}, {UINT64_MAX, 256, 4, 3},
};
static const wf_launch_row nvidia_9_described_exactly_across[] = {
    {12 << 10, 128, 8, 1}, {32 << 10, 256, 8, 1}, {1 << 20, 128, 4, 1}, {6 << 20, 256, 4, 1}, {UINT64_MAX, 256, 4, 2},
};
/* Not measured: one tile for short arrays; otherwise tiles that fill the device once, with several loads per thread. */
static const wf_launch_row any[] = {
    {8 << 10, 256, 2, 1},
    {16 << 10, 512, 2, 1},
    {UINT64_MAX, 256, 4, 8},
};
static const wf_launch_row any_exact[] = {
    {16 << 10, 256, 4, 1},
    {UINT64_MAX, 256, 4, 8},
};

_Static_assert(sizeof nvidia_9 / sizeof *nvidia_9 <= WF_MOST_BUILTIN_ROWS, "wf_tune adds rows to a table");

static const struct {
    const char *backend;
    uint32_t major; /* 0: any device */
    wf_launch_kind kind;
    const wf_launch_row *rows;
} tables[] = {
    {"nvidia", 9, WF_LAUNCH_VALUES, nvidia_9},
    {"nvidia", 9, WF_LAUNCH_FLOAT_EXTREMES, nvidia_9_float_extremes},
    {"nvidia", 9, WF_LAUNCH_PAIRS, nvidia_9_pairs},
    {"nvidia", 9, WF_LAUNCH_PAIRS_F64, nvidia_9_pairs_f64},
    {"nvidia", 9, WF_LAUNCH_DESCRIBED, nvidia_9_described},
    {"nvidia", 9, WF_LAUNCH_EXACT, nvidia_9_exact},
    {"nvidia", 9, WF_LAUNCH_EXACT_F32, nvidia_9_exact_f32},
    {"nvidia", 9, WF_LAUNCH_DESCRIBED_EXACTLY, nvidia_9_described_exactly},
    {"nvidia", 9, WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS, nvidia_9_described_exactly_across},
    {"", 0, WF_LAUNCH_VALUES, any},
    {"", 0, WF_LAUNCH_EXACT, any_exact},
    {"", 0, WF_LAUNCH_EXACT_F32, any_exact},
    {"", 0, WF_LAUNCH_DESCRIBED_EXACTLY, any_exact},
    {"", 0, WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS, any_exact},
};

const wf_launch_row *wf_builtin_launch_rows(const wf_device_info *device, wf_launch_kind kind) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (tables[t].kind == kind && (tables[t].major == 0 || (tables[t].major == device->capability_major &&
                                                                strcmp(tables[t].backend, device->backend) == 0)))
            return tables[t].rows;
    return NULL;
}

/* Measured; see "A cluster tile" in docs/performance.md. The first row whose least_element fits is taken. */
static const struct {
    const char *backend;
    uint32_t major; /* 0: any device */
    wf_launch_kind kind;
    size_t least_element;
    wf_cluster_range range;
} cluster[] = {
    {"nvidia", 9, WF_LAUNCH_VALUES, 2, {64 << 10, 128 << 10}},
    {"nvidia", 9, WF_LAUNCH_FLOAT_EXTREMES, 1, {32 << 10, 64 << 10}},
    {"nvidia", 9, WF_LAUNCH_PAIRS, 1, {32 << 10, 64 << 10}},
    {"nvidia", 9, WF_LAUNCH_PAIRS_F64, 8, {16 << 10, 128 << 10}},
    {"nvidia", 9, WF_LAUNCH_DESCRIBED, 1, {16 << 10, 64 << 10}},
    {"nvidia", 9, WF_LAUNCH_EXACT, 8, {32 << 10, 192 << 10}},
    {"nvidia", 9, WF_LAUNCH_EXACT, 2, {32 << 10, 256 << 10}},
    {"nvidia", 9, WF_LAUNCH_EXACT_F32, 4, {32 << 10, 256 << 10}},
    /* The host device runs these kernels for the tests. */
    {"host", 0, WF_LAUNCH_VALUES, 1, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_FLOAT_EXTREMES, 1, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_PAIRS, 1, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_PAIRS_F64, 8, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_DESCRIBED, 1, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_EXACT, 2, {8 << 10, 64 << 10}},
    {"host", 0, WF_LAUNCH_EXACT_F32, 4, {8 << 10, 64 << 10}},
};

wf_cluster_range wf_builtin_cluster_range(const wf_device_info *device, wf_launch_kind kind, size_t element_bytes) {
    for (size_t s = 0; s < sizeof cluster / sizeof *cluster; s++)
        if (cluster[s].kind == kind && cluster[s].least_element <= element_bytes &&
            (cluster[s].major == 0 || cluster[s].major == device->capability_major) &&
            strcmp(cluster[s].backend, device->backend) == 0)
            return cluster[s].range;
    return (wf_cluster_range){0};
}

wf_launch_table wf_builtin_launch_table(const wf_device_info *device) {
    const wf_launch_row *const rows = wf_builtin_launch_rows(device, WF_LAUNCH_VALUES);
    wf_launch_table table = {.count = 0};
    do
        table.rows[table.count] = rows[table.count];
    while (rows[table.count++].bytes != UINT64_MAX);
    return table;
}

const wf_launch_row *wf_launch_row_for(const wf_launch_row *rows, uint64_t bytes) {
    const wf_launch_row *row = rows;
    while (row->bytes < bytes)
        row++;
    return row;
}

/* The tile size of a single tile: the table's, doubled until a thread has no more packs than its kernel takes at once.
 * If no such size is allowed, the table's. */
static uint32_t tile_for_short(uint32_t tile_size, uint64_t bytes, const wf_device_info *device,
                               const wf_launch_needs *needs) {
    const uint64_t in_thread = (uint64_t)16 * needs->short_packs;
    const uint64_t largest = wf_smaller(wf_smaller(needs->largest_short, needs->largest_tile), device->max_tile_size);
    uint32_t larger = tile_size;
    while (larger <= largest / 2 && bytes > in_thread * larger)
        larger *= 2;
    return bytes <= in_thread * larger ? larger : tile_size;
}

/* Threads in a block of a cluster tile: the fewest that take the array; 0: no cluster tile for this array. */
static uint32_t cluster_block_for(uint64_t bytes, const wf_device_info *device, const wf_cluster_needs *needs) {
    enum { FEWEST = 128 };
    if (bytes <= needs->range.above || bytes > needs->range.up_to)
        return 0;
    const uint64_t packs = wf_ceil_div(bytes, 16) + needs->edges;
    const uint64_t largest = wf_smaller(needs->largest_block, device->max_tile_size);
    uint32_t threads = FEWEST;
    while (threads <= largest && packs > (uint64_t)needs->packs * needs->blocks * threads)
        threads *= 2;
    return threads <= largest ? threads : 0;
}

wf_launch_shape wf_shape_for(const wf_launch_row *rows, const wf_device_info *device, uint64_t count,
                             const wf_launch_needs *needs) {
    const uint64_t bytes = count * needs->element_bytes;
    const uint32_t block = cluster_block_for(bytes, device, &needs->cluster);
    if (block != 0)
        return (wf_launch_shape){.tiles = 1, .tile_size = block, .is_cluster = true};
    const wf_launch_row *row = wf_launch_row_for(rows, bytes);
    const uint32_t tile_size = row->tile_size < needs->largest_tile ? row->tile_size : needs->largest_tile;
    const uint64_t filled = (uint64_t)row->tiles_per_processor * device->multiprocessors * (row->tile_size / tile_size);
    const uint64_t most = wf_smaller(wf_smaller(filled, device->max_tiles), wf_most_tiles(needs->value_bytes));
    const uint64_t needed = wf_ceil_div(bytes, (uint64_t)16 * row->loads * tile_size);
    const uint64_t rounds = wf_ceil_div(needed, most);
    /* For up to 4 rounds, all tiles get the same number of rounds, so that none idles in the last one. For more, a full
     * device matters more. */
    const uint64_t tiles = rounds == 0 ? 0 : rounds <= 4 ? wf_ceil_div(needed, rounds) : most;
    if (tiles <= 1)
        return (wf_launch_shape){.tiles = 1, .tile_size = tile_for_short(tile_size, bytes, device, needs)};
    return (wf_launch_shape){.tiles = (uint32_t)tiles, .tile_size = tile_size};
}
