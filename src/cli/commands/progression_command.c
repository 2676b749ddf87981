#include "cli/arguments/options.h"
#include "cli/cli.h"
#include "cli/input/bool_check.h"
#include "cli/input/c_order.h"
#include "cli/input/memory.h"
#include "cli/measure/measure.h"
#include "cli/output/output_file.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C++ AMP sample's. */
static const uint64_t DEFAULT_COUNT = UINT64_C(16) << 20;
/* The host device runs all lanes in sequence: the sample's count would take minutes. */
static const uint64_t DEFAULT_COUNT_HOST = UINT64_C(1) << 18;
/* For times that are neither short nor long, see sampling.h. The host device's are long. */
enum { DEFAULT_REPEAT = 11, DEFAULT_REPEAT_HOST = 5 };

static bool open_input(progression_report *report) {
    const progression_options *options = report->options;
    const input_request request = {.path = options->input_path,
                                   .type = options->type_given ? &options->spec.type : NULL,
                                   .op = options->spec.op,
                                   .limit = options->n_given ? &options->n : NULL,
                                   .is_raw = options->is_raw};
    return input_open(&report->data, &request) && input_make_c_order(&report->data) && /* scans keep it */
           input_check_bools(&report->data, 0, report->data.count);
}

static bool choose_data(progression_report *report, bool host) {
    const progression_options *options = report->options;
    const wf_reduce_spec *spec = &options->spec;
    if (options->input_path != NULL)
        return open_input(report);
    report->count_reduced = host && !options->n_given;
    uint64_t count = options->n_given ? options->n : host ? DEFAULT_COUNT_HOST : DEFAULT_COUNT;
    report->data = (input){.kind = options->seed_given ? INPUT_RANDOM : INPUT_PATTERN,
                           .type = spec->type,
                           .scalars = wf_facts_of_op(spec->op).scalars,
                           .count = count};
    report->data.made = (generator){.type = spec->type,
                                    .op = spec->op,
                                    .scalars = report->data.scalars,
                                    .count = count,
                                    .random = options->seed_given,
                                    .seed = options->seed};
    return true;
}

/* The library would report this only after the data are made. */
static bool fits(const wf_device_info *device, const char *option, uint32_t asked, uint32_t most) {
    if (asked > most)
        cli_error("%s %" PRIu32 " is beyond the limit of %s; take %" PRIu32 " or less", option, asked, device->id,
                  most);
    return asked <= most;
}

/* The remedy other than a larger tile. */
static const char *other_rungs(const progression_options *options, const choice *chosen, size_t refusing) {
    if (options->rungs_given && refusing < chosen->count)
        return refusing == 1 ? "leave it out of --rungs" : "leave them out of --rungs";
    size_t cascade;
    const wf_rung_options asked = options_of(options, &chosen->of.spec);
    const bool amp_takes_it = wf_rung_find("cascade", &cascade) == WF_OK && wf_rung_supports(cascade, &asked) == WF_OK;
    if (options->rungs_given || !amp_takes_it ||
        (options->family != NULL && strcmp(options->family, ALL_FAMILIES) != 0))
        return "name other rungs with --rungs";
    return "choose --family amp, which reduces without waves";
}

/* No requested rung is dropped: all of them run, or none. */
static bool has_whole_waves(const progression_report *report, const choice *chosen) {
    enum { MOST = 4 }; /* words in the message */
    const progression_options *options = report->options;
    const wf_device_info *device = &report->device;
    const char *names[MOST];
    char rest[32];
    size_t refusing = 0;
    if (options->tile == 0 || options->tile >= device->wave_width) /* both are powers of two */
        return true;
    for (size_t i = 0; i < chosen->count; i++)
        if ((chosen->rungs[i].info.parameters & WF_RUNG_WHOLE_WAVES) != 0) {
            if (refusing < MOST)
                names[refusing] = chosen->rungs[i].info.name;
            refusing++;
        }
    if (refusing == 0)
        return true;
    if (refusing > MOST) {
        snprintf(rest, sizeof rest, "%zu others", refusing - (MOST - 1));
        names[MOST - 1] = rest;
    }
    char *list = cli_list(names, refusing < MOST ? refusing : MOST);
    cli_error("--tile %" PRIu32 " is less than the %" PRIu32
              " threads of a wave on %s, and %s %s whole waves; take --tile %" PRIu32 " or more, or %s",
              options->tile, device->wave_width, device->id, list, refusing == 1 ? "needs" : "need", device->wave_width,
              other_rungs(options, chosen, refusing));
    free(list);
    return false;
}

/* Other limits of a rung on --tile, in the library's words, before any data are made. Rungs that were not named are
 * left out. */
static bool takes_tile(const progression_report *report, choice *chosen, wf_context *context) {
    const progression_options *options = report->options;
    const wf_rung_options asked = options_of(options, &chosen->of.spec);
    size_t i = 0;
    while (i < chosen->count && options->tile != 0) {
        result of_none;
        const size_t bytes =
            chosen->rungs[i].info.kind == WF_RUNG_REDUCES ? chosen->of.info.result_bytes : 0; /* of no elements */
        if (wf_rung_run(context, chosen->rungs[i].index, &asked, NULL, 0, &of_none, bytes, NULL) == WF_OK) {
            i++;
            continue;
        }
        const bool others = chosen->count > 1;
        if (!options->rungs_given && others) {
            choice_leave_out(chosen, i, wf_last_error());
            continue;
        }
        cli_error("%s, or %s", wf_last_error(), others ? "leave it out of --rungs" : "name other rungs with --rungs");
        return false;
    }
    return true;
}

static bool write_csv(const void *report, FILE *stream) {
    return csv_write(report, stream);
}

static bool write_reports(const progression_report *report) {
    const progression_options *options = report->options;
    const char *json_path = options->output.json_path, *csv_path = options->csv_path;
    if (output_has_text(&options->output) && !(csv_path != NULL && output_is_stdout(csv_path)))
        table_print(report, stdout);
    const bool json_written = json_path == NULL || json_save(report_document(report), json_path);
    const bool csv_written = csv_path == NULL || output_write(csv_path, write_csv, report);
    return json_written && csv_written;
}

/* Without the table, the error names the rung. */
static void tell_first_failure(const progression_report *report) {
    size_t i = 0;
    while (i < report->row_count && report->rows[i].reason == NULL)
        i++;
    if (i < report->row_count)
        cli_error("%zu of %zu rungs verified; %s: %s", report->verified, report->row_count, report->rows[i].name,
                  report->rows[i].reason);
}

static bool run(progression_report *report, choice *chosen, wf_context *context) {
    const progression_options *options = report->options;
    if (wf_context_get_device(context, &report->device) != WF_OK) {
        cli_error("%s", wf_last_error());
        return false;
    }
    const bool host = strcmp(report->device.backend, "host") == 0;
    report->repeat = options->repeat != 0 ? options->repeat : host ? DEFAULT_REPEAT_HOST : DEFAULT_REPEAT;
    if (!fits(&report->device, "--tile", options->tile, report->device.max_tile_size) ||
        !fits(&report->device, "--tiles", options->tiles, report->device.max_tiles) || !choose_data(report, host))
        return false;
    /* The file's type may still be unsupported. */
    if ((chosen->rungs == NULL && !choose(chosen, options, report->data.type)) || !has_whole_waves(report, chosen) ||
        !takes_tile(report, chosen, context) ||
        !memory_suffices(&report->device, &report->data, measure_result_bytes(chosen)))
        return false;
    if (chosen->left_out != NULL && !options->output.quiet)
        cli_error("%s", chosen->left_out);
    if (!measure(report, chosen, context) || !write_reports(report))
        return false;
    if (options->output.quiet)
        tell_first_failure(report);
    return report->verified == report->row_count;
}

int progression_main(int argc, char **argv) {
    progression_options options;
    progression_report report = {.options = &options};
    choice chosen;
    wf_context *context = NULL;
    options_parse(&options, &chosen, argc, argv);
    bool verified = output_can_begin(&options.output) && (options.csv_path == NULL || output_check(options.csv_path));
    if (verified && wf_context_create(&context, options.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        verified = false;
    }
    verified = verified && run(&report, &chosen, context);
    report_free(&report);
    choice_free(&chosen);
    wf_context_destroy(context);
    options_free(&options);
    return verified ? CLI_SUCCESS : CLI_FAILURE;
}
