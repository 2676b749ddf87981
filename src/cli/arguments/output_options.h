/* The options that say what is written, which every subcommand takes: --json FILE and --quiet. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_OUTPUT_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_OUTPUT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

typedef struct output_options {
    const char *json_path; /* NULL: not given */
    bool quiet;
} output_options;

/* Where the help shows them, below a subcommand's own. */
enum { OUTPUT_GROUP = 3 };
/* A child of a subcommand's parser. Its input, an output_options, is set at ARGP_KEY_INIT. */
extern const struct argp output_parser;

/* The argument of an option that takes a file to write. One that looks like an option is a usage error: it was meant as
 * one, and would become a file's name. */
const char *output_path(const char *option, const char *argument);

/* False if standard output is a report's alone, or nothing is wanted there. */
bool output_has_text(const output_options *options);
/* False, with the reason printed, if the report cannot be written: known before anything is computed for it. */
bool output_can_begin(const output_options *options);

#endif
