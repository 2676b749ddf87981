/* How many tiles of how many threads fold an array of so many bytes: a table for each architecture. */
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

/* Folds that take different times for as many bytes. */
typedef enum wf_launch_kind {
    WF_LAUNCH_VALUES,         /* most; wf_tune measures these */
    WF_LAUNCH_FLOAT_EXTREMES, /* but those of f64 */
    WF_LAUNCH_PAIRS,          /* of operators with an index or two extremes, but those of f64 */
    WF_LAUNCH_PAIRS_F64,
    WF_LAUNCH_DESCRIBED,
    WF_LAUNCH_EXACT,
    WF_LAUNCH_EXACT_F32,
    WF_LAUNCH_DESCRIBED_EXACTLY,       /* of floats, with their exact sum */
    WF_LAUNCH_DESCRIBED_EXACTLY_ACROSS /* the same of floats that lie at any byte, of whose tiles two fit a processor;
                                          of other large arrays' three do */
} wf_launch_kind;

/* Rows end with the one for any number of bytes. */

/* The library's own rows; NULL where there are none but those of values. */
const wf_launch_row *wf_builtin_launch_rows(const wf_device_info *device, wf_launch_kind kind);

/* Its table of values: WF_MOST_BUILTIN_ROWS at the most. */
wf_launch_table wf_builtin_launch_table(const wf_device_info *device);

/* The row for arrays of so many bytes. */
const wf_launch_row *wf_launch_row_for(const wf_launch_row *rows, uint64_t bytes);

/* Arrays of more than so many bytes, up to so many, are folded by a cluster tile, if it takes
 * them at once; where both are 0, none is. */
typedef struct wf_cluster_range {
    uint64_t above, up_to;
} wf_cluster_range;
wf_cluster_range wf_builtin_cluster_range(const wf_device_info *device, wf_launch_kind kind, size_t element_bytes);

typedef struct wf_launch_shape {
    uint32_t tiles, tile_size;
    bool is_cluster; /* the only tile is, in blocks of tile_size threads */
} wf_launch_shape;

/* Of a cluster tile: for which arrays it is; the blocks that it has, of so many threads at the most, and the
 * packs of 16 bytes that each of these takes; how many packs more the array may have than 16 bytes go into it. */
typedef struct wf_cluster_needs {
    wf_cluster_range range;
    uint32_t blocks, largest_block, packs, edges;
} wf_cluster_needs;

/* What a fold's kernels ask of a shape. */
typedef struct wf_launch_needs {
    size_t element_bytes, value_bytes;
    /* Threads of a tile, at the most; where the table says more, there are more tiles instead. */
    uint32_t largest_tile;
    /* Packs that a thread of a tile by itself takes at once: where the table has more for each, and a larger tile of
     * largest_short threads at the most would do, that is taken. 0: the table's is. */
    uint32_t short_packs, largest_short;
    wf_cluster_needs cluster;
} wf_launch_needs;

wf_launch_shape wf_shape_for(const wf_launch_row *rows, const wf_device_info *device, uint64_t count,
                             const wf_launch_needs *needs);

#endif
