#ifndef WAVEFOLD_CLI_ARGUMENTS_AXIS_REQUEST_H
#define WAVEFOLD_CLI_ARGUMENTS_AXIS_REQUEST_H

#include "reduce_request.h"

/* Refuses, as bad usage, options that --axis excludes and options that need it, as far as possible without the file. */
void axis_request_check(const reduce_options *options);

#endif
