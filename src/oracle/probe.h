/* Data that tell whether a rung counts every element exactly once, whatever rounding could hide in a fold of floats. */
#ifndef WAVEFOLD_ORACLE_PROBE_H
#define WAVEFOLD_ORACLE_PROBE_H

#include "folded.h"

typedef enum probe_kind {
    PROBE_WEIGHTS, /* the wrapping sum of integers that all differ, as wide as the data's numbers; of those of one or
                      two bytes, which cannot all differ, none is 0 */
    PROBE_FACTORS, /* the wrapping product of odd ones, which never is 0 */
    PROBE_ORDER,   /* the wrapping fold of i32 matrices or maps that can be inverted: leaving one out, or swapping two,
                      changes it */
    PROBE_UNIQUE,  /* one least (or largest) element, anywhere, of the data's own type */
    PROBE_TIES     /* many of them, of which the first counts */
} probe_kind;

typedef struct probe {
    probe_kind kind;
    fold of;
    uint64_t seed;
    uint64_t count;
} probe;

/* The probes for a fold of count elements. A rung takes a probe if it can do the probe's fold. */
enum { MOST_PROBES = 3 };
size_t probes_for(const fold *data, uint64_t seed, uint64_t count, probe probes[MOST_PROBES]);
/* Elements first to first + count - 1. */
void probe_fill(const probe *made, uint64_t first, size_t count, void *elements);
/* What a wrong result means. */
const char *probe_meaning(const probe *made);

#endif
