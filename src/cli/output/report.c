#include "report.h"

#include <stdlib.h>

void report_free(progression_report *report) {
    for (size_t i = 0; i < report->row_count; i++) {
        free(report->rows[i].reason);
        free(report->rows[i].samples);
        free(report->rows[i].result_text);
        free(report->rows[i].result_digest);
    }
    free(report->rows);
    input_close(&report->data);
}

const char *verdict_name(verdict reached) {
    static const char *const names[] = {"not run", "verified", "WRONG", "failed"};
    return names[reached];
}

const char *input_kind_name(input_kind kind) {
    static const char *const names[] = {"pattern", "random", "file"};
    return names[kind];
}
