/* One launch of a reduction along axes. Counts and strides are in elements; results are counted in results. */
#ifndef WAVEFOLD_AXES_REQUEST_H
#define WAVEFOLD_AXES_REQUEST_H

#include "launch_head.h"
#include "wavefold_axes.h"

/* Consecutive indices of one dimension, or of several that are one to the memory. */
typedef struct wf_axis {
    uint64_t count;
    int64_t stride;
    int64_t result_stride; /* of kept axes */
} wf_axis;

/* A list of axes; the last one is the fastest. No axis has a count of 1, and none is 0 unless it is alone. */
typedef struct wf_axis_list {
    uint32_t length;
    wf_axis axis[WF_MOST_DIMENSIONS];
} wf_axis_list;

typedef struct wf_axes_request {
    wf_launch_head head;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* of sums of floats the type into which they are rounded */
    wf_nan nan;
    const void *source;
    void *result;
    uint32_t result_bytes; /* of one result */
    wf_axis_list kept, reduced;
    uint64_t rows;   /* results: the product of the kept counts */
    uint64_t length; /* elements of a result: the product of the reduced counts */
} wf_axes_request;

#endif
