/* What a file's elements are folded by, and what comes of it: the same for one process and for many ranks. */
#ifndef WAVEFOLD_CLI_ANSWER_ANSWER_H
#define WAVEFOLD_CLI_ANSWER_ANSWER_H

#include "cli/arguments/reduce_options.h"
#include "cli/input/input.h"
#include "wavefold_sum.h"

typedef struct answer {
    const reduce_options *options;
    input data;
    wf_device_info device;
    fold of;
    result folded;            /* unless it describes */
    wf_sum_state state;       /* if it is asked for */
    wf_description described; /* if it does */
    double seconds;
    const char *engine; /* that joined what the ranks folded; NULL: there are no ranks */
    int ranks;          /* 0: there are none */
} answer;

/* The file, and the fold of its elements. False, with the reason printed; input_close follows in any case. */
bool answer_open(answer *a);
/* Whether the result depends on the order of the elements, so that they must stand in C order. */
bool answer_depends_on_order(const answer *a);
/* Whether the elements can be folded where they lie in the file; else a copy of them can. */
bool answer_folds_in_place(const answer *a);
/* Room for a copy of so many elements, which the caller frees; NULL, with the reason printed, if there is no memory. */
void *answer_allocate_copy(const answer *a, size_t count);
/* How a sum or product of floats was rounded; NULL for whatever else there is. */
const char *answer_accuracy(const answer *a);
/* Whether results of this type are true or false: elements of bool are, and of their sums, which are wider, none. */
bool answer_is_bool(const answer *a, wf_type type);
/* Numbers of a description: sums, and elements, which of floats have fewer digits. */
value answer_wide(wf_number number);
value answer_narrow(const answer *a, wf_number number);

#endif
