#include "measure.h"

#include "cli.h"
#include "memory.h"
#include "probe.h"
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
    bool stopped; /* no further rung can be run */
    progress bar;
} job;

/* Brings the data, or a probe's, to the device in chunks, and folds them exactly on the way. */
static wf_status upload(job *j, const probe *probed, reference *exact) {
    const input *data = &j->report->data;
    size_t size = exact->of.info.element_bytes, most = STAGE_BYTES / size;
    for (uint64_t first = 0; first < data->count; first += most) {
        size_t count = data->count - first < most ? (size_t)(data->count - first) : most;
        const void *chunk = j->stage;
        if (probed)
            probe_fill(probed, first, count, j->stage);
        else
            chunk = input_chunk(data, first, count, j->stage);
        reference_add(exact, chunk, count);
        wf_status status = wf_copy_to_device(j->context, (char *)j->device + first * size, chunk, count * size);
        if (status != WF_OK)
            return status;
    }
    return WF_OK;
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

static void probe_rung(job *j, const probe *probed, const reference *exact, rung_result *rung) {
    result got = {{0}};
    wf_rung_options options = options_of(j->report->options, &probed->of.what);
    wf_status status =
        wf_rung_run(j->context, rung->index, &options, j->device, (size_t)j->report->data.count, &got, NULL);
    if (status != WF_OK) {
        record_failure(j, rung, status);
        return;
    }
    if (rung->verdict == VERDICT_NOT_RUN)
        rung->verdict = VERDICT_VERIFIED;
    result expected = reference_result(exact);
    if (verify(exact, &got, &(wf_rung_report){0}).accepted)
        return;
    char *got_text = result_text(&probed->of, &got, value_format, value_format);
    char *expected_text = result_text(&probed->of, &expected, value_format, value_format);
    char *name = probe_name(probed);
    set_reason(
        rung, VERDICT_WRONG,
        cli_text("the probe, %s, gives %s, expected %s: %s", name, got_text, expected_text, probe_meaning(probed)));
    free(name);
    free(got_text);
    free(expected_text);
}

static void judge(job *j, rung_result *rung, const result *folded) {
    const reference *exact = &j->report->exact;
    rung->folded = *folded;
    rung->judged = verify(exact, folded, &rung->launch);
    if (rung->judged.accepted)
        return;
    result wanted = reference_result(exact);
    char *got = result_text(&exact->of, folded, value_format, value_format);
    char *expected = result_text(&exact->of, &wanted, value_format, value_format);
    if (isnan(rung->judged.error))
        set_reason(rung, VERDICT_WRONG, cli_text("the result is %s, expected %s", got, expected));
    else
        set_reason(rung, VERDICT_WRONG,
                   cli_text("the result is %s, expected %s: the error %.3g exceeds the bound %.3g", got, expected,
                            rung->judged.error, rung->judged.bound));
    free(got);
    free(expected);
}

/* Once to warm up, then timed; every result is judged. */
static void time_rung(job *j, rung_result *rung) {
    const progression_report *report = j->report;
    wf_rung_options options = options_of(report->options, &report->exact.of.what);
    double *totals = cli_allocate(report->repeat, sizeof *totals);
    rung->samples = cli_allocate(report->repeat, sizeof *rung->samples);
    rung->judged.accepted = true;
    for (size_t run = 0; run <= report->repeat && rung->verdict != VERDICT_FAILED; ++run) {
        result folded = {{0}};
        progress_show(&j->bar, rung->info.name);
        wf_status status = wf_rung_run(j->context, rung->index, &options, j->device, (size_t)report->data.count,
                                       &folded, &rung->launch);
        progress_advance(&j->bar, 1);
        if (status != WF_OK) {
            record_failure(j, rung, status);
            break;
        }
        if (rung->judged.accepted)
            judge(j, rung, &folded);
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
    size_t bytes = (size_t)report->data.count * input_element_bytes(&report->data);
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

/* Whether the rung can do the probe's fold. */
static bool takes(const job *j, const probe *probed, const rung_result *rung) {
    wf_rung_options options = options_of(j->report->options, &probed->of.what);
    return wf_rung_supports(rung->index, &options) == WF_OK;
}

static wf_status probe_with(job *j, const probe *probed) {
    reference exact;
    reference_begin(&exact, &probed->of);
    progress_show(&j->bar, "making the probe");
    wf_status status = upload(j, probed, &exact);
    progress_advance(&j->bar, 1);
    for (size_t i = 0; i < j->report->rung_count && status == WF_OK && !j->stopped; ++i) {
        rung_result *rung = &j->report->rungs[i];
        progress_show(&j->bar, rung->info.name);
        if (rung->verdict != VERDICT_FAILED && takes(j, probed, rung))
            probe_rung(j, probed, &exact, rung);
        progress_advance(&j->bar, 1);
    }
    return status;
}

static wf_status time_all(job *j) {
    progression_report *report = j->report;
    progress_show(&j->bar, "loading the data");
    wf_status status = upload(j, NULL, &report->exact);
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
    const input *data = &report->data;
    size_t runs = report->repeat + 1; /* the first warms up */
    probe probes[MOST_PROBES];
    /* Other numbers than --seed makes from the same seed. */
    size_t count = probes_for(&report->exact.of, ~report->options->seed, data->count, probes);
    progress_begin(&j.bar, !report->options->quiet,
                   count * (1 + report->rung_count) + 1 + runs * (1 + report->rung_count));
    j.stage = cli_allocate(1, STAGE_BYTES);
    wf_status status = wf_malloc(context, &j.device, (size_t)data->count * input_element_bytes(data));
    for (size_t i = 0; i < count && status == WF_OK && !j.stopped; ++i)
        status = probe_with(&j, &probes[i]);
    if (status == WF_OK)
        status = time_all(&j);
    progress_end(&j.bar);
    if (status != WF_OK)
        cli_error("%s", wf_last_error());
    wf_free(context, j.device);
    free(j.stage);
    return status == WF_OK;
}
