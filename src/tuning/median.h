#ifndef WAVEFOLD_TUNING_MEDIAN_H
#define WAVEFOLD_TUNING_MEDIAN_H

#include <stddef.h>

enum { WF_MOST_ROUNDS = 31 };

/* The median of 1 to WF_MOST_ROUNDS measurements. */
double wf_median(const double *seconds, size_t rounds);

#endif
