/* Whether a result lies within what rounding allows, and how far off it is. */
#ifndef WAVEFOLD_ORACLE_VERIFY_H
#define WAVEFOLD_ORACLE_VERIFY_H

#include "reference.h"
#include "running_sum.h"
#include "wavefold_ladder.h"

/* Of a result with several values: the errors and bounds are of the one whose error is nearest to its bound, or
 * farthest beyond; ulps are the most. */
typedef struct judgement {
    bool accepted;
    bool compared;   /* false: nothing can be said of the result, since partial results could leave the type's range */
    double error;    /* distance from the exact value; NaN where it has none */
    double bound;    /* the largest error that is accepted */
    bool ulps_known; /* false if just one of the two is NaN, and for integers and indices that differ */
    uint64_t ulps;   /* from the exact value rounded to the type */
} judgement;

/* launch: what the rung reported of the run; its depth and flushes bound the error of a float's fold. */
judgement verify(const reference *exact, const result *got, const wf_rung_report *launch);
/* By what a sum of floats may grow in a run. */
typedef struct sum_growth {
    double relative; /* its error, as a factor of the sum of magnitudes */
    double factor;   /* its partial sums, the same */
    double flushed;  /* its error, absolute */
} sum_growth;

sum_growth sum_growth_of(const fold *of, const wf_rung_report *launch);
/* A sum of floats so far, against what a scan gives for it. */
judgement verify_running_sum(const fold *of, const running_sum *sum, value got, const sum_growth *growth);

/* Merges one into into: keeps the worse judgement and the most ulps. is_first: takes one as it is. */
void judgement_merge(judgement *into, const judgement *one, bool is_first);

#endif
