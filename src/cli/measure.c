#include "measure.h"

#include "cli.h"
#include "hash.h"
#include "memory.h"
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CEILING_SAMPLES = 21 };

typedef struct job {
    progression_report *report;
    wf_context *context;
    void *device; /* the data, in device memory; first the probe's */
    void *stage;  /* STAGE_BYTES of host memory */
    wf_type probe_type;
    value probe_sum;
    bool stopped; /* no further rung can be run */
    progress bar;
} job;

/* The probe: a sum of integers that all differ and wrap. It is right only if every element is counted exactly once,
 * whatever rounding could hide in a sum of floats. It is as long as the data, in elements of their size. */
static const void *probe_chunk(const job *j, uint64_t first, size_t count) {
    /* Other numbers than --seed makes from the same seed. */
    uint64_t seed = ~j->report->options->seed;
    for (size_t i = 0; i < count; ++i) {
        uint64_t weight = hash_index(seed, first + i);
        if (j->probe_type == WF_I32)
            ((uint32_t *)j->stage)[i] = (uint32_t)weight;
        else
            ((uint64_t *)j->stage)[i] = weight;
    }
    return j->stage;
}

/* Brings the probe or the data to the device in chunks, and folds them exactly on the way. */
static wf_status upload(job *j, bool probe, reference *exact) {
    const input *data = &j->report->data;
    size_t size = wf_type_size(data->type), most = STAGE_BYTES / size;
    for (uint64_t first = 0; first < data->count; first += most) {
        size_t count = data->count - first < most ? (size_t)(data->count - first) : most;
        const void *chunk = probe ? probe_chunk(j, first, count) : input_chunk(data, first, count, j->stage);
        reference_add(exact, chunk, count);
        wf_status status = wf_copy_to_device(j->context, (char *)j->device + first * size, chunk, count * size);
        if (status != WF_OK)
            return status;
    }
    return WF_OK;
}

static wf_rung_options rung_options(const job *j, wf_type type, wf_op op) {
    const progression_options *options = j->report->options;
    return (wf_rung_options){
        .type = type, .op = op, .tile_size = options->tile, .tiles = options->tiles, .window = options->window};
}

/* Takes the reason over. */
static void set_reason(rung_result *rung, verdict reached, char *reason) {
    rung->verdict = reached;
    if (rung->reason) {
        char *both = cli_text("%s; %s", rung->reason, reason);
        free(rung->reason);
        free(reason);
        reason = both;
    }
    rung->reason = reason;
}

/* A kernel's fault or a request that a rung cannot serve says nothing about the next rung; after anything else, such
 * as a lost device, nothing that follows could be trusted. */
static void record_failure(job *j, rung_result *rung, wf_status status) {
    set_reason(rung, VERDICT_FAILED, cli_text("%s", wf_last_error()));
    j->stopped = status != WF_KERNEL_FAULT && status != WF_UNSUPPORTED;
}

static void probe_rung(job *j, rung_result *rung) {
    value sum = {.i64 = 0};
    wf_rung_options options = rung_options(j, j->probe_type, WF_SUM);
    wf_status status =
        wf_rung_run(j->context, rung->index, &options, j->device, (size_t)j->report->data.count, &sum, NULL);
    if (status != WF_OK) {
        record_failure(j, rung, status);
        return;
    }
    rung->verdict = VERDICT_VERIFIED;
    if (!value_same_bits(j->probe_type, sum, j->probe_sum)) {
        char got[VALUE_TEXT], expected[VALUE_TEXT];
        value_format(j->probe_type, sum, got);
        value_format(j->probe_type, j->probe_sum, expected);
        set_reason(rung, VERDICT_WRONG,
                   cli_text("the probe, %" PRIu64 " distinct %s weights, gives %s, expected %s: not every element is "
                            "counted exactly once",
                            j->report->data.count, wf_type_name(j->probe_type), got, expected));
    }
}

static void judge(job *j, rung_result *rung, value folded) {
    const reference *exact = &j->report->exact;
    rung->folded = folded;
    rung->judged = verify(exact, folded, &rung->launch);
    if (rung->judged.accepted)
        return;
    char got[VALUE_TEXT], expected[VALUE_TEXT];
    value_format(exact->type, folded, got);
    value_format(exact->type, reference_value(exact), expected);
    if (isnan(rung->judged.error))
        set_reason(rung, VERDICT_WRONG, cli_text("the result is %s, expected %s", got, expected));
    else
        set_reason(rung, VERDICT_WRONG,
                   cli_text("the result is %s, expected %s: the error %.3g exceeds the bound %.3g", got, expected,
                            rung->judged.error, rung->judged.bound));
}

/* Once to warm up, then timed; every result is judged. */
static void time_rung(job *j, rung_result *rung) {
    const progression_report *report = j->report;
    wf_rung_options options = rung_options(j, report->data.type, report->exact.op);
    double *totals = cli_allocate(report->repeat, sizeof *totals);
    rung->samples = cli_allocate(report->repeat, sizeof *rung->samples);
    rung->judged.accepted = true;
    for (size_t run = 0; run <= report->repeat && rung->verdict != VERDICT_FAILED; ++run) {
        value folded = {.i64 = 0};
        progress_show(&j->bar, rung->info.name);
        wf_status status = wf_rung_run(j->context, rung->index, &options, j->device, (size_t)report->data.count,
                                       &folded, &rung->launch);
        progress_advance(&j->bar, 1);
        if (status != WF_OK) {
            record_failure(j, rung, status);
            break;
        }
        if (rung->judged.accepted)
            judge(j, rung, folded);
        if (run > 0) {
            rung->samples[run - 1] = rung->launch.device_seconds;
            totals[run - 1] = rung->launch.total_seconds;
        }
    }
    if (report_timed(rung)) {
        rung->total_median = timing_of(totals, report->repeat).median;
        memcpy(totals, rung->samples, report->repeat * sizeof *totals);
        rung->device = timing_of(totals, report->repeat);
    }
    free(totals);
}

static wf_status measure_ceiling(job *j) {
    progression_report *report = j->report;
    size_t bytes = (size_t)report->data.count * wf_type_size(report->data.type);
    /* Every share in the table is of this one figure, and on a busy host three samples are no median. */
    size_t repeat = report->repeat < LEAST_CEILING_SAMPLES ? LEAST_CEILING_SAMPLES : report->repeat;
    double *samples = cli_allocate(repeat + 1, sizeof *samples);
    wf_status status = WF_OK;
    progress_show(&j->bar, "read ceiling");
    for (size_t run = 0; run <= repeat && status == WF_OK; ++run)
        status = wf_read_ceiling(j->context, j->device, bytes, &samples[run]);
    progress_advance(&j->bar, report->repeat + 1);
    report->ceiling_known = status == WF_OK;
    if (status == WF_OK)
        report->ceiling = timing_of(samples + 1, repeat);
    free(samples);
    return status == WF_UNSUPPORTED ? WF_OK : status;
}

static wf_status probe_all(job *j) {
    reference exact;
    reference_begin(&exact, j->probe_type, WF_SUM);
    progress_show(&j->bar, "making the probe");
    wf_status status = upload(j, true, &exact);
    progress_advance(&j->bar, 1);
    j->probe_sum = reference_value(&exact);
    for (size_t i = 0; i < j->report->rung_count && status == WF_OK && !j->stopped; ++i) {
        progress_show(&j->bar, j->report->rungs[i].info.name);
        probe_rung(j, &j->report->rungs[i]);
        progress_advance(&j->bar, 1);
    }
    return status;
}

static wf_status time_all(job *j) {
    progression_report *report = j->report;
    progress_show(&j->bar, "loading the data");
    wf_status status = upload(j, false, &report->exact);
    progress_advance(&j->bar, 1);
    if (status == WF_OK && !j->stopped)
        status = measure_ceiling(j);
    for (size_t i = 0; i < report->rung_count && status == WF_OK; ++i) {
        rung_result *rung = &report->rungs[i];
        if (rung->verdict == VERDICT_FAILED)
            progress_advance(&j->bar, report->repeat + 1);
        else if (j->stopped)
            rung->verdict = VERDICT_NOT_RUN;
        else
            time_rung(j, rung);
    }
    return status;
}

bool measure(progression_report *report, wf_context *context) {
    job j = {.report = report, .context = context};
    size_t size = wf_type_size(report->data.type);
    size_t runs = report->repeat + 1; /* the first warms up */
    progress_begin(&j.bar, !report->options->quiet, 2 + runs + report->rung_count * (1 + runs));
    j.probe_type = size == sizeof(int32_t) ? WF_I32 : WF_I64;
    j.stage = cli_allocate(1, STAGE_BYTES);
    wf_status status = wf_malloc(context, &j.device, (size_t)report->data.count * size);
    if (status == WF_OK)
        status = probe_all(&j);
    if (status == WF_OK)
        status = time_all(&j);
    progress_end(&j.bar);
    if (status != WF_OK)
        cli_error("%s", wf_last_error());
    wf_free(context, j.device);
    free(j.stage);
    return status == WF_OK;
}
