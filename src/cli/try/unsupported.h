/* What a trial cannot run, found in the source before it is compiled. */
#ifndef WAVEFOLD_CLI_TRY_UNSUPPORTED_H
#define WAVEFOLD_CLI_TRY_UNSUPPORTED_H

#include "kernel_file.h"

#include <stddef.h>

enum { MOST_UNSUPPORTED = 8 };

typedef struct unsupported {
    size_t line;
    char *what;         /* "textures (tex2D)" */
    const char *remedy; /* what to do instead, or what to leave out */
} unsupported;

/* The first place of each kind, in order of the file; the count. Each `what` is malloc'ed. */
size_t unsupported_find(const kernel_file *file, unsupported found[MOST_UNSUPPORTED]);
void unsupported_free(unsupported *found, size_t count);

#endif
