/* A user's kernel file, read before compilation. */
#ifndef WAVEFOLD_CLI_TRY_KERNEL_FILE_H
#define WAVEFOLD_CLI_TRY_KERNEL_FILE_H

#include <stdbool.h>

typedef struct kernel_file {
    const char *path;
    bool is_plain;     /* plain HIP, not the ladder's vocabulary */
    bool has_launcher; /* <<< >>>, or main() */
} kernel_file;

/* Prints the reason and returns false if the file cannot be read or does not define its launch. */
bool kernel_file_read(const char *path, kernel_file *file);

#endif
