/* The source that the compiler gets: the user's file with its launches in C++, and what runs them. */
#ifndef WAVEFOLD_CLI_TRY_TRANSLATE_H
#define WAVEFOLD_CLI_TRY_TRANSLATE_H

#include "kernel_file.h"

/* Writes a file of the same name to the folder, as debuggers show it, and next to it the headers of the user's that
 * launch kernels; malloc'ed path, or NULL after the reason was printed. */
char *translate(const kernel_file *file, const char *folder);

#endif
