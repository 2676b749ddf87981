/* `wavefold reduce`: prints only the result, for a file. */
#define _GNU_SOURCE
#include "axis_reduction.h"
#include "cli/answer/answer.h"
#include "cli/arguments/axis_request.h"
#include "cli/arguments/parse.h"
#include "cli/arguments/reduce_options.h"
#include "cli/cli.h"
#include "cli/input/bool_check.h"
#include "cli/input/c_order.h"
#include "cli/output/answer_output.h"
#include "cli/output/progress.h"
#include "wavefold_sum.h"

#include <argp.h>
#include <stdlib.h>

static const struct argp_option device_table[] = {{"device", OPTION_DEVICE, "NAME", 0, HELP_DEVICE, 0},
                                                  {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Reduce the elements of FILE and print the result: " HELP_FILES
    " FILE.npz:NAME is an array of an .npz archive, and - is standard input.\v" HELP_ANSWER
    "; on a terminal the accuracy of a sum or product of floats follows it.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold reduce heights.npy\n"
    "  wavefold reduce heights.npy --op argmax --nan ignore\n"
    "  wavefold reduce heights.npy --op describe --json -\n"
    "  wavefold reduce counts.bin --type u16 --op mean --device host\n"
    "  wavefold reduce heights.npy --accuracy fast\n"
    "  wavefold reduce heights.npy --axis 0 --op mean --output means.npy\n"
    "  wavefold reduce arrays.npz:heights\n"
    "  zcat heights.npy.gz | wavefold reduce -\n"
    "  wavefold reduce part1.npy --state part1.state";

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    reduce_options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        state->child_inputs[1] = &options->axes;
        state->child_inputs[2] = &options->fold;
        return 0;
    case ARGP_KEY_END: /* behind the children's */
        axis_request_check(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The elements in the mapped file, or a copy: in C order if the result depends on that, or one that the caller frees if
 * the elements must be copied. Prints the reason and returns false without memory. */
static bool get_elements(answer *a, const void **elements, void **copy) {
    input *data = &a->data;
    if ((answer_depends_on_order(a) && !input_make_c_order(data)) || !input_check_bools(data, 0, data->count))
        return false;
    *elements = data->elements;
    if (answer_folds_in_place(a))
        return true;
    *copy = answer_allocate_copy(a, (size_t)data->count);
    if (*copy != NULL)
        *elements = input_chunk(data, 0, (size_t)data->count, *copy);
    return *copy != NULL;
}

static wf_status fold_into_state(answer *a, wf_context *context, const void *elements, size_t count) {
    wf_sum_state_init(&a->state);
    wf_status status = wf_sum_state_accumulate(context, &a->of.spec, elements, count, &a->state);
    if (status != WF_OK)
        return status;
    wf_op rounded = a->of.spec.op == WF_MEAN ? WF_MEAN : WF_SUM;
    return wf_sum_state_round(&a->state, rounded, a->of.info.result_type, &a->folded,
                              wf_type_size(a->of.info.result_type));
}

static wf_status fold_elements(answer *a, wf_context *context, const void *elements) {
    const reduce_options *options = a->options;
    size_t count = (size_t)a->data.count;
    double start = progress_now();
    const wf_describe_spec spec = {.type = a->data.type, .nan = options->fold.spec.nan};
    wf_status status = describes(options) ? wf_describe(context, &spec, elements, count, &a->described)
                       : options->fold.state_path != NULL
                           ? fold_into_state(a, context, elements, count)
                           : wf_reduce(context, &a->of.spec, elements, count, &a->folded, a->of.info.result_bytes);
    a->seconds = progress_now() - start;
    return status;
}

static bool run(answer *a, wf_context *context, const void *elements) {
    if (wf_context_get_device(context, &a->device) != WF_OK || fold_elements(a, context, elements) != WF_OK) {
        cli_error("input '%s': %s", a->data.path, wf_last_error());
        return false;
    }
    return answer_write(a);
}

static bool reduce_all(const reduce_options *options) {
    answer a = {.options = options};
    wf_context *context = NULL;
    const void *elements;
    void *copy = NULL;
    bool done = answer_can_begin(options) && answer_open(&a);
    if (done && wf_context_create(&context, options->fold.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        done = false;
    }
    done = done && get_elements(&a, &elements, &copy) && run(&a, context, elements);
    free(copy);
    wf_context_destroy(context);
    input_close(&a.data);
    return done;
}

int reduce_main(int argc, char **argv) {
    static const struct argp device_parser = {device_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&reduce_parser, 0, NULL, 0}, {&axis_parser, 0, NULL, 0}, {&device_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {NULL, parse_option, NULL, documentation, children, NULL, NULL};
    reduce_options options = {.fold = {.of_reduce = true}};
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return CLI_FAILURE;
    const bool done = options.axes.count != 0 ? axis_reduction(&options) : reduce_all(&options);
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
