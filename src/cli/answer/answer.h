/* The reduction of a file's elements and its result, shared by one process and many ranks. */
#ifndef WAVEFOLD_CLI_ANSWER_ANSWER_H
#define WAVEFOLD_CLI_ANSWER_ANSWER_H

#include "cli/arguments/reduce_request.h"
#include "cli/input/input.h"
#include "wavefold_sum.h"

typedef struct answer {
    const reduce_options *options;
    input data;
    wf_device_info device;
    fold of;
    result folded;            /* a reduction's result */
    wf_sum_state state;       /* if requested */
    wf_description described; /* of --op describe */
    double seconds;
    const char *engine; /* the engine that combined the ranks' results; NULL without ranks */
    int ranks;          /* 0 without ranks */
} answer;

/* Opens the file and plans its reduction. Prints the reason and returns false on failure; call input_close in any
 * case. */
bool answer_open(answer *a);
/* Whether the result depends on the order of the elements: then it needs C order. */
bool answer_depends_on_order(const answer *a);
/* Whether the elements can be reduced in the mapped file; else they need a copy. */
bool answer_folds_in_place(const answer *a);
/* Allocates a copy of this many elements, which the caller frees. Prints the reason and returns NULL without memory. */
void *answer_allocate_copy(const answer *a, size_t count);
/* The accuracy of a sum or product of floats; NULL for other reductions. */
const char *answer_accuracy(const answer *a);
/* Whether results of this type are true or false: elements of bool are, their wider sums are not. */
bool answer_is_bool(const answer *a, wf_type type);
/* Numbers of a description: sums, and elements, which have fewer digits for narrow floats. */
value answer_wide(wf_number number);
value answer_narrow(const answer *a, wf_number number);

#endif
