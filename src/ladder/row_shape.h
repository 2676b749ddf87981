/* The elements of each result of the rungs that reduce rows, columns or segments. The library, the command line and the
 * tests use the same functions. */
#ifndef WAVEFOLD_LADDER_ROW_SHAPE_H
#define WAVEFOLD_LADDER_ROW_SHAPE_H

#include "wavefold_ladder.h"
#include "whole_numbers.h"

#include <stdbool.h>

enum { WF_DEFAULT_ROW_LENGTH = 64 };

/* Elements first, first + stride, ..., count of them. */
typedef struct wf_row {
    uint64_t first, count, stride;
} wf_row;

static inline bool wf_kind_has_rows(wf_rung_kind kind) {
    return kind == WF_RUNG_ROWS || kind == WF_RUNG_COLUMNS || kind == WF_RUNG_SEGMENTS;
}

/* The results of count elements. row_length is not 0. */
static inline uint64_t wf_row_results(wf_rung_kind kind, uint64_t count, uint64_t row_length) {
    return kind == WF_RUNG_COLUMNS ? wf_smaller(row_length, count) : wf_ceil_div(count, row_length);
}

/* The first element of a segment; count for the number of segments. Segments come in groups of 16, with as many
 * elements as 16 rows. The k-th shortest of a group has row_length * (k^4 - (k - 1)^4) / 16^3 elements, so lengths go
 * from 0 to 3.6 row lengths; a hash of the group's number shuffles them. The last segment has the remaining elements.
 * Below 2^32, row_length does not overflow. */
static inline uint64_t wf_segment_first(uint64_t segment, uint64_t count, uint64_t row_length) {
    enum { GROUP = 16 };
    if (segment >= wf_ceil_div(count, row_length))
        return count;
    const uint64_t group = segment / GROUP, shuffle = (group + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 60;
    uint64_t first = group * GROUP * row_length;
    for (uint64_t i = 0; i < segment % GROUP; i++) {
        const uint64_t k = i ^ shuffle, power = k * k * k * k, next = (k + 1) * (k + 1) * (k + 1) * (k + 1);
        first += row_length * next / (GROUP * GROUP * GROUP) - row_length * power / (GROUP * GROUP * GROUP);
    }
    return wf_smaller(first, count);
}

/* The elements of result number `index`. */
static inline wf_row wf_row_of(wf_rung_kind kind, uint64_t count, uint64_t row_length, uint64_t index) {
    if (kind == WF_RUNG_COLUMNS)
        return (wf_row){index, (count - index - 1) / row_length + 1, row_length};
    if (kind == WF_RUNG_ROWS)
        return (wf_row){index * row_length, wf_smaller(row_length, count - index * row_length), 1};
    const uint64_t first = wf_segment_first(index, count, row_length);
    return (wf_row){first, wf_segment_first(index + 1, count, row_length) - first, 1};
}

#endif
