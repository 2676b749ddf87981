/* Where results go that are an array: to a .npy file, one behind the other, or to memory. */
#ifndef WAVEFOLD_CLI_ARRAYS_ARRAY_SINK_H
#define WAVEFOLD_CLI_ARRAYS_ARRAY_SINK_H

#include "cli/output/output_file.h"
#include "cli/output/progress.h"
#include "row_layout.h"

typedef struct array_sink {
    const char *path; /* NULL: memory */
    output_file file;
    bool is_open;
    unsigned char *kept; /* in memory */
    size_t kept_bytes, capacity;
} array_sink;

/* The head of the file: Python's literal of the dtype, and the shape. */
typedef struct array_head {
    const char *descr;
    bool fortran_order;
    size_t dimensions;
    uint64_t counts[WF_MOST_DIMENSIONS + MOST_INNER_DIMENSIONS];
} array_head;

/* Each prints the reason and returns false on failure, and then leaves no file; a bar that is shown is ended first. The
 * file appears at the end. A signal that ends the process is heeded by the next write. Begin needs a path. */
bool array_sink_begin(array_sink *sink, const array_head *head, progress *bar);
bool array_sink_write(array_sink *sink, const void *bytes, size_t size, progress *bar);
bool array_sink_end(array_sink *sink, progress *bar);
/* Removes a file that has not ended. */
void array_sink_close(array_sink *sink);

#endif
