/* Shared by `wavefold devices`, `wavefold rungs` and `wavefold operators`. */
#ifndef WAVEFOLD_CLI_OUTPUT_LISTING_H
#define WAVEFOLD_CLI_OUTPUT_LISTING_H

#include "json.h"

typedef struct listing {
    const char *documentation; /* argp's */
    void (*print_text)(void);
    void (*print_names)(void); /* for --names: one on a line, for shell completion; not documented */
    json_t *(*document)(void); /* for --json */
} listing;

/* Returns an exit status. Exits on --help, --usage, --version and on bad usage. */
int listing_main(const listing *what, int argc, char **argv);

#endif
