#define _GNU_SOURCE
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 128 };

typedef struct team {
    parallel_part *work;
    void *shared;
    size_t parts;
    atomic_size_t next;
} team;

static void *take_parts(void *of) {
    team *t = of;
    for (size_t part; (part = atomic_fetch_add(&t->next, 1)) < t->parts;)
        t->work(t->shared, part);
    return NULL;
}

/* CPUs that this process may use. */
static size_t cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

void parallel(size_t parts, parallel_part *work, void *shared) {
    pthread_t threads[MOST_THREADS];
    team t = {.work = work, .shared = shared, .parts = parts};
    size_t wanted = cores(), started = 0;
    if (wanted > parts)
        wanted = parts;
    if (wanted > MOST_THREADS)
        wanted = MOST_THREADS;
    /* This thread is one of the workers; if no more can be started, the existing ones do all parts. */
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, take_parts, &t) == 0)
        started++;
    take_parts(&t);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
