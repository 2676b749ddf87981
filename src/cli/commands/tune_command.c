/* `wavefold tune`: measures, stores and prints the table of a device. */
#define _GNU_SOURCE
#include "cli/arguments/fold_options.h"
#include "cli/arguments/output_options.h"
#include "cli/arguments/parse.h"
#include "cli/cli.h"
#include "cli/output/json_values.h"
#include "cli/output/output_file.h"
#include "cli/output/progress.h"
#include "cli/output/text_table.h"
#include "wavefold_tune.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTION_MOST = 0x100, OPTION_DRY_RUN, OPTION_SHOW };
#define LEAST_BYTES UINT64_C(4096)
#define MOST_BYTES (UINT64_C(256) << 20)
#define LEAST_ON_HOST (UINT64_C(16) << 10)

static const struct argp_option fold_table[] = {{"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 0},
                                                {0, 0, 0, 0, 0, 0}};

static const struct argp_option option_table[] = {
    {"most", OPTION_MOST, "BYTES", 0,
     "Bytes of the largest measured array, 4Ki to 256Mi (default); larger arrays keep the built-in table. On the host "
     "device at least 16Ki; arrays beyond 16Mi are not measured",
     0},
    {"dry-run", OPTION_DRY_RUN, 0, 0, "Measure and print; store nothing", 0},
    {"show", OPTION_SHOW, 0, 0, "Measure nothing: print the table in use, and whether a tuned one was ignored", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Find the fastest launch shape of a device for each array size, and store it as the launch table that the library "
    "uses in every program. Exact sums keep their own built-in table. On the host device, find the least share of an "
    "array that makes another thread worthwhile."
    "\vIt takes a few seconds; nothing else should run on the device meanwhile. The table's file is in the folder that "
    "WAVEFOLD_CACHE names, else in wavefold in XDG_CACHE_HOME, else in .cache/wavefold in HOME; remove it to return to "
    "the built-in table. A file of another device or version of wavefold is ignored.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold tune\n"
    "  wavefold tune --device host\n"
    "  wavefold tune --device nvidia:1 --dry-run\n"
    "  wavefold tune --show";

typedef struct tune_options {
    fold_options fold; /* the device alone */
    wf_tune_spec spec;
    bool show;
    output_options output;
} tune_options;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    tune_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->fold;
        state->child_inputs[1] = &options->output;
        return 0;
    case OPTION_MOST:
        options->spec.most_bytes = parse_number("--most", argument, LEAST_BYTES, MOST_BYTES);
        return 0;
    case OPTION_DRY_RUN:
        options->spec.dry_run = 1;
        return 0;
    case OPTION_SHOW:
        options->show = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_usage_error("'%s' is one argument too many; see %s --help", argument, state->name);
    case ARGP_KEY_END:
        if (options->show && (options->spec.dry_run || options->spec.most_bytes != 0))
            cli_usage_error("--show measures nothing: leave out %s", options->spec.dry_run ? "--dry-run" : "--most");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- The measurement ---- */

/* "64 KiB": sizes of the table are powers of two, or of few digits. */
static char *bytes_text(uint64_t bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    for (; unit < 3 && bytes % 1024 == 0 && bytes != 0; unit++)
        bytes /= 1024;
    return cli_text("%" PRIu64 " %s", bytes, units[unit]);
}

static void show_progress(void *user, uint64_t bytes, uint32_t done, uint32_t steps) {
    progress *bar = user;
    char *doing = bytes_text(bytes);
    bar->steps = steps;
    bar->done = done;
    progress_show(bar, doing);
    free(doing);
}

static wf_status tune(wf_context *context, const tune_options *options) {
    progress bar;
    progress_begin(&bar, !options->output.quiet, 1);
    wf_status status = wf_tune(context, &options->spec, show_progress, &bar);
    progress_end(&bar);
    return status;
}

/* A report in the table's place would be ignored as damaged, and the measurements lost. */
static bool spares_table(wf_context *context, const char *json_path) {
    wf_tuning_info tuning;
    if (json_path == NULL || wf_context_get_tuning(context, &tuning) != WF_OK || *tuning.path == '\0' ||
        !output_same_file(json_path, tuning.path))
        return true;
    cli_error("the report '%s' would replace the table; give another file", json_path);
    return false;
}

/* The least size depends on the device: the host device measures threads. The library's message would name its own
 * option, and allow 0. */
static bool most_suffices(wf_context *context, const tune_options *options) {
    const uint64_t most = options->spec.most_bytes;
    wf_tuning_info tuning;
    wf_device_info device;
    if (most == 0 || most >= LEAST_ON_HOST || wf_context_get_tuning(context, &tuning) != WF_OK ||
        tuning.row_count != 0 || wf_context_get_device(context, &device) != WF_OK)
        return true;
    cli_error("--most %" PRIu64 " is less than the smallest measured array on %s; take %" PRIu64
              " or more, or leave it out",
              most, device.id, LEAST_ON_HOST);
    return false;
}

/* ---- Output ---- */

static text_table launches_of(const wf_tuning_info *tuning) {
    static const text_column columns[] = {{"arrays up to", true},
                                          {"threads per tile", true},
                                          {"16-byte loads per thread", true},
                                          {"tiles per multiprocessor, at most", true}};
    text_table table = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    for (uint32_t r = 0; r < tuning->row_count; r++) {
        const wf_tuning_row *row = &tuning->rows[r];
        text_table_add(&table, row->bytes == UINT64_MAX ? cli_text("any size") : bytes_text(row->bytes));
        text_table_add(&table, cli_text("%" PRIu32, row->tile_size));
        text_table_add(&table, cli_text("%" PRIu32, row->loads));
        text_table_add(&table, cli_text("%" PRIu32, row->tiles_per_processor));
    }
    return table;
}

static text_table threads_of(const wf_tuning_info *tuning) {
    static const text_column columns[] = {{"threads", false}, {"bytes for each, at least", true}};
    text_table table = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    text_table_add(&table, cli_text("awake, just after another reduction"));
    text_table_add(&table, bytes_text(tuning->awake_bytes));
    text_table_add(&table, cli_text("asleep, to be woken"));
    text_table_add(&table, bytes_text(tuning->asleep_bytes));
    return table;
}

static void print_text(const wf_device_info *device, const wf_tuning_info *tuning) {
    const bool launches = tuning->row_count != 0;
    text_table table = launches ? launches_of(tuning) : threads_of(tuning);
    printf("%s, %s: %s\n", device->id, device->name, tuning->detail);
    if (*tuning->path != '\0')
        printf("file: %s\n", tuning->path);
    puts(launches ? "\nLaunches by the array's size. Beyond the most tiles, each thread loads more:"
                  : "\nThe CPU's threads share a reduction if each gets at least this many bytes of the array:");
    text_table_print(&table, stdout);
    text_table_free(&table);
}

static json_t *json_shares(const wf_tuning_info *tuning) {
    json_t *shares = json_object();
    json_put(shares, "awake_bytes", json_whole(tuning->awake_bytes));
    json_put(shares, "asleep_bytes", json_whole(tuning->asleep_bytes));
    return shares;
}

static json_t *document_of(const wf_device_info *device, const wf_tuning_info *tuning) {
    json_t *document = json_object(), *rows = json_array();
    for (uint32_t r = 0; r < tuning->row_count; r++) {
        const wf_tuning_row *row = &tuning->rows[r];
        json_t *object = json_object();
        json_put(object, "bytes", row->bytes == UINT64_MAX ? json_null() : json_count(row->bytes));
        json_put(object, "tile_size", json_count(row->tile_size));
        json_put(object, "loads", json_count(row->loads));
        json_put(object, "tiles_per_processor", json_count(row->tiles_per_processor));
        json_add(rows, object);
    }
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "device", json_device(device));
    json_put(document, "is_tuned", json_boolean(tuning->is_tuned));
    json_put(document, "status", json_text(wf_status_name(tuning->status)));
    json_put(document, "detail", json_text(tuning->detail));
    json_put(document, "path", *tuning->path != '\0' ? json_text(tuning->path) : json_null());
    json_put(document, "rows", rows);
    json_put(document, "threads", tuning->row_count != 0 ? json_null() : json_shares(tuning));
    return document;
}

/* ---- The command ---- */

int tune_main(int argc, char **argv) {
    static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&fold_parser, 0, NULL, 0}, {&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    tune_options options = {.show = false};
    wf_context *context = NULL;
    wf_device_info device;
    wf_tuning_info tuning;
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0 || !output_can_begin(&options.output))
        return CLI_FAILURE;
    wf_status status = wf_context_create(&context, options.fold.device);
    if (status == WF_OK && !(most_suffices(context, &options) && spares_table(context, options.output.json_path))) {
        wf_context_destroy(context);
        return CLI_FAILURE;
    }
    if (status == WF_OK && !options.show)
        status = tune(context, &options);
    if (status == WF_OK)
        status = wf_context_get_device(context, &device);
    if (status == WF_OK)
        status = wf_context_get_tuning(context, &tuning);
    wf_context_destroy(context);
    if (status != WF_OK) {
        cli_error("%s", wf_last_error());
        return CLI_FAILURE;
    }
    const char *json_path = options.output.json_path;
    if (output_has_text(&options.output))
        print_text(&device, &tuning);
    return json_path == NULL || json_save(document_of(&device, &tuning), json_path) ? CLI_SUCCESS : CLI_FAILURE;
}
