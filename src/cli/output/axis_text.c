#include "axis_text.h"

#include "answer_text.h"
#include "axis_npy.h"
#include "cli/cli.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 16, LINES_AT_AN_END = 4 };

static void print_result(const axis_answer *a, uint64_t i) {
    const axis_plan *plan = &a->plan;
    uint64_t index[WF_MOST_DIMENSIONS], rest = i;
    for (size_t d = plan->dimensions; d-- > 0; rest /= plan->counts[d])
        index[d] = rest % plan->counts[d];
    if (plan->dimensions != 0) {
        char *text = shape_text(index, plan->dimensions);
        printf("%s ", text);
        free(text);
    }
    const result r = axis_answer_result(a, i);
    answer_print_result(&a->of, &r);
    putchar('\n');
}

static void print_results(const axis_answer *a, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++)
        print_result(a, i);
}

void axis_print(const axis_answer *a) {
    const uint64_t results = a->plan.results;
    const char *path = a->of.options->axes.output_path;
    const axis_npy file = axis_npy_of(a);
    char *shape =
        shape_text(path != NULL ? file.counts : a->plan.counts, path != NULL ? file.dimensions : a->plan.dimensions);
    if (path != NULL) {
        char *name = cli_printable(path);
        printf("%s: shape %s, dtype %s\n", name, shape, file.dtype);
        free(name);
    } else if (results == 0) {
        printf("no results: shape %s\n", shape);
    } else if (results <= MOST_LINES) {
        print_results(a, 0, results);
    } else {
        print_results(a, 0, LINES_AT_AN_END);
        puts("...");
        print_results(a, results - LINES_AT_AN_END, results);
        printf("%" PRIu64 " results, shape %s; --output FILE.npy writes all of them\n", results, shape);
    }
    free(shape);
}
