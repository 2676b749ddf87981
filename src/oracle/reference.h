#ifndef WAVEFOLD_ORACLE_REFERENCE_H
#define WAVEFOLD_ORACLE_REFERENCE_H

#include "exact_chain.h"
#include "exact_product.h"
#include "exact_sum.h"
#include "extreme.h"
#include "folded.h"

/* What a fold's result should be, found without any of the library's own folds: exact, and rounded once where floats
 * are added; a product or chain of floats is folded in a wider type. */
typedef struct reference {
    fold of;
    uint64_t count;
    exact_sum sum;         /* sum and mean that are folded in a float */
    exact_product product; /* of floats */
    exact_chain chain;     /* of floats */
    extreme least, largest;
    uint64_t folded[4]; /* integers, of which the low bits count: sum, product, bits, chain */
} reference;

void reference_begin(reference *exact, const fold *of);
/* elements: aligned, of the fold's type. */
void reference_add(reference *exact, const void *elements, size_t count);
/* The elements that follow, begun for the same fold: there are some. */
void reference_merge(reference *exact, const reference *next);
result reference_result(const reference *exact);
/* Whether the fold itself is done in floats, and so rounds. Sum, product, mean, matmul and affine alone. */
bool reference_rounds(const reference *exact);

#endif
