/* `wavefold sort`: the elements of a file in order, or their positions. */
#define _GNU_SOURCE
#include "cli/arguments/parse.h"
#include "cli/arrays/sort_array.h"
#include "cli/cli.h"
#include "cli/output/array_output.h"

#include <argp.h>
#include <stdlib.h>

enum { OPTION_DESCENDING = 0x500 /* above the keys of axis_options.h */, OPTION_POSITIONS };

static const struct argp_option option_table[] = {
    {"descending", OPTION_DESCENDING, 0, 0, "The largest element first, and NaN before it", 0},
    {"positions", OPTION_POSITIONS, 0, 0,
     "Write the positions of the elements in sorted order, from 0, as numpy.argsort with kind='stable', but -0 comes "
     "before +0",
     0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Sort the elements of FILE. FILE is " HELP_ARRAY_FILES
    " FILE.npz:NAME is an array of an .npz archive, and - is standard input."
    "\vThe sort is stable, -0 comes before +0, and NaN last. The results have the shape of the array, or with no "
    "--axis "
    "one dimension. The first and the last results are printed unless --output is given.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold sort heights.npy --output sorted.npy\n"
    "  wavefold sort heights.npy --axis -1 --descending --output sorted.npy\n"
    "  wavefold sort heights.npy --positions --output order.npy\n"
    "  wavefold sort counts.bin --type u16";

typedef struct sort_options {
    array_options array;
    bool descending, positions;
} sort_options;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    sort_options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->array;
        return 0;
    case OPTION_DESCENDING:
        options->descending = true;
        return 0;
    case OPTION_POSITIONS:
        options->positions = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Positions of 4 bytes are faster; the layout says whether they suffice. */
static void set_results(array_answer *a, bool positions) {
    const wf_type type = a->data.type;
    const size_t element = wf_type_size(type);
    a->is_place = positions;
    a->is_bool = a->data.is_bool && !positions;
    a->of.info = (wf_reduction_info){
        .element_bytes = (uint32_t)element, .result_type = type, .result_values = 1, .result_bytes = (uint32_t)element};
}

static void set_positions(array_answer *a) {
    a->of.info.result_bytes = sort_position_bytes(&a->layout);
    a->of.info.result_type = a->of.info.result_bytes == sizeof(uint32_t) ? WF_U32 : WF_U64;
}

static bool open_input(array_answer *a, const sort_options *options) {
    if (!array_open(a, WF_SUM))
        return false;
    set_results(a, options->positions);
    if (!array_prepare(a, options->positions))
        return false;
    if (options->positions)
        set_positions(a);
    return true;
}

static json_t *document_of(const array_answer *a, const sort_options *options) {
    json_t *document = array_document_head(a);
    json_put(document, "descending", json_boolean(options->descending));
    json_put(document, "positions", json_boolean(options->positions));
    return document;
}

static bool sort_file(const sort_options *options) {
    array_answer a = {.options = &options->array};
    bool done = array_can_begin(a.options) && open_input(&a, options);
    const wf_sort_spec spec = {
        .type = a.data.type, .descending = options->descending, .value_bytes = a.is_place ? a.of.info.result_bytes : 0};
    done = done && sort_array(&a, &spec) && array_end(&a) && array_write(&a, document_of(&a, options));
    array_close(&a);
    return done;
}

int sort_main(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&along_parser, 0, NULL, 0}, {&array_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    sort_options options = {.descending = false};
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return CLI_FAILURE;
    return sort_file(&options) ? CLI_SUCCESS : CLI_FAILURE;
}
