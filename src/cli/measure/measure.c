#include "measure.h"

#include "array_check.h"
#include "cli/cli.h"
#include "cli/input/memory.h"
#include "cli/output/progress.h"
#include "probe_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CEILING_SAMPLES = 21 };

typedef struct job {
    progression_report *report;
    wf_context *context;
    void *device; /* the data, in device memory; first the probe's */
    void *result; /* the same, of scans and sorts; NULL if there is none */
    void *stage;  /* STAGE_BYTES of host memory */
    bool stopped; /* no further rung can be run */
    progress bar;
} job;

/* Brings the data, or a probe's, to the device in chunks, and folds them exactly on the way. */
static wf_status upload(job *j, const source *from, reference *exact) {
    size_t size = from->of->info.element_bytes, most = STAGE_BYTES / size;
    for (uint64_t first = 0; first < from->count; first += most) {
        size_t count = from->count - first < most ? (size_t)(from->count - first) : most;
        const void *chunk = source_chunk(from, first, count, j->stage);
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

/* A reduction's result: "SAYS 3, expected 4", with the bound if there is one. */
static char *wrong_result(const char *says, const reference *exact, const result *got, const judgement *judged) {
    result wanted = reference_result(exact);
    char *got_text = result_text(&exact->of, got, value_format, value_format);
    char *expected = result_text(&exact->of, &wanted, value_format, value_format);
    char *reason = isnan(judged->error) ? cli_text("%s %s, expected %s", says, got_text, expected)
                                        : cli_text("%s %s, expected %s: the error %.3g exceeds the bound %.3g", says,
                                                   got_text, expected, judged->error, judged->bound);
    free(got_text);
    free(expected);
    return reason;
}

/* A scan's or a sort's result, which is on the device. */
static wf_status judge_array(job *j, const rung_result *rung, const source *from, const wf_rung_report *launch,
                             array_memory *seen, judgement *judged, char **reason) {
    const array_run run = {.context = j->context,
                           .from = *from,
                           .kind = rung->info.kind,
                           .exclusive = j->report->options->exclusive,
                           .descending = j->report->options->descending,
                           .result = j->result,
                           .launch = launch};
    return array_check(&run, seen, judged, reason);
}

/* So that no rung is verified by what the one before it left. */
static wf_status spoil_result(job *j) {
    size_t bytes = (size_t)j->report->data.count * report_result_bytes(j->report);
    memset(j->stage, 0xa5, STAGE_BYTES);
    for (size_t first = 0; first < bytes; first += STAGE_BYTES) {
        size_t piece = bytes - first < STAGE_BYTES ? bytes - first : STAGE_BYTES;
        wf_status status = wf_copy_to_device(j->context, (char *)j->result + first, j->stage, piece);
        if (status != WF_OK)
            return status;
    }
    return WF_OK;
}

/* Runs the rung on what is on the device. */
static wf_status run_rung(job *j, const rung_result *rung, const fold *of, result *folded, wf_rung_report *launch) {
    const wf_rung_options options = options_of(j->report->options, &of->what);
    bool reduces = rung->info.kind == WF_RUNG_REDUCES;
    wf_status status = reduces ? WF_OK : spoil_result(j);
    return status != WF_OK ? status
                           : wf_rung_run(j->context, rung->index, &options, j->device, (size_t)j->report->data.count,
                                         reduces ? folded : j->result, launch);
}

/* What the probe shows to be wrong, or NULL. */
static wf_status judge_probe(job *j, const probe *probed, const reference *exact, const rung_result *rung,
                             const result *got, char **reason) {
    const source from = source_of_probe(probed);
    const wf_rung_report no_launch = {0}; /* probes are exact */
    char *name = probe_name(probed);
    judgement judged;
    wf_status status = WF_OK;
    *reason = NULL;
    if (rung->info.kind != WF_RUNG_REDUCES) {
        char *wrong = NULL;
        status = judge_array(j, rung, &from, &no_launch, &(array_memory){0}, &judged, &wrong);
        *reason = wrong ? cli_text("the probe, %s: %s", name, wrong) : NULL;
        free(wrong);
    } else {
        char *says = cli_text("the probe, %s, gives", name);
        judged = verify(exact, got, &no_launch);
        *reason = judged.accepted ? NULL : wrong_result(says, exact, got, &judged);
        free(says);
    }
    free(name);
    return status;
}

static void probe_rung(job *j, const probe *probed, const reference *exact, rung_result *rung) {
    result got = {{0}};
    char *reason = NULL;
    wf_status status = run_rung(j, rung, &probed->of, &got, NULL);
    if (status == WF_OK)
        status = judge_probe(j, probed, exact, rung, &got, &reason);
    if (status != WF_OK) {
        record_failure(j, rung, status);
    } else if (reason) {
        set_reason(rung, VERDICT_WRONG, cli_text("%s: %s", reason, probe_meaning(probed)));
        free(reason);
    }
}

static wf_status judge_run(job *j, rung_result *rung, const result *got, array_memory *seen) {
    const source from = source_of_data(&j->report->data, &j->report->exact.of);
    const reference *exact = &j->report->exact;
    char *reason = NULL;
    wf_status status = WF_OK;
    rung->folded = *got;
    if (rung->info.kind != WF_RUNG_REDUCES) {
        status = judge_array(j, rung, &from, &rung->launch, seen, &rung->judged, &reason);
    } else {
        rung->judged = verify(exact, got, &rung->launch);
        reason = rung->judged.accepted ? NULL : wrong_result("the result is", exact, got, &rung->judged);
    }
    if (reason)
        set_reason(rung, VERDICT_WRONG, reason);
    return status;
}

/* Once to warm up, then timed; every result is judged. */
static void time_rung(job *j, rung_result *rung) {
    const progression_report *report = j->report;
    array_memory seen = {.any = false};
    double *totals = cli_allocate(report->repeat, sizeof *totals);
    rung->samples = cli_allocate(report->repeat, sizeof *rung->samples);
    rung->judged.accepted = true;
    if (rung->verdict == VERDICT_NOT_RUN) /* else a probe has shown it to be wrong */
        rung->verdict = VERDICT_VERIFIED;
    for (size_t run = 0; run <= report->repeat && rung->verdict != VERDICT_FAILED; ++run) {
        result folded = {{0}};
        progress_show(&j->bar, rung->info.name);
        wf_status status = run_rung(j, rung, &report->exact.of, &folded, &rung->launch);
        progress_advance(&j->bar, 1);
        if (status == WF_OK && rung->judged.accepted)
            status = judge_run(j, rung, &folded, &seen);
        if (status != WF_OK) {
            record_failure(j, rung, status);
            break;
        }
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

/* Whether the rung can do the probe's fold. What is known of a sort's result needs no probe. */
static bool takes(const job *j, const probe *probed, const rung_result *rung) {
    wf_rung_options options = options_of(j->report->options, &probed->of.what);
    bool folds = rung->info.kind == WF_RUNG_REDUCES || rung->info.kind == WF_RUNG_SCANS;
    return folds && wf_rung_supports(rung->index, &options) == WF_OK;
}

static wf_status probe_with(job *j, const probe *probed) {
    const source from = source_of_probe(probed);
    reference exact;
    reference_begin(&exact, &probed->of);
    progress_show(&j->bar, "making the probe");
    wf_status status = upload(j, &from, &exact);
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
    const source from = source_of_data(&report->data, &report->exact.of);
    progress_show(&j->bar, "loading the data");
    wf_status status = upload(j, &from, &report->exact);
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
    progress_begin(&j.bar, !report->options->output.quiet,
                   count * (1 + report->rung_count) + 1 + runs * (1 + report->rung_count));
    j.stage = cli_allocate(1, STAGE_BYTES);
    wf_status status = wf_malloc(context, &j.device, (size_t)data->count * input_element_bytes(data));
    if (status == WF_OK && report_result_bytes(report) > 0)
        status = wf_malloc(context, &j.result, (size_t)data->count * report_result_bytes(report));
    for (size_t i = 0; i < count && status == WF_OK && !j.stopped; ++i)
        status = probe_with(&j, &probes[i]);
    if (status == WF_OK)
        status = time_all(&j);
    progress_end(&j.bar);
    if (status != WF_OK)
        cli_error("%s", wf_last_error());
    wf_free(context, j.result);
    wf_free(context, j.device);
    free(j.stage);
    return status == WF_OK;
}
