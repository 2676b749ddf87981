/* Verifies what a scan or a sort leaves in device memory, every element of it. */
#ifndef WAVEFOLD_CLI_MEASURE_ARRAY_CHECK_H
#define WAVEFOLD_CLI_MEASURE_ARRAY_CHECK_H

#include "cli/input/source.h"
#include "oracle/verify.h"

typedef struct array_run {
    wf_context *context;
    source from;
    wf_rung_kind kind; /* not WF_RUNG_REDUCES */
    bool exclusive, descending;
    const void *result; /* device memory */
    const wf_rung_report *launch;
} array_run;

/* What an accepted result was like: the same bits again need no second look. Zero-initialise to begin. */
typedef struct array_memory {
    bool any;
    uint64_t hash[2];
    judgement judged;
} array_memory;

/* judged: of a scan's elements the one that is_worse than all others, and the most ulps. reason: malloc'ed, names the
 * first element that is wrong, or NULL if none is. seen: of earlier runs on the same data. Fails only if the result
 * cannot be copied to the host. */
wf_status array_check(const array_run *run, array_memory *seen, judgement *judged, char **reason);

/* The two kinds, each fed with piece after piece in order. */
typedef struct array_piece {
    uint64_t first;
    size_t count;
    const void *in, *result;
    const uint32_t *positions; /* of pairs */
} array_piece;

struct scan_check *scan_check_begin(const array_run *run);
/* False if an element is wrong: then the reason is set, and nothing more is to be fed. */
bool scan_check_feed(struct scan_check *check, const array_piece *piece, char **reason);
judgement scan_check_end(struct scan_check *check);

struct sort_check *sort_check_begin(const array_run *run);
bool sort_check_feed(struct sort_check *check, const array_piece *piece, char **reason);
/* The last thing that can be wrong is known when all elements are. */
bool sort_check_end(struct sort_check *check, char **reason);

#endif
