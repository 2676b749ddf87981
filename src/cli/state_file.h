/* Files of an exact sum's state: WF_SUM_STATE_BYTES, as wf_sum_state_write makes them. Each function returns false,
 * with the reason printed, on failure. */
#ifndef WAVEFOLD_CLI_STATE_FILE_H
#define WAVEFOLD_CLI_STATE_FILE_H

#include "wavefold.h"

#include <stdbool.h>

/* "-" is standard input. What is no state leaves *state as it was. */
bool state_file_read(const char *path, wf_sum_state *state);

/* Whether a state can be written there, known before anything is computed for it; "-" is standard output, which must
 * be no terminal. */
bool state_file_check(const char *path);
/* All of it, or what was there before stays. */
bool state_file_write(const char *path, const wf_sum_state *state);

#endif
