#define _GNU_SOURCE
#include "scan_options.h"

#include "cli/cli.h"
#include "number_text.h"
#include "parse.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_EXCLUSIVE = 0x500 /* above the keys of axis_options.h */, OPTION_REVERSE, OPTION_INITIAL, OPTION_NARROW };

static const struct argp_option fold_table[] = {
    {"op", OPTION_OP, "OP", 0, "Operator: sum (default), product, min, max, argmin, argmax, matmul or affine", 0},
    {"accumulator", OPTION_ACCUMULATOR, "TYPE", 0,
     HELP_ACCUMULATORS "i64 or u64 for integers, f64 for f64, f32 for other floats. Results have this type", 0},
    {"nan", OPTION_NAN, "RULE", 0, "Effect of NaN on min, max, argmin and argmax: propagate (default) or ignore", 0},
    {0, 0, 0, 0, 0, 0}};

static const struct argp_option option_table[] = {
    {"exclusive", OPTION_EXCLUSIVE, 0, 0,
     "Result i combines the elements before element i, without it; result 0 is the initial value", 0},
    {"reverse", OPTION_REVERSE, 0, 0, "Result i combines element i and those behind it", 0},
    {"initial", OPTION_INITIAL, "X", 0, "What comes before the first element; not for argmin, argmax, matmul, affine",
     0},
    {"as-elements", OPTION_NARROW, 0, 0, "Round sums and products to the element type; integers wrap", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Scan the elements of FILE: result i combines the elements up to element i. FILE is " HELP_ARRAY_FILES
    " FILE.npz:NAME is an array of an .npz archive, and - is standard input."
    "\vThe results have the shape of the array, or with no --axis one dimension, as numpy.cumsum's do. Their bits are "
    "the same on every device. argmin and argmax give indices along the axis. The first and the last results are "
    "printed unless --output is given.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold scan rain.npy --output total.npy\n"
    "  wavefold scan heights.npy --op max --axis -1 --output highest.npy\n"
    "  wavefold scan lengths.npy --exclusive --output offsets.npy\n"
    "  wavefold scan counts.bin --type u16 --reverse --json -";

/* ---- The scan of a type ---- */

static bool adds_or_multiplies(wf_op op) {
    return op == WF_SUM || op == WF_PRODUCT;
}

/* As for numpy.cumsum: integers have 64 bits, so that sums do not wrap by surprise, and floats keep their type. */
static wf_accumulator default_accumulator(wf_type type, wf_op op) {
    if (!adds_or_multiplies(op) || wf_type_is_float(type))
        return WF_ACCUMULATE_DEFAULT;
    return wf_type_is_signed(type) ? WF_ACCUMULATE_I64 : WF_ACCUMULATE_U64;
}

static char *read_initial(const scan_options *options, bool is_bool, scan_request *request) {
    const wf_reduce_spec *spec = &request->spec.reduce;
    const bool is_element = !adds_or_multiplies(spec->op);
    const wf_type type = is_element ? spec->type : request->of.info.accumulator;
    value number;
    char *why = number_of_text(type, options->initial, &number);
    if (why == NULL && is_element && is_bool && number.u8 > 1)
        why = cli_text("is no bool; write 0 or 1");
    if (why != NULL) {
        char *text = cli_text("--initial '%s' %s", options->initial, why);
        free(why);
        return text;
    }
    value_put(type, request->initial.bytes, 0, number);
    request->spec.initial = request->initial.bytes;
    return NULL;
}

char *scan_refusal(const scan_options *options, wf_type type, bool is_bool, scan_request *request) {
    wf_scan_spec *const spec = &request->spec;
    *spec = (wf_scan_spec){.reduce = options->array.fold.spec,
                           .exclusive = options->exclusive,
                           .reverse = options->reverse,
                           .as_elements = options->as_elements};
    spec->reduce.type = type;
    if (spec->reduce.accumulator == WF_ACCUMULATE_DEFAULT)
        spec->reduce.accumulator = default_accumulator(type, spec->reduce.op);
    request->of.spec = spec->reduce;
    if (wf_scan_get_info(spec, &request->of.info) != WF_OK)
        return cli_text("%s; see wavefold operators", wf_last_error());
    return options->initial != NULL ? read_initial(options, is_bool, request) : NULL;
}

/* ---- Options ---- */

static void check_operator(const scan_options *options) {
    const wf_op op = options->array.fold.spec.op;
    const wf_scan_spec spec = {.reduce = {.type = adds_or_multiplies(op) ? WF_F32 : WF_I32, .op = op}};
    wf_reduction_info info;
    if (wf_scan_get_info(&spec, &info) != WF_OK)
        cli_usage_error("%s", wf_last_error());
    if (options->as_elements && !adds_or_multiplies(op))
        cli_usage_error("--as-elements is for sum and product: results of %s have the elements' type; leave it out",
                        wf_op_name(op));
    if (options->initial != NULL && !adds_or_multiplies(op) && op != WF_MIN && op != WF_MAX)
        cli_usage_error("--initial is for sum, product, min and max, not for %s; leave it out", wf_op_name(op));
}

static void check_request(const scan_options *options) {
    const fold_options *asked = &options->array.fold;
    scan_request request;
    value number;
    check_operator(options);
    char *why = asked->type_given          ? scan_refusal(options, asked->spec.type, false, &request)
                : options->initial != NULL ? number_of_text(WF_F64, options->initial, &number)
                                           : NULL;
    if (why != NULL && asked->type_given)
        cli_usage_error("%s", why);
    if (why != NULL)
        cli_usage_error("--initial '%s' %s", options->initial, why);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    scan_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->array.fold;
        state->child_inputs[1] = state->child_inputs[2] = &options->array;
        return 0;
    case OPTION_EXCLUSIVE:
        options->exclusive = true;
        return 0;
    case OPTION_REVERSE:
        options->reverse = true;
        return 0;
    case OPTION_INITIAL:
        options->initial = argument;
        return 0;
    case OPTION_NARROW:
        options->as_elements = true;
        return 0;
    case ARGP_KEY_END: /* behind the children's */
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void scan_options_parse(scan_options *options, int argc, char **argv) {
    static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&fold_parser, 0, NULL, 0}, {&along_parser, 0, NULL, 0}, {&array_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    *options = (scan_options){.exclusive = false};
    if (argp_parse(&parser, argc, argv, 0, NULL, options) != 0)
        exit(CLI_FAILURE);
}
