#ifndef WAVEFOLD_CLI_ARGUMENTS_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_OPTIONS_H

#include "progression_options.h"

/* Exits on --help, --usage, --version and on bad usage. */
void options_parse(progression_options *options, int argc, char **argv);
void options_free(progression_options *options);

#endif
