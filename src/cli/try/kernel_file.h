/* A user's kernel file, read before compilation. */
#ifndef WAVEFOLD_CLI_TRY_KERNEL_FILE_H
#define WAVEFOLD_CLI_TRY_KERNEL_FILE_H

#include "functions.h"

#include <stdbool.h>

/* How a trial runs the file. */
typedef enum trial_mode {
    TRIAL_LINE,     /* by its line WF_TRY(...) */
    TRIAL_PROGRAM,  /* its main(), as it is */
    TRIAL_FUNCTION, /* solve(), solution() or the function that launches its kernels, with data made here */
} trial_mode;

typedef struct kernel_file {
    const char *path;
    bool is_plain;     /* plain HIP, not the ladder's vocabulary */
    bool has_launcher; /* <<< >>>, or main() */
    trial_mode mode;
    char *text, *code; /* code: without comments, strings, preprocessor lines and hidden branches */
    functions functions;
    const function *launcher; /* of TRIAL_FUNCTION */
} kernel_file;

/* Prints the reason and returns false if the file cannot be read, or has nothing to run. */
bool kernel_file_read(const char *path, kernel_file *file);
void kernel_file_free(kernel_file *file);

#endif
