#ifndef WAVEFOLD_CLI_INPUT_STREAM_H
#define WAVEFOLD_CLI_INPUT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a pipe, or what else cannot be mapped, to its end into pages, which the caller frees; NULL if nothing comes.
 * False, with the reason printed, on failure. */
bool stream_read(unsigned char **bytes, uint64_t *size, int descriptor, const char *path);

#endif
