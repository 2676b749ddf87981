#define _GNU_SOURCE
#include "reduce_options.h"

#include "cli/cli.h"
#include "cli/input/input_path.h"
#include "cli/output/output_file.h"
#include "parse.h"

#include <stdlib.h>

static const struct argp_option fold_table[] = {
    {"op", OPTION_OP, "OP", 0,
     "Operator: " HELP_OPS " (see wavefold operators); or " DESCRIBE
     ": count, sum, min, max, their indices, mean and variance; or, for bool, all (the same as and) and any (or)",
     0},
    {"type", OPTION_TYPE, "TYPE", 0, "Element type of a raw binary file: " HELP_TYPES "; a .npy file has its own", 0},
    {"raw", OPTION_RAW, 0, 0, HELP_RAW, 0},
    {"accumulator", OPTION_ACCUMULATOR, "TYPE", 0,
     HELP_ACCUMULATORS "the widest: i64, u64 or f64; for the mean of integers f64, or i64 or u64 if they have 1 or 2 "
                       "bytes. Exact sums are rounded to it",
     0},
    {"nan", OPTION_NAN, "RULE", 0,
     "Effect of NaN on operators that choose an element, such as min, and on " DESCRIBE
     ": propagate (default) or ignore",
     0},
    {"accuracy", OPTION_ACCURACY, "HOW", 0,
     "Rounding of sums and products of floats: exact (once, the same bits on every device), fast (at each step, in the "
     "accumulator) or best (default): exact for " EXACT_SUMS ", else fast",
     0},
    {"state", OPTION_STATE, "FILE", 0, HELP_STATE, 0},
    {"n", OPTION_N, "COUNT", 0, "First elements of the file: " HELP_COUNTS "; 0 is allowed. Default: all elements", 0},
    {0, 0, 0, 0, 0, 0}};

/* Checks that do not need the type. */
static void check_exactness(const reduce_options *options) {
    const fold_options *asked = &options->fold;
    if (asked->state_path != NULL && asked->spec.accuracy == WF_ACCURACY_FAST)
        cli_usage_error("--state and --accuracy fast exclude each other: only an exact sum has a state; leave one out");
    if (asked->state_path != NULL && !has_sum_state(WF_F32, asked->spec.op))
        cli_usage_error("%s has no state: --state is for " EXACT_SUMS "; leave it out", reduced_name(options));
    if (describes(options) && asked->spec.accuracy == WF_ACCURACY_FAST)
        cli_usage_error("--accuracy fast is not for " DESCRIBE
                        ", whose sums of floats are exact, rounded to f64; leave it out");
}

/* Refuses two outputs in one file, and an output in the input's place. */
static void check_outputs(const reduce_options *options) {
    const char *json_path = options->output.json_path, *state_path = options->fold.state_path;
    char *input = input_file(options->path);
    if (json_path != NULL && output_same_file(json_path, input))
        cli_usage_error("the report '%s' would replace the input; give another file", json_path);
    if (state_path != NULL && output_same_file(state_path, input))
        cli_usage_error("the state '%s' would replace the input; give another file", state_path);
    free(input);
    if (json_path != NULL && state_path != NULL && output_same_file(json_path, state_path))
        cli_usage_error("--json and --state both write '%s'; give two files", json_path);
}

static void check_request(const reduce_options *options) {
    const char *json_path = options->output.json_path;
    if (options->path == NULL && json_path != NULL && !output_is_stdout(json_path))
        cli_usage_error("reduce needs an input file, and --json took '%s' as its output; write %s reduce FILE --json "
                        "%s, or --json - for standard output",
                        json_path, cli_program, json_path);
    if (options->path == NULL)
        cli_usage_error("reduce needs an input file: %s reduce FILE; see %s reduce --help", cli_program, cli_program);
    check_outputs(options);
    check_exactness(options);
    if (describes(options) && options->fold.spec.accumulator != WF_ACCUMULATE_DEFAULT)
        cli_usage_error("--accumulator has no effect on " DESCRIBE ", which adds in 64 bits; leave it out");
    if (options->fold.is_raw && !options->fold.type_given)
        cli_usage_error(
            "--raw needs the type of the file's elements: add --type f32, or another of wavefold operators");
    if (options->fold.bool_op != NULL && options->fold.type_given)
        cli_usage_error("--op %s is for files of bool, not for --type %s; write --op %s, which combines bits",
                        options->fold.bool_op, wf_type_name(options->fold.spec.type),
                        wf_op_name(options->fold.spec.op));
    fold of;
    const char *why = options->fold.type_given ? reduce_refusal(options, options->fold.spec.type, &of) : NULL;
    if (why != NULL)
        cli_usage_error("%s", why);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    reduce_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->fold;
        state->child_inputs[1] = &options->output;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path != NULL)
            cli_usage_error("'%s' is one argument too many; reduce takes one file, '%s'", argument, options->path);
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child children[] = {
    {&fold_parser, 0, NULL, 0}, {&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
const struct argp reduce_parser = {NULL, parse_option, "FILE", NULL, children, NULL, NULL};
