/* The results of a reduction along axes as requested: text, .npy and JSON. Each function prints the reason and returns
 * false on failure. */
#ifndef WAVEFOLD_CLI_OUTPUT_AXIS_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_AXIS_OUTPUT_H

#include "cli/answer/axis_answer.h"

/* Check before the reduction that the outputs can be written, and that they can hold the results of an open answer. */
bool axis_output_can_begin(const reduce_options *options);
bool axis_output_can_hold(const axis_answer *a);
bool axis_output_write(const axis_answer *a);

#endif
