/* The parser of what `wavefold reduce` and `wavefold-mpi reduce` are both asked for: all but --device, which means
 * something else in each. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_REDUCE_PARSER_H
#define WAVEFOLD_CLI_ARGUMENTS_REDUCE_PARSER_H

#include "reduce_options.h"

/* What the help of both says of the numbers that are printed. */
#define HELP_ANSWER                                                                                                    \
    "Numbers have as many digits as are needed to read the same value again, whole ones of less than 10^16 all "       \
    "theirs. argmin and argmax print the index, "                                                                      \
    "counted from 0 as numpy.ravel does, minmax, matmul and affine several numbers with blanks between them. The sum " \
    "of bool counts the true elements; min, max, minmax, and, or and xor of bool print true or false. Sums of floats " \
    "are exact unless --accuracy says fast"
#define HELP_FILES "NumPy's .npy, of any shape, or raw binary in this machine's byte order, which needs --type."

/* A child of each program's own parser. Its input, a reduce_options with fold.of_reduce set, is set at ARGP_KEY_INIT.
 * What is asked for is checked at the end of the arguments, as far as it is known without the file. */
extern const struct argp reduce_parser;

#endif
