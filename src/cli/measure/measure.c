#include "measure.h"

#include "array_check.h"
#include "cli/cli.h"
#include "cli/input/memory.h"
#include "cli/output/progress.h"
#include "cli/output/result_text.h"
#include "cli/parallel.h"
#include "probe_name.h"
#include "rung_rows.h"
#include "sampling.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CEILING_SAMPLES = 21,  /* every share in the table refers to this figure */
    READ_BYTES = 16,       /* the least that wf_read_ceiling reads */
    UPLOAD_PIECE = 1 << 16 /* elements that are generated at a time, on one core */
};
/* An idle GPU clocks down, and needs about this time to recover. */
static const double REST_SECONDS = 0.002, WARM_SECONDS = 0.1;

typedef struct job {
    progression_report *report;
    rung_run *rungs;
    size_t rung_count;
    size_t result_bytes; /* of an element: see measure_result_bytes */
    wf_context *context;
    void *device;   /* the data, in device memory; first the probe's */
    void *result;   /* results that are arrays; NULL if there are none */
    void *stage;    /* STAGE_BYTES of host memory */
    sampling timed; /* runs of a rung */
    bool stopped;   /* no further rung can be run */
    double busy;    /* when the device last was, in progress_now's seconds */
    progress bar;
} job;

typedef struct chunk {
    const source *from;
    uint64_t first;
    size_t count;
    char *stage;
    reference *parts;
} chunk;

static void make_part(void *of, size_t part) {
    const chunk *c = of;
    size_t at = part * UPLOAD_PIECE, count = c->count - at < UPLOAD_PIECE ? c->count - at : UPLOAD_PIECE;
    char *elements = c->stage + at * c->from->of->info.element_bytes;
    source_fill(c->from, c->first + at, count, elements);
    reference_begin(&c->parts[part], c->from->of);
    reference_add(&c->parts[part], elements, count);
}

/* Copies the data, or a probe's, to the device in chunks, and reduces them exactly on the way. */
static wf_status upload(job *j, const source *from, reference *exact) {
    size_t size = from->of->info.element_bytes, most = STAGE_BYTES / size;
    chunk c = {.from = from, .stage = j->stage, .parts = cli_allocate(most / UPLOAD_PIECE + 1, sizeof *c.parts)};
    wf_status status = WF_OK;
    for (; c.first < from->count && status == WF_OK; c.first += most) {
        c.count = from->count - c.first < most ? (size_t)(from->count - c.first) : most;
        size_t parts = (c.count + UPLOAD_PIECE - 1) / UPLOAD_PIECE;
        parallel(parts, make_part, &c);
        for (size_t i = 0; i < parts; i++)
            reference_merge(exact, &c.parts[i]);
        status = wf_copy_to_device(j->context, (char *)j->device + c.first * size, j->stage, c.count * size);
    }
    free(c.parts);
    return status;
}

/* Before times are taken. */
static void warm(job *j) {
    size_t bytes = (size_t)j->report->data.count * input_element_bytes(&j->report->data);
    double began = progress_now(), seconds;
    wf_status status = WF_OK;
    if (strcmp(j->report->device.backend, "host") == 0 || began - j->busy < REST_SECONDS)
        return;
    while (status == WF_OK && progress_now() - began < WARM_SECONDS) /* a failure here repeats at the measured run */
        status = wf_read_ceiling(j->context, j->device, bytes, &seconds);
    j->busy = progress_now();
}

/* Takes ownership of the reason. */
static void set_reason(rung_run *rung, verdict reached, char *reason) {
    rung->verdict = reached;
    if (rung->reason != NULL) {
        char *both = cli_text("%s; %s", rung->reason, reason);
        free(rung->reason);
        free(reason);
        reason = both;
    }
    rung->reason = reason;
}

/* A kernel's fault or an unsupported request does not affect the next rung; after other errors, such as a lost device,
 * no later result is reliable. */
static void record_failure(job *j, rung_run *rung, wf_status status) {
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

/* A result that is an array, which is on the device. */
static wf_status judge_array(job *j, const rung_run *rung, const source *from, const wf_rung_report *launch,
                             judgement *judged, char **reason) {
    const array_run run = {.context = j->context,
                           .from = *from,
                           .kind = rung->info.kind,
                           .exclusive = j->report->options->exclusive,
                           .descending = j->report->options->descending,
                           .row_length = row_length_of(j->report->options),
                           .result = j->result,
                           .launch = launch};
    return array_check(&run, judged, reason);
}

/* So that no rung is verified by the result of the rung before. */
static wf_status spoil_result(job *j) {
    size_t bytes = (size_t)j->report->data.count * j->result_bytes;
    memset(j->stage, 0xa5, bytes < STAGE_BYTES ? bytes : STAGE_BYTES);
    for (size_t first = 0; first < bytes; first += STAGE_BYTES) {
        size_t piece = bytes - first < STAGE_BYTES ? bytes - first : STAGE_BYTES;
        wf_status status = wf_copy_to_device(j->context, (char *)j->result + first, j->stage, piece);
        if (status != WF_OK)
            return status;
    }
    return WF_OK;
}

/* Of a result that is an array of elements of this size. */
static size_t bytes_of_array(const job *j, const rung_run *rung, size_t element) {
    const progression_report *report = j->report;
    size_t pair = rung->info.kind == WF_RUNG_SORTS_PAIRS ? sizeof(uint32_t) : 0;
    return (size_t)results_of(report->options, rung->info.kind, report->data.count) * (element + pair);
}

/* Runs the rung on the device's data. */
static wf_status run_rung(job *j, const rung_run *rung, const fold *of, result *folded, wf_rung_report *launch) {
    const wf_rung_options options = options_of(j->report->options, &of->spec);
    bool reduces = rung->info.kind == WF_RUNG_REDUCES;
    return wf_rung_run(j->context, rung->index, &options, j->device, (size_t)j->report->data.count,
                       reduces ? folded : j->result,
                       reduces ? of->info.result_bytes : bytes_of_array(j, rung, of->info.element_bytes), launch);
}

/* The fault that the probe found, or NULL. */
static wf_status judge_probe(job *j, const probe *probed, const reference *exact, const rung_run *rung,
                             const result *got, char **reason) {
    const source from = source_of_probe(probed);
    const wf_rung_report no_launch = {0}; /* probes are exact */
    char *name = probe_name(probed);
    judgement judged;
    wf_status status = WF_OK;
    *reason = NULL;
    if (rung->info.kind != WF_RUNG_REDUCES) {
        char *wrong = NULL;
        status = judge_array(j, rung, &from, &no_launch, &judged, &wrong);
        *reason = wrong != NULL ? cli_text("the probe, %s: %s", name, wrong) : NULL;
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

static void probe_rung(job *j, const probe *probed, const reference *exact, rung_run *rung) {
    result got = {{0}};
    char *reason = NULL;
    wf_status status = rung->info.kind == WF_RUNG_REDUCES ? WF_OK : spoil_result(j);
    if (status == WF_OK)
        status = run_rung(j, rung, &probed->of, &got, NULL);
    if (status == WF_OK)
        status = judge_probe(j, probed, exact, rung, &got, &reason);
    if (status != WF_OK) {
        record_failure(j, rung, status);
    } else if (reason != NULL) {
        set_reason(rung, VERDICT_WRONG, cli_text("%s: %s", reason, probe_meaning(probed)));
        free(reason);
    }
}

/* Verifies a reduction's result of every run, once for equal bits. */
static void judge_results(const job *j, rung_run *rung, const result *results, size_t runs) {
    const reference *exact = &j->report->exact;
    for (size_t i = 0; i < runs; i++) {
        if (i > 0 && memcmp(&results[i], &rung->folded, sizeof *results) == 0)
            continue;
        rung->folded = results[i];
        rung->judged = verify(exact, &rung->folded, &rung->launch);
        if (!rung->judged.accepted) {
            set_reason(rung, VERDICT_WRONG, wrong_result("the result is", exact, &rung->folded, &rung->judged));
            return;
        }
    }
}

/* Whether all right arrays have the same sum of words: equal bits, in any order. Scans of floats may round differently
 * in each run, and keep another NaN. */
static bool is_one_array(const progression_report *report, const rung_run *rung) {
    return rung->info.kind != WF_RUNG_REDUCES &&
           (rung->info.kind != WF_RUNG_SCANS || !wf_type_is_float(report->data.type));
}

/* The device adds the words: a copy to the host and another check would let it idle. */
static wf_status sum_words(job *j, const rung_run *rung, result *sum) {
    const wf_reduce_spec spec = {.type = WF_U32, .op = WF_SUM};
    return wf_reduce(j->context, &spec, j->result,
                     bytes_of_array(j, rung, input_element_bytes(&j->report->data)) / sizeof(uint32_t), sum,
                     sizeof(uint32_t));
}

/* Verifies the array of the last run, and the sums of the others. */
static wf_status judge_arrays(job *j, rung_run *rung, const result *sums, size_t runs) {
    const source from = source_of_data(&j->report->data, &j->report->exact.of);
    char *reason = NULL;
    wf_status status = judge_array(j, rung, &from, &rung->launch, &rung->judged, &reason);
    for (size_t i = 0; i + 1 < runs && status == WF_OK && reason == NULL; i++)
        if (memcmp(&sums[i], &sums[runs - 1], sizeof *sums) != 0) {
            reason = cli_text("run %zu of %zu left another array than the last, which is right", i + 1, runs);
            rung->judged.accepted = rung->judged.ulps_known = false;
            rung->judged.error = NAN;
        }
    if (reason != NULL)
        set_reason(rung, VERDICT_WRONG, reason);
    return status;
}

/* Runs the data. got: a reduction's result, or the sum of an array's words if that is meaningful. */
static wf_status run_once(job *j, rung_run *rung, result *got) {
    wf_status status = run_rung(j, rung, &j->report->exact.of, got, &rung->launch);
    return status == WF_OK && is_one_array(j->report, rung) ? sum_words(j, rung, got) : status;
}

/* Once to warm up, then timed, one run right after the other. */
static wf_status run_all(job *j, rung_run *rung, result *results) {
    wf_status status = run_once(j, rung, &results[0]);
    while (status == WF_OK && sampling_goes_on(&j->timed, rung->samples, rung->sample_count)) {
        size_t i = rung->sample_count;
        status = run_once(j, rung, &results[1 + i]);
        if (status != WF_OK)
            break;
        rung->samples[i] = rung->launch.device_seconds;
        rung->totals[i] = rung->launch.total_seconds;
        rung->sample_count++;
    }
    if (rung->launch.launches > 0) /* else the CPU was busy */
        j->busy = progress_now();
    return status;
}

static wf_status run_and_judge(job *j, rung_run *rung, result *results) {
    bool reduces = rung->info.kind == WF_RUNG_REDUCES;
    wf_status status = reduces ? WF_OK : spoil_result(j);
    warm(j);
    if (status == WF_OK)
        status = run_all(j, rung, results);
    if (status == WF_OK && reduces)
        judge_results(j, rung, results, 1 + rung->sample_count);
    else if (status == WF_OK)
        status = judge_arrays(j, rung, results, 1 + rung->sample_count);
    return status;
}

static void time_rung(job *j, rung_run *rung) {
    const progression_report *report = j->report;
    result *results = cli_allocate(1 + j->timed.most, sizeof *results);
    rung->samples = cli_allocate(j->timed.most, sizeof *rung->samples);
    rung->totals = cli_allocate(j->timed.most, sizeof *rung->totals);
    rung->judged.accepted = true;
    if (rung->verdict == VERDICT_NOT_RUN) /* else a probe has shown it to be wrong */
        rung->verdict = VERDICT_VERIFIED;
    progress_show(&j->bar, rung->info.name);
    const wf_status status = run_and_judge(j, rung, results);
    progress_advance(&j->bar, report->repeat + 1);
    if (status != WF_OK)
        record_failure(j, rung, status);
    free(results);
}

/* Once to warm up, then timed, as a rung is. */
static wf_status time_reading(job *j, size_t bytes, timing *of) {
    const sampling rule = sampling_of(0, CEILING_SAMPLES);
    double *samples = cli_allocate(rule.most, sizeof *samples);
    size_t count = 0;
    wf_status status = wf_read_ceiling(j->context, j->device, bytes, &samples[0]);
    while (status == WF_OK && sampling_goes_on(&rule, samples, count)) {
        status = wf_read_ceiling(j->context, j->device, bytes, &samples[count]);
        count++;
    }
    if (status == WF_OK)
        *of = timing_of(samples, count);
    free(samples);
    return status;
}

static wf_status measure_ceiling(job *j) {
    progression_report *report = j->report;
    const size_t bytes = (size_t)report->data.count * input_element_bytes(&report->data);
    timing call = {.median = bytes != 0 ? INFINITY : 0};
    progress_show(&j->bar, "read ceiling");
    warm(j);
    wf_status status = time_reading(j, bytes, &report->ceiling);
    if (status == WF_OK && bytes >= READ_BYTES)
        status = time_reading(j, READ_BYTES, &call);
    j->busy = progress_now();
    progress_advance(&j->bar, report->repeat + 1);
    report->ceiling_known = status == WF_OK;
    report->call_seconds = call.median;
    return status == WF_UNSUPPORTED ? WF_OK : status;
}

/* Whether the rung supports the probe's reduction. Sorts need no probe. */
static bool takes(const job *j, const probe *probed, const rung_run *rung) {
    wf_rung_options options = options_of(j->report->options, &probed->of.spec);
    bool sorts = rung->info.kind == WF_RUNG_SORTS || rung->info.kind == WF_RUNG_SORTS_PAIRS;
    return !sorts && wf_rung_supports(rung->index, &options) == WF_OK;
}

static wf_status probe_with(job *j, const probe *probed) {
    const source from = source_of_probe(probed);
    reference exact;
    reference_begin(&exact, &probed->of);
    progress_show(&j->bar, "making the probe");
    wf_status status = upload(j, &from, &exact);
    progress_advance(&j->bar, 1);
    for (size_t i = 0; i < j->rung_count && status == WF_OK && !j->stopped; i++) {
        rung_run *rung = &j->rungs[i];
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
    for (size_t i = 0; i < j->rung_count && status == WF_OK; i++) {
        rung_run *rung = &j->rungs[i];
        if (rung->verdict == VERDICT_FAILED)
            progress_advance(&j->bar, report->repeat + 1);
        else if (j->stopped)
            rung->verdict = VERDICT_NOT_RUN;
        else
            time_rung(j, rung);
    }
    return status;
}

size_t measure_result_bytes(const choice *chosen) {
    size_t most = 0;
    for (size_t i = 0; i < chosen->count; i++) {
        const wf_rung_kind kind = chosen->rungs[i].info.kind;
        const size_t element = chosen->of.info.element_bytes, position = sizeof(uint32_t);
        const size_t bytes = kind == WF_RUNG_REDUCES ? 0 : kind == WF_RUNG_SORTS_PAIRS ? element + position : element;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static wf_status measure_all(job *j) {
    progression_report *report = j->report;
    const input *data = &report->data;
    const size_t runs = report->repeat + 1; /* the first warms up */
    probe probes[MOST_PROBES];
    /* Other numbers than --seed makes from the same seed. */
    const size_t count = probes_for(&report->exact.of, ~report->options->seed, data->count, probes);
    progress_begin(&j->bar, !report->options->output.quiet,
                   count * (1 + j->rung_count) + 1 + runs * (1 + j->rung_count));
    wf_status status = wf_malloc(j->context, &j->device, (size_t)data->count * input_element_bytes(data));
    if (status == WF_OK && j->result_bytes > 0)
        status = wf_malloc(j->context, &j->result, (size_t)data->count * j->result_bytes);
    for (size_t i = 0; i < count && status == WF_OK && !j->stopped; i++)
        status = probe_with(j, &probes[i]);
    if (status == WF_OK)
        status = time_all(j);
    progress_end(&j->bar);
    return status;
}

bool measure(progression_report *report, const choice *chosen, wf_context *context) {
    job j = {.report = report,
             .rungs = cli_allocate(chosen->count, sizeof *j.rungs),
             .rung_count = chosen->count,
             .result_bytes = measure_result_bytes(chosen),
             .context = context,
             .timed = sampling_of(report->options->repeat, report->repeat),
             .stage = cli_allocate(1, STAGE_BYTES)};
    for (size_t i = 0; i < chosen->count; i++)
        j.rungs[i] = (rung_run){.index = chosen->rungs[i].index, .info = chosen->rungs[i].info};
    reference_begin(&report->exact, &chosen->of);
    const wf_status status = measure_all(&j);
    if (status != WF_OK)
        cli_error("%s", wf_last_error());
    wf_free(context, j.result);
    wf_free(context, j.device);
    free(j.stage);
    rung_rows_make(report, j.rungs, j.rung_count);
    free(j.rungs);
    return status == WF_OK;
}
