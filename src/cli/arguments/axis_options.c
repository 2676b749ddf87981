#include "axis_options.h"

#include "cli/cli.h"
#include "output_options.h"

#include <stdlib.h>

static const struct argp_option option_table[] = {
    {"axis", OPTION_AXIS, "LIST", 0,
     "Reduce along these dimensions of a .npy array, separated by commas: 0 is the first, -1 the last. The result is "
     "an array",
     1},
    {"keepdims", OPTION_KEEPDIMS, 0, 0, "With --axis: keep the reduced dimensions, with size 1", 1},
    {"output", OPTION_OUTPUT, "FILE", 0,
     "With --axis: write the results to FILE as .npy, which is replaced when the new one is complete; - is standard "
     "output, without the text",
     1},
    {0, 0, 0, 0, 0, 0}};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads one axis and moves the text behind it; false if it is malformed. */
static bool take_axis(const char **text, int *axis) {
    enum { MOST_DIGITS = 6 /* far more than there are dimensions */ };
    char *end;
    const char *const digits = *text + (**text == '-');
    if (!is_digit(*digits))
        return false;
    *axis = (int)strtol(*text, &end, 10);
    *text = end;
    return end - digits <= MOST_DIGITS;
}

static void parse_axes(axis_options *options, const char *list) {
    const char *text = list;
    options->count = 0;
    for (bool more = true; more; text += more) {
        if (options->count == WF_MOST_DIMENSIONS)
            cli_usage_error("--axis '%s' names more than %d dimensions, and no array has more; shorten it", list,
                            WF_MOST_DIMENSIONS);
        if (!take_axis(&text, &options->axes[options->count++]) || (*text != ',' && *text != '\0'))
            cli_usage_error("--axis '%s' is no list of dimensions; write for example 0, -1 or 0,2", list);
        more = *text == ',';
    }
}

error_t axis_options_parse(int key, char *argument, struct argp_state *state) {
    axis_options *options = state->input;
    switch (key) {
    case OPTION_AXIS:
        parse_axes(options, argument);
        return 0;
    case OPTION_KEEPDIMS:
        options->keepdims = true;
        return 0;
    case OPTION_OUTPUT:
        options->output_path = output_path("--output", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp axis_parser = {option_table, axis_options_parse, NULL, NULL, NULL, NULL, NULL};
