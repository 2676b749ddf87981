/* Calls from C, for bench/cpu.py: what it times itself also takes the way from Python through ctypes. */
#define _GNU_SOURCE
#include <wavefold.h>

#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double seconds_of_reductions(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                             void *result, size_t result_bytes, size_t calls);
double seconds_of_descriptions(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                               wf_description *result, size_t calls);

/* Of so many calls; below 0: one has failed. */
double seconds_of_reductions(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                             void *result, size_t result_bytes, size_t calls) {
    const double begin = now();
    for (size_t i = 0; i < calls; i++)
        if (wf_reduce(context, spec, in, count, result, result_bytes) != WF_OK)
            return -1;
    return now() - begin;
}

double seconds_of_descriptions(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                               wf_description *result, size_t calls) {
    const double begin = now();
    for (size_t i = 0; i < calls; i++)
        if (wf_describe(context, spec, in, count, result) != WF_OK)
            return -1;
    return now() - begin;
}
