/* The rows, or segments, of an array that are sorted one by one. */
#ifndef WAVEFOLD_SORT_ROW_LIST_H
#define WAVEFOLD_SORT_ROW_LIST_H

#include <stdint.h>

/* Counts are in elements. Rows may be cut into parts, which are sorted one by one; segments are not cut. */
typedef struct wf_row_list {
    const void *offsets; /* segments: rows + 1 offsets, which do not decrease; NULL: rows of equal lengths */
    uint32_t offset_bytes;
    uint64_t rows;               /* or segments */
    uint64_t stride, length;     /* from row to row; of a row */
    uint64_t parts, part_length; /* of each row; its last part may be shorter */
    uint64_t kept;               /* each part's first results, without gaps between the parts; 0: all, in place */
    uint64_t shortest, longest;  /* a launch sorts parts of these lengths, and leaves the others as they are */
} wf_row_list;

#endif
