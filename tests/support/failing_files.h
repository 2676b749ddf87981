/* Calls of files, of the whole process and the calling thread, made to fail, or to do less than was asked for. */
#ifndef WAVEFOLD_TESTS_FAILING_FILES_H
#define WAVEFOLD_TESTS_FAILING_FILES_H

#include <stddef.h>

/* From now on the number-th call of that name fails with the error, counted from 1; with number 0, all do. The names:
 * open (where it makes a file), read (where no link was followed), write, close, mkdir, access, fsync. Of mkdir, EEXIST
 * comes once the folder is made, as if somebody else had been faster. */
void fail_file_call(const char *name, unsigned number, int error);
/* read and write do most bytes at a time. */
void shorten_file_calls(size_t most);

/* What was asked for since then. */
typedef struct file_calls {
    unsigned opened;                /* files that were to be made, */
    char made[2000];                /* the last one's path; */
    int flags;                      /* of the last open that was to make none; */
    int access_mode;                /* of the last access */
    size_t most_read, most_written; /* bytes that one call was asked for */
} file_calls;

/* Ends all that. */
file_calls end_failing_files(void);

#endif
