#define _GNU_SOURCE
#include "counters.h"

#include "cli/cli.h"
#include "cli/output/json.h"
#include "wavefold.h"
#include "wavefold_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES,
    TILES,
    LOADS,
    LOADED_BYTES,
    LOAD_LINES,
    STORES,
    STORE_LINES,
    TILE_LOADS,
    TILE_STORES,
    EXTRA_PASSES,
    UPDATES,
    COLLISIONS,
    TILE_BARRIERS,
    SHUFFLES,
    DIVERGENT_STEPS,
    LANE_STEPS,
    ACTIVE_LANE_STEPS
};

const counter counter_table[COUNTERS] = {
    [LAUNCHES] = {"launches", "launches"},
    [TILES] = {"tiles", "tiles"},
    [LOADS] = {"loads", "loads, by waves"},
    [LOADED_BYTES] = {"loaded_bytes", "  bytes"},
    [LOAD_LINES] = {"load_lines_128", "  lines of 128 bytes"},
    [STORES] = {"stores", "stores, by waves"},
    [STORE_LINES] = {"store_lines_128", "  lines of 128 bytes"},
    [TILE_LOADS] = {"tile_loads", "tile loads, by waves"},
    [TILE_STORES] = {"tile_stores", "tile stores, by waves"},
    [EXTRA_PASSES] = {"extra_passes", "  extra passes: bank conflicts"},
    [UPDATES] = {"updates", "atomic updates"},
    [COLLISIONS] = {"collisions", "  of a word that others updated"},
    [TILE_BARRIERS] = {"tile_barriers", "barriers, by tiles"},
    [SHUFFLES] = {"shuffles", "shuffles, by waves"},
    [DIVERGENT_STEPS] = {"divergent_steps", "divergent steps of waves"},
    [LANE_STEPS] = {"lane_steps", NULL},
    [ACTIVE_LANE_STEPS] = {"active_lane_steps", NULL},
};

counters counters_of_answer(const json_t *answer) {
    counters sum = {{0}};
    const json_t *launches = json_object_get(answer, "launches"), *launch;
    size_t i;
    json_array_foreach(launches, i, launch) {
        sum.of[LAUNCHES]++;
        for (size_t c = TILES; c < COUNTERS; c++)
            sum.of[c] += (uint64_t)json_integer_value(json_object_get(launch, counter_table[c].key));
    }
    return sum;
}

static void add_launch(counters *sum, const wf_launch_counts *launch) {
    const counters more = {{[LAUNCHES] = 1,
                            [TILES] = launch->tiles,
                            [LOADS] = launch->loads.accesses,
                            [LOADED_BYTES] = launch->loads.bytes,
                            [LOAD_LINES] = launch->loads.lines_128,
                            [STORES] = launch->stores.accesses,
                            [STORE_LINES] = launch->stores.lines_128,
                            [TILE_LOADS] = launch->tile_loads.accesses,
                            [TILE_STORES] = launch->tile_stores.accesses,
                            [EXTRA_PASSES] = launch->tile_loads.extra_passes + launch->tile_stores.extra_passes,
                            [UPDATES] = launch->updates,
                            [COLLISIONS] = launch->collisions,
                            [TILE_BARRIERS] = launch->tile_barriers,
                            [SHUFFLES] = launch->shuffles,
                            [DIVERGENT_STEPS] = launch->divergent_steps,
                            [LANE_STEPS] = launch->lane_steps,
                            [ACTIVE_LANE_STEPS] = launch->active_lane_steps}};
    for (size_t c = 0; c < COUNTERS; c++)
        sum->of[c] += more.of[c];
}

/* On data whose values do not matter. */
static wf_status run_rung(wf_context *context, size_t rung, const wf_rung_options *options, size_t n, void **device,
                          counters *counted) {
    float *host = cli_allocate(n, sizeof *host);
    unsigned char result[64];
    wf_watch watch = {.launches = NULL};
    wf_status status = wf_malloc(context, device, n * sizeof *host);
    if (status == WF_OK)
        status = wf_copy_to_device(context, *device, host, n * sizeof *host);
    if (status == WF_OK)
        status = wf_watch_start(context, 0);
    if (status == WF_OK)
        status = wf_rung_run(context, rung, options, *device, n, result, NULL);
    if (status == WF_OK)
        status = wf_watch_get(context, &watch);
    for (size_t i = 0; i < watch.launch_count; i++)
        add_launch(counted, &watch.launches[i]);
    free(host);
    return status;
}

bool counters_of_rung(size_t rung, unsigned width, size_t n, unsigned tile_size, counters *counted) {
    const wf_rung_options options = {.type = WF_F32, .op = WF_SUM, .tile_size = tile_size};
    wf_context *context = NULL;
    void *device = NULL;
    char name[32];
    snprintf(name, sizeof name, "watched:%u", width);
    *counted = (counters){{0}};
    wf_status status = wf_context_create(&context, name);
    if (status == WF_OK)
        status = run_rung(context, rung, &options, n, &device, counted);
    if (status != WF_OK)
        cli_error("%s", wf_last_error());
    if (context != NULL) {
        wf_free(context, device);
        wf_context_destroy(context);
    }
    return status == WF_OK;
}

double counters_idle(const counters *of) {
    return of->of[LANE_STEPS] == 0 ? (double)NAN : 1 - (double)of->of[ACTIVE_LANE_STEPS] / (double)of->of[LANE_STEPS];
}

json_t *counters_json(const counters *of) {
    json_t *object = json_object();
    for (size_t c = 0; c < COUNTERS; c++)
        json_put(object, counter_table[c].key, json_count(of->of[c]));
    json_put(object, "idle_lanes", json_known(counters_idle(of)));
    return object;
}
