/* What all algorithms do on the host: divide the workspace, launch, in pieces where need be, and count. */
#ifndef WAVEFOLD_LAUNCH_H
#define WAVEFOLD_LAUNCH_H

#include "backend.h"

/* Seconds on a clock that only goes forward; and its nanoseconds, whole, so that no mode of floats matters. */
double wf_now(void);
uint64_t wf_now_in_nanoseconds(void);

/* Divides the workspace into parts: part i has bytes[i] bytes, and starts at a line of WF_LINE bytes. */
enum { WF_LINE = 256 };
wf_status wf_divide_workspace(wf_context *context, size_t count, const size_t *bytes, char **parts);

typedef struct wf_launch_count {
    uint32_t launches;
    uint64_t threads; /* of the largest launch */
} wf_launch_count;

/* Where launches go. */
typedef struct wf_queue {
    wf_context *context;
    void *stream;           /* NULL: the device's own */
    wf_launch_count *count; /* counts them; may be NULL */
} wf_queue;

/* request begins with a wf_launch_head. */
wf_status wf_launch(const wf_queue *queue, wf_algorithm algorithm, const void *request);

/* Items first to end - 1, such as tiles, in launches of at most `most` items each. */
typedef struct wf_pieces {
    uint64_t first, end, most;
    wf_status (*launch)(const wf_queue *queue, const void *of, uint64_t first, uint64_t count);
    const void *of;
} wf_pieces;
/* Launches in order; an empty range still launches once. */
wf_status wf_launch_in_pieces(const wf_queue *queue, const wf_pieces *pieces);

/* Ends a blocking call whose launches came to status: waits for what was queued, also before a failure. It needs
 * queue->count: without launches it does not call the runtime, since before ROCm 7 that would replace the program's own
 * pending error. */
wf_status wf_finish_launches(const wf_queue *queue, wf_status status, const char *doing);
/* Ends a blocking call that has nothing to launch. It reports a pending error of the program, as a launch does, and
 * then does not wait. */
wf_status wf_finish_nothing(const wf_context *context, const char *doing);

/* Starts the device's clock. Where there is a queue, it starts behind work that lets the host get ahead. */
wf_status wf_start_clock(const wf_context *context);

#endif
