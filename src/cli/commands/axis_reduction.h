#ifndef WAVEFOLD_CLI_COMMANDS_AXIS_REDUCTION_H
#define WAVEFOLD_CLI_COMMANDS_AXIS_REDUCTION_H

#include "cli/arguments/reduce_request.h"

/* `wavefold reduce --axis`: reduces along the requested axes and writes the results. Prints the reason and returns
 * false on failure. */
bool axis_reduction(const reduce_options *options);

#endif
