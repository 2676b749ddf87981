/* Runs, times and verifies rungs, as `wavefold progression` does. */
#ifndef WAVEFOLD_CLI_MEASURE_MEASURE_H
#define WAVEFOLD_CLI_MEASURE_MEASURE_H

#include "cli/arguments/choice.h"
#include "cli/output/report.h"

/* Device memory for results that are arrays, for each element of the data; 0 if there are none. */
size_t measure_result_bytes(const choice *chosen);

/* Runs the chosen rungs on the report's data, and fills in exact, ceiling, and a row per rung. The report has failed
 * rungs; prints the reason and returns false on other failures. */
bool measure(progression_report *report, const choice *chosen, wf_context *context);

#endif
