/* A rung of the ladder: its row in the table, and the arguments of a run. */
#ifndef WAVEFOLD_LADDER_RUNG_H
#define WAVEFOLD_LADDER_RUNG_H

#include "kernel_map.h"
#include "launch.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

/* Threads of a tile if the options do not set tile_size. */
enum { WF_DEFAULT_TILE = 256 };

/* The reduction that a rung's options describe. */
static inline wf_reduce_spec wf_reduction_of(const wf_rung_options *options) {
    return (wf_reduce_spec){.type = options->type,
                            .op = options->op,
                            .accumulator = options->accumulator,
                            .nan = options->nan,
                            .accuracy = WF_ACCURACY_FAST};
}

typedef struct wf_rung_run_args {
    wf_context *context;
    wf_queue queue;          /* the device's own queue, with a launch count */
    wf_rung_options options; /* complete and checked */
    wf_reduction_info info;  /* sorts: only element_bytes is set */
    const void *in;
    size_t count;
    void *result; /* one result: initialised with the result for no elements; else the caller's array */
    wf_rung_report *report;
} wf_rung_run_args;

/* The number of tiles that a rung launches. */
typedef enum wf_grid {
    WF_GRID_FIXED,    /* the options' tiles */
    WF_GRID_ONE_TILE, /* one tile */
    WF_GRID_ONE_WAVE, /* one tile of one wave */
    WF_GRID_THREAD_A_ROW,
    WF_GRID_WAVE_A_ROW,
    WF_GRID_TILE_A_ROW
} wf_grid;

/* How the tiles' results are combined. */
typedef enum wf_join {
    WF_JOIN_ON_HOST,
    WF_JOIN_SECOND_LAUNCH,
    WF_JOIN_ATOMIC, /* by atomic operations on one cell */
    WF_JOIN_TICKET  /* by the last tile that finishes */
} wf_join;

/* A row of ladder_map.h. */
typedef struct wf_rung {
    wf_rung_info info;
    wf_ladder_kernel kernel; /* never launched if its shape is NONE */
    const char *kernel_name;
    uint32_t loads;
    uint32_t folds; /* WF_FOLDS_* */
    wf_grid grid;
    wf_join join;
    uint32_t results; /* results of a tile, for the host to combine; 0 means 1 */
    wf_status (*run)(const struct wf_rung *rung, const wf_rung_run_args *args);
} wf_rung;

#endif
