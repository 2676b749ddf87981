/* What drivers of every kind do: launch, count, and keep time. */
#ifndef WAVEFOLD_LAUNCH_H
#define WAVEFOLD_LAUNCH_H

#include "internal.h"

static inline uint64_t wf_ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}
static inline uint64_t wf_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t wf_log2(uint64_t n) { /* rounded down; 0 of 0 */
    uint64_t steps = 0;
    while (n >>= 1)
        steps++;
    return steps;
}

/* Seconds on a clock that only goes forward. */
double wf_now(void);

/* Launches on the stream (NULL: the device's own) and counts that in the report (NULL: nobody asks). */
wf_status wf_launch_on(wf_context *context, void *stream, const wf_launch *what, wf_rung_report *report);

/* Starts the device's clock. Where there is a queue, it starts behind work that lets the host get ahead. */
wf_status wf_start_clock(const wf_context *context);
/* Waits for the launches, and reports what they took; stopped: when that was, NULL if nobody asks. What the host does
 * then adds to total_seconds. */
wf_status wf_stop_clock(const wf_rung_run_args *args, double *stopped);

#endif
