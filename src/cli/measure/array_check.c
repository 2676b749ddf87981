#include "array_check.h"

#include "cli/cli.h"
#include "cli/input/memory.h"
#include "cli/parallel.h"
#include "ladder/row_shape.h"
#include "wavefold_ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = STAGE_BYTES / 2, /* elements that are copied to the host at a time, */
    PIECE = 1 << 14                /* and elements that are checked at a time, on one core */
};

typedef struct piece_check {
    array_piece piece;
    scan_prefix prefix; /* of the piece; then of all before it */
    sort_prints prints;
    judgement judged;
    char *reason;
} piece_check;

/* A block of the array, and the state before it. */
typedef struct block {
    const array_run *run;
    char *in, *result;
    uint32_t *positions;
    char last[sizeof(result)]; /* element of the result before the block */
    sort_positions *seen;
    piece_check *pieces;
    scan_prefix before;
    sort_prints prints;
} block;

static bool scans(const array_run *run) {
    return run->kind == WF_RUNG_SCANS;
}

static wf_status fetch(const block *b, uint64_t first, size_t count) {
    const array_run *run = b->run;
    size_t element = run->from.of->info.element_bytes;
    const char *elements = run->result, *positions = elements + run->from.count * element;
    wf_status status = wf_copy_to_host(run->context, b->result, elements + first * element, count * element);
    if (status == WF_OK && b->positions != NULL)
        status = wf_copy_to_host(run->context, b->positions, positions + first * sizeof *b->positions,
                                 count * sizeof *b->positions);
    return status;
}

static void cut(block *b, uint64_t first, size_t count) {
    size_t element = b->run->from.of->info.element_bytes;
    for (size_t at = 0; at < count; at += PIECE) {
        piece_check *check = &b->pieces[at / PIECE];
        const char *before = at != 0 ? b->result + (at - 1) * element : first != 0 ? b->last : NULL;
        check->reason = NULL;
        check->piece = (array_piece){.first = first + at,
                                     .count = count - at < PIECE ? count - at : PIECE,
                                     .in = b->in + at * element,
                                     .result = b->result + at * element,
                                     .positions = b->positions != NULL ? b->positions + at : NULL,
                                     .before = before};
    }
}

static void make_piece(void *of, size_t part) {
    const block *b = of;
    piece_check *check = &b->pieces[part];
    const array_piece *piece = &check->piece;
    size_t element = b->run->from.of->info.element_bytes;
    source_fill(&b->run->from, piece->first, piece->count, b->in + part * PIECE * element);
    if (scans(b->run)) {
        scan_prefix_begin(&check->prefix, b->run->from.of);
        scan_prefix_add(&check->prefix, piece->in, piece->count);
    }
}

static void check_piece(void *of, size_t part) {
    const block *b = of;
    piece_check *check = &b->pieces[part];
    if (scans(b->run))
        check->judged = scan_check(b->run, &check->prefix, &check->piece, &check->reason);
    else
        check->prints = sort_check(b->run, b->seen, &check->piece, &check->reason);
}

/* Passes to each piece the state before it. */
static void chain_prefixes(block *b, size_t parts) {
    for (size_t i = 0; i < parts; i++) {
        scan_prefix own = b->pieces[i].prefix;
        b->pieces[i].prefix = b->before;
        scan_prefix_merge(&b->before, &own);
    }
}

static void collect(block *b, size_t parts, judgement *judged, char **reason) {
    for (size_t i = 0; i < parts; i++) {
        const piece_check *check = &b->pieces[i];
        if (scans(b->run))
            judgement_merge(judged, &check->judged, check->piece.first == 0);
        else
            sort_prints_merge(&b->prints, &check->prints);
        if (*reason != NULL)
            free(check->reason);
        else
            *reason = check->reason;
    }
}

/* Stops after the block with the first wrong element. */
static wf_status check_all(block *b, size_t most, judgement *judged, char **reason) {
    uint64_t all = b->run->from.count;
    size_t element = b->run->from.of->info.element_bytes;
    for (uint64_t first = 0; first < all && *reason == NULL; first += most) {
        size_t count = all - first < most ? (size_t)(all - first) : most, parts = (count + PIECE - 1) / PIECE;
        wf_status status = fetch(b, first, count);
        if (status != WF_OK)
            return status;
        cut(b, first, count);
        parallel(parts, make_piece, b);
        if (scans(b->run))
            chain_prefixes(b, parts);
        parallel(parts, check_piece, b);
        collect(b, parts, judged, reason);
        memcpy(b->last, b->result + (count - 1) * element, element);
    }
    return WF_OK;
}

static wf_status check_elements(const array_run *run, judgement *judged, char **reason) {
    size_t element = run->from.of->info.element_bytes, most = BLOCK_BYTES / element;
    if (run->from.count < most)
        most = (size_t)run->from.count;
    block b = {.run = run,
               .in = cli_allocate(most, element),
               .result = cli_allocate(most, element),
               .positions = run->kind == WF_RUNG_SORTS_PAIRS ? cli_allocate(most, sizeof(uint32_t)) : NULL,
               .seen = sort_positions_begin(run),
               .pieces = cli_allocate(most / PIECE + 1, sizeof *b.pieces)};
    scan_prefix_begin(&b.before, run->from.of);
    wf_status status = check_all(&b, most, judged, reason);
    if (!scans(run)) {
        if (*reason == NULL)
            sort_prints_check(&b.prints, reason);
        if (*reason != NULL)
            *judged = (judgement){.compared = true, .error = NAN};
    }
    free(b.in);
    free(b.result);
    free(b.positions);
    free(b.pieces);
    sort_positions_end(b.seen);
    return status;
}

wf_status array_check(const array_run *run, judgement *judged, char **reason) {
    *reason = NULL;
    *judged = (judgement){.accepted = true, .compared = true, .ulps_known = true}; /* of no elements */
    return wf_kind_has_rows(run->kind) ? row_check(run, judged, reason) : check_elements(run, judged, reason);
}
