/* Compiles a user's kernel file to a program with the system's compiler. */
#ifndef WAVEFOLD_CLI_TRY_COMPILE_H
#define WAVEFOLD_CLI_TRY_COMPILE_H

#include "kernel_file.h"

typedef struct trial_program {
    char *folder; /* temporary, with only the files made here */
    char *path;
} trial_program;

/* Prints the compiler's messages and the reason and returns false on failure. */
bool compile_trial(const kernel_file *file, trial_program *program);
/* Removes it; a program that runs goes on. */
void remove_trial(trial_program *program);

#endif
