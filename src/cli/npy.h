/* NumPy's .npy files, versions 1.0, 2.0 and 3.0:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#ifndef WAVEFOLD_CLI_NPY_H
#define WAVEFOLD_CLI_NPY_H

#include "wavefold.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct npy_array {
    wf_type type;
    bool swapped; /* in the other byte order than this machine's */
    uint64_t count;
    const unsigned char *elements; /* inside the file's bytes; aligned to nothing */
} npy_array;

bool npy_has_magic(const unsigned char *bytes, uint64_t size);
/* bytes: the whole file. False, with the reason printed, if it is malformed, truncated or not supported. */
bool npy_read(npy_array *array, const unsigned char *bytes, uint64_t size, const char *path);

#endif
