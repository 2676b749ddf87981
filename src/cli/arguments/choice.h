/* The requested reduction, and the rungs that run it. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_CHOICE_H
#define WAVEFOLD_CLI_ARGUMENTS_CHOICE_H

#include "oracle/folded.h"
#include "progression_options.h"
#include "wavefold_ladder.h"

typedef struct chosen_rung {
    size_t index;
    wf_rung_info info;
} chosen_rung;

typedef struct choice {
    fold of;
    chosen_rung *rungs; /* in the order of the run; NULL before the choice */
    size_t count;
    char *left_out; /* a sentence about the unsupported rungs; NULL if all are supported */
} choice;

/* Chooses the rungs for this type. --rungs: exactly these; all must support the request. --family: its supported rungs.
 * Default: a first look; if the sequential loop is its only supported reduction, every supported one. Prints the reason
 * and returns false, with nothing to free, if no rung remains. */
bool choose(choice *chosen, const progression_options *options, wf_type type);
/* Removes rung i, and adds it and the reason to left_out. */
void choice_leave_out(choice *chosen, size_t i, const char *reason);
void choice_free(choice *chosen);

#endif
