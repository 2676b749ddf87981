/* Options of reductions along axes: --axis, --keepdims and --output. Other subcommands list --axis and --output in a
 * table of their own. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_AXIS_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_AXIS_OPTIONS_H

#include "wavefold_axes.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum { OPTION_AXIS = 0x400 /* above the keys of fold_options.h */, OPTION_KEEPDIMS, OPTION_OUTPUT };

typedef struct axis_options {
    int axes[WF_MOST_DIMENSIONS]; /* a negative one counts from the last dimension */
    size_t count;                 /* 0: --axis is not given */
    bool keepdims;
    const char *output_path; /* NULL: not given */
} axis_options;

/* argp's; the input is an axis_options. */
error_t axis_options_parse(int key, char *argument, struct argp_state *state);
/* A child of a subcommand's parser. Its input, an axis_options, is set at ARGP_KEY_INIT. */
extern const struct argp axis_parser;

#endif
