#include "output_options.h"

#include "cli/cli.h"
#include "cli/output/output_file.h"

enum { OPTION_QUIET = 'q', OPTION_JSON = 0x200 /* beyond the subcommands' own */ };

static const struct argp_option option_table[] = {
    {"json", OPTION_JSON, "FILE", 0,
     "Write JSON to FILE, which is replaced when the new one is complete; - is standard output, without the text",
     OUTPUT_GROUP},
    {"quiet", OPTION_QUIET, 0, 0, "No text on standard output, no progress bar; see the exit status", OUTPUT_GROUP},
    {0, 0, 0, 0, 0, 0}};

const char *output_path(const char *option, const char *argument) {
    if (argument[0] == '-' && argument[1] != '\0')
        cli_usage_error("%s takes a file, and '%s' looks like an option; write %s - for standard output or ./%s",
                        option, argument, option, argument);
    return argument;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    output_options *options = state->input;
    switch (key) {
    case OPTION_JSON:
        options->json_path = output_path("--json", argument);
        return 0;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp output_parser = {option_table, parse_option, NULL, NULL, NULL, NULL, NULL};

bool output_has_text(const output_options *options) {
    return !options->quiet && !(options->json_path != NULL && output_is_stdout(options->json_path));
}

bool output_can_begin(const output_options *options) {
    return options->json_path == NULL || output_check(options->json_path);
}
