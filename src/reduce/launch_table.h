/* Launch tables: the number of tiles and threads for an array's size, for each architecture. */
#ifndef WAVEFOLD_REDUCE_LAUNCH_TABLE_H
#define WAVEFOLD_REDUCE_LAUNCH_TABLE_H

#include "wavefold.h"
#include "wavefold_tune.h"

#include <stdbool.h>

enum { WF_MOST_LAUNCH_ROWS = WF_MOST_TUNING_ROWS, WF_MOST_BUILTIN_ROWS = 15 };

typedef wf_tuning_row wf_launch_row;

typedef struct wf_launch_table {
    wf_launch_row rows[WF_MOST_LAUNCH_ROWS];
    size_t count;
} wf_launch_table;

/* Reductions whose times differ for arrays of the same size. */
typedef enum wf_launch_kind {
    WF_LAUNCH_VALUES,         /* all others; wf_tune measures these */
    WF_LAUNCH_FLOAT_EXTREMES, /* min and max of f16, bf16 and f32 */
    WF_LAUNCH_PAIRS,          /* argmin, argmax and minmax, except of f64 */
    WF_LAUNCH_PAIRS_F64,
    WF_LAUNCH_DESCRIBED, /* descriptions of integers */
    WF_LAUNCH_EXACT,
    WF_LAUNCH_EXACT_F32,
    WF_LAUNCH_DESCRIBED_EXACTLY,       /* descriptions of floats, with their exact sum */
    WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS /* the same for unaligned elements: two tiles fit a multiprocessor, not three */
} wf_launch_kind;

/* The last of the rows has bytes UINT64_MAX. */

/* The built-in rows of this kind; NULL: use the rows of WF_LAUNCH_VALUES. */
const wf_launch_row *wf_builtin_launch_rows(const wf_device_info *device, wf_launch_kind kind);

/* The built-in table of WF_LAUNCH_VALUES: at most WF_MOST_BUILTIN_ROWS rows. */
wf_launch_table wf_builtin_launch_table(const wf_device_info *device);

/* The first row whose bytes are at least `bytes`. */
const wf_launch_row *wf_launch_row_for(const wf_launch_row *rows, uint64_t bytes);

/* A cluster tile reduces arrays of more than `above` and at most `up_to` bytes, if it takes them at once. Both 0:
 * never. */
typedef struct wf_cluster_range {
    uint64_t above, up_to;
} wf_cluster_range;
wf_cluster_range wf_builtin_cluster_range(const wf_device_info *device, wf_launch_kind kind, size_t element_bytes);

typedef struct wf_launch_shape {
    uint32_t tiles, tile_size;
    bool is_cluster; /* one cluster tile, in blocks of tile_size threads */
} wf_launch_shape;

/* The limits of a cluster tile. */
typedef struct wf_cluster_needs {
    wf_cluster_range range;
    uint32_t blocks;        /* number of blocks */
    uint32_t largest_block; /* threads of a block, at most */
    uint32_t packs;         /* packs of 16 bytes for each thread */
    uint32_t edges;         /* extra packs for the unaligned head and tail */
} wf_cluster_needs;

/* The limits that a reduction's kernels set for a shape. */
typedef struct wf_launch_needs {
    size_t element_bytes, value_bytes;
    /* Threads of a tile, at most. If the table has more, the launch gets more tiles instead. */
    uint32_t largest_tile;
    /* A single tile: packs that a thread takes at once. If the table gives a thread more, the tile grows up to
     * largest_short threads. 0: the tile does not grow. */
    uint32_t short_packs, largest_short;
    wf_cluster_needs cluster;
} wf_launch_needs;

wf_launch_shape wf_shape_for(const wf_launch_row *rows, const wf_device_info *device, uint64_t count,
                             const wf_launch_needs *needs);

#endif
