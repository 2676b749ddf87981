/* The scan that runs in one pass, for wf_scan and for the ladder. */
#ifndef WAVEFOLD_SCAN_LOOK_BACK_H
#define WAVEFOLD_SCAN_LOOK_BACK_H

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

/* Makes the workspace large enough, so that a run does not have to. */
wf_status wf_look_back_prepare(wf_context *context, const wf_look_back *scan);
wf_status wf_look_back_run(const wf_queue *queue, const wf_look_back *scan);
/* Operations on the longest path: up to the fold of a tile, or its fold by a wave that was kept waiting; then through
 * other tiles, at the most one for each, however the prefixes come together; and what came before the tile, before the
 * wave, and before the row. A wave's scan takes two operations per doubling at the most. */
uint64_t wf_look_back_depth(const wf_context *context, const wf_look_back *scan);

#endif
