/* A progress bar on standard error, and its clock. */
#ifndef WAVEFOLD_CLI_OUTPUT_PROGRESS_H
#define WAVEFOLD_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds on a clock that only goes forward. */
double progress_now(void);

/* A bar on standard error, if that is a terminal. Between begin and end nothing else may be written there. */
typedef struct progress {
    bool shown;
    size_t done, steps;
    double drawn_at; /* seconds */
} progress;

void progress_begin(progress *bar, bool wanted, size_t steps);
/* Shows the next step before it begins. */
void progress_show(progress *bar, const char *doing);
void progress_advance(progress *bar, size_t steps);
void progress_end(progress *bar);

#endif
