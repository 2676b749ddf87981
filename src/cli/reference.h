#ifndef WAVEFOLD_CLI_REFERENCE_H
#define WAVEFOLD_CLI_REFERENCE_H

#include "exact_sum.h"
#include "value.h"

/* What a fold's result should be: exact, and rounded once if it is a sum of floats. */
typedef struct reference {
    wf_type type;
    wf_op op;
    exact_sum sum; /* of floats */
    value folded;  /* of everything else */
} reference;

void reference_begin(reference *fold, wf_type type, wf_op op);
/* elements: aligned, of the type. */
void reference_add(reference *fold, const void *elements, size_t count);
value reference_value(const reference *fold);

#endif
