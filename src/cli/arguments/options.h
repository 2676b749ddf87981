/* The command line of `wavefold progression`. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_OPTIONS_H

#include "choice.h"

/* Exits on --help, --usage, --version and on bad usage. `chosen` stays empty if the type comes from the input file. */
void options_parse(progression_options *options, choice *chosen, int argc, char **argv);
void options_free(progression_options *options);

#endif
