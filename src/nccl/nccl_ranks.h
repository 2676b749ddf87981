/* A rank of a communicator: what its calls share. */
#ifndef WAVEFOLD_NCCL_NCCL_RANKS_H
#define WAVEFOLD_NCCL_NCCL_RANKS_H

#include "engine.h"
#include <wavefold_nccl.h>

#include <stdbool.h>

enum { WF_NOTE_TEXT = 496 };

/* What a rank tells the others when something is wrong, or when they agree. */
typedef struct wf_nccl_note {
    int32_t status; /* wf_status */
    uint32_t request;
    uint64_t fields;
    char text[WF_NOTE_TEXT]; /* the cause, or what was asked for */
} wf_nccl_note;

struct wf_nccl {
    wf_context *context;
    ncclComm_t comm;
    int rank, ranks;
    uint64_t *words;        /* device memory: the message, and behind it the records of all ranks */
    uint64_t *outgrown[64]; /* each has room for twice the one before */
    unsigned outgrown_count;
    char *board;        /* device memory for this rank's note, and behind it for those of all */
    size_t room;        /* in words */
    uint64_t *failures; /* a word on the device */
    bool is_in_group;
    wf_nccl_note note; /* of the first call since the last wait that failed here, or of the last one */
};

/* Sets wf_last_error(). */
wf_status wf_nccl_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* WF_OK, or WF_ENGINE_ERROR with the engine's own words. comm may be NULL. */
wf_status wf_nccl_check(ncclResult_t result, const char *doing, ncclComm_t comm);

/* The same of a call that a communicator may have put off, as those do that do not block: what follows waits for it. */
wf_status wf_nccl_settle(ncclResult_t result, const char *doing, ncclComm_t comm);

/* What is asked of the fields, for people: "sum of f32", "3 fields: sum of f32, ...". */
void wf_nccl_tell_fields(const wf_field *fields, size_t n, char *text, size_t room);

/* All ranks' notes, to all: the engine's allgather, awaited. For n ranks of this thread, of which each has its own.
 *   notes:   of all ranks, in their order; the caller frees them */
wf_status wf_nccl_exchange(wf_nccl *const *ranks, size_t n, void *const *streams, wf_nccl_note **notes);
/* The first failure among them, as this thread's error; or that they ask for different fields, or with is_lost that
 * they once did. */
wf_status wf_nccl_judge(const wf_nccl_note *notes, int ranks, bool is_lost);

#endif
