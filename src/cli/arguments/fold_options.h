/* Options of reductions: --n, --type, --raw, --op, --accumulator, --nan, --accuracy, --device, and --state for the
 * state of an exact sum. A subcommand lists its options in a table for argp, with its own defaults in the help. The
 * table and fold_options_parse are a child of its parser. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_FOLD_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_FOLD_OPTIONS_H

#include "wavefold.h"

#include <argp.h>
#include <stdbool.h>

enum {
    OPTION_N = 'n',
    OPTION_TYPE = 't',
    OPTION_OP = 'o',
    OPTION_DEVICE = 'd',
    OPTION_ACCUMULATOR = 0x300, /* above the subcommands' own keys and those of output_options.c */
    OPTION_NAN,
    OPTION_ACCURACY,
    OPTION_STATE,
    OPTION_RAW
};

typedef struct fold_options {
    bool of_reduce;                  /* --op also accepts describe (WF_OP_COUNT), all and any. Set before parsing */
    const char *bool_op;             /* all or any, which mean and and or for bool; NULL: --op names another operator */
    const char *device, *state_path; /* NULL: not given */
    wf_reduce_spec spec;
    uint64_t n;
    bool n_given, type_given, is_raw;
} fold_options;

/* argp's; the input is a fold_options. */
error_t fold_options_parse(int key, char *argument, struct argp_state *state);

#endif
