/* Verifies every element of a result that is an array, as a scan's or a sort's, in device memory, on all cores.
 */
#ifndef WAVEFOLD_CLI_MEASURE_ARRAY_CHECK_H
#define WAVEFOLD_CLI_MEASURE_ARRAY_CHECK_H

#include "cli/input/source.h"
#include "oracle/verify.h"
#include "wavefold_ladder.h"

typedef struct array_run {
    wf_context *context;
    source from;
    wf_rung_kind kind; /* not WF_RUNG_REDUCES */
    bool exclusive, descending;
    uint32_t row_length;
    const void *result; /* device memory */
    const wf_rung_report *launch;
} array_run;

/* judged: of the elements of a scan or of rows the one that is_worse than all others, and the most ulps. reason:
 * malloc'ed, names the first element that is wrong, or NULL if none is. Fails only if the result cannot be copied to
 * the host. */
wf_status array_check(const array_run *run, judgement *judged, char **reason);

/* The two kinds check pieces, which may be several at a time. */
typedef struct array_piece {
    uint64_t first;
    size_t count;
    const void *in, *result;
    const uint32_t *positions; /* of pairs */
    const void *before;        /* the result's element before the first; NULL if there is none */
} array_piece;

/* The state of the elements so far, or of one piece. */
typedef struct scan_prefix {
    reference exact;
    running_sum sum; /* in exact's place where floats are added */
} scan_prefix;

void scan_prefix_begin(scan_prefix *prefix, const fold *of);
void scan_prefix_add(scan_prefix *prefix, const void *elements, size_t count);
void scan_prefix_merge(scan_prefix *prefix, const scan_prefix *next);
/* before: of all elements before the piece. Stops at the first wrong element, and then sets the reason. There is an
 * element. */
judgement scan_check(const array_run *run, const scan_prefix *before, const array_piece *piece, char **reason);

/* Judges one result by the elements of a prefix; growth: see sum_growth_of. */
judgement prefix_judge(const array_run *run, const scan_prefix *upto, const sum_growth *growth, const result *got);
/* Names element number `index` of the result, which is wrong. */
char *prefix_reason(const scan_prefix *upto, uint64_t index, const result *got, const judgement *judged);

/* As array_check, for rows, columns and segments. */
wf_status row_check(const array_run *run, judgement *judged, char **reason);

/* Of the bits of elements in any order: a sum and an exclusive or of 64 bits each, over two hashes. */
typedef struct fingerprint {
    uint64_t sum, bits;
} fingerprint;

typedef struct sort_prints {
    fingerprint in, result;
} sort_prints;

/* The positions that were seen, for all pieces; NULL if a sort has none. */
typedef struct sort_positions sort_positions;
sort_positions *sort_positions_begin(const array_run *run);
void sort_positions_end(sort_positions *seen);
/* Stops at the first wrong element, and then sets the reason. */
sort_prints sort_check(const array_run *run, sort_positions *seen, const array_piece *piece, char **reason);
void sort_prints_merge(sort_prints *prints, const sort_prints *next);
/* When all pieces are in order: sets the reason if the elements are not those of the data. */
void sort_prints_check(const sort_prints *prints, char **reason);

#endif
