/* A reduction along axes of a file's array, and its results. */
#ifndef WAVEFOLD_CLI_ANSWER_AXIS_ANSWER_H
#define WAVEFOLD_CLI_ANSWER_AXIS_ANSWER_H

#include "answer.h"
#include "axis_plan.h"

typedef struct axis_answer {
    answer of; /* without its single result */
    axis_plan plan;
    unsigned char *results; /* in the layout of wf_reduce_axes */
} axis_answer;

/* Each prints the reason and returns false on failure; call axis_answer_close in any case. Opens the file, plans the
 * reduction and allocates the results. */
bool axis_answer_open(axis_answer *a);
/* Reduces the array, which a device that is no CPU takes as a copy. */
bool axis_answer_reduce(axis_answer *a, wf_context *context);
void axis_answer_close(axis_answer *a);

/* Result i, in C order. */
result axis_answer_result(const axis_answer *a, uint64_t i);

#endif
