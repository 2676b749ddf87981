#ifndef WAVEFOLD_CLI_INPUT_ARCHIVE_NAMES_H
#define WAVEFOLD_CLI_INPUT_ARCHIVE_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <zip.h>

/* The index of the member NAME.npy, for the name with or without .npy; with NULL, of the only array. Prints the reason
 * and the names, and returns false, if the array is missing or not unique. */
bool archive_find(zip_t *archive, const char *name, const char *path, uint64_t *index);

#endif
