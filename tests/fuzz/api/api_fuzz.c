/* Random sequences of calls of the API, on one device, whose statuses and results a model predicts.
 *
 *   api_fuzz DEVICE CALLS [THREADS [SEED [apart|shared [scans|without-scans]]]]
 *
 * Each thread has a context of its own and makes its share of the calls; of threads that share a context, the first
 * calls everything, and the others reduce and describe, as wavefold.h allows. The same arguments make the same calls.
 * Builds with sanitizers have few kernels that scan, and are run without. */
#define _GNU_SOURCE
#include "api_session.h"
#include "gpu_streams.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 256 };

typedef struct worker {
    session session;
    uint64_t calls;
    wf_context **shared; /* NULL: a context of its own */
    pthread_barrier_t *begins, *ends;
} worker;

static void *work(void *of) {
    worker *w = of;
    session *s = &w->session;
    if (!s->is_host)
        gpu_streams_enter();
    session_begin(s);
    if (!s->is_guest)
        session_open(s);
    if (w->shared != NULL && !s->is_guest)
        *w->shared = s->context;
    pthread_barrier_wait(w->begins);
    if (s->is_guest)
        s->context = *w->shared;
    while (s->step < w->calls)
        session_step(s);
    pthread_barrier_wait(w->ends);
    if (!s->is_guest)
        session_close(s);
    return NULL;
}

static uint64_t number(const char *text) {
    char *end;
    const uint64_t value = strtoull(text, &end, 10);
    if (*text == '\0' || *end != '\0') {
        fprintf(stderr, "'%s' is no number\n", text);
        exit(2);
    }
    return value;
}

static bool is_host_device(const char *name) {
    return strncmp(name, "host", 4) == 0 || strncmp(name, "watched", 7) == 0;
}

int main(int argc, char **argv) {
    if (argc < 3 || argc > 7) {
        fprintf(stderr, "usage: api_fuzz DEVICE CALLS [THREADS [SEED [apart|shared [scans|without-scans]]]]\n");
        return 2;
    }
    const char *device = argv[1];
    const uint64_t calls = number(argv[2]), threads = argc > 3 ? number(argv[3]) : 1,
                   seed = argc > 4 ? number(argv[4]) : 1;
    const bool shares = argc > 5 && strcmp(argv[5], "shared") == 0, is_host = is_host_device(device);
    if (threads < 1 || threads > MOST_THREADS || calls < threads) {
        fprintf(stderr, "1 to %d threads, and no fewer calls\n", MOST_THREADS);
        return 2;
    }
    if (!is_host && !gpu_streams_open(strchr(device, ':') != NULL ? (int)number(strchr(device, ':') + 1) : 0)) {
        fprintf(stderr, "%s: there is no libcuda.so.1 to make streams with\n", device);
        return 2;
    }
    worker *workers = calloc(threads, sizeof *workers);
    pthread_t *handles = calloc(threads, sizeof *handles);
    pthread_barrier_t begins, ends;
    wf_context *shared = NULL;
    if (workers == NULL || handles == NULL || pthread_barrier_init(&begins, NULL, (unsigned)threads) != 0 ||
        pthread_barrier_init(&ends, NULL, (unsigned)threads) != 0)
        return 2;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (unsigned t = 0; t < threads; t++) {
        workers[t] = (worker){.session = {.device = device,
                                          .seed = seed,
                                          .thread = t,
                                          .most_elements = 200000,
                                          .is_guest = shares && t != 0,
                                          .is_shared = shares,
                                          .is_host = is_host,
                                          .scans = argc <= 6 || strcmp(argv[6], "without-scans") != 0,
                                          .stream_count = 1},
                              .calls = calls / threads + (t < calls % threads),
                              .shared = shares ? &shared : NULL,
                              .begins = &begins,
                              .ends = &ends};
        if (pthread_create(&handles[t], NULL, work, &workers[t]) != 0)
            return 2;
    }
    uint64_t answered = 0, refused = 0;
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(handles[t], NULL);
        answered += workers[t].session.answered;
        refused += workers[t].session.refused;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%s: %" PRIu64 " calls from %" PRIu64 " threads%s, seed %" PRIu64 ", in %.1f s: %" PRIu64
           " results as predicted, %" PRIu64 " refusals as predicted\n",
           device, calls, threads, shares ? " that share a context" : "", seed,
           (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), answered, refused);
    free(workers);
    free(handles);
    return 0;
}
