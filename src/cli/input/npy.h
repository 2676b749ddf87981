/* NumPy's .npy files, versions 1.0, 2.0 and 3.0:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#ifndef WAVEFOLD_CLI_INPUT_NPY_H
#define WAVEFOLD_CLI_INPUT_NPY_H

#include "npy_dictionary.h"
#include "wavefold.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct npy_array {
    wf_type type;
    bool is_bool;       /* bytes that are 0 or 1, of type u8 */
    bool swapped;       /* in the other byte order than this machine's */
    bool fortran_order; /* and differs from C order: more than one dimension is longer than 1 */
    uint64_t count;     /* numbers */
    size_t dimensions;
    uint64_t last[2], sizes[NPY_SIZES]; /* as npy_header's */
    npy_shape long_shape;
    char shape_text[NPY_SHAPE];
    const unsigned char *elements; /* inside the file's bytes; aligned to nothing */
} npy_array;

bool npy_has_magic(const unsigned char *bytes, uint64_t size);
/* bytes: the whole file. False, with the reason printed, if it is malformed, truncated or not supported. */
bool npy_read(npy_array *array, const unsigned char *bytes, uint64_t size, const char *path);
/* Whether the shape is of elements of 2 or 4 numbers: one dimension, or the elements in the last one or two
 * dimensions. */
bool npy_holds(const npy_array *array, size_t scalars);

#endif
