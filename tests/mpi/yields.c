/* Preloaded into ranks of MPICH, whose waiting ranks spin: where there are more of them than cores, each message then
 * takes as long as the scheduler lets the others spin. Here they let others run. Open MPI has mpi_yield_when_idle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned progress(void *worker);
progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker) {
    static progress *next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned events = next(worker);
    if (events == 0)
        sched_yield();
    return events;
}
