#define _GNU_SOURCE
#include "rank_cpus.h"

#include "cli/cli.h"

#include <sched.h>
#include <stdlib.h>

static cpu_set_t share; /* empty: the rank keeps its CPUs */

/* Share `place` of `count`. With fewer CPUs than shares, some share a CPU. */
static void take_share(const cpu_set_t *cpus, int place, int count) {
    const int all = CPU_COUNT(cpus), first = all * place / count, end = all * (place + 1) / count;
    int number = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, cpus)) {
            if (number == first || (number > first && number < end))
                CPU_SET(cpu, &share);
            number++;
        }
}

/* Ranks with equal CPU sets divide them; ranks that the launcher bound to their own CPUs keep these. */
void rank_cpus_divide(MPI_Comm machine) {
    int own, count, place = 0, same = 0;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    (void)sched_getaffinity(0, sizeof cpus, &cpus); /* if that fails (more than CPU_SETSIZE CPUs), none are divided */
    MPI_Comm_rank(machine, &own);
    MPI_Comm_size(machine, &count);
    cpu_set_t *of_ranks = cli_allocate((unsigned long)count, sizeof *of_ranks);
    MPI_Allgather(&cpus, (int)sizeof cpus, MPI_BYTE, of_ranks, (int)sizeof cpus, MPI_BYTE, machine);
    for (int rank = 0; rank < count; rank++)
        if (CPU_EQUAL(&of_ranks[rank], &cpus)) {
            place += rank < own;
            same++;
        }
    free(of_ranks);
    CPU_ZERO(&share);
    if (same > 1)
        take_share(&cpus, place, same);
}

void rank_cpus_take(void) {
    if (CPU_COUNT(&share) > 0)
        (void)sched_setaffinity(0, sizeof share, &share); /* if that fails, the ranks take turns on all CPUs */
}
