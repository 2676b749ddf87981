/* What `wavefold devices` and `wavefold rungs` have in common: a listing in one of three forms. */
#ifndef WAVEFOLD_CLI_OUTPUT_LISTING_H
#define WAVEFOLD_CLI_OUTPUT_LISTING_H

typedef enum listing {
    LISTING_TABLE,
    LISTING_JSON, /* --json */
    LISTING_NAMES /* --names: one on a line, for shell completion; not documented */
} listing;

/* Exits on --help, --usage, --version and on bad usage. */
listing listing_parse(int argc, char **argv, const char *documentation);

#endif
