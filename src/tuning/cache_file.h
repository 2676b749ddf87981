/* Small files that outlive the process, in the user's cache folder. */
#ifndef WAVEFOLD_TUNING_CACHE_FILE_H
#define WAVEFOLD_TUNING_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { WF_CACHE_PATH = 1024 };
/* Remedy where there is no folder. */
#define WF_CACHE_FOLDER_VARIABLES "WAVEFOLD_CACHE, XDG_CACHE_HOME or HOME"

/* False, and path "", if the environment names no folder, or one whose name is too long. */
bool wf_cache_path(const char *name, char path[WF_CACHE_PATH]);

/* These give 0 or an errno. */

/* Reads a regular file of less than room bytes; EFBIG if it is larger, ELOOP if it is a symbolic link. */
int wf_cache_read(const char *path, char *text, size_t room, size_t *length);
/* Makes the file's folder if it is missing; fails if no file can be made there. */
int wf_cache_prepare(const char *path);
/* The new file is there with all of the text, or what was there before still is. A link of that name is replaced, not
 * followed; who may read the file is left to the umask. On a thread that is not to be cancelled meanwhile. */
int wf_cache_write(const char *path, const char *text, size_t length);

#endif
