/* One launch of the rung look_back. Counts are in elements. */
#ifndef WAVEFOLD_LOOK_BACK_REQUEST_H
#define WAVEFOLD_LOOK_BACK_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* Packs of 16 bytes that a wave holds; half as many if an element has 16 bytes or more. */
#define WF_SCAN_PACKS 256u

typedef struct wf_look_back_request {
    wf_launch_head head;
    wf_type type;
    wf_op op;
    uint32_t exclusive; /* not 0: result i excludes element i */
    const void *source;
    void *result; /* may be source */
    uint64_t count;
    /* In the workspace, zeros before the first launch of a scan. ticket: the number of tiles that have started.
     * tile_status: the words that tiles publish, one for every WF_STATUS_VALUE_BYTES of a tile's element. */
    void *ticket;
    void *tile_status;
    uint64_t tile_status_words;
    uint32_t polls; /* polls of an unpublished tile before a tile computes that tile's sum itself */
} wf_look_back_request;

#endif
