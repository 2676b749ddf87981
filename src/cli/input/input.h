/* The input: elements of a file, or generated ones. */
#ifndef WAVEFOLD_CLI_INPUT_INPUT_H
#define WAVEFOLD_CLI_INPUT_INPUT_H

#include "file_map.h"
#include "npy_dictionary.h"
#include "oracle/generate.h"

#include <stddef.h>

typedef enum input_kind { INPUT_PATTERN, INPUT_RANDOM, INPUT_FILE } input_kind;

/* The elements, never all in memory: generated or read from the file in chunks. */
typedef struct input {
    input_kind kind;
    wf_type type;
    size_t scalars;   /* numbers of an element */
    uint64_t count;   /* elements */
    generator made;   /* INPUT_PATTERN, INPUT_RANDOM */
    const char *path; /* INPUT_FILE */
    file_map file;
    const unsigned char *elements; /* in the file; aligned to nothing */
    bool is_bool;                  /* bool, as u8 */
    bool is_part;                  /* of the numbers in the file */
    bool swapped;                  /* in the other byte order than this machine's */
    bool fortran_order;            /* the elements stand in another order than the array's indices count them */
    npy_shape shape;               /* of the numbers in the file, if so */
    bool has_dimensions;           /* raw binary has none */
    size_t dimensions;             /* of the numbers in the file, also those of size 1 */
    uint64_t sizes[NPY_SIZES];     /* as npy_header's */
    void *copy;                    /* of the elements, in C order; NULL: none */
} input;

/* A .npy file, an array of an .npz archive, or else raw numbers in this machine's byte order. */
typedef struct input_request {
    const char *path;
    const wf_type *type;   /* of raw numbers; NULL, or the same, for a .npy file */
    wf_op op;              /* what folds them; several of the file's numbers may be one element */
    const uint64_t *limit; /* elements, from the front; NULL: all */
    bool is_raw;           /* for any file name and first bytes */
    bool in_parts;         /* each of many processes reads a part: no archive, which each would unpack */
} input_request;

/* False, with the reason printed, on failure. */
bool input_open(input *in, const input_request *request);
void input_close(input *in);
/* False, with the reason printed, for an array in Fortran order; input_make_c_order in c_order.h takes one. */
bool input_in_c_order(const input *in);

size_t input_element_bytes(const input *in);

/* Elements first to first + count - 1, aligned and in this machine's byte order: in buffer (room for count elements),
 * or in the file itself. */
const void *input_chunk(const input *in, uint64_t first, size_t count, void *buffer);

#endif
