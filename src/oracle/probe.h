/* Probes: data that show whether a rung uses every element exactly once, which rounding can hide in
 * float reductions. */
#ifndef WAVEFOLD_ORACLE_PROBE_H
#define WAVEFOLD_ORACLE_PROBE_H

#include "folded.h"

typedef enum probe_kind {
    PROBE_WEIGHTS, /* the wrapping sum of distinct integers, as wide as the data's numbers; integers of one or two
                      bytes repeat, but are never 0 */
    PROBE_FACTORS, /* the wrapping product of odd integers, which is never 0 */
    PROBE_ORDER,   /* the wrapping chain of invertible matrices or maps of i32: omitting one, or swapping two, changes
                      it */
    PROBE_UNIQUE,  /* one least (or largest) element at a random index, of the data's own type */
    PROBE_TIES     /* many least (or largest) elements; the result is the first one's index */
} probe_kind;

typedef struct probe {
    probe_kind kind;
    fold of;
    uint64_t seed;
    uint64_t count;
} probe;

/* Lists the probes for a reduction of count elements. A rung takes a probe if it supports the probe's reduction. */
enum { MOST_PROBES = 3 };
size_t probes_for(const fold *data, uint64_t seed, uint64_t count, probe probes[MOST_PROBES]);
/* Generates elements first to first + count - 1. */
void probe_fill(const probe *made, uint64_t first, size_t count, void *elements);
/* The meaning of a wrong result, as text. */
const char *probe_meaning(const probe *made);

#endif
