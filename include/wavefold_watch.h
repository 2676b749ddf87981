/* What kernels did, counted access by access, on the device "watched": the host device, on which every access is also
 * checked. `wavefold explain` shows it.
 *
 * The device has the kernels of f32, i32 and i64, of wf_reduce those of u32, too, and all that sort: for other types
 * WF_UNSUPPORTED.
 * Findings fail a launch with WF_KERNEL_FAULT, as on the device "host"; here they are also reads of device memory that
 * nobody wrote, and words of it that two lanes touch with nothing that orders them. docs/emulator.md says what is not
 * found.
 *
 * Not for measuring time. Thread safety: a context is for one thread at a time. */
#ifndef WAVEFOLD_WATCH_H
#define WAVEFOLD_WATCH_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Accesses to device memory. An access is that of a wave: what its lanes do in one line of the source at a time. */
typedef struct wf_device_accesses {
    uint64_t accesses; /* of waves */
    uint64_t lanes;    /* that took part, in all */
    uint64_t bytes;
    uint64_t lines_32, lines_64, lines_128; /* lines of that size that were touched, summed over accesses */
} wf_device_accesses;

/* Accesses to tile memory. It has 32 banks of 4 bytes: an access takes as many passes as the fullest bank has words
 * that are asked for. extra_passes: beyond what as many words need that are spread evenly. */
typedef struct wf_tile_accesses {
    uint64_t accesses, lanes, bytes, extra_passes;
} wf_tile_accesses;

typedef struct wf_launch_counts {
    char kernel[32];
    uint32_t tiles, tile_size, wave_width;
    wf_device_accesses loads, stores;
    wf_tile_accesses tile_loads, tile_stores;
    uint64_t updates;    /* atomic ones of device memory, by lanes */
    uint64_t collisions; /* of these, such of a word that had been updated in the same launch before */
    uint64_t tile_barriers, wave_barriers, shuffles; /* passed by tiles; by waves; by waves */
    uint64_t steps_of_waves;                         /* a step of a wave lasts from one of these to the next */
    uint64_t divergent_steps;               /* in which some lanes of the wave accessed memory and others did not */
    uint64_t lane_steps, active_lane_steps; /* of lanes; in which the lane accessed memory, or ended with a shuffle */
} wf_launch_counts;

/* A step of the first tile of a launch. */
typedef struct wf_step_counts {
    uint32_t launch, step; /* from 0 */
    char ends[16];         /* "barrier", "wave barrier", "shuffle", "return" */
    uint32_t lanes, active_lanes;
    uint32_t full_waves, divergent_waves, idle_waves;
} wf_step_counts;

/* What was done in one line of the source, over all launches of one kernel. */
typedef struct wf_line_counts {
    char kernel[32], file[64];
    uint32_t line, column;
    char what[24]; /* "load", "store", "update", "tile load", "tile store", "tile update" */
    uint64_t accesses, lanes, bytes, lines_128, extra_passes;
} wf_line_counts;

/* One element that a lane accessed, or one shuffle, in the order in which the emulator ran them. Kept only if asked
 * for. */
typedef struct wf_watch_event {
    uint32_t launch, tile, step, lane;
    char what[16];  /* "load", "store", "update", "tile load", "tile store", "tile update", "shuffle" */
    char array[16]; /* of device memory: "source", "result", ... */
    uint64_t index; /* of the element there, of the cell, or the lane whose value comes by the shuffle */
    uint64_t value; /* the first 8 bytes: what was loaded, stored, or offered to the shuffle */
    uint32_t bytes; /* of the access */
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

/* Forgets what was counted; the counts of later launches start at 0.
 *   keeps_events:  1: events are kept, too, which takes memory for each access
 *   fails:         WF_INVALID_ARGUMENT: context is NULL. WF_UNSUPPORTED: its device is not "watched". */
WF_API wf_status wf_watch_start(wf_context *context, int keeps_events);

/* What was counted since.
 *   watch:  what it points to is valid until the next call with this context
 *   fails:  as above, or watch is NULL; WF_OUT_OF_MEMORY. */
WF_API wf_status wf_watch_get(wf_context *context, wf_watch *watch);

#ifdef __cplusplus
}
#endif
#endif
