/* Judges a result: its error, and the bound that rounding allows. */
#ifndef WAVEFOLD_ORACLE_VERIFY_H
#define WAVEFOLD_ORACLE_VERIFY_H

#include "reference.h"
#include "running_sum.h"
#include "wavefold_ladder.h"

/* If a result has several values, error and bound are those of the value with the largest error in relation to its
 * bound, and ulps is the maximum. */
typedef struct judgement {
    bool accepted;
    bool compared;   /* false: every result is accepted, since partial results could leave the type's range */
    double error;    /* distance from the exact value; NaN if it is undefined */
    double bound;    /* the largest error that is accepted */
    bool ulps_known; /* false if exactly one of the two is NaN, and for integers and indices that differ */
    uint64_t ulps;   /* distance from the exact value rounded to the type */
} judgement;

/* launch: the rung's report; its depth and flushes bound the error of a float reduction. */
judgement verify(const reference *exact, const result *got, const wf_rung_report *launch);
/* Bounds of the errors of a sum of floats. */
typedef struct sum_growth {
    double relative; /* of the error, as a factor of the sum of magnitudes */
    double factor;   /* of partial sums, as a factor of the sum of magnitudes */
    double flushed;  /* of the absolute error by flushed subnormals */
} sum_growth;

sum_growth sum_growth_of(const fold *of, const wf_rung_report *launch);
/* Judges one element of a scan by the running sum. */
judgement verify_running_sum(const fold *of, const running_sum *sum, value got, const sum_growth *growth);

/* Merges `one` into `into`: keeps the worse judgement and the larger ulps. is_first: into becomes a copy of one. */
void judgement_merge(judgement *into, const judgement *one, bool is_first);

#endif
