#ifndef WAVEFOLD_ORACLE_REFERENCE_H
#define WAVEFOLD_ORACLE_REFERENCE_H

#include "exact_chain.h"
#include "exact_product.h"
#include "exact_sum.h"
#include "extreme.h"
#include "folded.h"

/* The expected result of a reduction, computed without the library's own reductions. Sums of floats are exact and
 * rounded once; products and chains of floats are computed in a wider type. */
typedef struct reference {
    fold of;
    uint64_t count;
    exact_sum sum;         /* sums and means in a float accumulator */
    exact_product product; /* products of floats */
    exact_chain chain;     /* matmul and affine of floats */
    extreme least, largest;
    uint64_t folded[4]; /* integer sums, products, bits and chains, modulo 2^64 */
} reference;

void reference_begin(reference *exact, const fold *of);
/* elements: aligned, of the reduction's type. */
void reference_add(reference *exact, const void *elements, size_t count);
/* Appends the elements of next, a reference of the same reduction with at least one element. */
void reference_merge(reference *exact, const reference *next);
result reference_result(const reference *exact);
/* True if the reduction rounds: a sum, product, mean, matmul or affine with a float accumulator. */
bool reference_rounds(const reference *exact);

#endif
