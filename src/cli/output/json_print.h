#ifndef WAVEFOLD_CLI_OUTPUT_JSON_PRINT_H
#define WAVEFOLD_CLI_OUTPUT_JSON_PRINT_H

#include <jansson.h>

#include <stdbool.h>
#include <stdio.h>

/* Writes the document indented by 2, as json_dumpf does, but for reals: they have just as many digits as are needed to
 * read the same double again. False on failure. */
bool json_print(json_t *document, FILE *stream);

#endif
