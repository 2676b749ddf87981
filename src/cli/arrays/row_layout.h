/* An array as rows along one axis, in the order of the file. */
#ifndef WAVEFOLD_CLI_ARRAYS_ROW_LAYOUT_H
#define WAVEFOLD_CLI_ARRAYS_ROW_LAYOUT_H

#include "cli/arguments/axis_options.h"
#include "cli/input/element_shape.h"

/* Element i of row (o, k) stands at (o * length + i) * inner + k. Results have the same places. */
typedef struct row_layout {
    uint64_t outer, length, inner;       /* elements; their product is the count */
    bool fortran_order;                  /* the array's first index runs fastest */
    int axis;                            /* counted from 0; -1: all elements are one row */
    size_t dimensions;                   /* of the results */
    uint64_t counts[WF_MOST_DIMENSIONS]; /* of the results */
    size_t inner_dimensions;             /* of one element: see element_shape */
    uint64_t inner_counts[MOST_INNER_DIMENSIONS];
} row_layout;

/* Without an axis, the result has one dimension and in_order says whether it depends on the order of the elements: then
 * an array in Fortran order is copied. Prints the reason and returns false if the array lacks the axis, or without
 * memory. */
bool row_layout_of(row_layout *layout, input *in, const axis_options *axes, bool in_order);

/* The index of a result, counted in C order, and its place among the results. */
void row_layout_index(const row_layout *layout, uint64_t i, uint64_t index[WF_MOST_DIMENSIONS]);
uint64_t row_layout_place(const row_layout *layout, const uint64_t index[WF_MOST_DIMENSIONS]);

#endif
