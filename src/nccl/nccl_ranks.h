/* The state of a rank of a communicator, and helpers of its calls. */
#ifndef WAVEFOLD_NCCL_NCCL_RANKS_H
#define WAVEFOLD_NCCL_NCCL_RANKS_H

#include "engine.h"
#include <wavefold_nccl.h>

#include <stdbool.h>

enum { WF_NOTE_TEXT = 496 };

/* A note: a rank's status, which ranks exchange after a failure, and in wf_nccl_agree. */
typedef struct wf_nccl_note {
    int32_t status; /* wf_status */
    uint32_t request;
    uint64_t fields;
    char text[WF_NOTE_TEXT]; /* the cause, or the requested fields */
} wf_nccl_note;

struct wf_nccl {
    wf_context *context;
    ncclComm_t comm;
    int rank, ranks;
    uint64_t *words;        /* device memory: the message, then the records of all ranks */
    uint64_t *outgrown[64]; /* earlier buffers, which queued work may use; each is at least twice the one before */
    unsigned outgrown_count;
    char *board;        /* device memory: this rank's note, then the notes of all ranks */
    size_t room;        /* of words, in words */
    uint64_t *failures; /* a word in device memory */
    bool is_in_group;
    wf_nccl_note note; /* the first failure since the last wait, or the last call */
};

/* Sets wf_last_error(). */
wf_status wf_nccl_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* WF_OK, or WF_ENGINE_ERROR with the engine's message. comm may be NULL. */
wf_status wf_nccl_check(ncclResult_t result, const char *doing, ncclComm_t comm);

/* The same, after waiting for the call to complete: communicators that do not block return before it has. */
wf_status wf_nccl_settle(ncclResult_t result, const char *doing, ncclComm_t comm);

/* Writes the requested fields as text: "sum of f32", "3 fields: sum of f32, ...". */
void wf_nccl_tell_fields(const wf_field *fields, size_t n, char *text, size_t room);

/* Gathers the notes of all ranks on all ranks, and waits. n ranks belong to this thread.
 *   notes:   of all ranks, in their order; the caller frees them */
wf_status wf_nccl_exchange(wf_nccl *const *ranks, size_t n, void *const *streams, wf_nccl_note **notes);
/* Reports the failure of the lowest rank; else that ranks request different fields; else, if is_lost, that they did so
 * in an earlier call. */
wf_status wf_nccl_judge(const wf_nccl_note *notes, int ranks, bool is_lost);

#endif
