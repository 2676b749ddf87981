#include "sampling.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, MOST = 101 };

sampling sampling_of(uint32_t repeat, uint32_t usual) {
    return repeat != 0 ? (sampling){repeat, repeat, repeat} : (sampling){LEAST, usual, MOST};
}

/* A stalled sample should not stop the sampling early, so the fastest one counts. */
bool sampling_goes_on(const sampling *rule, const double *samples, size_t count) {
    double sum = 0, fastest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        sum += samples[i];
        fastest = fmin(fastest, samples[i]);
    }
    if (count < rule->least || count >= rule->most)
        return count < rule->least;
    if (sum >= SAMPLING_LONG_SECONDS)
        return false;
    return count < rule->usual || fastest * (double)count < SAMPLING_ENOUGH_SECONDS;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing timing_of(const double *samples, size_t count) {
    double *sorted = cli_allocate(count, sizeof *sorted);
    memcpy(sorted, samples, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    const double median = count % 2 != 0 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    const timing of = {.median = median, .min = sorted[0], .max = sorted[count - 1]};
    free(sorted);
    return of;
}

double spread_of(const double *samples, size_t count) {
    const double median = timing_of(samples, count).median;
    double *distances = cli_allocate(count, sizeof *distances);
    for (size_t i = 0; i < count; i++)
        distances[i] = fabs(samples[i] - median);
    const double within = timing_of(distances, count).median;
    free(distances);
    return median > 0 ? within / median : 0;
}
