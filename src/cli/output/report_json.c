#define _GNU_SOURCE
#include "json_fold.h"
#include "report.h"

#include <math.h>
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
    return parameter ? json_count(parameter) : json_null();
}

static json_t *parameters(const progression_options *options) {
    json_t *object = json_object();
    json_put(object, "tile_size", requested(options->tile));
    json_put(object, "tiles", requested(options->tiles));
    json_put(object, "window", requested(options->window));
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
    json_put(object, "gb_per_s", json_known(report_ceiling_gb_per_s(report)));
    return object;
}

static json_t *decimal(wf_type type, value v) {
    char text[VALUE_TEXT];
    value_format(type, v, text);
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
    result r = reference_result(&report->exact);
    bool adds = wf_facts_of_op(of->what.op).op_class == WF_CLASS_SUM;
    json_put(object, "value", json_result(of, &r, decimal));
    json_put(object, "hex", json_result(of, &r, hexadecimal));
    if (adds && reference_rounds(&report->exact))
        json_put(object, "sum_of_magnitudes", json_number(exact_sum_magnitudes(&report->exact.sum)));
    return object;
}

static void put_measurements(json_t *object, const progression_report *report, const rung_result *rung) {
    json_t *samples = json_array(), *times = seconds(&rung->device);
    for (size_t i = 0; i < rung->sample_count; ++i)
        json_add(samples, json_number(rung->samples[i]));
    json_put(times, "all", samples);
    json_put(object, "launches", json_count(rung->launch.launches));
    json_put(object, "threads", json_count(rung->launch.threads));
    json_put(object, "tile_size", json_count(rung->launch.tile_size));
    json_put(object, "tiles", json_count(rung->launch.tiles));
    json_put(object, "window", json_count(rung->launch.window));
    json_put(object, "depth", json_count(rung->launch.depth));
    json_put(object, "seconds", times);
    json_put(object, "total_seconds", json_number(rung->total_median));
    json_put(object, "gb_per_s", json_known(report_gb_per_s(report, rung->device.median)));
    json_put(object, "share_of_ceiling", json_known(report_share_of_ceiling(report, rung)));
    json_put(object, "speedup_over_simple_1", json_known(report_speedup_over_simple_1(report, rung)));
    json_put(object, "result",
             rung->info.kind == WF_RUNG_REDUCES ? json_result(&report->exact.of, &rung->folded, json_value)
                                                : json_null());
    json_put(object, "ulps", rung->judged.ulps_known ? json_count(rung->judged.ulps) : json_null());
    json_put(object, "error", json_known(rung->judged.error));
    json_put(object, "bound", json_number(rung->judged.bound));
    json_put(object, "compared", json_boolean(rung->judged.compared));
}

static json_t *rung_object(const progression_report *report, const rung_result *rung) {
    json_t *object = json_object();
    json_put(object, "name", json_text(rung->info.name));
    json_put(object, "kind", json_string(rung_kind_name(rung->info.kind)));
    if (report_timed(rung))
        put_measurements(object, report, rung);
    json_put(object, "verdict", json_string(verdict_name(rung->verdict)));
    json_put(object, "reason", rung->reason ? json_text(rung->reason) : json_null());
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
    json_put(document, "op", json_string(wf_op_name(of->what.op)));
    json_put(document, "accumulator", json_string(wf_type_name(of->info.accumulator)));
    json_put(document, "result_type", json_string(wf_type_name(of->info.result_type)));
    json_put(document, "nan", json_string(nan_rule_name(of->what.nan)));
    json_put(document, "exclusive", json_boolean(report->options->exclusive));
    json_put(document, "descending", json_boolean(report->options->descending));
    json_put(document, "data", json_string(input_kind_name(data->kind)));
    json_put(document, "seed", data->kind == INPUT_RANDOM ? json_count(data->made.seed) : json_null());
    json_put(document, "input", data->kind == INPUT_FILE ? json_text(data->path) : json_null());
    json_put(document, "parameters", parameters(report->options));
    json_put(document, "repeat", json_count(report->repeat));
    json_put(document, "read_ceiling", ceiling(report));
    json_put(document, "exact", exact(report));
    for (size_t i = 0; i < report->rung_count; ++i)
        json_add(rungs, rung_object(report, &report->rungs[i]));
    json_put(document, "rungs", rungs);
    return document;
}
