#define _GNU_SOURCE
#include "json.h"
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

static json_t *device(const wf_device_info *info) {
    json_t *object = json_object();
    json_put(object, "id", json_text(info->id));
    json_put(object, "name", json_text(info->name));
    json_put(object, "backend", json_text(info->backend));
    json_put(object, "wave_width", json_count(info->wave_width));
    json_put(object, "multiprocessors", json_count(info->multiprocessors));
    json_put(object, "memory_bytes", json_count(info->memory_bytes));
    json_put(object, "capability_major", json_count(info->capability_major));
    json_put(object, "capability_minor", json_count(info->capability_minor));
    json_put(object, "driver_version", json_count(info->driver_version));
    json_put(object, "runtime_version", json_count(info->runtime_version));
    return object;
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

static json_t *element(wf_type type, value v) {
    if (type_is_float(type))
        return json_number(value_to_double(type, v));
    return json_integer(type == WF_I32 ? v.i32 : v.i64);
}

static json_t *exact(const progression_report *report) {
    json_t *object = json_object();
    char text[VALUE_TEXT];
    value v = reference_value(&report->exact);
    value_format(report->data.type, v, text);
    json_put(object, "value", json_string(text));
    value_format_hex(report->data.type, v, text);
    json_put(object, "hex", json_string(text));
    if (type_is_float(report->data.type) && report->exact.op == WF_SUM)
        json_put(object, "sum_of_magnitudes", json_number(exact_sum_magnitudes(&report->exact.sum)));
    return object;
}

static void put_measurements(json_t *object, const progression_report *report, const rung_result *rung) {
    json_t *samples = json_array(), *times = seconds(&rung->device);
    for (size_t i = 0; i < report->repeat; ++i)
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
    json_put(object, "result", element(report->data.type, rung->folded));
    json_put(object, "ulps", rung->judged.ulps_known ? json_count(rung->judged.ulps) : json_null());
    json_put(object, "error", json_known(rung->judged.error));
    json_put(object, "bound", json_number(rung->judged.bound));
}

static json_t *rung_object(const progression_report *report, const rung_result *rung) {
    json_t *object = json_object();
    json_put(object, "name", json_text(rung->info.name));
    if (report_timed(rung))
        put_measurements(object, report, rung);
    json_put(object, "verdict", json_string(verdict_name(rung->verdict)));
    json_put(object, "reason", rung->reason ? json_text(rung->reason) : json_null());
    return object;
}

bool json_write(const progression_report *report, FILE *stream) {
    const input *data = &report->data;
    json_t *document = json_object(), *rungs = json_array();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "date", date());
    json_put(document, "device", device(&report->device));
    json_put(document, "n", json_count(data->count));
    json_put(document, "type", json_string(wf_type_name(data->type)));
    json_put(document, "op", json_string(wf_op_name(report->exact.op)));
    json_put(document, "data", json_string(input_kind_name(data->kind)));
    json_put(document, "seed", data->kind == INPUT_RANDOM ? json_count(data->seed) : json_null());
    json_put(document, "input", data->kind == INPUT_FILE ? json_text(data->path) : json_null());
    json_put(document, "parameters", parameters(report->options));
    json_put(document, "repeat", json_count(report->repeat));
    json_put(document, "read_ceiling", ceiling(report));
    json_put(document, "exact", exact(report));
    for (size_t i = 0; i < report->rung_count; ++i)
        json_add(rungs, rung_object(report, &report->rungs[i]));
    json_put(document, "rungs", rungs);
    return json_print(document, stream);
}
