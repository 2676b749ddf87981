/* One launch of a rung's own kernel. Counts are in elements. */
#ifndef WAVEFOLD_LADDER_REQUEST_H
#define WAVEFOLD_LADDER_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* The kernel's shape (kernel_map.h) determines the fields that are used. */
typedef struct wf_ladder_request {
    wf_launch_head head;
    const char *kernel; /* a name, so that a module without this kernel can report it */
    wf_type type;
    wf_op op;
    const void *source;
    uint64_t source_count;
    void *result; /* an element for each tile, or a single one; scans: one for each element of source */
    uint64_t result_count;
    void *partials; /* TICKET: an element for each tile. SCAN: the reduction of each tile's elements. SEGMENTS: a carry
                       for each tile */
    uint64_t partial_count; /* SEGMENTS: tiles of all launches; else 0: the launch's tiles */
    void *ticket;           /* TICKET: an unsigned that counts finished tiles, 0 between launches */
    /* SCAN: span is the number of elements of a tile, a power of two; exclusive: result i excludes element i.
     * PREFIXES combines source[t] with elements t * span to (t + 1) * span - 1 of result.
     * SEGMENTS: span is the number of steps of a tile; first: the launch's first tile */
    uint32_t span;
    uint32_t exclusive;
    /* IN_PLACE: threads first to stride - 1 combine data[i], data[i + stride], ... into data[i]; the last thread
     * combines the elements beyond window * stride into *tail. */
    void *data;
    uint64_t data_count;
    void *tail;
    uint64_t first, stride;
    uint32_t window;
    /* ROWS, ROW_WAVES, COLUMNS: row_length is the number of elements from a row's first to the next row's. COLUMNS: the
     * tiles of a strip are `bands`, each with its own row of results. */
    uint32_t row_length, bands;
    const void *ends; /* SEGMENTS: for each result, a uint64_t: the end of its elements in source */
} wf_ladder_request;

#endif
