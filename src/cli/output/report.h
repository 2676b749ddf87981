/* What a run of `wavefold progression` found out; the table, the JSON and the CSV are written from it. */
#ifndef WAVEFOLD_CLI_OUTPUT_REPORT_H
#define WAVEFOLD_CLI_OUTPUT_REPORT_H

#include "cli/arguments/choice.h"
#include "cli/arguments/options.h"
#include "cli/input/input.h"
#include "json.h"
#include "oracle/verify.h"
#include "output_file.h"
#include "result_text.h"

/* In seconds. */
typedef struct timing {
    double median, min, max;
} timing;

typedef enum verdict {
    VERDICT_NOT_RUN, /* an earlier rung's failure ended the run */
    VERDICT_VERIFIED,
    VERDICT_WRONG, /* the result is off, or an element was not counted exactly once */
    VERDICT_FAILED /* a call of the library failed */
} verdict;

typedef struct rung_result {
    size_t index;
    wf_rung_info info;
    wf_rung_report launch; /* of the last timed run; zeros if there is none, as everything up to judged */
    timing device;
    double *samples; /* device seconds of each timed run, in order */
    size_t sample_count;
    double total_median;
    result folded; /* the first result that was not accepted, else the last */
    judgement judged;
    verdict verdict;
    char *reason; /* why it is not verified; NULL if it is */
} rung_result;

typedef struct progression_report {
    const progression_options *options;
    wf_device_info device;
    input data;
    bool count_reduced; /* n is the host device's default, not a GPU's */
    uint32_t repeat;    /* timed runs, of most rungs */
    bool ceiling_known;
    timing ceiling; /* of reading the data once */
    reference exact;
    choice chosen;
    rung_result *rungs;
    size_t rung_count;
} progression_report;

void report_free(progression_report *report);
/* Device memory for the results of scans and sorts, for each element; 0 if there are none. */
size_t report_result_bytes(const progression_report *report);
bool report_timed(const rung_result *rung);
size_t report_verified(const progression_report *report);
/* A reduction's result, or what there is to say of an array; malloc'ed. */
char *report_result_text(const progression_report *report, const rung_result *rung, value_formatter *one,
                         value_formatter *several);
const char *verdict_name(verdict reached);
const char *input_kind_name(input_kind kind);

/* NaN where they are not known, because something was not run or took no time at all. */
double report_gb_per_s(const progression_report *report, double seconds);
double report_ceiling_gb_per_s(const progression_report *report);
double report_share_of_ceiling(const progression_report *report, const rung_result *rung);
double report_speedup_over_simple_1(const progression_report *report, const rung_result *rung);

/* median, min and max; sorts the samples. */
timing timing_of(double *samples, size_t count);

void table_print(const progression_report *report, FILE *stream);
json_t *report_document(const progression_report *report);
/* False if it could not all be written. */
bool csv_write(const progression_report *report, FILE *stream);

#endif
