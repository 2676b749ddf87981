/* The dimensions of a reduction along axes, and of its results. */
#ifndef WAVEFOLD_CLI_ANSWER_AXIS_PLAN_H
#define WAVEFOLD_CLI_ANSWER_AXIS_PLAN_H

#include "answer.h"
#include "cli/input/element_shape.h"
#include "wavefold_axes.h"

typedef struct axis_plan {
    element_shape elements;
    wf_axes axes;
    uint64_t results; /* in C order of the kept dimensions */
    size_t dimensions;
    uint64_t counts[WF_MOST_DIMENSIONS]; /* of the results; reduced dimensions are 1 or left out */
    size_t inner_dimensions;             /* of one result: minmax 2, matmul and affine those of an element, else none */
    uint64_t inner[MOST_INNER_DIMENSIONS];
} axis_plan;

/* Of an open input. Prints the reason and returns false if --axis names a dimension that the array lacks, or one
 * twice. */
bool axis_plan_of(axis_plan *plan, const answer *a);

#endif
