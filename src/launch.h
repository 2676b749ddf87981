/* What drivers of every kind do: divide the workspace, launch, in pieces where need be, count, and keep time. */
#ifndef WAVEFOLD_LAUNCH_H
#define WAVEFOLD_LAUNCH_H

#include "backend.h"
#include "ladder/rung.h"

/* Seconds on a clock that only goes forward; and its nanoseconds, whole, so that no mode of floats matters. */
double wf_now(void);
uint64_t wf_now_in_nanoseconds(void);

/* Divides the workspace into parts of so many bytes, one behind the other, each from a line of memory on. */
enum { WF_LINE = 256 };
wf_status wf_divide_workspace(wf_context *context, size_t count, const size_t *bytes, char **parts);

/* Launches on the stream (NULL: the device's own) and counts that in the report (NULL: nobody asks). */
wf_status wf_launch_on(wf_context *context, void *stream, const wf_launch *what, wf_rung_report *report);

/* What a call that has nothing to launch waits with. As a launch does, it tells of an error that the program has left;
 * then it waits for nothing. */
wf_status wf_finish_nothing(const wf_context *context, const char *doing);

/* What a device may not hold in one launch: numbers first to end - 1 of what it consists of, the tiles for one, at most
 * so many at a time. piece makes the launch of count of them. */
typedef struct wf_pieces {
    uint64_t first, end, most;
    wf_launch (*piece)(const void *of, uint64_t first, uint64_t count);
    const void *of;
} wf_pieces;
/* One after the other; of nothing, one. */
wf_status wf_launch_in_pieces(wf_context *context, void *stream, const wf_pieces *pieces, wf_rung_report *report);

/* Starts the device's clock. Where there is a queue, it starts behind work that lets the host get ahead. */
wf_status wf_start_clock(const wf_context *context);
/* Waits for the launches, and reports what they took; stopped: when that was, NULL if nobody asks. What the host does
 * then adds to total_seconds. */
wf_status wf_stop_clock(const wf_rung_run_args *args, double *stopped);

#endif
