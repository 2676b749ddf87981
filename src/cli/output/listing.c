#include "listing.h"

#include "cli/arguments/output_options.h"
#include "cli/cli.h"

enum { OPTION_NAMES = 0x100 };

static const struct argp_option option_table[] = {
    {"names", OPTION_NAMES, 0, OPTION_HIDDEN, 0, 0},
    {0, 0, 0, 0, 0, 0},
};

typedef struct listing_options {
    output_options output;
    bool names;
} listing_options;

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    listing_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_NAMES:
        options->names = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_usage_error("'%s' is one argument too many; see %s --help", argument, state->name);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int listing_main(const listing *what, int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    const struct argp parser = {option_table, parse_option, NULL, what->documentation, children, NULL, NULL};
    listing_options options = {.names = false};
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0 || !output_can_begin(&options.output))
        return CLI_FAILURE;
    if (output_has_text(&options.output))
        options.names ? what->print_names() : what->print_text();
    return options.output.json_path == NULL || json_save(what->document(), options.output.json_path) ? CLI_SUCCESS
                                                                                                     : CLI_FAILURE;
}
