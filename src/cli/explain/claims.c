/* Claims of the seeds about rungs, and the counts. Names and figures are theirs. */
#include "explanation.h"

#include <math.h>
#include <string.h>

static const char SAMPLE[] = "C++ AMP sample", LECTURE[] = "lecture";

/* Per element, for large n: the deficit at small n is allowed. */
static claim of_accesses(const explanation *of, const char *text, double factor) {
    const double measured = figure_of(of, FIGURE_ACCESSES).value;
    return (claim){"loads and stores per element", text, SAMPLE, measured,
                   fabs(measured - factor) <= 0.02 * factor + 64 / (double)of->n};
}

static claim of_launches(const explanation *of, const char *text, double base) {
    const double measured = figure_of(of, FIGURE_LAUNCHES).value, claimed = log2((double)of->n) / log2(base);
    return (claim){"launches", text, SAMPLE, measured, fabs(measured - claimed) <= 1.5};
}

/* The tree's first step follows the first barrier: before it, the tile loads. */
static const wf_step_counts *first_of_tree(const explanation *of) {
    for (size_t i = 0; i + 1 < of->watch.step_count && of->watch.steps[i].launch == 0; i++)
        if (strcmp(of->watch.steps[i].ends, "barrier") == 0)
            return &of->watch.steps[i + 1];
    return NULL;
}

static double active_share(const wf_step_counts *step) {
    return step != NULL && step->lanes > 0 ? 100.0 * step->active_lanes / step->lanes : NAN;
}

static claim of_half_idle(const explanation *of) {
    const double active = active_share(first_of_tree(of));
    return (claim){"lanes that work in the tree's first step, %", "half of the threads do nothing", LECTURE, active,
                   fabs(active - 50) <= 1};
}

/* In steps with at least a wave of active lanes: with fewer, every kernel diverges. */
static double divergent_waves(const explanation *of) {
    const wf_step_counts *first = first_of_tree(of);
    double divergent = 0;
    for (const wf_step_counts *step = first; step != NULL && step < of->watch.steps + of->watch.step_count &&
                                             step->launch == 0 && step->active_lanes >= of->wave_width;
         step++)
        divergent += step->divergent_waves;
    return divergent;
}

size_t claims_of(const explanation *of, claim claims[CLAIMS_MOST]) {
    const char *name = of->info.name;
    const double extra = figure_of(of, FIGURE_EXTRA_PASSES).value;
    size_t count = 0;
    /* The claims are about long arrays, and tiles of several waves. */
    if (of->watch.launch_count == 0 || of->n < 1000 || of->n < 2 * (uint64_t)of->tile_size ||
        of->tile_size < 2 * of->wave_width)
        return 0;
    if (strcmp(name, "simple_1") == 0) {
        claims[count++] = of_accesses(of, "about 3", 3);
        claims[count++] = of_launches(of, "about log2 n", 2);
    } else if (strcmp(name, "simple_2") == 0) {
        claims[count++] = of_accesses(of, "about 1.28", 1.28);
        claims[count++] = of_launches(of, "about log8 n", 8);
    } else if (strcmp(name, "tiled_1") == 0) {
        const double divergent = divergent_waves(of);
        claims[count++] = (claim){"divergent waves while a wave's lanes or more work, first tile", "divergent branches",
                                  LECTURE, divergent, divergent > 0};
        claims[count++] = of_half_idle(of);
    } else if (strcmp(name, "tiled_2") == 0) {
        const double divergent = divergent_waves(of);
        claims[count++] = (claim){"divergent waves while a wave's lanes or more work, first tile",
                                  "no divergent branch in the inner loop", LECTURE, divergent, divergent == 0};
        claims[count++] = (claim){"extra passes of tile memory", "bank conflicts", LECTURE, extra, extra > 0};
    } else if (strcmp(name, "tiled_3") == 0) {
        claims[count++] = (claim){"extra passes of tile memory", "no bank conflicts", LECTURE, extra, extra == 0};
        claims[count++] = of_half_idle(of);
    } else if (strcmp(name, "tiled_4") == 0) {
        const wf_launch_counts *first = &of->watch.launches[0];
        const double threads = (double)first->tiles * first->tile_size / (double)of->n;
        claims[count++] = (claim){"threads per element", "half as many threads", SAMPLE, threads,
                                  fabs(threads - 0.5) <= (double)first->tile_size / (double)of->n};
        claims[count++] =
            (claim){"lanes that work in the tree's first step, %", "no threads are idle in the first step", LECTURE,
                    active_share(first_of_tree(of)), active_share(first_of_tree(of)) >= 99};
    } else if (strcmp(name, "cascade") == 0) {
        const double launches = figure_of(of, FIGURE_LAUNCHES).value;
        claims[count++] = (claim){"launches", "one kernel, whatever n", SAMPLE, launches, launches == 1};
    }
    return count;
}
