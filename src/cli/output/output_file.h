/* A report's file: it appears complete, or what was there before stays. */
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
/* True if both paths lead to one file, whether it is there yet or not. */
bool output_same_file(const char *a, const char *b);

/* Each returns false, with the reason printed, on failure. Checking early spares the user a run whose report could
 * not be written. */
bool output_check(const char *path);
bool output_begin(output_file *file, const char *path);
/* error: 0, or why it could not all be written. Puts a complete file in its place, and throws another away. Standard
 * output stays open, and what became of it is known only at exit. */
bool output_end(output_file *file, const char *path, int error);
/* From begin to end: write gets what and the stream, and returns false if that could not all be written. */
bool output_write(const char *path, bool write(const void *what, FILE *stream), const void *what);

#endif
