/* A run of the user's program in a process of its own. */
#ifndef WAVEFOLD_CLI_TRY_TRIAL_PROCESS_H
#define WAVEFOLD_CLI_TRY_TRIAL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct trial_text {
    int from;   /* the pipe; -1: it is closed */
    char *text; /* ends with a 0; NULL: nothing came */
    size_t length;
    bool is_cut; /* there was more */
} trial_text;

typedef struct trial_process {
    bool is_program; /* it has a main() of its own: its output is read, too */
    unsigned width, order;

    /* Set by the run. */
    pid_t id; /* 0: it does not run */
    int status;
    double deadline;
    trial_text answer, output;
} trial_process;

/* Runs them, a few at a time, until the last one has ended, its time is over or a signal came. arguments: of a program
 * of its own; ends with NULL, or NULL. Prints the reason and returns false if one cannot be started. */
bool trial_processes_run(trial_process *of, size_t count, const char *program, unsigned seconds, char **arguments);
/* How a process without an answer ended; malloc'ed. */
char *trial_process_end(const trial_process *of);
void trial_process_free(trial_process *of);

#endif
