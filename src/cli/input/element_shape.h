#ifndef WAVEFOLD_CLI_INPUT_ELEMENT_SHAPE_H
#define WAVEFOLD_CLI_INPUT_ELEMENT_SHAPE_H

#include "input.h"
#include "wavefold_axes.h"

enum { MOST_INNER_DIMENSIONS = 2 };

/* The dimensions of an array of elements, and of one element. */
typedef struct element_shape {
    size_t dimensions;
    uint64_t counts[WF_MOST_DIMENSIONS];
    size_t inner_dimensions; /* of matmul 2 or 1, of affine 1; of numbers 0 */
    uint64_t inner[MOST_INNER_DIMENSIONS];
} element_shape;

/* Prints the reason and returns false for raw binary, and for an array of no dimension or of more than
 * WF_MOST_DIMENSIONS. */
bool input_element_shape(const input *in, element_shape *shape);

#endif
