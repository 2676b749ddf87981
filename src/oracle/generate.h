/* Generates elements from their index, without state and in any order. */
#ifndef WAVEFOLD_ORACLE_GENERATE_H
#define WAVEFOLD_ORACLE_GENERATE_H

#include "folded.h"

typedef struct generator {
    wf_type type;
    wf_op op;
    size_t scalars; /* numbers in an element */
    uint64_t count; /* number of all elements */
    bool random;    /* false: the C++ AMP sample's pattern */
    uint64_t seed;
} generator;

/* Number i of all elements' numbers is (i mod 16)·0.01, for integers i mod 16; or random: floats from [-1, 1), integers
 * from all of their range.
 *
 * Products of such data would soon be 0 or infinity. For product, matmul and affine a float is therefore divided by
 * count and added to the operator's identity. Integer factors are made odd, so that no element is lost to a factor of
 * 2: the diagonal of matrices (a b; c d), and a of maps x -> a x + b; b of matrices is made even. */
void generate(const generator *made, uint64_t first, size_t count, void *elements);

/* Makes an integer, number `place` of an element of op, odd or even by this rule. */
uint64_t without_loss(wf_op op, size_t place, uint64_t number);

#endif
