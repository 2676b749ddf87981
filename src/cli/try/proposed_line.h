/* The WF_TRY line that fits a kernel without host code. */
#ifndef WAVEFOLD_CLI_TRY_PROPOSED_LINE_H
#define WAVEFOLD_CLI_TRY_PROPOSED_LINE_H

#include "functions.h"

/* "WF_TRY(mine, 256, 512)"; malloc'ed. */
char *proposed_line(const char *code, const function *kernel);

#endif
