#define _GNU_SOURCE
#include "options.h"

#include "cli/cli.h"
#include "cli/input/input_path.h"
#include "cli/output/output_file.h"
#include "fold_options.h"
#include "ladder/limits.h"
#include "parse.h"
#include "wavefold_ladder.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 10000 };

enum {
    OPTION_RUNGS = 'r',
    OPTION_INPUT = 'i',
    OPTION_TILE = 0x100, /* beyond characters: these have no short name */
    OPTION_TILES,
    OPTION_WINDOW,
    OPTION_ROW_LENGTH,
    OPTION_REPEAT,
    OPTION_SEED,
    OPTION_CSV,
    OPTION_FAMILY,
    OPTION_EXCLUSIVE,
    OPTION_DESCENDING
};

static const struct argp_option fold_table[] = {
    {"n", OPTION_N, "COUNT", 0,
     "Elements: " HELP_COUNTS
     "; 0 is allowed. With --input, the first COUNT. Default: 16Mi on a GPU, 256Ki on the host device, all of --input",
     1},
    {"type", OPTION_TYPE, "TYPE", 0, "Element type: " HELP_TYPES "; default: f32", 1},
    {"raw", OPTION_RAW, 0, 0, HELP_RAW, 1},
    {"op", OPTION_OP, "OP", 0, "Operator: " HELP_OPS "; wavefold operators shows the types of each", 1},
    {"accumulator", OPTION_ACCUMULATOR, "TYPE", 0,
     HELP_ACCUMULATORS
     "the element type if it has 4 or 8 bytes, else i64, u64 or f32; f64 for the mean of integers of 4 or 8 bytes",
     1},
    {"nan", OPTION_NAN, "RULE", 0,
     "Effect of NaN on operators that choose an element, such as min: propagate (default) or ignore", 1},
    {"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 2},
    {0, 0, 0, 0, 0, 0}};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "Data and operator:", 1},
    {"exclusive", OPTION_EXCLUSIVE, 0, 0, "Exclusive scans: element i of the result excludes element i of the data", 1},
    {"descending", OPTION_DESCENDING, 0, 0, "Sort in descending order", 1},
    {"input", OPTION_INPUT, "FILE", 0,
     "Read the elements from FILE: NumPy's .npy, or raw binary in this machine's byte order, which needs --type; "
     "FILE.npz:NAME is an array of an .npz archive, - is standard input",
     1},
    {"seed", OPTION_SEED, "S", 0,
     "Make random data from seed S, 0 to 2^63 - 1: floats from [-1, 1), integers from their whole range. Default: the "
     "pattern (i mod 16)*0.01, for integers i mod 16. Products change both: see the manual",
     1},
    {0, 0, 0, 0, "Device and rungs:", 2},
    {"rungs", OPTION_RUNGS, "LIST", 0,
     "Run only these rungs, in this order: names separated by commas; see wavefold rungs", 2},
    {"family", OPTION_FAMILY, "NAME", 0,
     "Run the rungs of this family that support the request: amp, code, wave, grid, ordered, one_wave, scan, sort, "
     "rows or "
     "beyond; or all. Default: amp, the best rung of each other family, and exact",
     2},
    {"tile", OPTION_TILE, "THREADS", 0,
     "Threads of a tile: a power of two from 2 to the device's limit (wavefold devices), at least a wave for rungs "
     "that reduce by waves (wavefold rungs). Default: 256",
     2},
    {"tiles", OPTION_TILES, "COUNT", 0,
     "Tiles of rungs with a fixed number of tiles: 1 to 65536. Default: depends on the device", 2},
    {"window", OPTION_WINDOW, "WIDTH", 0, "Elements per thread of simple_2: 2 to 1024. Default: 8", 2},
    {"row-length", OPTION_ROW_LENGTH, "COUNT", 0,
     "Elements of a row, for rungs that reduce rows: " HELP_COUNTS ". Default: 64", 2},
    {"repeat", OPTION_REPEAT, "N", 0,
     "Timed runs of each rung, after one untimed run: 1 to 10000. Default: 11 on a GPU, 5 on the host device; up to "
     "101 short runs, until they take 50 ms, and at least 3 runs if they take a second",
     2},
    {0, 0, 0, 0, "Output:", OUTPUT_GROUP},
    {"csv", OPTION_CSV, "FILE", 0, "Write CSV to FILE, one row per rung, with the rules of --json", OUTPUT_GROUP},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Run rungs of the ladder on one array, verify every result, and compare each rung's time with the read speed of "
    "the device."
    "\vTimes are device time: from the first launch to the end of the last, with the data on the device. "
    "GB are 10^9 bytes, ceiling is the share of the read speed measured in the same run, and ulps count the "
    "representable values between a result and the exact result. For sums of floats the exact result is the real sum "
    "of all elements, rounded once, as by the rung exact.\n\n"
    "Exit status: 0 if every rung was verified, 1 if not or on a failure, 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold progression\n"
    "  wavefold progression --n 2^26 --type f64 --rungs tiled_4,cascade\n"
    "  wavefold progression --family all\n"
    "  wavefold progression --device host:32:random=7 --n 10K\n"
    "  wavefold progression --input data.npy --op max --json report.json";

static uint32_t parse_tile(const char *text) {
    uint64_t tile = parse_number("--tile", text, 0, UINT64_MAX);
    const uint64_t most = UINT64_C(1) << 31; /* the largest power of two in 32 bits */
    if (tile < WF_LEAST_TILE || tile > most)
        cli_usage_error("--tile %s is out of range; it must be from %d to the device's limit, which wavefold devices "
                        "shows",
                        text, WF_LEAST_TILE);
    if ((tile & (tile - 1)) != 0) {
        uint64_t below = WF_LEAST_TILE;
        while (2 * below < tile)
            below *= 2;
        cli_usage_error("--tile %s is no power of two; take %" PRIu64 " or %" PRIu64, text, below, 2 * below);
    }
    return (uint32_t)tile;
}

static void add_rung(progression_options *options, const char *name) {
    if (*name == '\0')
        cli_usage_error("--rungs has an empty name; write names with single commas between them");
    const size_t index = parse_rung("--rungs: ", name);
    for (size_t i = 0; i < options->named_count; i++)
        if (options->named[i] == index)
            cli_usage_error("--rungs names '%s' twice; name each rung once", name);
    options->named[options->named_count++] = index;
}

static void parse_rungs(progression_options *options, const char *list) {
    char *names = cli_text("%s", list), *rest = names;
    options->named_count = 0;
    for (char *name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ","))
        add_rung(options, name);
    free(names);
}

static const char *parse_family(const char *text) {
    const char **names = cli_allocate(wf_rung_count() + 1, sizeof *names);
    size_t count = 0;
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); i++) /* family by family */
        if (wf_rung_get_info(i, &info) == WF_OK && (count == 0 || strcmp(names[count - 1], info.family) != 0))
            names[count++] = info.family;
    names[count++] = ALL_FAMILIES;
    const char *family = names[parse_name("family", text, names, count)];
    free(names);
    return family;
}

static void check_together(const progression_options *options) {
    const char *json_path = options->output.json_path, *outputs[] = {json_path, options->csv_path};
    if (options->seed_given && options->input_path != NULL)
        cli_usage_error("--seed makes data and --input reads data; give one of them");
    if (options->is_raw && (options->input_path == NULL || !options->type_given))
        cli_usage_error(
            "--raw needs a file and the type of its elements: add --input FILE and --type, or leave it out");
    if (options->rungs_given && options->family != NULL)
        cli_usage_error("--family and --rungs both choose rungs; give one of them");
    if (json_path != NULL && options->csv_path != NULL && output_same_file(json_path, options->csv_path))
        cli_usage_error("--json and --csv both write '%s'; give two files", json_path);
    char *input = options->input_path != NULL ? input_file(options->input_path) : NULL;
    for (size_t i = 0; input != NULL && i < 2; i++)
        if (outputs[i] != NULL && output_same_file(outputs[i], input))
            cli_usage_error("the report '%s' would replace the input; give another file", outputs[i]);
    free(input);
}

typedef struct parsed {
    progression_options *options;
    fold_options fold;
} parsed;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    parsed *of = state->input;
    progression_options *options = of->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &of->fold;
        state->child_inputs[1] = &options->output;
        return 0;
    case OPTION_INPUT:
        options->input_path = argument;
        return 0;
    case OPTION_SEED:
        options->seed = parse_number("--seed", argument, 0, INT64_MAX);
        options->seed_given = true;
        return 0;
    case OPTION_RUNGS:
        parse_rungs(options, argument);
        options->rungs_given = true;
        return 0;
    case OPTION_FAMILY:
        options->family = parse_family(argument);
        return 0;
    case OPTION_TILE:
        options->tile = parse_tile(argument);
        return 0;
    case OPTION_TILES:
        options->tiles = (uint32_t)parse_number("--tiles", argument, 1, WF_MOST_TILES);
        return 0;
    case OPTION_WINDOW:
        options->window = (uint32_t)parse_number("--window", argument, WF_LEAST_WINDOW, WF_MOST_WINDOW);
        return 0;
    case OPTION_ROW_LENGTH:
        options->row_length = (uint32_t)parse_number("--row-length", argument, 1, UINT32_MAX);
        return 0;
    case OPTION_REPEAT:
        options->repeat = (uint32_t)parse_number("--repeat", argument, 1, MOST_REPEATS);
        return 0;
    case OPTION_CSV:
        options->csv_path = output_path("--csv", argument);
        return 0;
    case OPTION_EXCLUSIVE:
        options->exclusive = true;
        return 0;
    case OPTION_DESCENDING:
        options->descending = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_usage_error("'%s' is not an option; write --input FILE to read a file", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void options_parse(progression_options *options, choice *chosen, int argc, char **argv) {
    static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&fold_parser, 0, NULL, 0}, {&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    *options = (progression_options){.n = 0};
    *chosen = (choice){.rungs = NULL};
    options->named = cli_allocate(wf_rung_count(), sizeof *options->named);
    parsed of = {.options = options};
    if (argp_parse(&parser, argc, argv, 0, NULL, &of) != 0)
        exit(CLI_FAILURE);
    options->spec = of.fold.spec;
    options->spec.accuracy = WF_ACCURACY_FAST; /* in the rungs' accuracy */
    options->n = of.fold.n;
    options->n_given = of.fold.n_given;
    options->type_given = of.fold.type_given;
    options->is_raw = of.fold.is_raw;
    options->device = of.fold.device;
    check_together(options);
    /* A type from the file is checked when the file is read. */
    if ((options->input_path == NULL || options->type_given) && !choose(chosen, options, options->spec.type))
        exit(CLI_USAGE);
}

void options_free(progression_options *options) {
    free(options->named);
}
