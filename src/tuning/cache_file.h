/* Small files in the user's cache folder. */
#ifndef WAVEFOLD_TUNING_CACHE_FILE_H
#define WAVEFOLD_TUNING_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { WF_CACHE_PATH = 1024 };
/* For messages: the variables that name the folder. */
#define WF_CACHE_FOLDER_VARIABLES "WAVEFOLD_CACHE, XDG_CACHE_HOME or HOME"

/* Makes the path of the file. Returns false, and path "", if the environment names no folder or the path is
 * too long. */
bool wf_cache_path(const char *name, char path[WF_CACHE_PATH]);

/* The functions below return 0 or an errno. */

/* Reads a regular file of less than room bytes; EFBIG if it is larger, ELOOP if it is a symbolic link. */
int wf_cache_read(const char *path, char *text, size_t room, size_t *length);
/* Creates the file's folder if it is missing; fails if the folder is not writable. */
int wf_cache_prepare(const char *path);
/* Replaces the file atomically. A symbolic link of that name is replaced, not followed; the umask sets the permissions.
 * The caller has disabled cancellation. */
int wf_cache_write(const char *path, const char *text, size_t length);

#endif
