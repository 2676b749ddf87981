/* What `wavefold explain` shows of explanations: for people, and as JSON. */
#ifndef WAVEFOLD_CLI_EXPLAIN_EXPLAIN_REPORT_H
#define WAVEFOLD_CLI_EXPLAIN_EXPLAIN_REPORT_H

#include "explanation.h"

#include <jansson.h>
#include <stdio.h>

/* against: another rung's, of the same n; NULL: none. lines: of the source, too. */
void explain_print(const explanation *of, const explanation *against, bool lines, FILE *stream);
/* trace: as trace_document() makes it, or NULL. */
json_t *explain_document(const explanation *of, const explanation *against, json_t *trace);
/* What it says of the total. */
json_t *explain_total(const explanation *of);

#endif
