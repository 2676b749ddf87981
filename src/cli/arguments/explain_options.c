#include "explain_options.h"

#include "cli/cli.h"
#include "cli/explain/explanation.h"
#include "cli/output/output_file.h"
#include "parse.h"
#include "wavefold.h"

#include <argp.h>
#include <string.h>

enum {
    OPTION_WAVE = 'w',
    OPTION_N = 'n',
    OPTION_TILE = 0x100,
    OPTION_AGAINST,
    OPTION_TRACE,
    OPTION_SVG,
    OPTION_LINES,
    OPTION_ROW_LENGTH
};

static const uint64_t MOST = UINT64_C(1) << 22;

static const struct argp_option option_table[] = {
    {"wave", OPTION_WAVE, "LANES", 0, "Lanes of a wave: 32 (default) or 64", 0},
    {"n", OPTION_N, "COUNT", 0, "Elements, up to 4Mi: " HELP_COUNTS ". Default: 2^16; for a trace 32, at most 63", 0},
    {"tile", OPTION_TILE, "THREADS", 0, "Threads of a tile: a power of two. Default: 256; for a trace 16, or a wave",
     0},
    {"row-length", OPTION_ROW_LENGTH, "COUNT", 0, "Elements of a row, for rungs that reduce rows. Default: 64", 0},
    {"against", OPTION_AGAINST, "RUNG", 0, "Also show the figures and steps of another rung, and the differences", 0},
    {"trace", OPTION_TRACE, NULL, 0, "Show each addition of the first tile, step by step", 0},
    {"svg", OPTION_SVG, "FILE", 0, "Write the trace as a picture to FILE; - is standard output, without the text", 0},
    {"lines", OPTION_LINES, NULL, 0, "Also show the counts of each source line", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Run a rung's kernels on the CPU, count every access of every lane, and show what makes the rung fast or slow: "
    "loads and stores, lines of memory, bank conflicts, divergence, barriers; and whether the claims of its source "
    "documents hold. No GPU is needed. The rungs wavefold and exact are the library's own kernels."
    "\vAn access is one access of a wave: the accesses of its lanes in one source line at one time. A step lasts from "
    "one barrier or "
    "shuffle to the next; a lane is active in a step if it accesses memory, or ends it with a shuffle.\n\n"
    "Exit status: 0, or 1 on a failure, or if a kernel breaks a rule, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold explain tiled_1\n"
    "  wavefold explain tiled_2 --against tiled_1\n"
    "  wavefold explain row_per_tile --against row_per_wave\n"
    "  wavefold explain tiled_3 --trace --svg tree.svg\n"
    "  wavefold explain exact --wave 64 --json exact.json";

static void check(explain_options *options) {
    if (options->rung == SIZE_MAX)
        cli_usage_error("explain needs a rung: wavefold explain RUNG; see wavefold rungs");
    if (options->svg_path != NULL)
        options->traces = true;
    if (options->traces && options->against != SIZE_MAX)
        cli_usage_error("--against compares counts, and --trace shows one rung; leave one of them out");
    if (options->traces && options->shows_lines)
        cli_usage_error("--lines shows counts, and --trace one tile's steps; leave one of them out");
    if (options->traces && options->n > EXPLAIN_TRACE_MOST)
        cli_usage_error("--n of a trace is at most %d: each element is a bit", EXPLAIN_TRACE_MOST);
    const char *json_path = options->output.json_path, *svg_path = options->svg_path;
    if (json_path != NULL && svg_path != NULL && output_same_file(json_path, svg_path))
        cli_usage_error("--json and --svg both write '%s'; give two files", json_path);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    explain_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_WAVE:
        if (strcmp(argument, "32") != 0 && strcmp(argument, "64") != 0)
            cli_usage_error("--wave is 32 or 64, not '%s'", argument);
        options->wave_width = strcmp(argument, "32") == 0 ? 32 : 64;
        return 0;
    case OPTION_N:
        options->n = parse_number("--n", argument, 1, MOST);
        return 0;
    case OPTION_TILE:
        options->tile = (uint32_t)parse_number("--tile", argument, 2, 1024);
        return 0;
    case OPTION_ROW_LENGTH:
        options->row_length = (uint32_t)parse_number("--row-length", argument, 1, UINT32_MAX);
        return 0;
    case OPTION_AGAINST:
        options->against = parse_rung("--against: ", argument);
        return 0;
    case OPTION_TRACE:
        options->traces = true;
        return 0;
    case OPTION_SVG:
        options->svg_path = output_path("--svg", argument);
        return 0;
    case OPTION_LINES:
        options->shows_lines = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->rung != SIZE_MAX)
            cli_usage_error("explain takes one rung; '%s' is a second one: see --against", argument);
        options->rung = parse_rung("", argument);
        return 0;
    case ARGP_KEY_END:
        check(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void explain_options_parse(explain_options *options, int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, "RUNG", documentation, children, NULL, NULL};
    *options = (explain_options){.rung = SIZE_MAX, .against = SIZE_MAX, .wave_width = 32};
    argp_parse(&parser, argc, argv, 0, NULL, options);
}
