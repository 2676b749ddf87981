/* Runs a user's program at both widths. */
#ifndef WAVEFOLD_CLI_TRY_TRIAL_H
#define WAVEFOLD_CLI_TRY_TRIAL_H

#include "kernel_file.h"

#include <jansson.h>

#include <stdbool.h>

enum { TRIAL_WIDTHS = 2 };
extern const unsigned trial_widths[TRIAL_WIDTHS];

typedef struct trial_plan {
    const char *program;
    trial_mode mode;
    unsigned seconds;             /* the time limit of a program */
    char **arguments;             /* of TRIAL_PROGRAM; ends with NULL */
    bool is_judged[TRIAL_WIDTHS]; /* a program runs once, with lanes forward, at other widths */
} trial_plan;

/* The answers of hip/host/try/answer.cpp. Prints the reason and returns false if a program could not run. A program
 * without an answer gets one with "stopped". output: of TRIAL_PROGRAM, what it printed first, malloc'ed; else NULL. */
bool run_trial(const trial_plan *plan, json_t *answers[TRIAL_WIDTHS], char **output);

#endif
