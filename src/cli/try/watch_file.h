/* Waits until a file changes. */
#ifndef WAVEFOLD_CLI_TRY_WATCH_FILE_H
#define WAVEFOLD_CLI_TRY_WATCH_FILE_H

#include <stdbool.h>

typedef struct file_watch {
    int events;       /* inotify's */
    const char *name; /* in its folder */
} file_watch;

/* Watches the file's folder, so that a file which an editor puts in its place is followed. path must live longer.
 * Prints the reason and returns false on failure. */
bool file_watch_begin(file_watch *of, const char *path);
/* Returns when the file has been written or replaced since the last call. Prints the reason and returns false on
 * failure, such as a folder that was removed. */
bool file_watch_wait(file_watch *of);
void file_watch_end(file_watch *of);

#endif
