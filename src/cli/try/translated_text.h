/* A user's text, as the compiler gets it. */
#ifndef WAVEFOLD_CLI_TRY_TRANSLATED_TEXT_H
#define WAVEFOLD_CLI_TRY_TRANSLATED_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* The folder of the file, where its own headers are; malloc'ed. */
char *folder_of(const char *path);
/* From here on the compiler's messages and the trial's findings name this file, from line 1 on. */
void write_line_one(FILE *to, const char *path);
/* Writes the text of the user's path to a file, with its launches in C++. Returns false on failure. */
bool write_translated(const char *to, const char *path, const char *text);

#endif
