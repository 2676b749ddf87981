/* A learner's file, read before it is compiled. */
#ifndef WAVEFOLD_CLI_TRY_KERNEL_FILE_H
#define WAVEFOLD_CLI_TRY_KERNEL_FILE_H

#include <stdbool.h>

enum { MOST_LAUNCHED_ARRAYS = 8 };

typedef struct kernel_file {
    const char *path;
    bool is_plain; /* in HIP's words, not the ladder's */
    /* Names of its "extern __shared__" arrays, whose size is the launch's. */
    char *launched_arrays[MOST_LAUNCHED_ARRAYS + 1]; /* ends with NULL */
} kernel_file;

/* False, with the reason printed, if it cannot be read or does not say how its kernel is launched. */
bool kernel_file_read(const char *path, kernel_file *file);
void kernel_file_free(kernel_file *file);

#endif
