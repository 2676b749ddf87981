#ifndef WAVEFOLD_CLI_VERIFY_H
#define WAVEFOLD_CLI_VERIFY_H

#include "reference.h"

typedef struct judgement {
    bool accepted;
    double error;    /* distance from the exact value; NaN where it has none */
    double bound;    /* the largest error that is accepted */
    bool ulps_known; /* false if just one of the two is NaN, and for integers that differ */
    uint64_t ulps;   /* from the exact value rounded to the type */
} judgement;

/* launch: what the rung reported of the run; its depth and flushes bound the error of a float sum. */
judgement verify(const reference *exact, value result, const wf_rung_report *launch);

#endif
