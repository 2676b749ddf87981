#ifndef WAVEFOLD_CLI_MEASURE_MEASURE_H
#define WAVEFOLD_CLI_MEASURE_MEASURE_H

#include "cli/output/report.h"

/* Runs the report's rungs on its data, and fills in what comes of it: exact, ceiling, and each rung's result. A rung
 * that fails is in the report; false, with the reason printed, if something else fails. */
bool measure(progression_report *report, wf_context *context);

#endif
