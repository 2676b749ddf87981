/* RFC 4180: comma, CR LF, and quotes, doubled inside, around a field that has any of these. */
#include "report.h"
#include "result_text.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "name,device,device_name,n,type,op,data,repeat,launches,threads,tile_size,tiles,window,depth,seconds_median,"
    "seconds_min,seconds_max,total_seconds,gb_per_s,ceiling_gb_per_s,share_of_ceiling,speedup_over_simple_1,result,"
    "exact,ulps,error,bound,verdict,reason,accumulator,result_type,nan,kind\r\n";

static void text_field(FILE *stream, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(stream, ",%s", text);
        return;
    }
    fputs(",\"", stream);
    for (; *text != '\0'; text++) {
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

static void write_measurements(const report_row *row, double ceiling, const char *exact, FILE *stream) {
    count_field(stream, row->launches);
    count_field(stream, row->threads);
    count_field(stream, row->tile_size);
    count_field(stream, row->tiles);
    count_field(stream, row->window);
    count_field(stream, row->depth);
    number_field(stream, row->device.median);
    number_field(stream, row->device.min);
    number_field(stream, row->device.max);
    number_field(stream, row->total_seconds);
    number_field(stream, row->gb_per_s);
    number_field(stream, ceiling);
    number_field(stream, row->share_of_ceiling);
    number_field(stream, row->speedup_over_simple_1);
    text_field(stream, row->result_text);
    text_field(stream, row->kind == WF_RUNG_REDUCES ? exact : "");
    if (row->ulps_known)
        count_field(stream, row->ulps);
    else
        fputc(',', stream);
    number_field(stream, row->error);
    number_field(stream, row->bound);
}

enum { MEASUREMENTS = 19 };

static void write_row(const progression_report *report, const report_row *row, const char *exact, FILE *stream) {
    const fold *of = &report->exact.of;
    const input *data = &report->data;
    fputs(row->name, stream);
    text_field(stream, report->device.id);
    text_field(stream, report->device.name);
    count_field(stream, data->count);
    text_field(stream, wf_type_name(data->type));
    text_field(stream, wf_op_name(of->spec.op));
    text_field(stream, data->kind == INPUT_FILE ? data->path : input_kind_name(data->kind));
    count_field(stream, row->repeat);
    if (row->is_timed)
        write_measurements(row, report->ceiling_gb_per_s, exact, stream);
    else
        for (int field = 0; field < MEASUREMENTS; field++)
            fputc(',', stream);
    text_field(stream, verdict_name(row->verdict));
    text_field(stream, row->reason != NULL ? row->reason : "");
    text_field(stream, wf_type_name(of->info.accumulator));
    text_field(stream, wf_type_name(of->info.result_type));
    text_field(stream, nan_rule_name(of->spec.nan));
    text_field(stream, rung_kind_name(row->kind));
    fputs("\r\n", stream);
}

bool csv_write(const progression_report *report, FILE *stream) {
    const result folded = reference_result(&report->exact);
    char *exact = result_text(&report->exact.of, &folded, value_format, value_format);
    fputs(header, stream);
    for (size_t i = 0; i < report->row_count; i++)
        write_row(report, &report->rows[i], exact, stream);
    free(exact);
    return !ferror(stream);
}
