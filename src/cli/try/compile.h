/* A learner's file becomes a program, made by the system's compiler. */
#ifndef WAVEFOLD_CLI_TRY_COMPILE_H
#define WAVEFOLD_CLI_TRY_COMPILE_H

#include "kernel_file.h"

typedef struct trial_program {
    char *folder; /* a temporary one, with nothing but what was made here */
    char *path;
} trial_program;

/* False, with the reason printed, if it could not be made: what the compiler says comes first. */
bool compile_trial(const kernel_file *file, trial_program *program);
/* Removes it; a program that runs goes on. */
void remove_trial(trial_program *program);

#endif
