/* One launch of a scan. Counts are in elements. */
#ifndef WAVEFOLD_SCAN_REQUEST_H
#define WAVEFOLD_SCAN_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* Packs of 16 bytes that a wave holds; of elements of 16 bytes and more, half as many. */
#define WF_SCAN_PACKS 256u

typedef struct wf_scan_request {
    wf_launch_head head;
    wf_type type;
    wf_op op;
    uint32_t exclusive; /* not 0: result i leaves element i out */
    const void *source;
    void *result; /* may be source */
    uint64_t count;
    /* In the workspace, zeros before the first launch of a scan, which may be several: how many tiles have started, and
     * the words that tiles publish to each other, a word for every WF_STATUS_VALUE_BYTES of each tile's element. */
    void *ticket;
    void *tile_status;
    uint64_t tile_status_words;
    uint32_t polls; /* how often a tile polls another in vain before it computes that one's sum itself */
} wf_scan_request;

#endif
