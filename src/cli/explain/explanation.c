#include "explanation.h"

#include "cli/cli.h"
#include "ladder/row_shape.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The run ---- */

/* Small whole numbers of both signs: their sums are exact in f32. */
static int pattern(uint64_t i) {
    return (int)((i * 7 + i / 16) % 17) - 8;
}

static void fill(const explain_request *request, void *elements) {
    for (uint64_t i = 0; i < request->n; i++)
        if (request->traces)
            ((uint64_t *)elements)[i] = UINT64_C(1) << i;
        else
            ((float *)elements)[i] = (float)pattern(i);
}

static int compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static uint32_t row_length_of(const explain_request *request) {
    return request->row_length != 0 ? request->row_length : WF_DEFAULT_ROW_LENGTH;
}

static bool has_right_rows(const explain_request *request, wf_rung_kind kind, const void *in, const void *result) {
    const uint64_t results = wf_row_results(kind, request->n, row_length_of(request));
    for (uint64_t r = 0; r < results; r++) {
        const wf_row row = wf_row_of(kind, request->n, row_length_of(request), r);
        double sum = 0;
        uint64_t bits = 0;
        for (uint64_t i = row.first, k = 0; k < row.count; i += row.stride, k++)
            if (request->traces)
                bits += ((const uint64_t *)in)[i];
            else
                sum += (double)((const float *)in)[i];
        if (request->traces ? ((const uint64_t *)result)[r] != bits : (double)((const float *)result)[r] != sum)
            return false;
    }
    return true;
}

/* For f32; traces are checked by their bits. */
static bool is_right(const explain_request *request, const explanation *made, const float *in, const void *result) {
    if (wf_kind_has_rows(made->info.kind))
        return has_right_rows(request, made->info.kind, in, result);
    if (request->traces) {
        const uint64_t *sums = result;
        if (made->info.kind == WF_RUNG_REDUCES)
            return *sums == (UINT64_C(1) << request->n) - 1;
        for (uint64_t i = 0; i < request->n; i++)
            if (sums[i] != (UINT64_C(2) << i) - 1)
                return false;
        return true;
    }
    const float *got = result;
    double sum = 0;
    if (made->info.kind == WF_RUNG_REDUCES || made->info.kind == WF_RUNG_SCANS) {
        for (uint64_t i = 0; i < request->n; i++) {
            sum += (double)in[i];
            if (made->info.kind == WF_RUNG_SCANS && !((double)got[i] == sum))
                return false;
        }
        return made->info.kind == WF_RUNG_SCANS || (double)*got == sum;
    }
    float *sorted = cli_allocate(request->n + 1, sizeof *sorted);
    memcpy(sorted, in, request->n * sizeof *sorted);
    qsort(sorted, request->n, sizeof *sorted, compare);
    bool same = memcmp(sorted, got, request->n * sizeof *sorted) == 0;
    const uint32_t *stood = (const uint32_t *)(got + request->n); /* each key at its position, and no other */
    bool *taken = cli_allocate(request->n + 1, sizeof *taken);
    for (uint64_t i = 0; made->info.kind == WF_RUNG_SORTS_PAIRS && same && i < request->n; i++) {
        same = stood[i] < request->n && in[stood[i]] == got[i] && !taken[stood[i]];
        if (same)
            taken[stood[i]] = true;
    }
    free(taken);
    free(sorted);
    return same;
}

static void add_device(wf_device_accesses *sum, const wf_device_accesses *more) {
    sum->accesses += more->accesses;
    sum->lanes += more->lanes;
    sum->bytes += more->bytes;
    sum->lines_32 += more->lines_32;
    sum->lines_64 += more->lines_64;
    sum->lines_128 += more->lines_128;
}

static void add_tile(wf_tile_accesses *sum, const wf_tile_accesses *more) {
    sum->accesses += more->accesses;
    sum->lanes += more->lanes;
    sum->bytes += more->bytes;
    sum->extra_passes += more->extra_passes;
}

static void add_up(explanation *made) {
    wf_launch_counts *sum = &made->total;
    for (size_t i = 0; i < made->watch.launch_count; i++) {
        const wf_launch_counts *more = &made->watch.launches[i];
        if ((uint64_t)more->tiles * more->tile_size > (uint64_t)sum->tiles * sum->tile_size) {
            memcpy(sum->kernel, more->kernel, sizeof sum->kernel);
            sum->tiles = more->tiles;
            sum->tile_size = more->tile_size;
        }
        add_device(&sum->loads, &more->loads);
        add_device(&sum->stores, &more->stores);
        add_tile(&sum->tile_loads, &more->tile_loads);
        add_tile(&sum->tile_stores, &more->tile_stores);
        sum->updates += more->updates;
        sum->collisions += more->collisions;
        sum->tile_barriers += more->tile_barriers;
        sum->wave_barriers += more->wave_barriers;
        sum->shuffles += more->shuffles;
        sum->steps_of_waves += more->steps_of_waves;
        sum->divergent_steps += more->divergent_steps;
        sum->lane_steps += more->lane_steps;
        sum->active_lane_steps += more->active_lane_steps;
    }
}

static wf_status run(explanation *made, const explain_request *request, float *in, void *result) {
    const size_t element = wf_type_size(made->type), bytes = (size_t)request->n * element;
    const wf_rung_kind kind = made->info.kind;
    const bool leaves_array = kind != WF_RUNG_REDUCES;
    const uint64_t rows = wf_kind_has_rows(kind) ? wf_row_results(kind, request->n, row_length_of(request)) : 0;
    const size_t result_bytes = kind == WF_RUNG_REDUCES       ? element
                                : kind == WF_RUNG_SORTS_PAIRS ? bytes + request->n * sizeof(uint32_t)
                                : wf_kind_has_rows(kind)      ? (size_t)rows * element
                                                              : bytes;
    const wf_rung_options options = {.type = made->type, .tile_size = request->tile, .row_length = request->row_length};
    void *device = NULL, *there = NULL;
    wf_status status = wf_malloc(made->context, &device, bytes + 1);
    if (status == WF_OK && leaves_array)
        status = wf_malloc(made->context, &there, result_bytes + 1);
    if (status == WF_OK)
        status = wf_copy_to_device(made->context, device, in, bytes);
    if (status == WF_OK)
        status = wf_watch_start(made->context, request->traces);
    if (status == WF_OK)
        status = wf_rung_run(made->context, request->rung, &options, device, (size_t)request->n,
                             leaves_array ? there : result, result_bytes, NULL);
    if (status == WF_KERNEL_FAULT) {
        snprintf(made->finding, sizeof made->finding, "%s", wf_last_error());
        status = WF_OK;
    } else if (status == WF_OK && leaves_array) {
        status = wf_copy_to_host(made->context, result, there, result_bytes);
    }
    return status == WF_OK ? wf_watch_get(made->context, &made->watch) : status;
}

bool explanation_make(explanation *made, const explain_request *request) {
    char device[32];
    *made =
        (explanation){.n = request->n, .type = request->traces ? WF_I64 : WF_F32, .wave_width = request->wave_width};
    wf_status status = wf_rung_get_info(request->rung, &made->info);
    snprintf(device, sizeof device, "watched:%" PRIu32, request->wave_width);
    if (status == WF_OK)
        status = wf_context_create(&made->context, device);
    if (status != WF_OK) {
        cli_error("%s", wf_last_error());
        return false;
    }
    float *in = cli_allocate((unsigned long)request->n + 1, 8);
    void *result = cli_allocate((unsigned long)request->n + 1, 8);
    fill(request, in);
    status = run(made, request, in, result);
    if (status == WF_INVALID_ARGUMENT && request->tile != 0 && request->or_its_own) {
        explain_request own = *request;
        own.tile = 0;
        status = run(made, &own, in, result);
    }
    if (status == WF_OK) {
        made->is_right = *made->finding == '\0' && is_right(request, made, in, result);
        made->tile_size = made->watch.launch_count > 0 ? made->watch.launches[0].tile_size : 0;
        add_up(made);
    } else {
        cli_error("%s: %s", made->info.name, wf_last_error());
    }
    free(in);
    free(result);
    if (status != WF_OK)
        explanation_free(made);
    return status == WF_OK;
}

void explanation_free(explanation *made) {
    wf_context_destroy(made->context);
    made->context = NULL;
}

/* ---- Figures ---- */

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

figure figure_of(const explanation *of, figure_kind kind) {
    const wf_launch_counts *c = &of->total;
    const double size = (double)wf_type_size(of->type), n = (double)of->n;
    const double loaded = (double)c->loads.bytes / size, stored = (double)c->stores.bytes / size;
    switch (kind) {
    case FIGURE_LAUNCHES:
        return (figure){"launches", "", (double)of->watch.launch_count, ""};
    case FIGURE_LOADED:
        return (figure){"elements loaded", "", loaded, "from device memory"};
    case FIGURE_STORED:
        return (figure){"elements stored", "", stored, "in device memory"};
    case FIGURE_ACCESSES:
        return (figure){"loads and stores per element", "", ratio(loaded + stored, n), "traffic, if no cache helps"};
    case FIGURE_LOAD_LINES:
        return (figure){"lines of 128 bytes per wave load", "",
                        ratio((double)c->loads.lines_128, (double)c->loads.accesses),
                        "coalescing: fewer is better, for as many elements"};
    case FIGURE_LOAD_LINES_64:
        return (figure){"lines of 64 bytes", "", ratio((double)c->loads.lines_64, (double)c->loads.accesses), ""};
    case FIGURE_LOAD_LINES_32:
        return (figure){"lines of 32 bytes", "", ratio((double)c->loads.lines_32, (double)c->loads.accesses), ""};
    case FIGURE_STORE_LINES:
        return (figure){"lines of 128 bytes per wave store", "",
                        ratio((double)c->stores.lines_128, (double)c->stores.accesses), ""};
    case FIGURE_TILE_READ:
        return (figure){"tile memory: cells read", "", (double)c->tile_loads.bytes / size, ""};
    case FIGURE_TILE_WRITTEN:
        return (figure){"tile memory: cells written", "", (double)c->tile_stores.bytes / size, ""};
    case FIGURE_EXTRA_PASSES:
        return (figure){"tile memory: extra passes", "",
                        (double)(c->tile_loads.extra_passes + c->tile_stores.extra_passes),
                        "bank conflicts: 32 banks of 4 bytes"};
    case FIGURE_BARRIERS:
        return (figure){"barriers of tiles", "", (double)c->tile_barriers, ""};
    case FIGURE_WAVE_BARRIERS:
        return (figure){"barriers of waves", "", (double)c->wave_barriers, ""};
    case FIGURE_SHUFFLES:
        return (figure){"shuffles", "", (double)c->shuffles, "by waves"};
    case FIGURE_UPDATES:
        return (figure){"atomic updates", "", (double)c->updates, ""};
    case FIGURE_COLLISIONS:
        return (figure){"collisions of these", "", (double)c->collisions, "of a word that had been updated before"};
    case FIGURE_DIVERGENT:
        return (figure){"divergent steps of waves", "%",
                        100 * ratio((double)c->divergent_steps, (double)c->steps_of_waves),
                        "some lanes work, the others wait for them"};
    case FIGURE_IDLE:
        return (figure){"idle lanes", "%",
                        100 * ratio((double)(c->lane_steps - c->active_lane_steps), (double)c->lane_steps),
                        "of all, over all steps"};
    case FIGURES:
        break;
    }
    return (figure){"", "", 0, ""};
}

char *figure_text(double value) {
    if (!(fabs(value) < 1e15))
        return cli_text("%g", value);
    if (value == floor(value))
        return cli_text("%.0f", value);
    return cli_text(fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
}

char *figure_with_unit(const explanation *of, figure_kind kind) {
    const bool is_counted = of->n != 0 && (of->watch.launch_count != 0 || kind == FIGURE_LAUNCHES);
    if (!is_counted)
        return cli_text("-");
    const figure said = figure_of(of, kind);
    char *number = figure_text(said.value), *all = cli_text("%s%s%s", number, *said.unit != '\0' ? " " : "", said.unit);
    free(number);
    return all;
}
