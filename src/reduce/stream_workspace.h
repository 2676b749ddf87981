/* Where the tiles of a fold leave what they tell each other, one place for each stream that folds run in; and where the
 * host waits for results. */
#ifndef WAVEFOLD_REDUCE_STREAM_WORKSPACE_H
#define WAVEFOLD_REDUCE_STREAM_WORKSPACE_H

#include "backend.h"
#include "request.h"
#include "wavefold.h"

#include <stdbool.h>

enum {
    WF_WORKSPACE_TICKET = 0,       /* bytes from a place's start */
    WF_WORKSPACE_CARRY = 128,      /* of a fold in parts: WF_CARRY_BYTES in words */
    WF_WORKSPACE_SUM = 384,        /* of an exact sum in one launch: WF_SUM_WORDS; */
    WF_WORKSPACE_SUM_PARTS = 1024, /* of one in several, between which other sums may run */
    WF_WORKSPACE_STATUS = 2048,
    WF_STATUS_ROOM = 64 * 1024, /* 512 tiles of describe, 1638 of exact, 2048 of all others */
    WF_WORKSPACE_PARTIALS = WF_WORKSPACE_STATUS + WF_STATUS_ROOM, /* of ordered operators, as many tiles */
    WF_WORKSPACE_BYTES = WF_WORKSPACE_PARTIALS + WF_STATUS_ROOM
};

_Static_assert(WF_WORKSPACE_CARRY + WF_CARRY_BYTES / WF_STATUS_VALUE_BYTES * sizeof(uint64_t) <= WF_WORKSPACE_SUM &&
                   WF_WORKSPACE_SUM + WF_SUM_WORDS * sizeof(uint64_t) <= WF_WORKSPACE_SUM_PARTS,
               "each has room");
_Static_assert(WF_WORKSPACE_CARRY % 16 == 0 && WF_WORKSPACE_STATUS % 16 == 0 && WF_WORKSPACE_BYTES % 16 == 0,
               "some devices read two words at once");

/* Tiles that tell values of so many bytes, at the most: a word for every WF_STATUS_VALUE_BYTES. */
static inline uint32_t wf_most_tiles(size_t value_bytes) {
    return (uint32_t)(WF_STATUS_ROOM / (value_bytes / WF_STATUS_VALUE_BYTES * sizeof(uint64_t)));
}

/* Memory that kernels write while the host reads; device memory where they share none. */
typedef struct wf_result_slot {
    size_t index;
    void *there;    /* a result, as kernels see it */
    void *here;     /* as the host does, or NULL: it must be copied */
    void *notice;   /* a word, as kernels see it; */
    uint64_t *word; /* and as the host does */
    uint64_t number;
} wf_result_slot;

/* Only contexts of devices that reduce by kernels have stream workspaces. Destroy follows a failed create, too. */
wf_status wf_stream_workspaces_create(wf_context *context);
void wf_stream_workspaces_destroy(wf_context *context);

/* The workspace of the stream (NULL: the context's own queue), or of the capture that it is in. is_new: this call
 * created it; may be NULL. From any thread. */
wf_status wf_stream_workspace_of(wf_context *context, void *stream, void **place, bool *is_new);
/* A new place is vacant again: its stream is none of the device's, and nothing was queued there. */
void wf_stream_workspace_give_back(wf_context *context, const void *place);

/* A cell that nobody else has, with a number that its word does not hold yet; waits while all are taken. From any
 * thread. */
wf_result_slot wf_take_result_slot(wf_context *context);
void wf_give_result_slot(wf_context *context, const wf_result_slot *cell);

#endif
