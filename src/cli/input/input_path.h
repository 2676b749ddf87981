/* Names of inputs: a file, - for standard input, or FILE.npz:NAME for an array of an archive. */
#ifndef WAVEFOLD_CLI_INPUT_INPUT_PATH_H
#define WAVEFOLD_CLI_INPUT_INPUT_PATH_H

#include <stdbool.h>

bool input_is_stdin(const char *path);
/* NAME of FILE.npz:NAME, within the path; NULL if the path names only a file, or if there is such a file. */
const char *input_member(const char *path);
/* The input file, malloc'ed: an output must not replace it. */
char *input_file(const char *path);

#endif
