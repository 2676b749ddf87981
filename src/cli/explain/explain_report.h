/* Explanations as text and as JSON. */
#ifndef WAVEFOLD_CLI_EXPLAIN_EXPLAIN_REPORT_H
#define WAVEFOLD_CLI_EXPLAIN_EXPLAIN_REPORT_H

#include "explanation.h"

#include <jansson.h>
#include <stdio.h>

/* against: another rung's explanation for the same n, or NULL. lines: also of the source lines. */
void explain_print(const explanation *of, const explanation *against, bool lines, FILE *stream);
/* trace: as trace_document() makes it, or NULL. */
json_t *explain_document(const explanation *of, const explanation *against, json_t *trace);
/* The object of the totals. */
json_t *explain_total(const explanation *of);

#endif
