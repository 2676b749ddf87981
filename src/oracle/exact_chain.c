#include "exact_chain.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef long double element[4];

static void set_identity(element e, size_t scalars) {
    memset(e, 0, sizeof(element));
    e[0] = 1;
    if (scalars == 4)
        e[3] = 1;
}

void exact_chain_begin(exact_chain *chain, size_t scalars) {
    *chain = (exact_chain){.scalars = scalars, .prefix = 1, .largest = 1};
    set_identity(chain->value, scalars);
    set_identity(chain->magnitudes, scalars);
    set_identity(chain->suffixes, scalars);
}

static void append(size_t scalars, element fold, const element next) {
    long double a = fold[0], b = fold[1], c = fold[2], d = fold[3];
    if (scalars == 2) {
        fold[0] = next[0] * a;
        fold[1] = next[0] * b + next[1];
        return;
    }
    fold[0] = a * next[0] + b * next[2];
    fold[1] = a * next[1] + b * next[3];
    fold[2] = c * next[0] + d * next[2];
    fold[3] = c * next[1] + d * next[3];
}

/* NaN, which comes from values beyond the range of long double, counts as infinite. */
static long double larger(long double a, long double b) {
    if (isnan(a) || isnan(b))
        return INFINITY;
    return a > b ? a : b;
}

static void append_one(exact_chain *chain, const double *numbers) {
    element next = {0}, magnitude = {0}, identity;
    size_t scalars = chain->scalars;
    set_identity(identity, scalars);
    for (size_t k = 0; k < scalars; k++) {
        next[k] = (long double)numbers[k];
        magnitude[k] = fabsl(next[k]);
        chain->suffixes[k] = larger(chain->suffixes[k], identity[k]); /* for the chain that begins here */
    }
    append(scalars, chain->value, next);
    append(scalars, chain->magnitudes, magnitude);
    append(scalars, chain->suffixes, magnitude);
    for (size_t k = 0; k < scalars; k++) {
        chain->prefix = larger(chain->prefix, chain->magnitudes[k]);
        chain->largest = larger(chain->largest, chain->suffixes[k]);
    }
}

void exact_chain_add(exact_chain *chain, const double *numbers, size_t count) {
    for (size_t i = 0; i + chain->scalars <= count; i += chain->scalars) {
        append_one(chain, numbers + i);
        chain->count++;
    }
}

void exact_chain_merge(exact_chain *chain, const exact_chain *next) {
    size_t scalars = chain->scalars;
    element largest_prefix, before, across;
    for (size_t k = 0; k < 4; k++)
        largest_prefix[k] = next->prefix;
    memcpy(before, chain->magnitudes, sizeof before);
    append(scalars, before, largest_prefix);
    memcpy(across, chain->suffixes, sizeof across);
    append(scalars, across, largest_prefix);
    append(scalars, chain->value, next->value);
    append(scalars, chain->magnitudes, next->magnitudes);
    append(scalars, chain->suffixes, next->magnitudes);
    chain->largest = larger(chain->largest, next->largest);
    for (size_t k = 0; k < scalars; k++) {
        chain->prefix = larger(chain->prefix, before[k]);
        chain->largest = larger(chain->largest, across[k]);
        chain->suffixes[k] = larger(chain->suffixes[k], next->suffixes[k]);
    }
    chain->count += next->count;
}

/* Each product in a component passes one multiplication and one addition for each element and each merged chain. */
double exact_chain_error(const exact_chain *chain) {
    return expm1(4 * (double)(chain->count + 1) * (double)LDBL_EPSILON);
}

/* The elements before and after the change multiply it, each side with two components. */
long double exact_chain_amplification(const exact_chain *chain) {
    long double suffix = 1;
    for (size_t k = 0; k < chain->scalars; k++)
        suffix = larger(suffix, chain->suffixes[k]);
    return 4 * chain->prefix * suffix;
}
