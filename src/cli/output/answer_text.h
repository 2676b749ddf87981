/* The result of `wavefold reduce` as text. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_TEXT_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_TEXT_H

#include "cli/answer/answer.h"

/* Prints the result to standard output; on a terminal also the accuracy and the type. */
void answer_print(const answer *a);
/* The values of one result, or its index, without an end of line. */
void answer_print_result(const answer *a, const result *r);

#endif
