/* Options that scan, sort and count share: the input FILE, --type, --raw, --n, --device, --output, --json and --quiet;
 * and --axis of scan and sort. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_ARRAY_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_ARRAY_OPTIONS_H

#include "axis_options.h"
#include "fold_options.h"
#include "output_options.h"

typedef struct array_options {
    const char *path;  /* NULL: not given */
    fold_options fold; /* of a scan also its operator */
    axis_options axes; /* one axis, or none */
    output_options output;
} array_options;

#define HELP_ARRAY_FILES "NumPy's .npy, of any shape, or raw binary in this machine's byte order, which needs --type."

/* Children of a subcommand's parser. ARGP_KEY_INIT sets their input, an array_options. At the end of the arguments
 * array_parser refuses, as bad usage, options that exclude each other and outputs in the input's place. */
extern const struct argp array_parser, along_parser;

#endif
