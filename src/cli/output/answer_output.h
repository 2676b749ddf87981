/* An answer as text, state and JSON, wherever each is asked for. Each returns false, with the reason printed, on
 * failure. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_OUTPUT_H

#include "cli/answer/answer.h"

/* Whether it can be written, known before anything is folded for it. */
bool answer_can_begin(const reduce_options *options);
bool answer_write(const answer *a);

#endif
