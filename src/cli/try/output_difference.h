/* Whether two runs of a program printed the same. */
#ifndef WAVEFOLD_CLI_TRY_OUTPUT_DIFFERENCE_H
#define WAVEFOLD_CLI_TRY_OUTPUT_DIFFERENCE_H

/* "line 3 is 'sum = 5', and 'sum = 4'", malloc'ed; NULL: they are the same, apart from the order of lines, rounding,
 * lines about times and addresses. */
char *output_difference(const char *first, const char *other);

#endif
