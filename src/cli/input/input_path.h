/* How an input is named: a file, or - for standard input. */
#ifndef WAVEFOLD_CLI_INPUT_INPUT_PATH_H
#define WAVEFOLD_CLI_INPUT_INPUT_PATH_H

#include <stdbool.h>

bool input_is_stdin(const char *path);
/* The file that is read, malloc'ed: an output must not replace it. */
char *input_file(const char *path);

#endif
