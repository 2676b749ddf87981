/* docs/emulator.md lists the fields. */
#include "cli/cli.h"
#include "cli/output/json.h"
#include "explain_report.h"
#include "oracle/folded.h"

enum { DOCUMENT_VERSION = 1 };

static json_t *device_object(const wf_device_accesses *of, uint64_t element) {
    json_t *object = json_object();
    json_put(object, "elements", json_count(of->bytes / element));
    json_put(object, "accesses", json_count(of->accesses));
    json_put(object, "lanes", json_count(of->lanes));
    json_put(object, "lines32", json_count(of->lines_32));
    json_put(object, "lines64", json_count(of->lines_64));
    json_put(object, "lines128", json_count(of->lines_128));
    return object;
}

static json_t *tile_object(const wf_tile_accesses *of, uint64_t element) {
    json_t *object = json_object();
    json_put(object, "cells", json_count(of->bytes / element));
    json_put(object, "accesses", json_count(of->accesses));
    json_put(object, "lanes", json_count(of->lanes));
    json_put(object, "extra_passes", json_count(of->extra_passes));
    return object;
}

static json_t *counts_object(const wf_launch_counts *of, uint64_t element) {
    json_t *object = json_object(), *global = json_object(), *tile = json_object(), *atomics = json_object();
    json_put(global, "loads", device_object(&of->loads, element));
    json_put(global, "stores", device_object(&of->stores, element));
    json_put(object, "global", global);
    json_put(tile, "loads", tile_object(&of->tile_loads, element));
    json_put(tile, "stores", tile_object(&of->tile_stores, element));
    json_put(object, "tile_memory", tile);
    json_put(atomics, "count", json_count(of->updates));
    json_put(atomics, "collisions", json_count(of->collisions));
    json_put(object, "atomics", atomics);
    json_put(object, "barriers", json_count(of->tile_barriers));
    json_put(object, "wave_barriers", json_count(of->wave_barriers));
    json_put(object, "shuffles", json_count(of->shuffles));
    json_put(object, "steps_of_waves", json_count(of->steps_of_waves));
    json_put(object, "divergent_steps", json_count(of->divergent_steps));
    json_put(object, "idle_lane_share",
             json_number(of->lane_steps > 0 ? 1 - (double)of->active_lane_steps / (double)of->lane_steps : 0));
    return object;
}

static json_t *launches_array(const explanation *of) {
    json_t *all = json_array();
    for (size_t i = 0; i < of->watch.launch_count; i++) {
        const wf_launch_counts *each = &of->watch.launches[i];
        json_t *object = counts_object(each, wf_type_size(of->type));
        json_put(object, "kernel", json_text(each->kernel));
        json_put(object, "tiles", json_count(each->tiles));
        json_put(object, "tile_size", json_count(each->tile_size));
        json_add(all, object);
    }
    return all;
}

static json_t *steps_array(const explanation *of) {
    json_t *all = json_array();
    for (size_t i = 0; i < of->watch.step_count && of->watch.steps[i].launch == 0; i++) {
        const wf_step_counts *each = &of->watch.steps[i];
        json_t *object = json_object();
        json_put(object, "step", json_count(each->step));
        json_put(object, "ends", json_string(each->ends));
        json_put(object, "active_lanes", json_count(each->active_lanes));
        json_put(object, "lanes", json_count(each->lanes));
        json_put(object, "full_waves", json_count(each->full_waves));
        json_put(object, "divergent_waves", json_count(each->divergent_waves));
        json_put(object, "idle_waves", json_count(each->idle_waves));
        json_add(all, object);
    }
    return all;
}

static json_t *lines_array(const explanation *of) {
    json_t *all = json_array();
    for (size_t i = 0; i < of->watch.line_count; i++) {
        const wf_line_counts *each = &of->watch.lines[i];
        json_t *object = json_object();
        json_put(object, "kernel", json_text(each->kernel));
        json_put(object, "file", json_text(each->file));
        json_put(object, "line", json_count(each->line));
        json_put(object, "what", json_string(each->what));
        json_put(object, "accesses", json_count(each->accesses));
        json_put(object, "lanes", json_count(each->lanes));
        json_put(object, "bytes", json_count(each->bytes));
        json_put(object, "lines128", json_count(each->lines_128));
        json_put(object, "extra_passes", json_count(each->extra_passes));
        json_add(all, object);
    }
    return all;
}

static json_t *claims_array(const explanation *of) {
    claim claims[CLAIMS_MOST];
    const size_t count = claims_of(of, claims);
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_put(object, "quantity", json_string(claims[i].quantity));
        json_put(object, "claim", json_string(claims[i].text));
        json_put(object, "source", json_string(claims[i].source));
        json_put(object, "measured", json_known(claims[i].measured));
        json_put(object, "holds", json_boolean(claims[i].holds));
        json_add(all, object);
    }
    return all;
}

json_t *explain_total(const explanation *of) {
    return counts_object(&of->total, wf_type_size(of->type));
}

json_t *explain_document(const explanation *of, const explanation *against, json_t *trace) {
    json_t *document = json_object(), *findings = json_array(),
           *total = counts_object(&of->total, wf_type_size(of->type));
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "explain", json_count(DOCUMENT_VERSION));
    json_put(document, "rung", json_text(of->info.name));
    json_put(document, "kind", json_string(rung_kind_name(of->info.kind)));
    json_put(document, "idea", json_text(of->info.idea));
    json_put(document, "limit", json_text(of->info.limit));
    json_put(document, "seed", json_text(of->info.seed));
    json_put(document, "type", json_string(wf_type_name(of->type)));
    json_put(document, "op", json_string("sum"));
    json_put(document, "n", json_count(of->n));
    json_put(document, "wave_width", json_count(of->wave_width));
    json_put(document, "launches", launches_array(of));
    json_put(total, "launches", json_count(of->watch.launch_count));
    json_put(document, "total", total);
    json_put(document, "steps", steps_array(of));
    json_put(document, "lines", lines_array(of));
    json_put(document, "claims", claims_array(of));
    if (*of->finding != '\0')
        json_add(findings, json_text(of->finding));
    json_put(document, "findings", findings);
    json_put(document, "is_right", json_boolean(of->is_right));
    if (trace != NULL)
        json_put(document, "trace", trace);
    if (against != NULL)
        json_put(document, "against", explain_document(against, NULL, NULL));
    return document;
}
