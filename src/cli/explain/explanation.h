/* The counts of a rung's kernels on the device "watched". */
#ifndef WAVEFOLD_CLI_EXPLAIN_EXPLANATION_H
#define WAVEFOLD_CLI_EXPLAIN_EXPLANATION_H

#include "wavefold_ladder.h"
#include "wavefold_watch.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct explain_request {
    size_t rung;
    uint32_t wave_width, tile, row_length; /* 0: the rung's own */
    uint64_t n;
    bool or_its_own; /* if the rung does not support that tile */
    bool traces;     /* element i is bit i of an i64, so that sums identify their elements; n is at most 63 */
} explain_request;

typedef struct explanation {
    wf_rung_info info;
    uint64_t n;
    wf_type type;
    uint32_t wave_width, tile_size; /* of the first launch; 0 without a launch */
    wf_launch_counts total;         /* kernel, tiles and tile_size are those of the largest launch */
    wf_watch watch;                 /* as long as the context lives */
    wf_context *context;
    char finding[512]; /* the fault of the kernels; "" without a fault */
    bool is_right;     /* the result is right; also for sorts and scans */
} explanation;

enum { EXPLAIN_TRACE_MOST = 63 }; /* elements */

/* Prints the reason and returns false on failure, with nothing to free. */
bool explanation_make(explanation *made, const explain_request *request);
void explanation_free(explanation *made);

/* ---- Figures of every rung, in this order ---- */

typedef enum figure_kind {
    FIGURE_LAUNCHES,
    FIGURE_LOADED,
    FIGURE_STORED,
    FIGURE_ACCESSES,
    FIGURE_LOAD_LINES,
    FIGURE_LOAD_LINES_64,
    FIGURE_LOAD_LINES_32,
    FIGURE_STORE_LINES,
    FIGURE_TILE_READ,
    FIGURE_TILE_WRITTEN,
    FIGURE_EXTRA_PASSES,
    FIGURE_BARRIERS,
    FIGURE_WAVE_BARRIERS,
    FIGURE_SHUFFLES,
    FIGURE_UPDATES,
    FIGURE_COLLISIONS,
    FIGURE_DIVERGENT,
    FIGURE_IDLE,
    FIGURES
} figure_kind;

typedef struct figure {
    const char *name, *unit; /* unit "": a count */
    double value;
    const char *meaning;
} figure;

figure figure_of(const explanation *of, figure_kind kind);
/* malloc'ed, with the fewest digits. */
char *figure_text(double value);
/* A dash for uncounted figures, as of a rung on the CPU. */
char *figure_with_unit(const explanation *of, figure_kind kind);

/* ---- Claims of the seeds ---- */

typedef struct claim {
    const char *quantity, *text, *source;
    double measured;
    bool holds;
} claim;

enum { CLAIMS_MOST = 4 };
/* The number of claims; 0 if no claim can be counted. */
size_t claims_of(const explanation *of, claim claims[CLAIMS_MOST]);

#endif
