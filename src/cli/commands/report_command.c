/* `wavefold report`: one HTML page from JSON results. A Python program (report/) writes it, as Python has libraries for
 * plots and templates; this file checks the command line, finds that program, and becomes it. */
#define _GNU_SOURCE
#include "cli/arguments/output_options.h"
#include "cli/arguments/parse.h"
#include "cli/cli.h"
#include "cli/output/output_file.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_OUTPUT = 'o' };

static const struct argp_option option_table[] = {
    {"output", OPTION_OUTPUT, "FILE", 0,
     "The page, which is replaced when the new one is complete; - is standard output, without the text", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Make one HTML page from results: the ladder as bars against the read ceiling, device by device, the error of each "
    "rung, times against n next to the peers, and for each rung its idea, its kernel and its counts. - is "
    "standard input."
    "\vA RESULT is a JSON file of wavefold progression or of wavefold explain, or of the benches of the source tree. "
    "The page needs no network and has a dark mode; only the step control of trees needs JavaScript.\n\n"
    "It needs Python with Jinja2 and matplotlib (Debian, Ubuntu: python3-jinja2, python3-matplotlib).\n\n"
    "Exit status: 0, or 1 on a failure, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold progression --family all --json ladder.json\n"
    "  wavefold report ladder.json -o ladder.html";

typedef struct report_options {
    const char **paths;
    size_t path_count;
    const char *page_path; /* NULL: not given */
    output_options output;
} report_options;

/* ---- Options ---- */

static void check_replaces_no_input(const report_options *options, const char *what, const char *path) {
    for (size_t i = 0; path != NULL && i < options->path_count; i++)
        if (!output_is_stdout(path) && output_same_file(path, options->paths[i]))
            cli_usage_error("the %s '%s' would replace an input; give another file", what, path);
}

static void check_request(const report_options *options) {
    const char *json_path = options->output.json_path, *page_path = options->page_path;
    if (options->path_count == 0)
        cli_usage_error("report needs results: wavefold report RESULT.json... -o PAGE.html; see wavefold report "
                        "--help");
    if (page_path == NULL)
        cli_usage_error("report needs a file for the page: --output PAGE.html, or --output - for standard output");
    if (json_path != NULL && output_same_file(json_path, page_path))
        cli_usage_error("--json and --output both write '%s'; give two files", json_path);
    check_replaces_no_input(options, "page", page_path);
    check_replaces_no_input(options, "report", json_path);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    report_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_OUTPUT:
        options->page_path = output_path("--output", argument);
        return 0;
    case ARGP_KEY_ARG:
        options->paths[options->path_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- The program in Python ---- */

/* Next to this program, wherever it was built, installed or moved to. Prints the reason and returns NULL if missing. */
static char *find_script(const char *program) {
    static const char *const folders[] = {WF_REPORT_FROM_PROGRAM, "../share/wavefold/report" /* of the build tree */};
    const int beside = (int)(strrchr(program, '/') - program);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *script = cli_text("%.*s/%s/main.py", beside, program, folders[i]);
        if (access(script, R_OK) == 0)
            return script;
        free(script);
    }
    cli_error("there is no %.*s/%s/main.py, which makes the page: install wavefold as a whole", beside, program,
              folders[0]);
    return NULL;
}

/* Returns only on failure: this process becomes Python. */
static void run_script(const report_options *options, char *program, char *script) {
    char **arguments = cli_allocate(options->path_count + 12, sizeof *arguments);
    size_t count = 0;
    arguments[count++] = "python3";
    arguments[count++] = "-B"; /* writes no compiled files into the installation */
    arguments[count++] = script;
    arguments[count++] = cli_text("--wavefold=%s", program);
    arguments[count++] = cli_text("--output=%s", options->page_path);
    if (options->output.json_path != NULL)
        arguments[count++] = cli_text("--json=%s", options->output.json_path);
    if (options->output.quiet)
        arguments[count++] = "--quiet";
    arguments[count++] = "--"; /* the rest are files, whatever their names begin with */
    for (size_t i = 0; i < options->path_count; i++)
        arguments[count++] = (char *)(uintptr_t)options->paths[i];
    execvp(arguments[0], arguments);
    cli_error("cannot run python3: %s; install python3, python3-jinja2 and python3-matplotlib (Debian, Ubuntu)",
              strerror(errno));
}

static void run(const report_options *options) {
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) {
        cli_error("cannot read /proc/self/exe: %s", strerror(errno));
        return;
    }
    program[length] = '\0';
    char *script = find_script(program);
    if (script != NULL && output_check(options->page_path) && output_can_begin(&options->output))
        run_script(options, program, script);
}

int report_main(int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, "RESULT...", documentation, children, NULL, NULL};
    report_options options = {.page_path = NULL};
    options.paths = cli_allocate((unsigned long)argc, sizeof *options.paths);
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) == 0)
        run(&options);
    return CLI_FAILURE; /* else the process is Python, which returns the status */
}
