/* A rung of the ladder: what the library's table says of it, and what it runs with. */
#ifndef WAVEFOLD_LADDER_RUNG_H
#define WAVEFOLD_LADDER_RUNG_H

#include "kernel_map.h"
#include "launch.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

/* Threads of a tile, unless the options name another number. */
enum { WF_DEFAULT_TILE = 256 };

/* What a rung's options say about the reduction. */
static inline wf_reduce_spec wf_reduction_of(const wf_rung_options *options) {
    return (wf_reduce_spec){.type = options->type,
                            .op = options->op,
                            .accumulator = options->accumulator,
                            .nan = options->nan,
                            .accuracy = WF_ACCURACY_FAST};
}

typedef struct wf_rung_run_args {
    wf_context *context;
    wf_queue queue;          /* the device's own, which counts launches */
    wf_rung_options options; /* complete and checked */
    wf_reduction_info info;  /* sorts: element_bytes alone */
    const void *in;
    size_t count;
    void *result; /* a reduction's holds the result of no elements when the rung starts */
    wf_rung_report *report;
} wf_rung_run_args;

/* How many tiles a rung launches. */
typedef enum wf_grid {
    WF_GRID_FIXED,    /* as many as the options say */
    WF_GRID_ONE_TILE, /* one */
    WF_GRID_ONE_WAVE  /* one, of one wave */
} wf_grid;

/* How the tiles' results become one. */
typedef enum wf_join {
    WF_JOIN_ON_HOST,
    WF_JOIN_SECOND_LAUNCH,
    WF_JOIN_ATOMIC, /* into one cell */
    WF_JOIN_TICKET  /* by the tile that comes last */
} wf_join;

/* A row of ladder_map.h. */
typedef struct wf_rung {
    wf_rung_info info;
    wf_ladder_kernel kernel; /* not to be launched if its shape is NONE */
    const char *kernel_name;
    uint32_t loads;
    uint32_t folds; /* WF_FOLDS_* */
    wf_grid grid;
    wf_join join;
    uint32_t results; /* that a tile leaves for the host; 0 is 1 */
    wf_status (*run)(const struct wf_rung *rung, const wf_rung_run_args *args);
} wf_rung;

#endif
