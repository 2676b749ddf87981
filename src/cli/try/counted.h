/* The counts of a user's kernel, in explain's terms. */
#ifndef WAVEFOLD_CLI_TRY_COUNTED_H
#define WAVEFOLD_CLI_TRY_COUNTED_H

#include "cli/explain/explanation.h"

#include <jansson.h>

/* The n, wave_width, tile_size, totals and number of launches of a trial's answer; the rest is empty, and nothing is to
 * be freed. n is 0 without counts. */
explanation counted_of(const json_t *answer);

#endif
