/* A file's array, and results that are an array of as many: what scan and sort share, and count in part. */
#ifndef WAVEFOLD_CLI_ARRAYS_ARRAY_ANSWER_H
#define WAVEFOLD_CLI_ARRAYS_ARRAY_ANSWER_H

#include "array_sink.h"
#include "cli/arguments/array_options.h"
#include "cli/input/input.h"
#include "cli/input/npy_dtype.h"
#include "cli/output/progress.h"
#include "oracle/folded.h"

/* Arrays are cut into pieces of about this size, where that gives the same results. */
enum { ARRAY_PIECE_BYTES = 64 << 20 };

typedef struct array_answer {
    const array_options *options;
    input data;
    row_layout layout;
    wf_context *context;
    wf_device_info device;
    fold of;          /* spec and info of a result on the device */
    bool is_bool;     /* results are true or false */
    bool is_place;    /* results are positions */
    bool joins_equal; /* numbers that compare equal, and NaN, are loaded with the same bits */
    double seconds;   /* for reading, computing and writing */
    progress bar;
    array_sink sink;
    unsigned char *stage; /* host memory through which elements and results pass */
} array_answer;

/* The most results that are printed or listed in JSON; more need --output. */
enum { MOST_SHOWN_RESULTS = 1 << 16 };

/* Each function that returns bool prints the reason and returns false on failure; call array_close in any case.
 *   array_can_begin: whether the outputs can be written
 *   array_open:      opens the file; op says how many numbers an element has
 *   array_prepare:   when `of`, is_bool and is_place are set: checks what can hold the results, and opens the device;
 *                    in_order as for row_layout_of
 *   array_open_device: checks the elements, and opens the device
 *   array_has_room:  whether the device has room for the bytes; doing: "sorting 9 elements of f32 at once"
 *   array_load:      copies elements to device memory, in this machine's byte order
 *   array_store:     copies the next results from device memory to the output; array_store_from_host: from host memory
 *   array_end:       completes the output */
bool array_can_begin(const array_options *options);
bool array_open(array_answer *a, wf_op op);
bool array_prepare(array_answer *a, bool in_order);
bool array_open_device(array_answer *a);
bool array_has_room(const array_answer *a, uint64_t bytes, const char *doing);
void *array_allocate(array_answer *a, size_t bytes);
bool array_load(array_answer *a, void *device, uint64_t first, uint64_t count);
bool array_store(array_answer *a, const void *device, uint64_t count);
bool array_store_from_host(array_answer *a, const void *results, uint64_t count);
bool array_end(array_answer *a);
void array_close(array_answer *a);
/* Prints the library's last error. */
bool array_fail(array_answer *a);

/* Of the .npy file. */
void array_dtype(const array_answer *a, char name[NPY_DTYPE_NAME]);
array_head array_head_of(const array_answer *a, const char *descr);
/* Result i, counted in C order; without --output. */
result array_result(const array_answer *a, uint64_t i);

#endif
