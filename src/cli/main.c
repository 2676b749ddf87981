#define _GNU_SOURCE
#include "arguments/subcommands.h"
#include "cli.h"
#include "output/standard_output.h"
#include "wavefold.h"

#include <argp.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    char *full_name; /* what argp calls the program in --help and in messages */
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"progression", (char[]){"wavefold progression"}, progression_main},
    {"reduce", (char[]){"wavefold reduce"}, reduce_main},
    {"scan", (char[]){"wavefold scan"}, scan_main},
    {"sort", (char[]){"wavefold sort"}, sort_main},
    {"count", (char[]){"wavefold count"}, count_main},
    {"merge", (char[]){"wavefold merge"}, merge_main},
    {"devices", (char[]){"wavefold devices"}, devices_main},
    {"rungs", (char[]){"wavefold rungs"}, rungs_main},
    {"explain", (char[]){"wavefold explain"}, explain_main},
    {"operators", (char[]){"wavefold operators"}, operators_main},
    {"tune", (char[]){"wavefold tune"}, tune_main},
    {"try", (char[]){"wavefold try"}, try_main},
    {"report", (char[]){"wavefold report"}, report_main},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const char documentation[] =
    "Reduce, scan and sort arrays on GPUs and the CPU: a ladder of kernels, verified and timed."
    "\vSubcommands:\n"
    "  progression   run the ladder's rungs on a device (the default)\n"
    "  reduce        reduce a file and print only the result\n"
    "  scan          scan a file: prefix sums, running maxima and others\n"
    "  sort          sort a file, or the positions of its elements\n"
    "  count         count the distinct values of a file\n"
    "  merge         merge states of exact sums, from files of reduce --state\n"
    "  devices       list the devices\n"
    "  rungs         list the rungs and their ideas\n"
    "  explain       count the accesses of a rung's kernels, or show its tree\n"
    "  operators     list the operators of each type\n"
    "  tune          measure and store a device's fastest launch shapes\n"
    "  try           run and check a kernel of your own\n"
    "  report        make an HTML page from JSON results\n"
    "  help          show this; help SUBCOMMAND: its options, units and limits\n"
    "  version       show the version";

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "wavefold %s\n", wf_version());
}

static void close_stdout(void) {
    if (!standard_output_close())
        _exit(CLI_FAILURE);
}

static const char *const *subcommand_names(void) {
    static const char *names[SUBCOMMANDS];
    for (size_t i = 0; i < SUBCOMMANDS; i++)
        names[i] = subcommands[i].name;
    return names;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    size_t *subcommand = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    *subcommand = subcommand_find(argument, subcommand_names(), SUBCOMMANDS);
    state->next = state->argc; /* the rest is the subcommand's */
    return 0;
}

/* Options with no subcommand before them are progression's, but for those that tell about the program itself. */
static bool is_about_program(const char *option) {
    static const char *const about[] = {"--help", "-?", "--usage", "--version", "-V"};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (strcmp(option, about[i]) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    static const struct argp parser = {NULL, parse_option, "SUBCOMMAND [OPTION...]", documentation, NULL, NULL, NULL};
    size_t subcommand = 0;
    setlocale(LC_CTYPE, ""); /* for UTF-8; numbers keep their decimal point */
    argp_program_version_hook = print_version;
    argp_err_exit_status = CLI_USAGE;
    atexit(close_stdout);
    argc = subcommand_words(argc, argv, subcommand_names(), SUBCOMMANDS);
    if (argc > 1 && (argv[1][0] != '-' || is_about_program(argv[1]))) {
        if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &subcommand) != 0)
            return CLI_FAILURE;
        argv++;
        argc--;
    }
    argv[0] = subcommands[subcommand].full_name;
    return subcommands[subcommand].run(argc, argv);
}
