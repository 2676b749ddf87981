#include "report.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_free(progression_report *report) {
    for (size_t i = 0; i < report->rung_count; ++i) {
        free(report->rungs[i].samples);
        free(report->rungs[i].reason);
    }
    free(report->rungs);
    choice_free(&report->chosen);
    input_close(&report->data);
}

size_t report_result_bytes(const progression_report *report) {
    size_t most = 0, element = input_element_bytes(&report->data);
    for (size_t i = 0; i < report->rung_count; ++i) {
        wf_rung_kind kind = report->rungs[i].info.kind;
        size_t bytes = kind == WF_RUNG_REDUCES ? 0 : kind == WF_RUNG_SORTS_PAIRS ? element + sizeof(uint32_t) : element;
        most = bytes > most ? bytes : most;
    }
    return most;
}

bool report_timed(const rung_result *rung) {
    return rung->verdict == VERDICT_VERIFIED || rung->verdict == VERDICT_WRONG;
}

size_t report_verified(const progression_report *report) {
    size_t verified = 0;
    for (size_t i = 0; i < report->rung_count; ++i)
        verified += report->rungs[i].verdict == VERDICT_VERIFIED;
    return verified;
}

char *report_result_text(const progression_report *report, const rung_result *rung, value_formatter *one,
                         value_formatter *several) {
    if (rung->info.kind == WF_RUNG_REDUCES)
        return result_text(&report->exact.of, &rung->folded, one, several);
    return cli_text("%s %" PRIu64 " elements", rung->judged.accepted ? "all" : "not all", report->data.count);
}

const char *verdict_name(verdict reached) {
    static const char *const names[] = {"not run", "verified", "WRONG", "failed"};
    return names[reached];
}

const char *input_kind_name(input_kind kind) {
    static const char *const names[] = {"pattern", "random", "file"};
    return names[kind];
}

static double ratio(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : (double)NAN;
}

double report_gb_per_s(const progression_report *report, double seconds) {
    double bytes = (double)report->data.count * (double)input_element_bytes(&report->data);
    return report->data.count ? ratio(1e-9 * bytes, seconds) : 0;
}

double report_ceiling_gb_per_s(const progression_report *report) {
    /* wf_read_ceiling reads whole 16 bytes. */
    double bytes = floor((double)report->data.count * (double)input_element_bytes(&report->data) / 16) * 16;
    if (!report->ceiling_known)
        return (double)NAN;
    return bytes > 0 ? ratio(1e-9 * bytes, report->ceiling.median) : 0;
}

double report_share_of_ceiling(const progression_report *report, const rung_result *rung) {
    if (!report_timed(rung))
        return (double)NAN;
    return ratio(report_gb_per_s(report, rung->device.median), report_ceiling_gb_per_s(report));
}

double report_speedup_over_simple_1(const progression_report *report, const rung_result *rung) {
    if (!report_timed(rung) || rung->info.kind != WF_RUNG_REDUCES)
        return (double)NAN;
    for (size_t i = 0; i < report->rung_count; ++i)
        if (strcmp(report->rungs[i].info.name, "simple_1") == 0 && report_timed(&report->rungs[i]))
            return ratio(report->rungs[i].device.median, rung->device.median);
    return (double)NAN;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing timing_of(double *samples, size_t count) {
    qsort(samples, count, sizeof *samples, ascending);
    double median = count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
    return (timing){.median = median, .min = samples[0], .max = samples[count - 1]};
}
