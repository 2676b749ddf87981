/* `wavefold reduce`: the answer alone, for a file. */
#define _GNU_SOURCE
#include "cli/arguments/output_options.h"
#include "cli/arguments/parse.h"
#include "cli/cli.h"
#include "cli/input/input.h"
#include "cli/input/memory.h"
#include "cli/output/json_fold.h"
#include "cli/output/output_file.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    OPTION_N = 'n',
    OPTION_TYPE = 't',
    OPTION_OP = 'o',
    OPTION_DEVICE = 'd',
    OPTION_ACCUMULATOR = 0x100, /* beyond characters: these have no short name */
    OPTION_NAN
};

#define DESCRIBE "describe"

static const struct argp_option option_table[] = {
    {"op", OPTION_OP, "OP", 0,
     "Operator: sum (default), min, max, product, mean, minmax, argmin, argmax, and, or, xor, matmul or affine (see "
     "wavefold operators); or " DESCRIBE ": count, sum, min, max, where these stand, mean and variance",
     0},
    {"type", OPTION_TYPE, "TYPE", 0,
     "Element type of a raw binary file: f32, " HELP_OTHER_TYPES "; a .npy file tells its own", 0},
    {"accumulator", OPTION_ACCUMULATOR, "TYPE", 0,
     HELP_ACCUMULATORS
     "the widest, i64, u64 or f64; of the mean of integers f64, or i64 or u64 if they have 1 or 2 bytes",
     0},
    {"nan", OPTION_NAN, "RULE", 0,
     "What a NaN does to min, max, minmax, argmin, argmax and " DESCRIBE ": propagate (default) or ignore", 0},
    {"n", OPTION_N, "COUNT", 0,
     "Elements, from the front of the file: " HELP_COUNTS "; 0 is allowed. Default: all of it", 0},
    {"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Fold the elements of FILE and print the result: NumPy's .npy, of any shape, or raw binary in this machine's byte "
    "order, which needs --type."
    "\vNumbers have just as many digits as are needed to read the same value again. argmin and argmax print the index, "
    "counted from 0 as numpy.ravel does, minmax, matmul and affine several numbers with blanks between them.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold reduce heights.npy\n"
    "  wavefold reduce heights.npy --op argmax --nan ignore\n"
    "  wavefold reduce heights.npy --op describe --json -\n"
    "  wavefold reduce counts.bin --type u16 --op mean --device host";

typedef struct reduce_options {
    const char *path, *device; /* NULL: not given */
    wf_reduce_spec what;       /* describes: type and nan alone */
    bool describes, type_given, n_given;
    uint64_t n;
    output_options output;
} reduce_options;

/* What was folded, by what, and what came of it. */
typedef struct answer {
    const reduce_options *options;
    input data;
    wf_device_info device;
    fold of;
    result folded;            /* unless it describes */
    wf_description described; /* if it does */
    double seconds;
} answer;

/* ---- Options ---- */

/* Of one kind with the type, in 64 bits. */
static wf_type wide_type(wf_type type) {
    return wf_type_is_float(type) ? WF_F64 : wf_type_is_signed(type) ? WF_I64 : WF_U64;
}

/* The library's default is for programs, which know their data. Here a sum of integers should be right without further
 * thought, and reading the file takes longer than to add in 64 bits. The mean of integers is like that by default. */
static wf_accumulator default_accumulator(wf_type type, wf_op op) {
    if (!wf_op_accumulates(op) || (op == WF_MEAN && !wf_type_is_float(type)))
        return WF_ACCUMULATE_DEFAULT;
    wf_type wide = wide_type(type);
    return wide == WF_F64 ? WF_ACCUMULATE_F64 : wide == WF_I64 ? WF_ACCUMULATE_I64 : WF_ACCUMULATE_U64;
}

/* describe is no reduction of the table; what it takes is what argmin, which it gives, takes. */
static wf_status check_what(const reduce_options *options, wf_type type, fold *of) {
    wf_reduce_spec what = options->what;
    what.type = type;
    if (options->describes)
        what.op = WF_ARGMIN;
    else if (what.accumulator == WF_ACCUMULATE_DEFAULT)
        what.accumulator = default_accumulator(type, what.op);
    return fold_of(&what, of);
}

static void check_request(const reduce_options *options) {
    fold of;
    const char *json_path = options->output.json_path;
    if (!options->path && json_path && !output_is_stdout(json_path))
        cli_usage_error("reduce needs a file to fold, and --json took '%s' as the file that it writes; write "
                        "wavefold reduce FILE --json %s, or --json - for standard output",
                        json_path, json_path);
    if (!options->path)
        cli_usage_error("reduce needs a file to fold: wavefold reduce FILE; see wavefold reduce --help");
    if (json_path && output_same_file(json_path, options->path))
        cli_usage_error("the report '%s' would replace the input; give another file", json_path);
    if (options->describes && options->what.accumulator != WF_ACCUMULATE_DEFAULT)
        cli_usage_error("--accumulator has no effect on " DESCRIBE ", which adds in 64 bits; leave it out");
    if (options->type_given && check_what(options, options->what.type, &of) != WF_OK)
        cli_usage_error("%s; see wavefold operators", wf_last_error());
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    reduce_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_N:
        options->n = parse_number("--n", argument, 0, INT64_MAX);
        options->n_given = true;
        return 0;
    case OPTION_TYPE:
        options->what.type = parse_type(argument);
        options->type_given = true;
        return 0;
    case OPTION_OP:
        options->what.op = parse_op(argument, DESCRIBE);
        options->describes = options->what.op == WF_OP_COUNT;
        return 0;
    case OPTION_ACCUMULATOR:
        options->what.accumulator = parse_accumulator(argument);
        return 0;
    case OPTION_NAN:
        options->what.nan = parse_nan(argument);
        return 0;
    case OPTION_DEVICE:
        options->device = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
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
    if (!input_open(data, options->path, options->type_given ? &options->what.type : NULL,
                    options->describes ? WF_SUM : options->what.op, options->n_given ? &options->n : NULL))
        return false;
    if (check_what(options, data->type, &a->of) != WF_OK) {
        cli_error("input '%s': %s; see wavefold operators", options->path, wf_last_error());
        return false;
    }
    /* What commutes and tells no index does not depend on the order, unless it takes a part of the elements. */
    bool any_order =
        !options->describes && !a->of.info.has_index && !wf_op_is_ordered(a->of.what.op) && !options->n_given;
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
        *copy = malloc(bytes ? bytes : 1);
    if (!*copy) {
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

static wf_status fold_elements(answer *a, wf_context *context, const void *elements) {
    const reduce_options *options = a->options;
    size_t count = (size_t)a->data.count;
    double start = now();
    const wf_describe_spec spec = {.type = a->data.type, .nan = options->what.nan};
    wf_status status = options->describes ? wf_describe(context, &spec, elements, count, &a->described)
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

static void print_text(const answer *a) {
    const wf_reduction_info *info = &a->of.info;
    char text[VALUE_TEXT];
    if (a->options->describes) {
        print_description(a);
    } else if (info->has_index) {
        print_index("", result_index(&a->folded));
    } else {
        for (size_t i = 0; i < info->result_values; ++i) {
            value_format_shortest(info->result_type, result_value(&a->of, &a->folded, i), text);
            printf("%s%s", i ? " " : "", text);
        }
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
    bool describes = a->options->describes;
    const wf_reduction_info *info = &a->of.info;
    wf_type wide = wide_type(a->data.type);
    json_t *document = json_object();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "input", json_text(a->data.path));
    json_put(document, "n", json_count(a->data.count));
    json_put(document, "type", json_string(wf_type_name(a->data.type)));
    json_put(document, "op", json_string(describes ? DESCRIBE : wf_op_name(a->of.what.op)));
    json_put(document, "accumulator", json_string(wf_type_name(describes ? wide : info->accumulator)));
    json_put(document, "result_type", describes ? json_null() : json_string(wf_type_name(info->result_type)));
    json_put(document, "nan", json_string(nan_rule_name(a->of.what.nan)));
    json_put(document, "device", json_device(&a->device));
    json_put(document, "seconds", json_number(a->seconds));
    json_put(document, "result", describes ? description_object(a) : json_result(&a->of, &a->folded, json_value));
    return document;
}

/* ---- All of it ---- */

static bool run(answer *a, wf_context *context, const void *elements) {
    if (wf_context_get_device(context, &a->device) != WF_OK || fold_elements(a, context, elements) != WF_OK) {
        cli_error("input '%s': %s", a->data.path, wf_last_error());
        return false;
    }
    const output_options *output = &a->options->output;
    if (output_has_text(output))
        print_text(a);
    return !output->json_path || json_save(document_of(a), output->json_path);
}

int reduce_main(int argc, char **argv) {
    static const struct argp parser = {option_table, parse_option, "FILE", documentation, output_children, NULL, NULL};
    reduce_options options = {.path = NULL};
    answer a = {.options = &options};
    wf_context *context = NULL;
    const void *elements;
    void *copy = NULL;
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return CLI_FAILURE;
    bool done = output_can_begin(&options.output) && open_data(&a);
    if (done && wf_context_create(&context, options.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        done = false;
    }
    done = done && get_elements(&a, &elements, &copy) && run(&a, context, elements);
    free(copy);
    wf_context_destroy(context);
    input_close(&a.data);
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
