/* The sum of an array in host memory, on the device that the command line names ("auto" if it names none).
 *
 *   cc sum.c $(pkg-config --cflags --libs wavefold) -o sum
 *   ./sum host */
#include <wavefold.h>

#include <stdio.h>
#include <stdlib.h>

/* A call that fails has said in wf_last_error() what was wrong, with the limit and the remedy. */
static void check(wf_status status) {
    if (status == WF_OK)
        return;
    fprintf(stderr, "%s: %s\n", wf_status_name(status), wf_last_error());
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    enum { COUNT = 1000000 };
    static float numbers[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = 0.5f * (float)(i % 10);

    wf_context *context; /* a device, and what is kept for it from call to call: make it once */
    check(wf_context_create(&context, argc > 1 ? argv[1] : "auto"));

    /* What is folded, and how. A sum of floats is exact: rounded once, so the same bits on every device. With
     * .accuracy = WF_ACCURACY_FAST it would be rounded at each step. The accumulator is the type of the result; without
     * it that would be a float. */
    const wf_reduce_spec sum_of_floats = {.type = WF_F32, .op = WF_SUM, .accumulator = WF_ACCUMULATE_F64};
    double sum;
    check(wf_reduce(context, &sum_of_floats, numbers, COUNT, &sum, sizeof sum)); /* copies to a GPU by itself */
    printf("sum %.17g\n", sum);

    wf_context_destroy(context);
    return 0;
}
