/* Where the tiles of a fold leave what they tell each other, one place for each stream that folds run in; and where the
 * host waits for results. */
#ifndef WAVEFOLD_PLACES_H
#define WAVEFOLD_PLACES_H

#include "internal.h"

enum {
    WF_PLACE_TICKET = 0,  /* bytes from a place's start */
    WF_PLACE_CARRY = 128, /* of a fold in parts: WF_DESCRIBE_VALUE_BYTES in words */
    WF_PLACE_TOLD = 256,
    WF_TOLD_ROOM = 64 * 1024,                         /* 511 tiles of the widest values, 2047 of all others */
    WF_PLACE_PARTIALS = WF_PLACE_TOLD + WF_TOLD_ROOM, /* of ordered operators, as many tiles */
    WF_PLACE_BYTES = WF_PLACE_PARTIALS + WF_TOLD_ROOM
};

/* Tiles that tell values of so many bytes, at the most: a word for every WF_TOLD_BYTES. */
static inline uint32_t wf_most_tiles(size_t value_bytes) {
    return (uint32_t)(WF_TOLD_ROOM / (value_bytes / WF_TOLD_BYTES * sizeof(uint64_t)));
}

/* Memory that kernels write while the host reads; device memory where they share none. */
typedef struct wf_cell {
    size_t index;
    void *there;    /* a result, as kernels see it */
    void *here;     /* as the host does, or NULL: it must be copied */
    void *notice;   /* a word, as kernels see it; */
    uint64_t *word; /* and as the host does */
    uint64_t number;
} wf_cell;

/* A context of a device that folds by kernels has places; others have none. */
wf_status wf_places_create(wf_context *context);
void wf_places_destroy(wf_context *context);

/* The stream's place (NULL: the context's own queue), or that of what it is being captured into. From any thread. */
wf_status wf_place_of(wf_context *context, void *stream, void **place);

/* A cell that nobody else has, with a number that its word does not hold yet; waits while all are taken. From any
 * thread. */
wf_cell wf_take_cell(wf_context *context);
void wf_give_cell(wf_context *context, const wf_cell *cell);

#endif
