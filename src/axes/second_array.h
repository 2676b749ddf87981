/* The second array of a reduction along axes of two arrays. */
#ifndef WAVEFOLD_AXES_SECOND_ARRAY_H
#define WAVEFOLD_AXES_SECOND_ARRAY_H

#include "request.h"

/* What the second array does with the elements of the first. */
typedef enum wf_second_use {
    WF_SECOND_FACTORS, /* numbers of the same type: the terms are products */
    WF_SECOND_MASK,    /* bytes: an element counts where its byte is not 0 */
    WF_SECOND_NORM     /* the first array again: the result is the root of the sum of squares */
} wf_second_use;

/* Strides and offsets are in elements of the second array; its axes have the counts of the request's. */
typedef struct wf_axes_second {
    wf_second_use use;
    const void *source; /* at index 0 of every axis */
    int64_t kept[WF_MOST_DIMENSIONS], reduced[WF_MOST_DIMENSIONS];
    int64_t lowest, highest;   /* offsets from source */
    const double *extremes;    /* NORM of f64: the least and the largest element */
    uint32_t neighbours_first; /* by kernels: neighbouring teams have neighbouring rows, not parts of one row */
} wf_axes_second;

#endif
