#define _GNU_SOURCE
#include "cli/cli.h"
#include "report.h"
#include "terminal.h"
#include "text_table.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *dash(void) {
    return cli_text("-");
}

static char *seconds_text(double seconds) {
    const char *unit = seconds < 1e-3 ? terminal_spell("µs", "us") : seconds < 1 ? "ms" : "s";
    double scaled = seconds < 1e-3 ? 1e6 * seconds : seconds < 1 ? 1e3 * seconds : seconds;
    return cli_text("%.*f %s", scaled < 10 ? 3 : scaled < 100 ? 2 : scaled < 1000 ? 1 : 0, scaled, unit);
}

static char *spread_text(double spread) {
    const double percent = 100 * spread;
    return cli_text("%s%.*f%%", terminal_spell("±", "+-"), percent < 9.95 ? 1 : 0, percent);
}

/* 2 significant digits of the smallest value in the column, down to 0.001, to align decimal points. */
static int speed_decimals(const progression_report *report) {
    double least = report->ceiling_gb_per_s;
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].is_timed)
            least = fmin(least, report->rows[i].gb_per_s);
    return least >= 1 || !(least > 0) ? 1 : least >= 0.1 ? 2 : least >= 0.01 ? 3 : 4;
}

static char *share_text(double share) {
    if (isnan(share))
        return dash();
    return share > 0 && share < 0.0005 ? cli_text("<0.1%%") : cli_text("%.1f%%", 100 * share);
}

static char *number_or_dash(double number, int decimals, const char *unit) {
    return isnan(number) ? dash() : cli_text("%.*f%s", decimals, number, unit);
}

static char *ulps_text(const report_row *row) {
    char text[32];
    if (!row->ulps_known)
        return dash();
    if (row->ulps < 10000)
        return cli_text("%" PRIu64, row->ulps);
    snprintf(text, sizeof text, "%.1e", (double)row->ulps);
    char *exponent = strchr(text, 'e');
    *exponent = '\0';
    return cli_text("%se%d", text, atoi(exponent + 1));
}

static char *verdict_text(verdict reached, bool colour) {
    static const char *const colours[] = {"\033[33m", "\033[32m", "\033[1;31m", "\033[1;31m"};
    return colour ? cli_text("%s%s\033[0m", colours[reached], verdict_name(reached))
                  : cli_text("%s", verdict_name(reached));
}

static const text_column columns[] = {{"rung", false},  {"launches", true}, {"threads", true}, {"time", true},
                                      {"", true},       {"GB/s", true},     {"ceiling", true}, {"speed-up", true},
                                      {"result", true}, {"ulps", true},     {"verdict", false}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_row(text_table *table, const report_row *row, int decimals, bool colour) {
    const bool timed = row->is_timed;
    char *const cells[COLUMNS] = {
        cli_text("%s", row->name),
        timed ? cli_text("%" PRIu32, row->launches) : dash(),
        timed ? cli_text("%" PRIu64, row->threads) : dash(),
        timed ? seconds_text(row->device.median) : dash(),
        timed ? spread_text(row->spread) : dash(),
        timed ? number_or_dash(row->gb_per_s, decimals, "") : dash(),
        share_text(row->share_of_ceiling),
        number_or_dash(row->speedup_over_simple_1, 2, terminal_spell("×", "x")),
        timed ? cli_text("%s", row->result_digest) : dash(),
        timed ? ulps_text(row) : dash(),
        verdict_text(row->verdict, colour),
    };
    text_table_add_row(table, cells);
}

static bool has_kind(const progression_report *report, wf_rung_kind kind) {
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].kind == kind)
            return true;
    return false;
}

static bool has_rows(const progression_report *report) {
    return has_kind(report, WF_RUNG_ROWS) || has_kind(report, WF_RUNG_COLUMNS) || has_kind(report, WF_RUNG_SEGMENTS);
}

static void print_shape(const progression_report *report, FILE *stream) {
    fprintf(stream, "tile      ");
    fprintf(stream, report->tile != 0 ? "%" PRIu32 " threads" : "-", report->tile);
    if (report->tiles != 0)
        fprintf(stream, "; %" PRIu32 " tiles where their number is fixed", report->tiles);
    if (report->window != 0)
        fprintf(stream, "; window of %" PRIu32 " (simple_2)", report->window);
    if (has_rows(report))
        fprintf(stream, "; rows of %" PRIu32, row_length_of(report->options));
    fputc('\n', stream);
}

static void print_data(const progression_report *report, FILE *stream) {
    const input *data = &report->data;
    bool multiplied = wf_op_multiplies(report->exact.of.spec.op), is_float = wf_type_is_float(data->type);
    fputs("data      ", stream);
    if (data->kind == INPUT_FILE) {
        char *path = cli_printable(data->path);
        fprintf(stream, "%s\n", path);
        free(path);
        return;
    }
    if (multiplied && is_float)
        fputs("the identity, and an n-th of ", stream);
    if (data->kind == INPUT_RANDOM)
        fprintf(stream, "random, seed %" PRIu64, data->made.seed);
    else
        fprintf(stream, is_float ? "the pattern (i mod 16)%s0.01" : "the pattern i mod 16", terminal_spell("·", "*"));
    fputs(multiplied && !is_float ? ", odd where it is multiplied\n" : "\n", stream);
}

/* Types and options that differ from the defaults. */
static void print_fold(const progression_report *report, FILE *stream) {
    const fold *of = &report->exact.of;
    wf_type type = of->spec.type, accumulator = of->info.accumulator, result_type = of->info.result_type;
    bool scans = has_kind(report, WF_RUNG_SCANS), reduces = has_kind(report, WF_RUNG_REDUCES) || has_rows(report);
    bool sorts = has_kind(report, WF_RUNG_SORTS) || has_kind(report, WF_RUNG_SORTS_PAIRS);
    if (scans || reduces)
        fprintf(stream, "type, op  %s, %s", wf_type_name(type), wf_op_name(of->spec.op));
    else
        fprintf(stream, "type      %s", wf_type_name(type));
    if (accumulator != type)
        fprintf(stream, ", accumulated in %s", wf_type_name(accumulator));
    if (result_type != accumulator)
        fprintf(stream, ", the result %s", wf_type_name(result_type));
    if (of->spec.nan == WF_NAN_IGNORE)
        fputs(", skipping NaN", stream);
    if (scans && report->options->exclusive)
        fputs(", scans exclusive", stream);
    if (sorts && report->options->descending)
        fputs(", sorts descending", stream);
    fputc('\n', stream);
}

/* "11 runs", or "3 to 101 runs" where rungs differ. */
static char *runs_text(const progression_report *report) {
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const report_row *row = &report->rows[i];
        if (row->is_timed && row->repeat < least)
            least = row->repeat;
        if (row->is_timed && row->repeat > most)
            most = row->repeat;
    }
    if (least < most)
        return cli_text("%" PRIu64 " to %" PRIu64 " runs", least, most);
    const uint64_t count = most != 0 ? most : report->repeat;
    return cli_text("%" PRIu64 " run%s", count, count == 1 ? "" : "s");
}

/* The method of the times, and their ceiling. */
static void print_timing(const progression_report *report, FILE *stream) {
    char *runs = runs_text(report);
    fprintf(
        stream,
        "timed     device time from the first launch to the end of the last, data already there; median of %s, half "
        "of\n"
        "          them within %s (without the host's part of a reduction, which total_seconds in --json and --csv "
        "includes)\n",
        runs, terminal_spell("±", "+-"));
    free(runs);
    if (!report->ceiling_known)
        fputs("ceiling   not measured\n\n", stream);
    else if (isnan(report->ceiling_gb_per_s))
        fputs("ceiling   none: n is too small; reading the data takes little longer than reading 16 bytes\n\n", stream);
    else
        fprintf(stream, "ceiling   %.*f GB/s: the fastest read of the data in this run\n\n",
                report->ceiling_gb_per_s < 10    ? 2
                : report->ceiling_gb_per_s < 100 ? 1
                                                 : 0,
                report->ceiling_gb_per_s);
}

static void print_head(const progression_report *report, FILE *stream) {
    const input *data = &report->data;
    fprintf(stream, "device    %s (%s)\n", report->device.name, report->device.id);
    if (strcmp(report->device.backend, "host") == 0)
        fputs("          emulated: the times do not rank the rungs as a GPU would; counts that do: wavefold explain "
              "RUNG\n",
              stream);
    fprintf(stream, "n         %" PRIu64 "%s\n", data->count,
            report->count_reduced ? " (the host device emulates every lane; pass --n for more)" : "");
    print_fold(report, stream);
    print_data(report, stream);
    print_shape(report, stream);
    print_timing(report, stream);
}

/* Explains the difference between the pattern's sum and its closed form. */
static void print_pattern(const progression_report *report, FILE *stream) {
    const input *data = &report->data;
    const fold *of = &report->exact.of;
    if (data->kind != INPUT_PATTERN || !wf_type_is_float(data->type) || of->spec.op != WF_SUM || data->count < 2 ||
        !has_kind(report, WF_RUNG_REDUCES))
        return;
    uint64_t rest = data->count % 16;
    double closed = (double)(data->count / 16) * 1.2 + 0.01 * (double)(rest * (rest - 1) / 2);
    result sum = reference_result(&report->exact);
    double exact = value_to_double(of->info.result_type, result_value(of, &sum, 0));
    fprintf(stream, "\nThe pattern's closed form %s%s1.2%s is %.10g; its %s data, rounded to the type, sum to %.12g.\n",
            rest != 0 ? "floor(n/16)" : "n/16", terminal_spell("·", "*"), rest != 0 ? " + the rest" : "", closed,
            wf_type_name(data->type), exact);
    for (size_t i = 0; i < report->row_count; i++) {
        const report_row *row = &report->rows[i];
        if (of->info.accumulator != WF_F32 || strcmp(row->name, "sequential") != 0 || !row->is_timed)
            continue;
        const double off = 100 * (value_to_double(WF_F32, result_value(of, &row->folded, 0)) / exact - 1);
        if (off != 0)
            fprintf(stream,
                    "sequential comes out %.2g%% too %s: each of its n additions, one after the other, rounds.\n",
                    fabs(off), off < 0 ? "low" : "high");
    }
}

static void print_summary(const progression_report *report, FILE *stream) {
    bool compared = true;
    fputc('\n', stream);
    for (size_t i = 0; i < report->row_count; i++)
        compared &= !report->rows[i].is_timed || report->rows[i].compared;
    if (!compared)
        fputs("Results are not compared, since partial results may leave the range of the type; only the probe "
              "decides.\n",
              stream);
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].reason != NULL)
            fprintf(stream, "%s: %s\n", report->rows[i].name, report->rows[i].reason);
    fprintf(stream, "%zu of %zu rungs verified\n", report->verified, report->row_count);
}

void table_print(const progression_report *report, FILE *stream) {
    text_table table = {.columns = columns, .column_count = COLUMNS};
    const int decimals = speed_decimals(report);
    const bool colour = terminal_has_colour(stream);
    for (size_t i = 0; i < report->row_count; i++)
        add_row(&table, &report->rows[i], decimals, colour);
    print_head(report, stream);
    text_table_print(&table, stream);
    text_table_free(&table);
    print_pattern(report, stream);
    print_summary(report, stream);
}
