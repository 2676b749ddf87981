/* Host functions that all algorithms share: dividing the workspace, launching (in pieces if necessary), counting. */
#ifndef WAVEFOLD_LAUNCH_H
#define WAVEFOLD_LAUNCH_H

#include "backend.h"

/* A monotonic clock, in seconds; and in whole nanoseconds, which no floating-point mode affects. */
double wf_now(void);
uint64_t wf_now_in_nanoseconds(void);

/* Divides the workspace into parts: part i has bytes[i] bytes, and starts at a line of WF_LINE bytes. */
enum { WF_LINE = 256 };
/* Appends a part of `bytes` bytes behind *end, and returns its offset, a multiple of WF_LINE. */
static inline size_t wf_add_part(size_t *end, uint64_t bytes) {
    const size_t begin = *end;
    *end += (size_t)((bytes + WF_LINE - 1) / WF_LINE * WF_LINE);
    return begin;
}
wf_status wf_divide_workspace(wf_context *context, size_t count, const size_t *bytes, char **parts);

typedef struct wf_launch_count {
    uint32_t launches;
    uint64_t threads; /* of the largest launch */
} wf_launch_count;

/* The destination of launches. */
typedef struct wf_queue {
    wf_context *context;
    void *stream;           /* NULL: the device's own queue */
    wf_launch_count *count; /* counts the launches; may be NULL */
    /* Device memory for these launches, from a caller that holds the staging lock. NULL: the launches take the lock,
     * and the stream's room. */
    void *room;
    size_t room_bytes;
} wf_queue;

/* request begins with a wf_launch_head. */
wf_status wf_launch(const wf_queue *queue, wf_algorithm algorithm, const void *request);

/* Splits items (such as tiles) first to end - 1 into launches of at most `most` items each. */
typedef struct wf_pieces {
    uint64_t first, end, most;
    wf_status (*launch)(const wf_queue *queue, const void *of, uint64_t first, uint64_t count);
    const void *of;
} wf_pieces;
/* Launches in order; an empty range still launches once. */
wf_status wf_launch_in_pieces(const wf_queue *queue, const wf_pieces *pieces);

/* Ends a blocking call whose launches returned status: waits for queued launches, also after a failure. It needs
 * queue->count: if nothing was launched it does not call the runtime, which before ROCm 7 would overwrite the program's
 * own pending error. */
wf_status wf_finish_launches(const wf_queue *queue, wf_status status, const char *doing);
/* Ends a blocking call that has nothing to launch: reports a pending error of the program, as a launch would, or waits
 * for the queue. */
wf_status wf_finish_nothing(const wf_context *context, const char *doing);

/* Starts the device's timer. If the device has a queue, a delay is queued first, so that launches follow without
 * waiting for the host. */
wf_status wf_start_clock(const wf_context *context);

#endif
