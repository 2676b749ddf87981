#ifndef WAVEFOLD_CLI_ARGUMENTS_NUMBER_TEXT_H
#define WAVEFOLD_CLI_ARGUMENTS_NUMBER_TEXT_H

#include "oracle/value.h"

/* Reads a number of the type, such as -1, 2.5e3, inf or nan, rounded to nearest if it is a float. NULL, or the reason
 * why the type has no such number, which the caller frees. */
char *number_of_text(wf_type type, const char *text, value *number);

#endif
