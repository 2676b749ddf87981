/* `wavefold merge`: the sum of parts, from states of `wavefold reduce --state`. */
#define _GNU_SOURCE
#include "cli/arguments/fold_options.h"
#include "cli/arguments/output_options.h"
#include "cli/arguments/parse.h"
#include "cli/cli.h"
#include "cli/output/json_values.h"
#include "cli/output/output_file.h"
#include "cli/state_file.h"
#include "wavefold_sum.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option option_table[] = {
    {"op", OPTION_OP, "OP", 0, "Printed value: sum (default) or mean", 0},
    {"type", OPTION_TYPE, "TYPE", 0, "Type of the result, rounded once: f16, bf16, f32 or f64 (default)", 0},
    {"state", OPTION_STATE, "FILE", 0, HELP_STATE, 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Merge exact sums of parts: read each STATE, a file of wavefold reduce --state, and print the count of all terms "
    "and their sum, rounded once. - is standard input."
    "\vThe bits are those of one sum over all parts, for any order, any machines and any float types. "
    "States of asum and sumsq give their sums; states of different operators are refused. A state is 608 bytes and the "
    "same on every machine.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold reduce part1.npy --state part1.state\n"
    "  wavefold reduce part2.npy --state part2.state\n"
    "  wavefold merge part1.state part2.state\n"
    "  wavefold merge part1.state part2.state --op mean --state all.state";

typedef struct merge_options {
    const char **paths;
    size_t path_count;
    wf_op op;
    wf_type type;
    const char *state_path; /* NULL: not given */
    output_options output;
} merge_options;

/* ---- Options ---- */

static wf_op parse_rounded_op(const char *text) {
    static const wf_op ops[] = {WF_SUM, WF_MEAN};
    const char *names[] = {wf_op_name(WF_SUM), wf_op_name(WF_MEAN)};
    return ops[parse_name("operator of a state", text, names, sizeof names / sizeof *names)];
}

static wf_type parse_rounded_type(const char *text) {
    static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};
    enum { TYPES = sizeof types / sizeof *types };
    const char *names[TYPES];
    for (size_t i = 0; i < TYPES; i++)
        names[i] = wf_type_name(types[i]);
    return types[parse_name("type of a state's sum", text, names, TYPES)];
}

/* The merged state may replace an input: all inputs have been read by then. */
static void check_request(const merge_options *options) {
    const char *json_path = options->output.json_path, *state_path = options->state_path;
    if (options->path_count == 0)
        cli_usage_error("merge needs states: wavefold merge STATE...; see wavefold merge --help");
    size_t from_stdin = 0;
    for (size_t i = 0; i < options->path_count; i++)
        from_stdin += strcmp(options->paths[i], "-") == 0;
    if (from_stdin > 1)
        cli_usage_error("- is given %zu times, but standard input can be read only once; give files", from_stdin);
    if (json_path != NULL && state_path != NULL && output_same_file(json_path, state_path))
        cli_usage_error("--json and --state both write '%s'; give two files", json_path);
    for (size_t i = 0; json_path != NULL && i < options->path_count; i++)
        if (!output_is_stdout(json_path) && output_same_file(json_path, options->paths[i]))
            cli_usage_error("the report '%s' would replace an input; give another file", json_path);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    merge_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_OP:
        options->op = parse_rounded_op(argument);
        return 0;
    case OPTION_TYPE:
        options->type = parse_rounded_type(argument);
        return 0;
    case OPTION_STATE:
        options->state_path = output_path("--state", argument);
        return 0;
    case ARGP_KEY_ARG:
        options->paths[options->path_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Output ---- */

/* The printed name: mean, or the operator of the states. */
static const char *printed_name(const merge_options *options, wf_op states_op) {
    return wf_op_name(options->op == WF_MEAN ? WF_MEAN : states_op);
}

static void print_text(const merge_options *options, const wf_sum_state *state, wf_op states_op, value rounded) {
    char text[VALUE_TEXT];
    value_format_shortest(options->type, rounded, text);
    printf("count    %" PRId64 "\n%-8s %s\n", state->count, printed_name(options, states_op), text);
}

static json_t *document_of(const merge_options *options, const wf_sum_state *state, wf_op states_op, value rounded) {
    json_t *document = json_object(), *inputs = json_array();
    for (size_t i = 0; i < options->path_count; i++)
        json_add(inputs, json_text(options->paths[i]));
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "inputs", inputs);
    json_put(document, "n", json_count((uint64_t)state->count));
    json_put(document, "op", json_string(printed_name(options, states_op)));
    json_put(document, "result_type", json_string(wf_type_name(options->type)));
    json_put(document, "accuracy", json_string(accuracy_name(WF_ACCURACY_EXACT)));
    json_put(document, "result", json_value(options->type, rounded));
    return document;
}

/* ---- The command ---- */

static bool can_begin(const merge_options *options) {
    return output_can_begin(&options->output) && (options->state_path == NULL || state_file_check(options->state_path));
}

/* op: the operator of all states; sum if no file names one. */
static bool merge(const merge_options *options, wf_sum_state *state, wf_op *op) {
    wf_sum_state part;
    wf_op part_op;
    const char *first_named = NULL;
    *op = WF_SUM;
    for (size_t i = 0; i < options->path_count; i++) {
        if (!state_file_read(options->paths[i], &part, &part_op))
            return false;
        if (part_op != WF_OP_COUNT && first_named != NULL && part_op != *op) {
            cli_error("'%s' is a state of %s, '%s' of %s: merge states of one operator", first_named, wf_op_name(*op),
                      options->paths[i], wf_op_name(part_op));
            return false;
        }
        if (part_op != WF_OP_COUNT && first_named == NULL) {
            first_named = options->paths[i];
            *op = part_op;
        }
        if (wf_sum_state_merge(state, &part) != WF_OK) {
            cli_error("'%s' cannot be merged: %s", options->paths[i], wf_last_error());
            return false;
        }
    }
    return true;
}

static bool run(const merge_options *options) {
    const char *json_path = options->output.json_path, *state_path = options->state_path;
    wf_sum_state state;
    value rounded = {.u64 = 0};
    wf_op states_op;
    wf_sum_state_init(&state);
    if (!can_begin(options) || !merge(options, &state, &states_op))
        return false;
    if (wf_sum_state_round(&state, options->op, options->type, &rounded, wf_type_size(options->type)) != WF_OK) {
        cli_error("%s", wf_last_error());
        return false;
    }
    if (output_has_text(&options->output) && !(state_path != NULL && output_is_stdout(state_path)))
        print_text(options, &state, states_op, rounded);
    return (state_path == NULL || state_file_write(state_path, &state, states_op)) &&
           (json_path == NULL || json_save(document_of(options, &state, states_op, rounded), json_path));
}

int merge_main(int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, "STATE...", documentation, children, NULL, NULL};
    merge_options options = {.op = WF_SUM, .type = WF_F64};
    options.paths = cli_allocate((unsigned long)argc, sizeof *options.paths);
    bool done = argp_parse(&parser, argc, argv, 0, NULL, &options) == 0 && run(&options);
    free(options.paths);
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
