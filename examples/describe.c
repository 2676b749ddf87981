/* Several statistics of an array in one pass over it; one element is NaN, for "not measured".
 *
 *   cc describe.c $(pkg-config --cflags --libs wavefold) -lm -o describe
 *   ./describe host */
#include <wavefold.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(wf_status status) {
    if (status == WF_OK)
        return;
    fprintf(stderr, "%s: %s\n", wf_status_name(status), wf_last_error());
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    const double heights[] = {512, 480.5, NAN, 530.25, 499, 530.25};

    wf_context *context;
    check(wf_context_create(&context, argc > 1 ? argv[1] : "auto"));

    /* Without WF_NAN_IGNORE, one NaN would make everything NaN but the count. */
    const wf_describe_spec spec = {.type = WF_F64, .nan = WF_NAN_IGNORE};
    wf_description of;
    check(wf_describe(context, &spec, heights, sizeof heights / sizeof *heights, &of));
    wf_context_destroy(context);

    /* sum, min and max are unions: f64 for floats, i64 or u64 for integers, whatever their size. */
    printf("count %" PRIu64 "\n", of.count);
    printf("sum %.17g\n", of.sum.f64);
    printf("min %.17g at %" PRIu64 "\n", of.min.f64, of.argmin);
    printf("max %.17g at %" PRIu64 "\n", of.max.f64, of.argmax); /* the first of the two */
    printf("mean %.9g\n", of.mean);
    printf("deviation of the population %.9g\n", sqrt(of.variance));
    printf("deviation of a sample %.9g\n", sqrt(of.variance * (double)of.count / (double)(of.count - 1)));
    return 0;
}
