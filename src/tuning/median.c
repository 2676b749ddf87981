#include "median.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double wf_median(const double *seconds, size_t rounds) {
    double sorted[WF_MOST_ROUNDS];
    memcpy(sorted, seconds, rounds * sizeof *sorted);
    qsort(sorted, rounds, sizeof *sorted, compare);
    return sorted[rounds / 2];
}
