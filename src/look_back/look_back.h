/* The single-pass scan of the ladder. */
#ifndef WAVEFOLD_LOOK_BACK_LOOK_BACK_H
#define WAVEFOLD_LOOK_BACK_LOOK_BACK_H

#include "launch.h"
#include "wavefold.h"

typedef struct wf_look_back {
    wf_type type;
    wf_op op;
    uint32_t exclusive;
    uint32_t element_bytes;
    uint32_t tile_size;
    const void *in;
    size_t count; /* not 0 */
    void *result;
} wf_look_back;

/* Allocates the workspace before a run. */
wf_status wf_look_back_prepare(wf_context *context, const wf_look_back *scan);
wf_status wf_look_back_run(const wf_queue *queue, const wf_look_back *scan);
/* Operations on the longest path: the reduction of a tile, by itself or by a wave of a waiting tile; then at most one
 * operation for each tile; then the prefixes of the tile, the wave and the row. A wave's scan takes at most two
 * operations per doubling. */
uint64_t wf_look_back_depth(const wf_context *context, const wf_look_back *scan);

#endif
