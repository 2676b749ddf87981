/* A chain: the product of 2x2 matrices, or the composition of maps x -> a x + b, in long double. It also has the
 * quantities that bound the error of a kernel's chain: the chain of the magnitudes, and bounds for the chain of any
 * neighbours.
 *
 * Elements are stored as in wavefold.h: matrices a, b, c, d; maps a, b.
 */
#ifndef WAVEFOLD_ORACLE_EXACT_CHAIN_H
#define WAVEFOLD_ORACLE_EXACT_CHAIN_H

#include <stddef.h>
#include <stdint.h>

typedef struct exact_chain {
    size_t scalars;            /* 4: matrices; 2: maps */
    uint64_t count;            /* number of matrices or maps */
    long double value[4];      /* the chain of all elements */
    long double magnitudes[4]; /* the chain of their absolute values: an upper bound of every sum of products */
    long double suffixes[4];   /* by component, an upper bound of the identity and of every chain of magnitudes that
                                  ends with the last element */
    long double prefix;        /* the largest component of the identity and of all earlier values of magnitudes */
    long double largest;       /* the largest component of all earlier values of suffixes: an upper bound of every chain
                                  of neighbours; infinite if an element has an infinity or NaN */
} exact_chain;

void exact_chain_begin(exact_chain *chain, size_t scalars);
void exact_chain_add(exact_chain *chain, const double *numbers, size_t count);
/* Appends the elements of next, which must have at least one: exact_chain_error counts on at most one merge per
 * element. For chains across the border, prefix and largest may be twice too large; they stay upper bounds. */
void exact_chain_merge(exact_chain *chain, const exact_chain *next);
/* The errors of value and magnitudes are below this times magnitudes. */
double exact_chain_error(const exact_chain *chain);
/* An upper bound of the change in a component of the result, if every component of an intermediate chain changes
 * by 1. */
long double exact_chain_amplification(const exact_chain *chain);

#endif
