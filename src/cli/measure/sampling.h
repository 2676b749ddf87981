/* The number of timed samples, and their statistics. */
#ifndef WAVEFOLD_CLI_MEASURE_SAMPLING_H
#define WAVEFOLD_CLI_MEASURE_SAMPLING_H

#include "cli/output/report.h"

#include <stdint.h>

/* Short times get more samples than `usual`, until they add up to SAMPLING_ENOUGH_SECONDS; long times get fewer.
 * Between `least` and `most` samples in any case. */
typedef struct sampling {
    size_t least, usual, most;
} sampling;

#define SAMPLING_ENOUGH_SECONDS 0.05
#define SAMPLING_LONG_SECONDS 1.0

/* repeat: --repeat, an exact number; 0: not given. */
sampling sampling_of(uint32_t repeat, uint32_t usual);
/* Whether another sample is to be taken. */
bool sampling_goes_on(const sampling *rule, const double *samples, size_t count);

/* Of one sample or more. */
timing timing_of(const double *samples, size_t count);
/* The distance from the median within which half of the samples lie, as a share of the median. Of times it is at most
 * 1, however late a few of them are. */
double spread_of(const double *samples, size_t count);

#endif
