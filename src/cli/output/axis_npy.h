/* The results of a reduction along axes as a .npy file: version 1.0, in C order and this machine's byte order. The file
 * of argmin and argmax holds the indices, as i8: -1 if there is no element. */
#ifndef WAVEFOLD_CLI_OUTPUT_AXIS_NPY_H
#define WAVEFOLD_CLI_OUTPUT_AXIS_NPY_H

#include "cli/answer/axis_answer.h"
#include "cli/input/npy_dtype.h"

/* The dtype and shape of the file. */
typedef struct axis_npy {
    char dtype[NPY_DTYPE_NAME];
    size_t dimensions;
    uint64_t counts[WF_MOST_DIMENSIONS + MOST_INNER_DIMENSIONS];
} axis_npy;

axis_npy axis_npy_of(const axis_answer *a);
/* Writes all of it, or keeps the old file. Prints the reason and returns false on failure. */
bool axis_npy_write(const char *path, const axis_answer *a);

#endif
