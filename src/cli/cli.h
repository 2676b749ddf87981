/* Shared by all files of the programs `wavefold` and `wavefold-mpi`. */
#ifndef WAVEFOLD_CLI_H
#define WAVEFOLD_CLI_H

/* Exit statuses. Bad usage is visible in the command line alone; errors of a file, a device or memory are failures. */
enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_USAGE = 2 };

/* The program's name: "wavefold", unless main sets another. */
extern const char *cli_program;

/* "wavefold: ..." and a newline on standard error. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, then exits with CLI_USAGE. */
_Noreturn void cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* malloc'ed; exits with CLI_FAILURE without memory. */
void *cli_allocate(unsigned long count, unsigned long size);
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A name for a message, without characters that steer the terminal. */
char *cli_printable(const char *name);
/* "a", "a and b", "a, b and c"; at least one word. */
char *cli_list(const char *const *words, unsigned long count);

/* The subcommands: argv[0] is "wavefold NAME"; they return an exit status. */
int progression_main(int argc, char **argv);
int reduce_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int sort_main(int argc, char **argv);
int count_main(int argc, char **argv);
int merge_main(int argc, char **argv);
int rungs_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int operators_main(int argc, char **argv);
int tune_main(int argc, char **argv);
int try_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int report_main(int argc, char **argv);

#endif
