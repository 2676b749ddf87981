/* What is folded, and by which rungs. */
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
    chosen_rung *rungs; /* in the order in which they run; NULL: nothing is chosen yet */
    size_t count;
    char
        *left_out; /* a sentence about the rungs of the family, or of the default, that cannot do it; NULL if all can */
} choice;

/* What the options ask for, of this type. --rungs: those, all of which must be able to. --family: those of it that can.
 * Else what a first look should show; and if of the reductions none but the sequential loop is among them, every
 * reduction that can do it. False, with the reason printed and nothing to free, if there is none. */
bool choose(choice *chosen, const progression_options *options, wf_type type);
/* Takes rung i out of those chosen, and adds it and the reason to left_out. */
void choice_leave_out(choice *chosen, size_t i, const char *reason);
void choice_free(choice *chosen);

#endif
