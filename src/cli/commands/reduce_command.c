/* `wavefold reduce`: the answer alone, for a file. */
#define _GNU_SOURCE
#include "cli/arguments/parse.h"
#include "cli/arguments/reduce_options.h"
#include "cli/cli.h"
#include "cli/input/input.h"
#include "cli/input/memory.h"
#include "cli/output/json_fold.h"
#include "cli/output/output_file.h"
#include "cli/output/terminal.h"
#include "cli/state_file.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct argp_option fold_table[] = {
    {"op", OPTION_OP, "OP", 0,
     "Operator: " HELP_OPS " (see wavefold operators); or " DESCRIBE
     ": count, sum, min, max, where these stand, mean and variance",
     0},
    {"type", OPTION_TYPE, "TYPE", 0, "Element type of a raw binary file: " HELP_TYPES "; a .npy file tells its own", 0},
    {"accumulator", OPTION_ACCUMULATOR, "TYPE", 0,
     HELP_ACCUMULATORS "the widest, i64, u64 or f64; of the mean of integers f64, or i64 or u64 if they have 1 or 2 "
                       "bytes. Exact sums are rounded into it",
     0},
    {"nan", OPTION_NAN, "RULE", 0,
     "What a NaN does to operators that choose an element, as min does, and to " DESCRIBE
     ": propagate (default) or ignore",
     0},
    {"accuracy", OPTION_ACCURACY, "HOW", 0,
     "How sums and products of floats are rounded: exact, once, the same bits on every device; fast, in the "
     "accumulator; or best (default): exact for " EXACT_SUMS ", else fast",
     0},
    {"state", OPTION_STATE, "FILE", 0, HELP_STATE, 0},
    {"n", OPTION_N, "COUNT", 0,
     "Elements, from the front of the file: " HELP_COUNTS "; 0 is allowed. Default: all of it", 0},
    {"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Fold the elements of FILE and print the result: NumPy's .npy, of any shape, or raw binary in this machine's byte "
    "order, which needs --type."
    "\vNumbers have just as many digits as are needed to read the same value again. argmin and argmax print the index, "
    "counted from 0 as numpy.ravel does, minmax, matmul and affine several numbers with blanks between them. Sums of "
    "floats are exact unless --accuracy says fast; on a terminal the accuracy of a sum or product of floats stands "
    "behind it.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold reduce heights.npy\n"
    "  wavefold reduce heights.npy --op argmax --nan ignore\n"
    "  wavefold reduce heights.npy --op describe --json -\n"
    "  wavefold reduce counts.bin --type u16 --op mean --device host\n"
    "  wavefold reduce heights.npy --accuracy fast\n"
    "  wavefold reduce part1.npy --state part1.state";

/* What was folded, by what, and what came of it. */
typedef struct answer {
    const reduce_options *options;
    input data;
    wf_device_info device;
    fold of;
    result folded;            /* unless it describes */
    wf_sum_state state;       /* if it is asked for */
    wf_description described; /* if it does */
    double seconds;
} answer;

/* ---- Options ---- */

/* What is known of these before the type. */
static void check_exactness(const reduce_options *options) {
    const fold_options *asked = &options->fold;
    if (asked->state_path != NULL && asked->what.accuracy == WF_ACCURACY_FAST)
        cli_usage_error(
            "--state and --accuracy fast exclude each other: a state is that of the exact sum; leave one out");
    if (asked->state_path != NULL && !has_sum_state(WF_F32, asked->what.op))
        cli_usage_error("%s has no state: --state is there for " EXACT_SUMS "; leave it out", reduced_name(options));
    if (describes(options) && asked->what.accuracy != WF_ACCURACY_BEST)
        cli_usage_error("--accuracy has no effect on " DESCRIBE ", which adds floats in f64; leave it out");
}

/* Two outputs in one file, or one in the input's place. */
static void check_outputs(const reduce_options *options) {
    const char *json_path = options->output.json_path, *state_path = options->fold.state_path;
    if (json_path != NULL && output_same_file(json_path, options->path))
        cli_usage_error("the report '%s' would replace the input; give another file", json_path);
    if (state_path != NULL && output_same_file(state_path, options->path))
        cli_usage_error("the state '%s' would replace the input; give another file", state_path);
    if (json_path != NULL && state_path != NULL && output_same_file(json_path, state_path))
        cli_usage_error("--json and --state both write '%s'; give two files", json_path);
}

static void check_request(const reduce_options *options) {
    const char *json_path = options->output.json_path;
    if (options->path == NULL && json_path != NULL && !output_is_stdout(json_path))
        cli_usage_error("reduce needs a file to fold, and --json took '%s' as the file that it writes; write "
                        "wavefold reduce FILE --json %s, or --json - for standard output",
                        json_path, json_path);
    if (options->path == NULL)
        cli_usage_error("reduce needs a file to fold: wavefold reduce FILE; see wavefold reduce --help");
    check_outputs(options);
    check_exactness(options);
    if (describes(options) && options->fold.what.accumulator != WF_ACCUMULATE_DEFAULT)
        cli_usage_error("--accumulator has no effect on " DESCRIBE ", which adds in 64 bits; leave it out");
    fold of;
    const char *why = options->fold.type_given ? reduce_refusal(options, options->fold.what.type, &of) : NULL;
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
            cli_usage_error("'%s' is one argument too many; reduce folds one file, '%s'", argument, options->path);
        if (strcmp(argument, "-") == 0)
            cli_usage_error(
                "'-' is no file, and reduce maps its input into memory; save standard input to a file first");
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- The fold ---- */

static bool open_data(answer *a) {
    const reduce_options *options = a->options;
    input *data = &a->data;
    const fold_options *asked = &options->fold;
    if (!input_open(data, options->path, asked->type_given ? &asked->what.type : NULL,
                    describes(options) ? WF_SUM : asked->what.op, asked->n_given ? &asked->n : NULL))
        return false;
    char *why = reduce_refusal(options, data->type, &a->of);
    if (why != NULL) {
        cli_error("input '%s': %s", options->path, why);
        free(why);
        return false;
    }
    /* What commutes and tells no index does not depend on the order, unless it takes a part of the elements. */
    bool any_order =
        !describes(options) && !a->of.info.has_index && !wf_op_is_ordered(a->of.what.op) && !asked->n_given;
    return any_order || input_in_c_order(data);
}

/* The elements where they lie in the file, or, if they cannot be folded so, a copy, which the caller frees. False, with
 * the reason printed, if there is no memory for it. */
static bool get_elements(const answer *a, const void **elements, void **copy) {
    const input *data = &a->data;
    size_t size = wf_type_size(data->type), bytes = (size_t)data->count * input_element_bytes(data);
    bool aligned = (uintptr_t)data->elements % size == 0 || !wf_op_is_ordered(a->of.what.op);
    *elements = data->elements;
    *copy = NULL;
    if (!data->swapped && aligned)
        return true;
    uint64_t available = memory_of_host();
    if (bytes <= available) /* malloc would promise more than there is */
        *copy = malloc(bytes != 0 ? bytes : 1);
    if (*copy == NULL) {
        cli_error("input '%s' cannot be folded where it lies, since its %s, and a copy needs %zu bytes of host memory, "
                  "but %" PRIu64
                  " are available; fold fewer elements with --n, or save the array again in native order",
                  data->path, data->swapped ? "byte order is not this machine's" : "elements are not aligned", bytes,
                  available);
        return false;
    }
    *elements = input_chunk(data, 0, (size_t)data->count, *copy);
    return true;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static wf_status fold_into_state(answer *a, wf_context *context, const void *elements, size_t count) {
    wf_sum_state_init(&a->state);
    wf_status status = wf_sum_state_accumulate(context, &a->of.what, elements, count, &a->state);
    if (status != WF_OK)
        return status;
    wf_op rounded = a->of.what.op == WF_MEAN ? WF_MEAN : WF_SUM;
    return wf_sum_state_round(&a->state, rounded, a->of.info.result_type, &a->folded);
}

static wf_status fold_elements(answer *a, wf_context *context, const void *elements) {
    const reduce_options *options = a->options;
    size_t count = (size_t)a->data.count;
    double start = now();
    const wf_describe_spec spec = {.type = a->data.type, .nan = options->fold.what.nan};
    wf_status status = describes(options) ? wf_describe(context, &spec, elements, count, &a->described)
                       : options->fold.state_path != NULL
                           ? fold_into_state(a, context, elements, count)
                           : wf_reduce(context, &a->of.what, elements, count, &a->folded);
    a->seconds = now() - start;
    return status;
}

/* ---- What is printed ---- */

static value wide_value(wf_number number) {
    return (value){.u64 = number.u64};
}

/* Of an element's type: that of a float has fewer digits. */
static value narrow_value(wf_type type, wf_number number) {
    return wf_type_is_float(type) ? value_of_double(type, number.f64) : value_of_bits(type, number.u64);
}

static void print_index(const char *name, uint64_t index) {
    if (index == NO_INDEX)
        printf("%snone\n", name);
    else
        printf("%s%" PRIu64 "\n", name, index);
}

static void print_number(const char *name, wf_type type, value v) {
    char text[VALUE_TEXT];
    value_format_shortest(type, v, text);
    printf("%s%s\n", name, text);
}

static void print_description(const answer *a) {
    const wf_description *of = &a->described;
    wf_type type = a->data.type;
    printf("count    %" PRIu64 "\n", of->count);
    print_number("sum      ", wide_type(type), wide_value(of->sum));
    print_number("min      ", type, narrow_value(type, of->min));
    print_number("max      ", type, narrow_value(type, of->max));
    print_index("argmin   ", of->argmin);
    print_index("argmax   ", of->argmax);
    print_number("mean     ", WF_F64, value_of_double(WF_F64, of->mean));
    print_number("variance ", WF_F64, value_of_double(WF_F64, of->variance));
}

/* How a sum or product of floats was rounded; NULL for whatever else there is. */
static const char *accuracy_of(const answer *a) {
    if (describes(a->options) || !wf_op_accumulates(a->of.what.op) || !wf_type_is_float(a->data.type))
        return NULL;
    return accuracy_name(a->of.info.accuracy == WF_ACCURACY_EXACT ? WF_ACCURACY_EXACT : WF_ACCURACY_FAST);
}

/* Of no other program's input: that gets the answer alone. */
static void print_accuracy(const answer *a) {
    const char *accuracy = accuracy_of(a);
    if (accuracy != NULL && terminal_is(stdout))
        printf("  (%s, %s)", accuracy, wf_type_name(a->of.info.result_type));
}

static void print_text(const answer *a) {
    const wf_reduction_info *info = &a->of.info;
    char text[VALUE_TEXT];
    if (describes(a->options)) {
        print_description(a);
    } else if (info->has_index) {
        print_index("", result_index(&a->folded));
    } else {
        for (size_t i = 0; i < info->result_values; i++) {
            value_format_shortest(info->result_type, result_value(&a->of, &a->folded, i), text);
            printf("%s%s", i != 0 ? " " : "", text);
        }
        print_accuracy(a);
        putchar('\n');
    }
}

static json_t *description_object(const answer *a) {
    const wf_description *of = &a->described;
    wf_type wide = wide_type(a->data.type);
    json_t *object = json_object();
    json_put(object, "count", json_whole(of->count));
    json_put(object, "sum", json_value(wide, wide_value(of->sum)));
    json_put(object, "min", json_value(wide, wide_value(of->min)));
    json_put(object, "max", json_value(wide, wide_value(of->max)));
    json_put(object, "argmin", json_index(of->argmin));
    json_put(object, "argmax", json_index(of->argmax));
    json_put(object, "mean", json_number(of->mean));
    json_put(object, "variance", json_number(of->variance));
    return object;
}

static json_t *document_of(const answer *a) {
    bool is_description = describes(a->options);
    const wf_reduction_info *info = &a->of.info;
    wf_type wide = wide_type(a->data.type);
    json_t *document = json_object();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "input", json_text(a->data.path));
    json_put(document, "n", json_count(a->data.count));
    json_put(document, "type", json_string(wf_type_name(a->data.type)));
    json_put(document, "op", json_string(reduced_name(a->options)));
    json_put(document, "accumulator", json_string(wf_type_name(is_description ? wide : info->accumulator)));
    json_put(document, "result_type", is_description ? json_null() : json_string(wf_type_name(info->result_type)));
    json_put(document, "accuracy", accuracy_of(a) != NULL ? json_string(accuracy_of(a)) : json_null());
    json_put(document, "nan", json_string(nan_rule_name(a->of.what.nan)));
    json_put(document, "device", json_device(&a->device));
    json_put(document, "seconds", json_number(a->seconds));
    json_put(document, "result", is_description ? description_object(a) : json_result(&a->of, &a->folded, json_value));
    return document;
}

/* ---- All of it ---- */

static bool run(answer *a, wf_context *context, const void *elements) {
    if (wf_context_get_device(context, &a->device) != WF_OK || fold_elements(a, context, elements) != WF_OK) {
        cli_error("input '%s': %s", a->data.path, wf_last_error());
        return false;
    }
    const output_options *output = &a->options->output;
    const char *state_path = a->options->fold.state_path;
    if (output_has_text(output) && !(state_path != NULL && output_is_stdout(state_path)))
        print_text(a);
    return (state_path == NULL || state_file_write(state_path, &a->state)) &&
           (output->json_path == NULL || json_save(document_of(a), output->json_path));
}

static bool can_begin(const reduce_options *options) {
    const char *state_path = options->fold.state_path;
    return output_can_begin(&options->output) && (state_path == NULL || state_file_check(state_path));
}

int reduce_main(int argc, char **argv) {
    static const struct argp fold_parser = {fold_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&fold_parser, 0, NULL, 0}, {&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {NULL, parse_option, "FILE", documentation, children, NULL, NULL};
    reduce_options options = {.fold = {.other_op = DESCRIBE}};
    answer a = {.options = &options};
    wf_context *context = NULL;
    const void *elements;
    void *copy = NULL;
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return CLI_FAILURE;
    bool done = can_begin(&options) && open_data(&a);
    if (done && wf_context_create(&context, options.fold.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        done = false;
    }
    done = done && get_elements(&a, &elements, &copy) && run(&a, context, elements);
    free(copy);
    wf_context_destroy(context);
    input_close(&a.data);
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
