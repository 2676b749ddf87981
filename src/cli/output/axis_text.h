#ifndef WAVEFOLD_CLI_OUTPUT_AXIS_TEXT_H
#define WAVEFOLD_CLI_OUTPUT_AXIS_TEXT_H

#include "cli/answer/axis_answer.h"

/* Prints the results of a reduction along axes to standard output: a line for each, or for the first and the last if
 * there are many; with --output the file, its shape and dtype. */
void axis_print(const axis_answer *a);

#endif
