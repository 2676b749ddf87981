#ifndef WAVEFOLD_CLI_INPUT_ARCHIVE_NAMES_H
#define WAVEFOLD_CLI_INPUT_ARCHIVE_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <zip.h>

/* The index of the member NAME.npy for this name, with or without its .npy; or if it is NULL of the only array. False,
 * with the reason and the names that there are printed, if there is none, or more than one. */
bool archive_find(zip_t *archive, const char *name, const char *path, uint64_t *index);

#endif
