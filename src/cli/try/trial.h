/* A learner's program is run, at both widths at once. */
#ifndef WAVEFOLD_CLI_TRY_TRIAL_H
#define WAVEFOLD_CLI_TRY_TRIAL_H

#include <jansson.h>

#include <stdbool.h>

enum { TRIAL_WIDTHS = 2 };
extern const unsigned trial_widths[TRIAL_WIDTHS];

/* The answers, as hip/host/try/answer.cpp writes them. seconds: after so many, a program is ended. False, with the
 * reason printed, if a program could not be run. One that gave no answer has "stopped" in what stands for it. */
bool run_trial(const char *program, unsigned seconds, json_t *answers[TRIAL_WIDTHS]);

#endif
