/* The dictionary at the head of a .npy file. */
#ifndef WAVEFOLD_CLI_INPUT_NPY_DICTIONARY_H
#define WAVEFOLD_CLI_INPUT_NPY_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most 63 dimensions are longer than 1, since the product of all is below 2^64. */
enum { NPY_DESCR = 64, NPY_SHAPE = 64, NPY_DIMENSIONS = 63 };
/* The first dimensions that are kept whatever their size: WF_MOST_DIMENSIONS, and two of an element of matmul. */
enum { NPY_SIZES = 10 };

/* The dimensions that are longer than 1: the others have no effect on an element's place. */
typedef struct npy_shape {
    size_t dimensions;
    uint64_t sizes[NPY_DIMENSIONS];
} npy_shape;

/* The Python dictionary at the head of a .npy file. */
typedef struct npy_header {
    char descr[NPY_DESCR]; /* "<f4"; of a structured type its first characters */
    bool fortran_order;
    uint64_t count;            /* product of the shape; 1 for a scalar's, () */
    size_t dimensions;         /* dimensions of the shape */
    uint64_t sizes[NPY_SIZES]; /* the first dimensions; 0 if missing */
    npy_shape long_shape;
    uint64_t last[2];      /* the last dimension, and the one before; 0 if missing */
    char shape[NPY_SHAPE]; /* its text; the first characters if it is long */
} npy_header;

/* NULL, or the fault. Strict: exactly the three keys, each once, in any order, with Python literals. */
const char *npy_header_parse(npy_header *header, const char *text, size_t length);

#endif
