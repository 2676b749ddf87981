/* The result of `wavefold reduce` as JSON. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_JSON_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_JSON_H

#include "cli/answer/answer.h"
#include "json.h"

json_t *answer_document(const answer *a);

#endif
