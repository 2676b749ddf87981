/* The options that say what is folded, and on which device: --n, --type, --raw, --op, --accumulator, --nan, --accuracy
 * and --device; and --state, where an exact sum's state goes.
 *
 * A subcommand lists those that it takes in a table of argp's, with its own defaults in the text of the help. The table
 * and fold_options_parse are a child of its parser. */
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
    OPTION_ACCUMULATOR = 0x300, /* beyond the subcommands' own, and output_options.c's */
    OPTION_NAN,
    OPTION_ACCURACY,
    OPTION_STATE,
    OPTION_RAW
};

typedef struct fold_options {
    bool of_reduce;      /* --op also takes describe, which gives WF_OP_COUNT, and all and any. Set before parsing */
    const char *bool_op; /* all or any, which are and and or of bool alone; NULL: --op names another operator */
    const char *device, *state_path; /* NULL: not given */
    wf_reduce_spec spec;
    uint64_t n;
    bool n_given, type_given, is_raw;
} fold_options;

/* argp's; the input is a fold_options. */
error_t fold_options_parse(int key, char *argument, struct argp_state *state);

#endif
