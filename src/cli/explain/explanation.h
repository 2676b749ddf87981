/* What a rung's kernels did on the device "watched". */
#ifndef WAVEFOLD_CLI_EXPLAIN_EXPLANATION_H
#define WAVEFOLD_CLI_EXPLAIN_EXPLANATION_H

#include "wavefold_ladder.h"
#include "wavefold_watch.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct explain_request {
    size_t rung;
    uint32_t wave_width, tile; /* tile 0: the rung's own */
    uint64_t n;
    bool or_its_own; /* where the rung does not take that tile */
    bool traces;     /* element i is bit i of an i64, so that sums tell of what they are; n is 63 at the most */
} explain_request;

typedef struct explanation {
    wf_rung_info info;
    uint64_t n;
    wf_type type;
    uint32_t wave_width, tile_size; /* of the first launch; 0: there is none */
    wf_launch_counts total;         /* its kernel, tiles and tile_size are those of the largest launch */
    wf_watch watch;                 /* as long as the context lives */
    wf_context *context;
    char finding[512]; /* what is wrong with the kernels; "" if nothing is */
    bool is_right;     /* the result is what it should be; of sorts and scans too */
} explanation;

enum { EXPLAIN_TRACE_MOST = 63 }; /* elements */

/* False, with the reason printed, if it could not be done; nothing is to be freed then. */
bool explanation_make(explanation *made, const explain_request *request);
void explanation_free(explanation *made);

/* ---- Figures: what is said of every rung, in this order ---- */

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
/* malloc'ed: as few digits as say it. */
char *figure_text(double value);
/* A dash for what was not counted, as of a rung that runs on the CPU. */
char *figure_with_unit(const explanation *of, figure_kind kind);

/* ---- Claims of the seeds ---- */

typedef struct claim {
    const char *quantity, *text, *source;
    double measured;
    bool holds;
} claim;

enum { CLAIMS_MOST = 4 };
/* How many; 0 where the seeds claim nothing that can be counted. */
size_t claims_of(const explanation *of, claim claims[CLAIMS_MOST]);

#endif
