/* A learner's file, read before it is compiled. */
#ifndef WAVEFOLD_CLI_TRY_KERNEL_FILE_H
#define WAVEFOLD_CLI_TRY_KERNEL_FILE_H

#include <stdbool.h>

typedef struct kernel_file {
    const char *path;
    bool is_plain;     /* in HIP's words, not the ladder's */
    bool has_launcher; /* <<< >>>, or main() */
} kernel_file;

/* False, with the reason printed, if it cannot be read or does not say how its kernel is launched. */
bool kernel_file_read(const char *path, kernel_file *file);

#endif
