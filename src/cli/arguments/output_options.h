/* Output options of every subcommand: --json FILE and --quiet. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_OUTPUT_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_OUTPUT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

typedef struct output_options {
    const char *json_path; /* NULL: not given */
    bool quiet;
} output_options;

/* Their group in the help, below a subcommand's own options. */
enum { OUTPUT_GROUP = 3 };
/* A child of a subcommand's parser. Its input, an output_options, is set at ARGP_KEY_INIT. */
extern const struct argp output_parser;

/* The output file of an option. An argument that looks like an option is a usage error, not a file name. */
const char *output_path(const char *option, const char *argument);

/* False if standard output has only a report, or nothing. */
bool output_has_text(const output_options *options);
/* Checks early that the report can be written. Prints the reason and returns false if not. */
bool output_can_begin(const output_options *options);

#endif
