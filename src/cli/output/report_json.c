#define _GNU_SOURCE
#include "json_values.h"
#include "report.h"
#include "wavefold_ladder.h"

#include <time.h>

static json_t *date(void) {
    char text[sizeof "2026-01-01T00:00:00Z"];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

static json_t *requested(uint32_t parameter) {
    return parameter != 0 ? json_count(parameter) : json_null();
}

static json_t *parameters(const progression_options *options) {
    json_t *object = json_object();
    json_put(object, "tile_size", requested(options->tile));
    json_put(object, "tiles", requested(options->tiles));
    json_put(object, "window", requested(options->window));
    json_put(object, "row_length", requested(options->row_length));
    return object;
}

static json_t *seconds(const timing *t) {
    json_t *object = json_object();
    json_put(object, "median", json_number(t->median));
    json_put(object, "min", json_number(t->min));
    json_put(object, "max", json_number(t->max));
    return object;
}

static json_t *ceiling(const progression_report *report) {
    if (!report->ceiling_known)
        return json_null();
    json_t *object = json_object();
    json_put(object, "seconds", seconds(&report->ceiling));
    json_put(object, "gb_per_s", json_known(report->ceiling_gb_per_s));
    return object;
}

static json_t *decimal(wf_type type, value v) {
    char text[VALUE_TEXT];
    value_format_shortest(type, v, text);
    return json_string(text);
}

static json_t *hexadecimal(wf_type type, value v) {
    char text[VALUE_TEXT];
    value_format_hex(type, v, text);
    return json_string(text);
}

static json_t *exact(const progression_report *report) {
    json_t *object = json_object();
    const fold *of = &report->exact.of;
    const result r = reference_result(&report->exact);
    const bool adds = wf_facts_of_op(of->spec.op).op_class == WF_CLASS_SUM;
    json_put(object, "value", json_result(of, &r, decimal));
    json_put(object, "hex", json_result(of, &r, hexadecimal));
    if (adds && reference_rounds(&report->exact))
        json_put(object, "sum_of_magnitudes", json_number((double)exact_sum_magnitudes(&report->exact.sum)));
    return object;
}

static void put_measurements(json_t *object, const fold *of, const report_row *row) {
    json_t *samples = json_array(), *times = seconds(&row->device);
    for (size_t i = 0; i < row->repeat; i++)
        json_add(samples, json_number(row->samples[i]));
    json_put(times, "all", samples);
    json_put(object, "launches", json_count(row->launches));
    json_put(object, "threads", json_count(row->threads));
    json_put(object, "tile_size", json_count(row->tile_size));
    json_put(object, "tiles", json_count(row->tiles));
    json_put(object, "window", json_count(row->window));
    json_put(object, "depth", json_count(row->depth));
    json_put(object, "seconds", times);
    json_put(object, "total_seconds", json_number(row->total_seconds));
    json_put(object, "gb_per_s", json_known(row->gb_per_s));
    json_put(object, "share_of_ceiling", json_known(row->share_of_ceiling));
    json_put(object, "speedup_over_simple_1", json_known(row->speedup_over_simple_1));
    json_put(object, "result", row->kind == WF_RUNG_REDUCES ? json_result(of, &row->folded, json_value) : json_null());
    json_put(object, "ulps", row->ulps_known ? json_count(row->ulps) : json_null());
    json_put(object, "error", json_known(row->error));
    json_put(object, "bound", json_number(row->bound));
    json_put(object, "compared", json_boolean(row->compared));
}

static json_t *row_object(const fold *of, const report_row *row) {
    json_t *object = json_object();
    json_put(object, "name", json_text(row->name));
    json_put(object, "kind", json_string(rung_kind_name(row->kind)));
    if (row->is_timed)
        put_measurements(object, of, row);
    json_put(object, "verdict", json_string(verdict_name(row->verdict)));
    json_put(object, "reason", row->reason != NULL ? json_text(row->reason) : json_null());
    return object;
}

json_t *report_document(const progression_report *report) {
    const input *data = &report->data;
    const fold *of = &report->exact.of;
    json_t *document = json_object(), *rungs = json_array();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "date", date());
    json_put(document, "device", json_device(&report->device));
    json_put(document, "n", json_count(data->count));
    json_put(document, "type", json_string(wf_type_name(data->type)));
    json_put(document, "op", json_string(wf_op_name(of->spec.op)));
    json_put(document, "accumulator", json_string(wf_type_name(of->info.accumulator)));
    json_put(document, "result_type", json_string(wf_type_name(of->info.result_type)));
    json_put(document, "nan", json_string(nan_rule_name(of->spec.nan)));
    json_put(document, "exclusive", json_boolean(report->options->exclusive));
    json_put(document, "descending", json_boolean(report->options->descending));
    json_put(document, "data", json_string(input_kind_name(data->kind)));
    json_put(document, "seed", data->kind == INPUT_RANDOM ? json_count(data->made.seed) : json_null());
    json_put(document, "input", data->kind == INPUT_FILE ? json_text(data->path) : json_null());
    json_put(document, "parameters", parameters(report->options));
    json_put(document, "repeat", json_count(report->repeat));
    json_put(document, "read_ceiling", ceiling(report));
    json_put(document, "exact", exact(report));
    for (size_t i = 0; i < report->row_count; i++)
        json_add(rungs, row_object(of, &report->rows[i]));
    json_put(document, "rungs", rungs);
    return document;
}
