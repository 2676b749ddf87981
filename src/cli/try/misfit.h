/* The parameter of a kernel that does not fit its line WF_TRY(...), or its launch. */
#ifndef WAVEFOLD_CLI_TRY_MISFIT_H
#define WAVEFOLD_CLI_TRY_MISFIT_H

#include "compiler_messages.h"
#include "kernel_file.h"

/* "line 4: parameter 2 of mine is 'int *out', and 'float *out' is expected"; malloc'ed. NULL: the compiler's error is
 * about something else. */
char *misfit_of(const kernel_file *file, const compiler_messages *messages);

#endif
