/* RFC 4180: comma, CR LF, and quotes, doubled inside, around a field that has any of these. */
#include "cli/cli.h"
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "name,device,device_name,n,type,op,data,repeat,launches,threads,tile_size,tiles,window,depth,seconds_median,"
    "seconds_min,seconds_max,total_seconds,gb_per_s,ceiling_gb_per_s,share_of_ceiling,speedup_over_simple_1,result,"
    "exact,ulps,error,bound,verdict,reason,accumulator,result_type,nan,kind\r\n";

static void text_field(FILE *stream, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, ",%s", text);
        return;
    }
    fputs(",\"", stream);
    for (; *text; ++text) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void count_field(FILE *stream, uint64_t count) {
    fprintf(stream, ",%" PRIu64, count);
}

/* Empty for NaN: not known. */
static void number_field(FILE *stream, double number) {
    if (isnan(number))
        fputc(',', stream);
    else
        fprintf(stream, ",%.17g", number);
}

/* Takes the text over. */
static void own_field(FILE *stream, char *text) {
    text_field(stream, text);
    free(text);
}

static void write_measurements(const progression_report *report, const rung_result *rung, FILE *stream) {
    const fold *of = &report->exact.of;
    result exact = reference_result(&report->exact);
    count_field(stream, rung->launch.launches);
    count_field(stream, rung->launch.threads);
    count_field(stream, rung->launch.tile_size);
    count_field(stream, rung->launch.tiles);
    count_field(stream, rung->launch.window);
    count_field(stream, rung->launch.depth);
    number_field(stream, rung->device.median);
    number_field(stream, rung->device.min);
    number_field(stream, rung->device.max);
    number_field(stream, rung->total_median);
    number_field(stream, report_gb_per_s(report, rung->device.median));
    number_field(stream, report_ceiling_gb_per_s(report));
    number_field(stream, report_share_of_ceiling(report, rung));
    number_field(stream, report_speedup_over_simple_1(report, rung));
    own_field(stream, report_result_text(report, rung, value_format, value_format));
    own_field(stream, rung->info.kind == WF_RUNG_REDUCES ? result_text(of, &exact, value_format, value_format)
                                                         : cli_text("%s", ""));
    if (rung->judged.ulps_known)
        count_field(stream, rung->judged.ulps);
    else
        fputc(',', stream);
    number_field(stream, rung->judged.error);
    number_field(stream, rung->judged.bound);
}

enum { MEASUREMENTS = 19 };

bool csv_write(const progression_report *report, FILE *stream) {
    const fold *of = &report->exact.of;
    fputs(header, stream);
    for (size_t i = 0; i < report->rung_count; ++i) {
        const rung_result *rung = &report->rungs[i];
        fputs(rung->info.name, stream);
        text_field(stream, report->device.id);
        text_field(stream, report->device.name);
        count_field(stream, report->data.count);
        text_field(stream, wf_type_name(report->data.type));
        text_field(stream, wf_op_name(of->what.op));
        text_field(stream, report->data.kind == INPUT_FILE ? report->data.path : input_kind_name(report->data.kind));
        count_field(stream, report_timed(rung) ? rung->sample_count : report->repeat);
        if (report_timed(rung))
            write_measurements(report, rung, stream);
        else
            for (int field = 0; field < MEASUREMENTS; ++field)
                fputc(',', stream);
        text_field(stream, verdict_name(rung->verdict));
        text_field(stream, rung->reason ? rung->reason : "");
        text_field(stream, wf_type_name(of->info.accumulator));
        text_field(stream, wf_type_name(of->info.result_type));
        text_field(stream, nan_rule_name(of->what.nan));
        text_field(stream, rung_kind_name(rung->info.kind));
        fputs("\r\n", stream);
    }
    return !ferror(stream);
}
