/* A trial's results as text on standard output. */
#ifndef WAVEFOLD_CLI_TRY_TRY_TEXT_H
#define WAVEFOLD_CLI_TRY_TRY_TEXT_H

#include "counted.h"
#include "judged_waves.h"
#include "trial.h"

typedef struct tried {
    const char *path;
    bool is_plain;
    trial_mode mode;
    char *function; /* of TRIAL_FUNCTION; else NULL */
    char *output;   /* of TRIAL_PROGRAM; else NULL */
    judged_waves waves;
    json_t *answers[TRIAL_WIDTHS];
    bool has_rung; /* the rung to compare with */
    explanation rung[TRIAL_WIDTHS];
} tried;

bool tried_is_right(const json_t *answer);
/* Right or not judged, without findings. */
bool tried_is_clean(const json_t *answer);
/* By all judged widths. */
bool tried_all_clean(const tried *what);
void try_text_print(const tried *what);

#endif
