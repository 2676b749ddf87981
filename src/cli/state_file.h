/* Files of an exact sum's state: WF_SUM_STATE_BYTES, as wf_sum_state_write makes them, and 8 bytes with the operator's
 * name. Each function returns false, with the reason printed, on failure. */
#ifndef WAVEFOLD_CLI_STATE_FILE_H
#define WAVEFOLD_CLI_STATE_FILE_H

#include "wavefold.h"
#include "wavefold_sum.h"

#include <stdbool.h>

/* "-" is standard input. op: whose terms the state adds up: WF_SUM (of means, too), WF_ASUM or WF_SUMSQ; WF_OP_COUNT if
 * the file ends before the name, as those of version 0.2 do. A file that is refused changes neither. */
bool state_file_read(const char *path, wf_sum_state *state, wf_op *op);

/* Whether a state can be written there, known before anything is computed for it; "-" is standard output, which must
 * be no terminal. */
bool state_file_check(const char *path);
/* All of it, or what was there before stays. */
bool state_file_write(const char *path, const wf_sum_state *state, wf_op op);

#endif
