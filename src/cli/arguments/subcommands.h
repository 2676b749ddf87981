/* Names of subcommands, and the words help and version in their place. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_SUBCOMMANDS_H
#define WAVEFOLD_CLI_ARGUMENTS_SUBCOMMANDS_H

#include <stddef.h>

/* The index of a name; an unknown one is a usage error, with the nearest name. */
size_t subcommand_find(const char *name, const char *const *names, size_t count);

/* Rewrites the words as options: "help" is --help, "help NAME" is NAME --help, "version" is --version. Other command
 * lines stay as they are. Returns the new argc. */
int subcommand_words(int argc, char **argv, const char *const *names, size_t count);

#endif
