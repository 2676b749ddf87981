#include "rung_rows.h"

#include "cli/cli.h"
#include "cli/output/result_text.h"
#include "sampling.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double ratio(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : (double)NAN;
}

static double gb_per_s(double bytes, double seconds) {
    return bytes > 0 ? ratio(1e-9 * bytes, seconds) : 0;
}

static double bytes_of(const input *data) {
    return (double)data->count * (double)input_element_bytes(data);
}

/* The fastest read: a busy machine slows reads and rungs alike, but not at the same time. */
static double ceiling_of(const progression_report *report) {
    const double read = floor(bytes_of(&report->data) / 16) * 16; /* wf_read_ceiling reads whole 16 bytes */
    const bool shows_memory = report->ceiling.median >= 2 * report->call_seconds;
    return report->ceiling_known && shows_memory ? gb_per_s(read, report->ceiling.min) : (double)NAN;
}

static bool is_timed(const rung_run *run) {
    return run->sample_count > 0 && (run->verdict == VERDICT_VERIFIED || run->verdict == VERDICT_WRONG);
}

static double seconds_of_simple_1(const rung_run *runs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(runs[i].info.name, "simple_1") == 0 && is_timed(&runs[i]))
            return timing_of(runs[i].samples, runs[i].sample_count).median;
    return (double)NAN;
}

static char *text_of(const progression_report *report, const rung_run *run, value_formatter *one,
                     value_formatter *several) {
    if (run->info.kind == WF_RUNG_REDUCES)
        return result_text(&report->exact.of, &run->folded, one, several);
    const uint64_t results = results_of(report->options, run->info.kind, report->data.count);
    return cli_text("%s %" PRIu64 " elements", run->judged.accepted ? "all" : "not all", results);
}

static report_row row_of(const progression_report *report, const rung_run *run, double simple_1) {
    report_row row = {.name = run->info.name,
                      .kind = run->info.kind,
                      .verdict = run->verdict,
                      .reason = run->reason,
                      .repeat = report->repeat,
                      .samples = run->samples,
                      .share_of_ceiling = NAN,
                      .speedup_over_simple_1 = NAN};
    if (!is_timed(run))
        return row;
    row.is_timed = true;
    row.repeat = run->sample_count;
    row.launches = run->launch.launches;
    row.threads = run->launch.threads;
    row.tile_size = run->launch.tile_size;
    row.tiles = run->launch.tiles;
    row.window = run->launch.window;
    row.depth = run->launch.depth;
    row.device = timing_of(run->samples, run->sample_count);
    row.spread = spread_of(run->samples, run->sample_count);
    row.total_seconds = timing_of(run->totals, run->sample_count).median;
    row.gb_per_s = gb_per_s(bytes_of(&report->data), row.device.median);
    row.share_of_ceiling = ratio(row.gb_per_s, report->ceiling_gb_per_s);
    if (row.kind == WF_RUNG_REDUCES)
        row.speedup_over_simple_1 = ratio(simple_1, row.device.median);
    row.folded = run->folded;
    row.result_text = text_of(report, run, value_format, value_format);
    row.result_digest = text_of(report, run, value_format_short, value_format_brief);
    row.ulps_known = run->judged.ulps_known;
    row.ulps = run->judged.ulps;
    row.error = run->judged.error;
    row.bound = run->judged.bound;
    row.compared = run->judged.compared;
    return row;
}

void rung_rows_make(progression_report *report, rung_run *runs, size_t count) {
    report->ceiling_gb_per_s = ceiling_of(report);
    report->rows = cli_allocate(count, sizeof *report->rows);
    report->row_count = count;
    const double simple_1 = seconds_of_simple_1(runs, count);
    for (size_t i = 0; i < count; i++) {
        const wf_rung_report *launch = &runs[i].launch;
        report->rows[i] = row_of(report, &runs[i], simple_1);
        report->verified += runs[i].verdict == VERDICT_VERIFIED;
        if ((runs[i].info.parameters & WF_RUNG_TILE) != 0 && launch->tile_size != 0)
            report->tile = launch->tile_size;
        if (launch->tiles != 0)
            report->tiles = launch->tiles;
        if (launch->window != 0)
            report->window = launch->window;
        free(runs[i].totals);
    }
}
