/* The answer of `wavefold reduce` as text. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_TEXT_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_TEXT_H

#include "cli/answer/answer.h"

/* On standard output: what other programs read, and on a terminal how it was rounded. */
void answer_print(const answer *a);

#endif
