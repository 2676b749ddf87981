/* One launch of a rung's own kernel. Counts are in elements. */
#ifndef WAVEFOLD_LADDER_REQUEST_H
#define WAVEFOLD_LADDER_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* The kernel's shape (kernel_map.h) says which of the fields it takes. */
typedef struct wf_ladder_request {
    wf_launch_head head;
    const char *kernel; /* by name, so that a module of another version knows it or says that it does not */
    wf_type type;
    wf_op op;
    const void *source;
    uint64_t source_count;
    void *result; /* an element for each tile, or one; scans: one for each element of source */
    uint64_t result_count;
    void *partials; /* TICKET: an element for each tile. SCAN: what each tile's elements reduce to */
    void *ticket;   /* TICKET: an unsigned that shows which tile is last, 0 between launches */
    /* SCAN: a power of two of elements for each tile, and whether result i leaves element i out. PREFIXES combines
     * source[t] with elements t * span to (t + 1) * span - 1 of result. */
    uint32_t span;
    uint32_t exclusive;
    /* IN_PLACE: threads first to stride - 1 combine data[i], data[i + stride], ... into data[i]; the last one combines
     * what lies beyond into *tail. */
    void *data;
    uint64_t data_count;
    void *tail;
    uint64_t first, stride;
    uint32_t window;
} wf_ladder_request;

#endif
