/* Stream workspaces: device memory through which the tiles of a reduction communicate, one for each stream. Result
 * slots: memory in which the host waits for results. */
#ifndef WAVEFOLD_REDUCE_STREAM_WORKSPACE_H
#define WAVEFOLD_REDUCE_STREAM_WORKSPACE_H

#include "backend.h"
#include "launch.h"
#include "request.h"
#include "wavefold.h"

#include <stdbool.h>

enum {                                /* offsets in bytes */
       WF_WORKSPACE_TICKET = 0,       /* the count of tiles that have started */
       WF_WORKSPACE_CARRY = 128,      /* reductions in several launches: WF_CARRY_BYTES in words */
       WF_WORKSPACE_SUM = 384,        /* exact sums in one launch: WF_SUM_WORDS */
       WF_WORKSPACE_SUM_PARTS = 1024, /* exact sums in several launches, between which other sums may run */
       WF_WORKSPACE_STATUS = 2048,
       WF_STATUS_ROOM = 64 * 1024, /* for 512 tiles of describe, 1638 of exact sums, 2048 of all others */
       WF_WORKSPACE_PARTIALS = WF_WORKSPACE_STATUS + WF_STATUS_ROOM, /* ordered operators: an element for each tile */
       WF_WORKSPACE_SCAN = WF_WORKSPACE_PARTIALS + WF_STATUS_ROOM,   /* see scan/scan_launches.c */
       WF_WORKSPACE_SCAN_STATUS = WF_WORKSPACE_SCAN + 256,
       WF_SCAN_STATUS_ROOM = 68 * 1024, /* in two halves, each for 4096 sections of f32, or 2048 of f64 */
       WF_WORKSPACE_BYTES = WF_WORKSPACE_SCAN_STATUS + WF_SCAN_STATUS_ROOM
};

_Static_assert(WF_WORKSPACE_CARRY + WF_CARRY_BYTES / WF_STATUS_VALUE_BYTES * sizeof(uint64_t) <= WF_WORKSPACE_SUM &&
                   WF_WORKSPACE_SUM + WF_SUM_WORDS * sizeof(uint64_t) <= WF_WORKSPACE_SUM_PARTS,
               "each has room");
_Static_assert(WF_WORKSPACE_CARRY % 16 == 0 && WF_WORKSPACE_STATUS % 16 == 0 && WF_WORKSPACE_BYTES % 16 == 0,
               "some devices read two words at once");

/* The most tiles that can publish values of value_bytes: a value takes a word for every WF_STATUS_VALUE_BYTES. */
static inline uint32_t wf_most_tiles(size_t value_bytes) {
    return (uint32_t)(WF_STATUS_ROOM / (value_bytes / WF_STATUS_VALUE_BYTES * sizeof(uint64_t)));
}

/* Room for a result, in memory that kernels write while the host reads; in device memory if the two share none. */
typedef struct wf_result_slot {
    size_t index;
    void *there;     /* the result's address in kernels */
    void *here;      /* the result's address on the host; NULL: the result must be copied */
    void *notice;    /* a word's address in kernels: they write number to it when the result is complete */
    uint64_t *word;  /* the word's address on the host */
    uint64_t number; /* differs from the word's value when the slot is taken */
} wf_result_slot;

/* Only contexts of devices that reduce by kernels have stream workspaces. Call destroy also after create has failed. */
wf_status wf_stream_workspaces_create(wf_context *context);
void wf_stream_workspaces_destroy(wf_context *context);

/* *workspace becomes the workspace of the stream (NULL: the context's own queue), or of the graph into which the stream
 * is being captured. *is_new: this call assigned it; may be NULL. Thread-safe. */
wf_status wf_stream_workspace_of(wf_context *context, void *stream, void **workspace, bool *is_new);
/* *room becomes at least so many bytes of device memory that only this stream's, or this graph's, launches use. It is
 * kept until the context is destroyed. The next call for the stream may give the same memory. Thread-safe. */
wf_status wf_stream_room(wf_context *context, void *stream, size_t bytes, void **room);
/* The room of a queue: its own, or else its stream's. Called by work that wf_staging_take_turn runs. */
wf_status wf_queue_room(const wf_queue *queue, size_t bytes, void **room);
/* Releases a new workspace: its stream is not of this device, and nothing was queued. */
void wf_stream_workspace_give_back(wf_context *context, const void *workspace);

/* Takes a free result slot, or waits for one. Thread-safe. */
wf_result_slot wf_take_result_slot(wf_context *context);
void wf_give_result_slot(wf_context *context, const wf_result_slot *slot);

#endif
