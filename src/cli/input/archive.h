/* NumPy's .npz: a ZIP archive with a member NAME.npy for each array. */
#ifndef WAVEFOLD_CLI_INPUT_ARCHIVE_H
#define WAVEFOLD_CLI_INPUT_ARCHIVE_H

#include "file_map.h"

/* True for what begins as a ZIP archive with members does. */
bool archive_has_magic(const file_map *file);
/* Replaces the archive by one array of it, a whole .npy file in memory: the one of this name, or if that is NULL the
 * only one. path is the archive's in messages. False, with the reason printed, on failure; the archive stays then. */
bool archive_extract(file_map *file, const char *name, const char *path);

#endif
