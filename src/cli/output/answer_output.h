/* A result as requested: text, state and JSON. Each function prints the reason and returns false on failure. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_OUTPUT_H

#include "cli/answer/answer.h"

/* Checks before the reduction that the outputs can be written. */
bool answer_can_begin(const reduce_options *options);
bool answer_write(const answer *a);

#endif
