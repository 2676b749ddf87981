#include "listing.h"

#include "cli/cli.h"

#include <argp.h>
#include <stdlib.h>

enum { OPTION_JSON = 0x100, OPTION_NAMES };

static const struct argp_option option_table[] = {
    {"json", OPTION_JSON, 0, 0, "Print JSON", 0},
    {"names", OPTION_NAMES, 0, OPTION_HIDDEN, 0, 0},
    {0, 0, 0, 0, 0, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    listing *form = state->input;
    switch (key) {
    case OPTION_JSON:
        *form = LISTING_JSON;
        return 0;
    case OPTION_NAMES:
        *form = LISTING_NAMES;
        return 0;
    case ARGP_KEY_ARG:
        cli_usage_error("'%s' is one argument too many; see %s --help", argument, state->name);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

listing listing_parse(int argc, char **argv, const char *documentation) {
    const struct argp parser = {option_table, parse_option, NULL, documentation, NULL, NULL, NULL};
    listing form = LISTING_TABLE;
    if (argp_parse(&parser, argc, argv, 0, NULL, &form) != 0)
        exit(CLI_FAILURE);
    return form;
}
