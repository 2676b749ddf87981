/* The results of a reduction along axes as JSON. */
#ifndef WAVEFOLD_CLI_OUTPUT_AXIS_JSON_H
#define WAVEFOLD_CLI_OUTPUT_AXIS_JSON_H

#include "cli/answer/axis_answer.h"
#include "json.h"

/* The most results that JSON lists. With --output it names the file instead. */
enum { MOST_JSON_RESULTS = 1 << 16 };

json_t *axis_document(const axis_answer *a);

#endif
