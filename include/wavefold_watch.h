/* Counts of kernels' accesses on the device "watched": the host device with every access counted and checked.
 * `wavefold explain` prints them.
 *
 *   types:    kernels of f32, i32 and i64; wf_reduce also u32; sorts all types. Others: WF_UNSUPPORTED.
 *   checks:   A finding fails the launch with WF_KERNEL_FAULT, as on the device "host". This device also finds reads of
 *             uninitialised device memory, and races on it between lanes. docs/emulator.md lists the limits.
 *   threads:  one thread at a time uses a context
 *   time:     not for measuring time */
#ifndef WAVEFOLD_WATCH_H
#define WAVEFOLD_WATCH_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Accesses to device memory. One access is that of a whole wave: its lanes execute one line of the source together. */
typedef struct wf_device_accesses {
    uint64_t accesses; /* of waves */
    uint64_t lanes;    /* active lanes, summed over accesses */
    uint64_t bytes;
    uint64_t lines_32, lines_64, lines_128; /* memory lines of 32, 64, 128 bytes touched, summed over accesses */
} wf_device_accesses;

/* Accesses to tile memory. It has 32 banks of 4 bytes: an access takes one pass for each word in the fullest bank.
 * extra_passes: passes beyond those of the same number of words spread evenly over the banks. */
typedef struct wf_tile_accesses {
    uint64_t accesses, lanes, bytes, extra_passes;
} wf_tile_accesses;

typedef struct wf_launch_counts {
    char kernel[32];
    uint32_t tiles, tile_size, wave_width;
    wf_device_accesses loads, stores;
    wf_tile_accesses tile_loads, tile_stores;
    uint64_t updates;                                /* atomic updates of device memory, counted by lanes */
    uint64_t collisions;                             /* updates of a word that was updated earlier in the same launch */
    uint64_t tile_barriers, wave_barriers, shuffles; /* counted by tiles; by waves; by waves */
    uint64_t steps_of_waves;                         /* a step lasts from one barrier or shuffle to the next */
    uint64_t divergent_steps; /* steps in which some lanes of the wave accessed memory and others did not */
    uint64_t lane_steps, active_lane_steps; /* steps of lanes; those with a memory access or a shuffle at the end */
} wf_launch_counts;

/* One step of a launch's first tile. */
typedef struct wf_step_counts {
    uint32_t launch, step; /* from 0 */
    char ends[16];         /* "barrier", "wave barrier", "shuffle", "return" */
    uint32_t lanes, active_lanes;
    uint32_t full_waves, divergent_waves, idle_waves;
} wf_step_counts;

/* Accesses from one line of the source, summed over all launches of one kernel. */
typedef struct wf_line_counts {
    char kernel[32], file[64];
    uint32_t line, column;
    char what[24]; /* "load", "store", "update", "tile load", "tile store", "tile update" */
    uint64_t accesses, lanes, bytes, lines_128, extra_passes;
} wf_line_counts;

/* One access by a lane, or one shuffle, in the emulator's order. Kept only if wf_watch_start gets keeps_events 1. */
typedef struct wf_watch_event {
    uint32_t launch, tile, step, lane;
    char what[16];  /* "load", "store", "update", "tile load", "tile store", "tile update", "shuffle" */
    char array[16]; /* device memory: "source", "result", ... */
    uint64_t index; /* of the element in device memory, of the cell in tile memory, or of the shuffle's source lane */
    uint64_t value; /* the first 8 bytes of the value loaded, stored, or offered to the shuffle */
    uint32_t bytes; /* size of the access */
} wf_watch_event;

typedef struct wf_watch {
    const wf_launch_counts *launches;
    size_t launch_count;
    const wf_step_counts *steps;
    size_t step_count;
    const wf_line_counts *lines;
    size_t line_count;
    const wf_watch_event *events;
    size_t event_count;
} wf_watch;

/* Resets all counts to 0.
 *   keeps_events:  1: also keep events, which takes memory for each access
 *   fails:         WF_INVALID_ARGUMENT: context is NULL. WF_UNSUPPORTED: its device is not "watched". */
WF_API wf_status wf_watch_start(wf_context *context, int keeps_events);

/* Reports the counts since wf_watch_start.
 *   watch:  its pointers are valid until the next call with this context
 *   fails:  as above, or watch is NULL; WF_OUT_OF_MEMORY. */
WF_API wf_status wf_watch_get(wf_context *context, wf_watch *watch);

#ifdef __cplusplus
}
#endif
#endif
