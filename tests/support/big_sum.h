/* The tests' own exact sum, which shares nothing with the library's or the oracle's: a counter for every bit. */
#ifndef WAVEFOLD_BIG_SUM_H
#define WAVEFOLD_BIG_SUM_H

#include "wavefold.h"
#include "wavefold_sum.h"

#include <stdbool.h>

typedef enum big_term { BIG_ELEMENT, BIG_MAGNITUDE, BIG_SQUARE } big_term;

/* Bits of a float: digits with the hidden one, and those of the exponent. */
typedef struct big_format {
    int digits, exponent_bits;
} big_format;
big_format big_format_of(wf_type type);

enum { BIG_BITS = 68 * 32 };

typedef struct big_sum {
    int64_t bit[BIG_BITS]; /* how often 2^(i - 1074) was added, less how often it was subtracted */
    int64_t count, nans, infinities[2];
    bool others; /* than -0 */
} big_sum;

void big_sum_add(big_sum *sum, wf_type type, big_term term, uint64_t bits);
/* Carries, so that it can be asked. */
void big_sum_finish(big_sum *sum);
wf_sum_state big_sum_state(const big_sum *sum);
/* The bits of the sum, or the mean, rounded once. */
uint64_t big_sum_rounded(const big_sum *sum, bool mean, wf_type type);

#endif
