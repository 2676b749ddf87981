/* What scan and sort print of an array of results, and write as JSON. */
#ifndef WAVEFOLD_CLI_OUTPUT_ARRAY_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_ARRAY_OUTPUT_H

#include "cli/arrays/array_answer.h"
#include "json.h"

/* The beginning of the document, which the subcommand's own keys follow. */
json_t *array_document_head(const array_answer *a);
/* Prints the text and writes the document, which it takes over and to which it adds the results or the output. Prints
 * the reason and returns false on failure. */
bool array_write(const array_answer *a, json_t *document);

/* Shared with count: the file that was written, as text and as JSON, and whether text is to be printed. */
void array_print_file(const array_answer *a, const array_head *head);
json_t *array_file_object(const array_answer *a, const array_head *head);
bool array_has_text(const array_answer *a);

#endif
