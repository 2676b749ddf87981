/* What a trial found out, as text on standard output. */
#ifndef WAVEFOLD_CLI_TRY_TRY_TEXT_H
#define WAVEFOLD_CLI_TRY_TRY_TEXT_H

#include "counted.h"
#include "trial.h"

typedef struct tried {
    const char *path;
    bool is_plain;
    json_t *answers[TRIAL_WIDTHS];
    bool has_rung; /* whose kernels stand beside it */
    explanation rung[TRIAL_WIDTHS];
} tried;

/* Right, and nothing found. */
bool tried_is_clean(const json_t *answer);
void try_text_print(const tried *what);

#endif
