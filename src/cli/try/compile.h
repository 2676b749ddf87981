/* Compiles a user's kernel file to a program with the system's compiler. */
#ifndef WAVEFOLD_CLI_TRY_COMPILE_H
#define WAVEFOLD_CLI_TRY_COMPILE_H

#include "compiler_messages.h"
#include "kernel_file.h"

typedef struct trial_program {
    char *folder; /* temporary, with only the files made here */
    char *path;
} trial_program;

/* Prints the reason and returns false on failure; of the compiler's messages the first error, or all if is_verbose.
 * messages: what the compiler said of a file that does not compile; to be freed in any case. */
bool compile_trial(const kernel_file *file, bool is_verbose, trial_program *program, compiler_messages *messages);
/* Removes it; a program that runs goes on. */
void remove_trial(trial_program *program);

#endif
