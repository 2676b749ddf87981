/* A reduction's result as text for people. */
#ifndef WAVEFOLD_CLI_OUTPUT_RESULT_TEXT_H
#define WAVEFOLD_CLI_OUTPUT_RESULT_TEXT_H

#include "oracle/folded.h"

typedef void value_formatter(wf_type type, value v, char text[VALUE_TEXT]);
/* "0.1", "0.1 .. 9.9", "0.1 @ 1234", "[a b; c d]" or "a x + b", malloc'ed; several is the form of each of several
 * values. */
char *result_text(const fold *of, const result *r, value_formatter *one, value_formatter *several);

#endif
