/* Runs a user's program, at both widths at once. */
#ifndef WAVEFOLD_CLI_TRY_TRIAL_H
#define WAVEFOLD_CLI_TRY_TRIAL_H

#include <jansson.h>

#include <stdbool.h>

enum { TRIAL_WIDTHS = 2 };
extern const unsigned trial_widths[TRIAL_WIDTHS];

/* The answers of hip/host/try/answer.cpp. seconds: the time limit of a program. Prints the reason and returns false if
 * a program could not run. A program without an answer gets one with "stopped". */
bool run_trial(const char *program, unsigned seconds, json_t *answers[TRIAL_WIDTHS]);

#endif
