/* The parser that `wavefold reduce` and `wavefold-mpi reduce` share: all options but --device and --axis. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_REDUCE_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_REDUCE_OPTIONS_H

#include "reduce_request.h"

/* The help of both on printed numbers. */
#define HELP_ANSWER                                                                                                    \
    "Numbers have enough digits to restore the same value; whole numbers below 10^16 have all digits. argmin and "     \
    "argmax print the index, counted from 0 as by numpy.ravel; minmax, matmul and affine print several numbers, "      \
    "separated by blanks. The sum of bool counts the true elements; min, max, minmax, and, or and xor of bool print "  \
    "true or false. Sums of floats "                                                                                   \
    "are exact unless --accuracy is fast"
#define HELP_FILES "NumPy's .npy, of any shape, or raw binary in this machine's byte order, which needs --type."

/* A child of each program's own parser. ARGP_KEY_INIT sets its input, a reduce_options with fold.of_reduce. The request
 * is checked at the end of the arguments, as far as possible without the file. */
extern const struct argp reduce_parser;

#endif
