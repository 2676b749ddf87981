/* Files of an exact sum's state: WF_SUM_STATE_BYTES of wf_sum_state_write, and 8 bytes with the operator's name. Each
 * function prints the reason and returns false on failure. */
#ifndef WAVEFOLD_CLI_STATE_FILE_H
#define WAVEFOLD_CLI_STATE_FILE_H

#include "wavefold.h"
#include "wavefold_sum.h"

#include <stdbool.h>

/* "-" is standard input. op: the operator of the terms: WF_SUM (also for means), WF_ASUM or WF_SUMSQ; WF_OP_COUNT if
 * the file has no name, as in version 0.2. A refused file changes neither. */
bool state_file_read(const char *path, wf_sum_state *state, wf_op *op);

/* Checks early that the state can be written; "-" is standard output, which must not be a terminal. */
bool state_file_check(const char *path);
/* Writes all of it, or keeps the old file. */
bool state_file_write(const char *path, const wf_sum_state *state, wf_op op);

#endif
