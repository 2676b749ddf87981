/* `wavefold count`: the distinct values of a file, and how often each occurs. */
#define _GNU_SOURCE
#include "cli/arguments/parse.h"
#include "cli/arrays/count_array.h"
#include "cli/cli.h"
#include "cli/output/count_output.h"

#include <argp.h>
#include <stdlib.h>

enum { OPTION_BY = 0x500 /* above the keys of axis_options.h */, OPTION_TOP };

static const struct argp_option option_table[] = {
    {"by", OPTION_BY, "ORDER", 0,
     "Order: value (the smallest first), or count (the most frequent first, values of one count rising). Default: "
     "count with --top, else value",
     0},
    {"top", OPTION_TOP, "N", 0, "Only the first N values in this order: " HELP_COUNTS, 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Count the distinct values of FILE. FILE is " HELP_ARRAY_FILES
    " FILE.npz:NAME is an array of an .npz archive, and - is standard input."
    "\vThe zeros -0 and +0 are one value, 0, and all NaN are one, which is the largest. --output writes the fields "
    "'value', and 'count' of dtype u8. Up to 20 values are printed, or N with --top.\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold count labels.npy\n"
    "  wavefold count words.npy --top 10\n"
    "  wavefold count words.npy --by count --output counts.npy\n"
    "  wavefold count bytes.bin --type u8 --json -";

typedef struct count_options {
    array_options array;
    count_request request;
    bool by_given;
} count_options;

static bool parse_order(const char *text) {
    static const char *const names[] = {"value", "count"};
    return parse_name("order", text, names, sizeof names / sizeof *names) == 1;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    count_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->array;
        return 0;
    case OPTION_BY:
        options->request.by_count = parse_order(argument);
        options->by_given = true;
        return 0;
    case OPTION_TOP:
        options->request.top = parse_number("--top", argument, 1, INT64_MAX);
        return 0;
    case ARGP_KEY_END:
        if (!options->by_given)
            options->request.by_count = options->request.top != 0;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* NULL, with the reason printed, on failure. */
static uint64_t *order_of(array_answer *a, const value_counts *counts) {
    uint64_t *order = cli_allocate(counts->distinct, sizeof *order);
    if (count_order(a, counts, order))
        return order;
    free(order);
    return NULL;
}

static bool count_file(count_options *options) {
    array_answer a = {.options = &options->array};
    value_counts counts = {.distinct = 0};
    uint64_t *order = NULL;
    bool done = array_can_begin(a.options) && array_open(&a, WF_SUM) && count_can_write(&a) &&
                row_layout_of(&a.layout, &a.data, &a.options->axes, false) && array_open_device(&a) &&
                count_array(&a, &counts);
    if (done && options->request.by_count)
        done = (order = order_of(&a, &counts)) != NULL;
    done = done && count_write(&a, &counts, order, &options->request);
    free(order);
    value_counts_free(&counts);
    array_close(&a);
    return done;
}

int count_main(int argc, char **argv) {
    static const struct argp_child children[] = {{&array_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    count_options options = {.by_given = false};
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return CLI_FAILURE;
    return count_file(&options) ? CLI_SUCCESS : CLI_FAILURE;
}
