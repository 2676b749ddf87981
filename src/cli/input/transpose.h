/* From Fortran order, in which the first index runs fastest, to C order, in which the last one does. */
#ifndef WAVEFOLD_CLI_INPUT_TRANSPOSE_H
#define WAVEFOLD_CLI_INPUT_TRANSPOSE_H

#include "npy_dictionary.h"

/* Writes the first count numbers, in C order, of an array in Fortran order.
 *   size:  bytes of a number: 1, 2, 4 or 8; neither array need be aligned
 *   shape: at least two dimensions, each longer than 1 */
void transpose(void *to, const void *from, size_t size, const npy_shape *shape, uint64_t count);

#endif
