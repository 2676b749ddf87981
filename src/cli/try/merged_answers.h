/* The answers of a program's runs at one width, as one. */
#ifndef WAVEFOLD_CLI_TRY_MERGED_ANSWERS_H
#define WAVEFOLD_CLI_TRY_MERGED_ANSWERS_H

#include <jansson.h>

#include <stdbool.h>

/* One for each order of the lanes, which are consumed. */
json_t *merged_answer(json_t **answers, size_t count);
/* Adds a finding if a run printed something else than the first one. Unless is_certain, a note that the program never
 * prints the same. */
void add_difference(json_t *answer, const char *difference, bool is_certain);
/* A finding about the program's own check (own_check.h); a note if a result is right to rounding. */
void add_own_failure(json_t *answer, const char *failure);
/* Notes that the outputs of the orders are too long to be compared. */
void add_uncompared(json_t *answer);

#endif
