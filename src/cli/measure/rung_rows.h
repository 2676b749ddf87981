/* From the measurements of rungs to the rows of a report. */
#ifndef WAVEFOLD_CLI_MEASURE_RUNG_ROWS_H
#define WAVEFOLD_CLI_MEASURE_RUNG_ROWS_H

#include "cli/arguments/choice.h"
#include "cli/output/report.h"
#include "oracle/verify.h"
#include "wavefold_ladder.h"

typedef struct rung_run {
    size_t index;
    wf_rung_info info;
    wf_rung_report launch;    /* of the last timed run; zeros if there is none, as everything up to judged */
    double *samples, *totals; /* of each timed run: device seconds, and with what the host did */
    size_t sample_count;
    result folded;
    judgement judged;
    verdict verdict;
    char *reason;
} rung_run;

/* Fills in the report's rows, and what of its head comes from all of them. Takes samples, totals and reasons over. */
void rung_rows_make(progression_report *report, rung_run *runs, size_t count);

#endif
