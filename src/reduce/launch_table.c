#include "launch_table.h"

#include "launch.h"
#include "stream_workspace.h"

#include <string.h>

/* Measured; see docs/performance.md. */
static const wf_launch_row nvidia_9[] = {
    {4 << 10, 128, 2, 1},   {8 << 10, 128, 4, 1},     {16 << 10, 256, 4, 1},  {32 << 10, 512, 4, 1},
    {64 << 10, 1024, 4, 1}, {128 << 10, 128, 2, 1},   {256 << 10, 256, 2, 1}, {1 << 20, 256, 4, 1},
    {2 << 20, 512, 4, 1},   {4 << 20, 256, 4, 2},     {8 << 20, 256, 8, 2},   {16 << 20, 512, 4, 4},
    {32 << 20, 1024, 8, 2}, {UINT64_MAX, 1024, 4, 2},
};
/* Of exact sums, whose threads need more registers: measured, too. */
static const wf_launch_row nvidia_9_exact[] = {
    {8 << 10, 128, 4, 1}, {32 << 10, 256, 8, 1}, {64 << 10, 64, 2, 1},    {256 << 10, 128, 2, 1},
    {2 << 20, 256, 4, 1}, {48 << 20, 256, 4, 2}, {UINT64_MAX, 256, 4, 3},
};
/* Not measured: what fills a device once, with several loads for each thread. */
static const wf_launch_row any[] = {
    {16 << 10, 256, 4, 1},
    {UINT64_MAX, 256, 4, 8},
};

_Static_assert(sizeof nvidia_9 / sizeof *nvidia_9 <= WF_MOST_BUILTIN_ROWS, "wf_tune adds rows to a table");

static const struct {
    const char *backend;
    uint32_t major; /* 0: any */
    bool is_exact;
    const wf_launch_row *rows;
    size_t count;
} tables[] = {
    {"nvidia", 9, false, nvidia_9, sizeof nvidia_9 / sizeof *nvidia_9},
    {"nvidia", 9, true, nvidia_9_exact, sizeof nvidia_9_exact / sizeof *nvidia_9_exact},
    {"", 0, false, any, sizeof any / sizeof *any},
};

wf_launch_table wf_builtin_launch_table(const wf_device_info *device, bool is_exact) {
    size_t t = 0;
    while (tables[t].major != 0 && (strcmp(tables[t].backend, device->backend) != 0 ||
                                    tables[t].major != device->capability_major || tables[t].is_exact != is_exact))
        t++;
    wf_launch_table table = {.count = tables[t].count};
    memcpy(table.rows, tables[t].rows, tables[t].count * sizeof *tables[t].rows);
    return table;
}

const wf_launch_row *wf_launch_row_for(const wf_launch_table *table, uint64_t bytes) {
    const wf_launch_row *row = table->rows;
    while (row->bytes < bytes)
        row++;
    return row;
}

wf_launch_shape wf_shape_for(const wf_launch_table *table, const wf_device_info *device, uint64_t count,
                             size_t element_bytes, size_t value_bytes, uint32_t largest_tile) {
    const uint64_t bytes = count * element_bytes;
    /* The tables are made for elements of 4 bytes; single ones take more instructions for as many bytes. */
    const uint64_t effort = element_bytes == 1 ? 2 * bytes : bytes;
    const wf_launch_row *row = wf_launch_row_for(table, effort);
    const uint32_t tile_size = row->tile_size < largest_tile ? row->tile_size : largest_tile;
    const uint64_t filled = (uint64_t)row->tiles_per_processor * device->multiprocessors * (row->tile_size / tile_size);
    uint64_t tiles = wf_ceil_div(bytes, (uint64_t)16 * row->loads * tile_size);
    tiles = wf_smaller(wf_smaller(tiles, filled), wf_smaller(device->max_tiles, wf_most_tiles(value_bytes)));
    return (wf_launch_shape){.tiles = tiles != 0 ? (uint32_t)tiles : 1, .tile_size = tile_size};
}
