#include "fold_options.h"

#include "output_options.h"
#include "parse.h"

static void parse_reduced_op(fold_options *options, const char *name) {
    const int op = parse_op(name, options->of_reduce);
    options->bool_op = op == OP_ALL || op == OP_ANY ? name : NULL;
    options->spec.op = op == OP_ALL ? WF_AND : op == OP_ANY ? WF_OR : (wf_op)op;
}

error_t fold_options_parse(int key, char *argument, struct argp_state *state) {
    fold_options *options = state->input;
    switch (key) {
    case OPTION_N:
        options->n = parse_number("--n", argument, 0, INT64_MAX);
        options->n_given = true;
        return 0;
    case OPTION_TYPE:
        options->spec.type = parse_type(argument);
        options->type_given = true;
        return 0;
    case OPTION_RAW:
        options->is_raw = true;
        return 0;
    case OPTION_OP:
        parse_reduced_op(options, argument);
        return 0;
    case OPTION_ACCUMULATOR:
        options->spec.accumulator = parse_accumulator(argument);
        return 0;
    case OPTION_NAN:
        options->spec.nan = parse_nan(argument);
        return 0;
    case OPTION_ACCURACY:
        options->spec.accuracy = parse_accuracy(argument);
        return 0;
    case OPTION_STATE:
        options->state_path = output_path("--state", argument);
        return 0;
    case OPTION_DEVICE:
        options->device = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
