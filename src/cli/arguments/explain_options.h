/* The options of `wavefold explain`. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_EXPLAIN_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_EXPLAIN_OPTIONS_H

#include "output_options.h"

#include <stddef.h>
#include <stdint.h>

typedef struct explain_options {
    size_t rung, against; /* against SIZE_MAX: none */
    uint32_t wave_width, tile, row_length;
    uint64_t n; /* 0: not given */
    bool traces, shows_lines;
    const char *svg_path; /* NULL: not given */
    output_options output;
} explain_options;

/* Does not return on bad usage. */
void explain_options_parse(explain_options *options, int argc, char **argv);

#endif
