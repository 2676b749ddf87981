/* The results of `wavefold progression`: a head, and a row per rung. The table, the JSON and the CSV only format its
 * numbers. */
#ifndef WAVEFOLD_CLI_OUTPUT_REPORT_H
#define WAVEFOLD_CLI_OUTPUT_REPORT_H

#include "cli/arguments/progression_options.h"
#include "cli/input/input.h"
#include "json.h"
#include "oracle/reference.h"
#include "wavefold_ladder.h"

#include <stdio.h>

/* In seconds. */
typedef struct timing {
    double median, min, max;
} timing;

typedef enum verdict {
    VERDICT_NOT_RUN, /* an earlier rung's failure ended the run */
    VERDICT_VERIFIED,
    VERDICT_WRONG, /* the result is wrong, or an element was not counted exactly once */
    VERDICT_FAILED /* a call of the library failed */
} verdict;

/* NaN: unknown, because it did not run or took no time. */
typedef struct report_row {
    const char *name;
    wf_rung_kind kind;
    verdict verdict;
    char *reason;    /* the reason if it is not verified; else NULL */
    uint64_t repeat; /* timed runs, also the planned ones of a failed rung */
    bool is_timed;   /* false: all that follows is 0, NULL or NaN */
    uint32_t launches, tile_size, tiles, window;
    uint64_t threads, depth;
    timing device;   /* from the first launch to the end of the last */
    double spread;   /* see spread_of */
    double *samples; /* device seconds of each timed run, in order */
    double total_seconds;
    double gb_per_s, share_of_ceiling, speedup_over_simple_1;
    result folded;                     /* a reduction's: the first that was not accepted, else the last */
    char *result_text, *result_digest; /* its text, or an array's, in full and for a table's cell */
    bool ulps_known;
    uint64_t ulps;
    double error, bound;
    bool compared; /* see judgement */
} report_row;

typedef struct progression_report {
    const progression_options *options;
    wf_device_info device;
    input data;
    bool count_reduced; /* n is the host device's default, not a GPU's */
    uint32_t repeat;    /* timed runs of a rung that is neither short nor long: see sampling.h */
    bool ceiling_known;
    timing ceiling;          /* of reading the data once */
    double call_seconds;     /* of reading 16 bytes */
    double ceiling_gb_per_s; /* of the fastest read; NaN also if that takes hardly longer than reading 16 bytes */
    reference exact;
    uint32_t tile, tiles, window; /* the same for every rung with this parameter; 0 if none has it */
    report_row *rows;
    size_t row_count, verified;
} progression_report;

void report_free(progression_report *report);
const char *verdict_name(verdict reached);
const char *input_kind_name(input_kind kind);

void table_print(const progression_report *report, FILE *stream);
json_t *report_document(const progression_report *report);
/* False if it could not all be written. */
bool csv_write(const progression_report *report, FILE *stream);

#endif
