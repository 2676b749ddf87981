/* The scan that runs in one pass, for the ladder and for wf_scan. */
#ifndef WAVEFOLD_LADDER_RUN_SCANS_H
#define WAVEFOLD_LADDER_RUN_SCANS_H

#include "backend.h"
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
/* Queues the scan on the stream (NULL: the device's own); report may be NULL. */
wf_status wf_look_back_run(wf_context *context, void *stream, const wf_look_back *scan, wf_rung_report *report);

#endif
