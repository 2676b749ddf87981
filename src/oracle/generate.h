/* Elements that are made from their index, with no state and in no order. */
#ifndef WAVEFOLD_ORACLE_GENERATE_H
#define WAVEFOLD_ORACLE_GENERATE_H

#include "folded.h"

typedef struct generator {
    wf_type type;
    wf_op op;
    size_t scalars; /* of an element */
    uint64_t count; /* of elements in all */
    bool random;    /* else the C++ AMP sample's pattern */
    uint64_t seed;
} generator;

/* Number i of all elements' numbers is (i mod 16)·0.01, for integers i mod 16; or random: floats from [-1, 1), integers
 * from all of their range.
 *
 * Where numbers are multiplied such data would soon give 0 or infinity. So for product, matmul and affine a float's
 * number is divided by count and added to the operator's identity; and integers are made odd, of matrices those of the
 * diagonal, of maps x -> a x + b the a, and b of matrices (a b; c d) even, so that none is lost to a factor of 2. */
void generate(const generator *made, uint64_t first, size_t count, void *elements);

/* An integer that is number place of an element of op, made so. */
uint64_t without_loss(wf_op op, size_t place, uint64_t number);

#endif
