/* Preloaded into ranks of MPICH, whose waiting ranks spin: where there are more of them than cores, each message then
 * takes as long as the scheduler lets the others spin. Here they let others run, and those that wait for long sleep,
 * which is half of what mpi-mpich took of the cores. Open MPI has mpi_yield_when_idle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

typedef unsigned progress(void *worker);
progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker) {
    static progress *next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    static _Thread_local unsigned idle; /* calls in a row */
    const struct timespec nap = {.tv_nsec = 50000};
    const unsigned events = next(worker);
    idle = events == 0 ? idle + 1 : 0;
    if (idle > 100)
        nanosleep(&nap, NULL);
    else if (idle > 0)
        sched_yield();
    return events;
}
