/* How many tiles of how many threads fold an array of so many bytes: a table for each architecture. */
#ifndef WAVEFOLD_LAUNCH_TABLE_H
#define WAVEFOLD_LAUNCH_TABLE_H

#include "internal.h"

enum { WF_MOST_LAUNCH_ROWS = 32 };

typedef struct wf_launch_row {
    uint64_t bytes;               /* arrays of up to so many; the last row's is UINT64_MAX */
    uint32_t tile_size;           /* threads: a power of two */
    uint32_t loads;               /* of 16 bytes for each thread, */
    uint32_t tiles_per_processor; /* until there are so many tiles for each multiprocessor */
} wf_launch_row;

typedef struct wf_launch_table {
    wf_launch_row rows[WF_MOST_LAUNCH_ROWS];
    size_t count;
} wf_launch_table;

/* The library's own table for the device. */
wf_launch_table wf_builtin_launch_table(const wf_device_info *device);

typedef struct wf_launch_shape {
    uint32_t tiles, tile_size;
} wf_launch_shape;
wf_launch_shape wf_shape_for(const wf_launch_table *table, const wf_device_info *device, uint64_t count,
                             size_t element_bytes, size_t value_bytes);

#endif
