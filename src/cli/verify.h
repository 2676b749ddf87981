#ifndef WAVEFOLD_CLI_VERIFY_H
#define WAVEFOLD_CLI_VERIFY_H

#include "reference.h"

/* Of a result with several values: the errors and bounds are of the one whose error is nearest to its bound, or farthest
 * beyond; ulps are the most. */
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

#endif
