/* A kernel's "extern __shared__" arrays, whose size is the launch's. */
#ifndef WAVEFOLD_CLI_TRY_LAUNCHED_ARRAYS_H
#define WAVEFOLD_CLI_TRY_LAUNCHED_ARRAYS_H

#include <stdbool.h>

/* Writes a source file with the arrays that the object file lacks. Prints the reason and returns false on failure. */
bool launched_arrays_write(const char *object, const char *source);

#endif
