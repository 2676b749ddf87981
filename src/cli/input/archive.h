/* NumPy's .npz: a ZIP archive with a member NAME.npy for each array. */
#ifndef WAVEFOLD_CLI_INPUT_ARCHIVE_H
#define WAVEFOLD_CLI_INPUT_ARCHIVE_H

#include "file_map.h"

/* True if the bytes begin as a ZIP archive with members does. */
bool archive_has_magic(const file_map *file);
/* Replaces the archive by one of its arrays, a whole .npy file in memory: the array of this name, or with NULL the only
 * one. Messages name the archive's path. Prints the reason, returns false and keeps the archive on failure. */
bool archive_extract(file_map *file, const char *name, const char *path);

#endif
