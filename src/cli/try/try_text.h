/* A trial's results as text on standard output. */
#ifndef WAVEFOLD_CLI_TRY_TRY_TEXT_H
#define WAVEFOLD_CLI_TRY_TRY_TEXT_H

#include "counted.h"
#include "trial.h"

typedef struct tried {
    const char *path;
    bool is_plain;
    json_t *answers[TRIAL_WIDTHS];
    bool has_rung; /* the rung to compare with */
    explanation rung[TRIAL_WIDTHS];
} tried;

/* Right, without findings. */
bool tried_is_clean(const json_t *answer);
void try_text_print(const tried *what);

#endif
