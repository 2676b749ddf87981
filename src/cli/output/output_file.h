/* A report's file: it appears complete, or the old file stays. */
#ifndef WAVEFOLD_CLI_OUTPUT_OUTPUT_FILE_H
#define WAVEFOLD_CLI_OUTPUT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
    FILE *stream;
    char *target;    /* what the path leads to, links followed */
    char *temporary; /* NULL: the stream writes to the target itself, which is a device, a pipe or standard output */
} output_file;

/* "-" is standard output. */
bool output_is_stdout(const char *path);
/* True if both paths lead to one file, existing or not. */
bool output_same_file(const char *a, const char *b);

/* Each prints the reason and returns false on failure. An early check avoids a run whose report cannot be written. */
bool output_check(const char *path);
bool output_begin(output_file *file, const char *path);
/* error: 0, or the errno of an incomplete write. Moves a complete file to its place, and removes an incomplete one.
 * Standard output stays open; its errors appear only at exit. */
bool output_end(output_file *file, const char *path, int error);
/* Removes an incomplete file without a message. */
void output_abandon(output_file *file);
/* Whether a signal that would end the process waits for output_end, as SIGINT does while a temporary file exists. Then
 * output_end, with an error, removes that file, and the process ends. */
bool output_is_interrupted(void);
/* Begins, calls write with its argument and the stream, and ends; write returns false if it could not write all. */
bool output_write(const char *path, bool write(const void *what, FILE *stream), const void *what);

#endif
