/* Whether a user's function takes arrays of the host. */
#ifndef WAVEFOLD_CLI_TRY_HOST_ARRAYS_H
#define WAVEFOLD_CLI_TRY_HOST_ARRAYS_H

#include "functions.h"

/* It copies one of its parameters to the device, as solve() did on LeetGPU at first. */
bool takes_host_arrays(const char *code, const function *of);

#endif
