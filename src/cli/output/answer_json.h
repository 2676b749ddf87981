/* The result of `wavefold reduce` as JSON. */
#ifndef WAVEFOLD_CLI_OUTPUT_ANSWER_JSON_H
#define WAVEFOLD_CLI_OUTPUT_ANSWER_JSON_H

#include "cli/answer/answer.h"
#include "json.h"

json_t *answer_document(const answer *a);
/* Its parts: all but the result, and one result of the reduction. */
json_t *answer_head(const answer *a);
json_t *answer_result(const answer *a, const result *r);

#endif
