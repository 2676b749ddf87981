/* NumPy's names of element types: "<f4", "|u1". */
#ifndef WAVEFOLD_CLI_INPUT_NPY_DTYPE_H
#define WAVEFOLD_CLI_INPUT_NPY_DTYPE_H

#include "wavefold.h"

#include <stdbool.h>

typedef struct npy_dtype {
    wf_type type;
    bool is_bool; /* bytes that are 0 or 1, of type u8 */
    bool swapped; /* in the other byte order than this machine's */
} npy_dtype;

/* False for a name of no supported type. */
bool npy_dtype_read(npy_dtype *dtype, const char *descr);

enum { NPY_DTYPE_NAME = 4 };
/* The name in this machine's byte order; type: any but bf16, which NumPy lacks. */
void npy_dtype_name(wf_type type, bool is_bool, char name[NPY_DTYPE_NAME]);

#endif
