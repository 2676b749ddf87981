#ifndef WAVEFOLD_CLI_INPUT_STREAM_H
#define WAVEFOLD_CLI_INPUT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a pipe or another input that cannot be mapped to its end into pages, which the caller frees; NULL if it is
 * empty. Prints the reason and returns false on failure. */
bool stream_read(unsigned char **bytes, uint64_t *size, int descriptor, const char *path);

#endif
