/* What a learner's kernel was counted to do, in explain's terms. */
#ifndef WAVEFOLD_CLI_TRY_COUNTED_H
#define WAVEFOLD_CLI_TRY_COUNTED_H

#include "cli/explain/explanation.h"

#include <jansson.h>

/* Of a trial's answer: n, wave_width, tile_size, the total, and how many launches there were. Of the rest it has
 * nothing; it is not to be freed. n is 0 if nothing was counted. */
explanation counted_of(const json_t *answer);

#endif
