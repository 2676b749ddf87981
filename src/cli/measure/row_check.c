/* Compares every result of a rung that reduces rows, columns or segments with a reference of its own elements. */
#include "array_check.h"
#include "cli/cli.h"
#include "cli/input/memory.h"
#include "cli/parallel.h"
#include "ladder/row_shape.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = STAGE_BYTES / 2, /* results that are copied to the host at a time */
    PIECE = 1 << 14,               /* elements that are made at a time; a piece has so many, or a single row, */
    COLUMNS = 16                   /* or columns: these are checked at a time, on one core */
};

/* Results that are checked on one core. */
typedef struct row_piece {
    judgement judged;
    char *reason;
} row_piece;

typedef struct row_block {
    const array_run *run;
    uint64_t first;      /* result of the block */
    size_t count, piece; /* results of the block, and of a piece */
    char *results;
    row_piece *pieces;
    sum_growth growth;
} row_block;

static void check_result(const row_block *b, row_piece *piece, size_t i, bool is_first, const scan_prefix *exact) {
    const size_t element = b->run->from.of->info.element_bytes;
    result got = {{0}};
    memcpy(&got, b->results + i * element, element);
    const judgement one = prefix_judge(b->run, exact, &b->growth, &got);
    judgement_merge(&piece->judged, &one, is_first);
    if (!one.accepted)
        piece->reason = prefix_reason(exact, b->first + i, &got, &one);
}

static void check_rows(const row_block *b, row_piece *piece, size_t begin, size_t end, char *buffer) {
    const array_run *run = b->run;
    for (size_t i = begin; i < end && piece->reason == NULL; i++) {
        const wf_row row = wf_row_of(run->kind, run->from.count, run->row_length, b->first + i);
        scan_prefix exact;
        scan_prefix_begin(&exact, run->from.of);
        for (uint64_t at = 0; at < row.count; at += PIECE) {
            const size_t count = (size_t)wf_smaller(row.count - at, PIECE);
            source_fill(&run->from, row.first + at, count, buffer);
            scan_prefix_add(&exact, buffer, count);
        }
        check_result(b, piece, i, i == begin, &exact);
    }
}

static void check_columns(const row_block *b, row_piece *piece, size_t begin, size_t end, char *buffer) {
    const array_run *run = b->run;
    const size_t element = run->from.of->info.element_bytes, columns = end - begin;
    scan_prefix *exact = cli_allocate(columns, sizeof *exact);
    for (size_t k = 0; k < columns; k++)
        scan_prefix_begin(&exact[k], run->from.of);
    for (uint64_t at = b->first + begin; at < run->from.count; at += run->row_length) {
        const size_t count = (size_t)wf_smaller(run->from.count - at, columns);
        source_fill(&run->from, at, count, buffer);
        for (size_t k = 0; k < count; k++)
            scan_prefix_add(&exact[k], buffer + k * element, 1);
    }
    for (size_t k = 0; k < columns && piece->reason == NULL; k++)
        check_result(b, piece, begin + k, k == 0, &exact[k]);
    free(exact);
}

static void check_piece(void *of, size_t part) {
    const row_block *b = of;
    row_piece *piece = &b->pieces[part];
    const size_t begin = part * b->piece, end = begin + b->piece < b->count ? begin + b->piece : b->count;
    char *buffer = cli_allocate(PIECE, b->run->from.of->info.element_bytes);
    piece->reason = NULL;
    if (b->run->kind == WF_RUNG_COLUMNS)
        check_columns(b, piece, begin, end, buffer);
    else
        check_rows(b, piece, begin, end, buffer);
    free(buffer);
}

static void collect(const row_block *b, size_t parts, judgement *judged, char **reason) {
    for (size_t i = 0; i < parts; i++) {
        judgement_merge(judged, &b->pieces[i].judged, b->first == 0 && i == 0);
        if (*reason != NULL)
            free(b->pieces[i].reason);
        else
            *reason = b->pieces[i].reason;
    }
}

wf_status row_check(const array_run *run, judgement *judged, char **reason) {
    const size_t element = run->from.of->info.element_bytes;
    const uint64_t all = wf_row_results(run->kind, run->from.count, run->row_length);
    const size_t most = (size_t)wf_smaller(all, BLOCK_BYTES / element);
    const size_t rows = run->row_length < PIECE ? PIECE / run->row_length : 1;
    row_block b = {.run = run,
                   .piece = run->kind == WF_RUNG_COLUMNS ? COLUMNS : rows,
                   .results = cli_allocate(most, element),
                   .growth = sum_growth_of(run->from.of, run->launch)};
    b.pieces = cli_allocate(most / b.piece + 1, sizeof *b.pieces);
    wf_status status = WF_OK;
    for (; b.first < all && status == WF_OK && *reason == NULL; b.first += b.count) {
        b.count = (size_t)wf_smaller(all - b.first, most);
        status =
            wf_copy_to_host(run->context, b.results, (const char *)run->result + b.first * element, b.count * element);
        const size_t parts = (size_t)wf_ceil_div(b.count, b.piece);
        if (status == WF_OK) {
            parallel(parts, check_piece, &b);
            collect(&b, parts, judged, reason);
        }
    }
    free(b.results);
    free(b.pieces);
    return status;
}
