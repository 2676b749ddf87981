#include "array_options.h"

#include "cli/cli.h"
#include "cli/input/input_path.h"
#include "cli/output/output_file.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

static const struct argp_option fold_table[] = {
    {"type", OPTION_TYPE, "TYPE", 0, "Element type of a raw binary file: " HELP_TYPES "; a .npy file has its own", 1},
    {"raw", OPTION_RAW, 0, 0, HELP_RAW, 1},
    {"n", OPTION_N, "COUNT", 0, "First elements of the file: " HELP_COUNTS "; 0 is allowed. Default: all elements", 1},
    {"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 1},
    {0, 0, 0, 0, 0, 0}};

static const struct argp_option file_table[] = {
    {"output", OPTION_OUTPUT, "FILE", 0,
     "Write the results to FILE as .npy, which is replaced when the new one is complete; - is standard output, without "
     "the text",
     OUTPUT_GROUP},
    {0, 0, 0, 0, 0, 0}};

static const struct argp_option along_table[] = {
    {"axis", OPTION_AXIS, "LIST", 0,
     "Along the one dimension in LIST, of a .npy array: 0 is the first, -1 the last. Default: all elements as one row, "
     "in C order",
     0},
    {0, 0, 0, 0, 0, 0}};

/* "scan" of "wavefold scan" */
static const char *subcommand_of(const struct argp_state *state) {
    const char *blank = strrchr(state->name, ' ');
    return blank != NULL ? blank + 1 : state->name;
}

static void check_outputs(const array_options *options) {
    const char *json_path = options->output.json_path, *path = options->axes.output_path;
    char *input = input_file(options->path);
    if (json_path != NULL && output_same_file(json_path, input))
        cli_usage_error("the report '%s' would replace the input; give another file", json_path);
    if (path != NULL && output_same_file(path, input))
        cli_usage_error("the output '%s' would replace the input; give another file", path);
    free(input);
    if (json_path != NULL && path != NULL && output_same_file(path, json_path))
        cli_usage_error("--json and --output both write '%s'; give two files", path);
}

static void check_request(const array_options *options, const struct argp_state *state) {
    const char *subcommand = subcommand_of(state);
    if (options->path == NULL)
        cli_usage_error("%s needs an input file: %s %s FILE; see %s %s --help", subcommand, cli_program, subcommand,
                        cli_program, subcommand);
    check_outputs(options);
    if (options->fold.is_raw && !options->fold.type_given)
        cli_usage_error("--raw needs the type of the file's elements: add --type f32, or another of wavefold "
                        "operators");
    if (options->axes.count > 1)
        cli_usage_error(
            "--axis names %zu dimensions, and %s goes along one; name one, or leave it out for all elements",
            options->axes.count, subcommand);
    if (options->axes.count != 0 && options->fold.n_given)
        cli_usage_error("--axis and --n exclude each other: --n cuts dimensions apart; leave one out, or save a part "
                        "of the array");
    if (options->axes.count != 0 && options->fold.is_raw)
        cli_usage_error("--axis and --raw exclude each other: raw binary has no shape; save the array with numpy.save");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    array_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->fold;
        state->child_inputs[1] = &options->axes;
        state->child_inputs[2] = &options->output;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path != NULL)
            cli_usage_error("'%s' is one argument too many; %s takes one file, '%s'", argument, subcommand_of(state),
                            options->path);
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_along(int key, char *argument, struct argp_state *state) {
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    (void)argument;
    state->child_inputs[0] = &((array_options *)state->input)->axes;
    return 0;
}

static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp file_parser = {file_table, axis_options_parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp axis_only_parser = {along_table, axis_options_parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child children[] = {
    {&fold_parser, 0, NULL, 0}, {&file_parser, 0, NULL, 0}, {&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
static const struct argp_child along_children[] = {{&axis_only_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
const struct argp array_parser = {NULL, parse_option, "FILE", NULL, children, NULL, NULL};
const struct argp along_parser = {NULL, parse_along, NULL, NULL, along_children, NULL, NULL};
