/* Which rungs are run. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_CHOICE_H
#define WAVEFOLD_CLI_ARGUMENTS_CHOICE_H

#include "oracle/folded.h"
#include "progression_options.h"

typedef struct choice {
    size_t *rungs; /* indices, in the order in which they run */
    size_t count;
    char
        *left_out; /* a sentence about the rungs of the family, or of the default, that cannot do it; NULL if all can */
} choice;

/* --rungs: those, all of which must be able to. --family: those of it that can. Else what a first look should show; and
 * if of the reductions none but the sequential loop is among them, every reduction that can do it. False, with the
 * reason printed and nothing to free, if there is none. */
bool choose_rungs(choice *chosen, const progression_options *options, const fold *of);
void choice_free(choice *chosen);

#endif
