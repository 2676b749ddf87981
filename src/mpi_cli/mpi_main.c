/* The program `wavefold-mpi`, on every rank. */
#define _GNU_SOURCE
#include "cli/arguments/subcommands.h"
#include "cli/cli.h"
#include "cli/output/terminal.h"
#include "job.h"
#include "mpi_reduce_command.h"
#include "wavefold.h"

#include <argp.h>
#include <locale.h>
#include <stdio.h>

static const char documentation[] = "Reduce a file's elements on all ranks of an MPI job, on GPUs and CPUs."
                                    "\vSubcommands:\n"
                                    "  reduce        reduce a file and print only the result\n"
                                    "  help          show this; help reduce: its options and defaults\n"
                                    "  version       show the version\n\n"
                                    "See wavefold --help for the subcommands of a single process.";

static const char *const subcommands[] = {"reduce"};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "wavefold-mpi %s\n", wf_version());
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    switch (key) {
    case ARGP_KEY_ARG:
        (void)subcommand_find(argument, subcommands, SUBCOMMANDS);
        *(int *)state->input = state->next - 1;
        state->next = state->argc; /* the rest is the subcommand's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage_error("a subcommand must be named: wavefold-mpi reduce FILE; see wavefold-mpi --help");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp parser = {NULL, parse_option, "reduce [OPTION...] FILE", documentation, NULL, NULL, NULL};
    static char full_name[] = "wavefold-mpi reduce";
    cli_program = "wavefold-mpi";
    const job_ranks *ranks = job_begin(&argc, &argv);
    setlocale(LC_CTYPE, ""); /* for UTF-8; numbers keep their decimal point */
    terminal_must_control_process();
    argp_program_version_hook = print_version;
    argp_err_exit_status = CLI_USAGE;
    int subcommand = 0;
    argc = subcommand_words(argc, argv, subcommands, SUBCOMMANDS);
    if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &subcommand) != 0)
        return CLI_FAILURE;
    argv[subcommand] = full_name;
    return mpi_reduce_main(argc - subcommand, argv + subcommand, ranks);
}
