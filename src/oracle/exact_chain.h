/* The product of 2x2 matrices, or the composition of maps x -> a x + b, of doubles, in the widest type there is, and
 * what is needed to bound another's error: the same of magnitudes, and how large any run of neighbours can become.
 *
 * Matrices a, b, c, d and maps a, b are kept as wavefold.h stores them.
 */
#ifndef WAVEFOLD_ORACLE_EXACT_CHAIN_H
#define WAVEFOLD_ORACLE_EXACT_CHAIN_H

#include <stddef.h>
#include <stdint.h>

typedef struct exact_chain {
    size_t scalars;            /* 4: matrices; 2: maps */
    uint64_t count;            /* of matrices or maps */
    long double value[4];      /* the fold of all */
    long double magnitudes[4]; /* the same of the absolute values: no sum of products is larger */
    long double suffixes[4];   /* no fold of magnitudes of the last one, the last two, ... is larger, component by
                                  component; nor than the identity */
    long double prefix;        /* the largest component of the magnitudes so far, and of the identity */
    long double largest;       /* the largest component that suffixes ever had: no fold of neighbours has a larger one;
                                  infinite if an element has an infinity or NaN */
} exact_chain;

void exact_chain_begin(exact_chain *chain, size_t scalars);
void exact_chain_add(exact_chain *chain, const double *numbers, size_t count);
/* What follows the chain; it has elements, so that no more chains are merged than elements are added. Of folds that
 * reach across, prefix and largest can then be twice too large, which leaves what is said of them true. */
void exact_chain_merge(exact_chain *chain, const exact_chain *next);
/* value and magnitudes are off by less than this times magnitudes. */
double exact_chain_error(const exact_chain *chain);
/* How much a change of 1 in every component of any intermediate fold can change a component of the result. */
long double exact_chain_amplification(const exact_chain *chain);

#endif
