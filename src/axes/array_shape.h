/* Shapes of arrays: their checks, and the fewest axes that describe the same memory. */
#ifndef WAVEFOLD_AXES_ARRAY_SHAPE_H
#define WAVEFOLD_AXES_ARRAY_SHAPE_H

#include "request.h"

#include <stdbool.h>

/* Checked axes. */
typedef struct wf_shape {
    wf_axis_list kept, reduced;
    uint64_t rows, length;
    /* Offsets of the elements and results that the shape reaches: from the lowest (at most 0) to the highest. */
    int64_t lowest, highest;
    int64_t lowest_result, highest_result;
} wf_shape;

/* Checks axes, and makes a list of the kept and of the reduced dimensions, in their order. element_bytes and
 * result_bytes: of one.
 *   fails:    WF_INVALID_ARGUMENT: dimensions, reduced or counts out of range, offsets beyond an address space,
 *             results that overlap */
wf_status wf_shape_of(const wf_axes *axes, size_t element_bytes, size_t result_bytes, wf_shape *shape);

/* Joins neighbours that are one to the memory. Kept axes are sorted, so that the last has the shortest stride; reduced
 * ones, too, where their order does not matter: then they have no negative stride either, and the function returns the
 * offset of the element that comes first instead. */
int64_t wf_shape_collapse(wf_shape *shape, bool keeps_order);

#endif
