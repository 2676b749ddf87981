/* Preloaded into the ranks of wavefold-mpi: has the library fail, or tell of devices that are not there.
 *
 * WAVEFOLD_RANK_FAULT is
 *   meet   rank 1 cannot compare its count of elements with those of others
 *   fold   rank 1 cannot fold
 *   leave  rank 1 ends while it folds, with status 2
 *   bits   one rank alone comes to another result than several
 *   cpus   says on standard error on which CPUs a rank runs when its device is opened
 *   five   all ranks may run on CPUs 1, 2, 4, 6 and 9; where a rank would go from there is said on standard error
 *   bound  likewise, but each rank may run on the CPU of its number
 *   gpus   there are two NVIDIA GPUs; which of them is opened is said on standard error, and the host is opened
 */
#define _GNU_SOURCE
#include "wavefold_message.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static bool is(const char *name) {
    const char *fault = getenv("WAVEFOLD_RANK_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

/* As the launchers of Open MPI and of MPICH say it. */
static const char *own_rank(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank != NULL ? rank : getenv("PMI_RANK");
}

wf_status wf_message_write(wf_context *context, const wf_field *fields, size_t n, uint64_t *message) {
    const bool folds = fields->count != 0 && fields->spec.op == WF_SUM;
    const bool compares = fields->spec.op == WF_MINMAX;
    if (strcmp(own_rank(), "1") == 0) {
        if ((is("fold") && folds) || (is("meet") && compares))
            return wf_message_fail(WF_DEVICE_ERROR, "the injected fault");
        if (is("leave") && folds)
            exit(2);
    }
    return NEXT(wf_message_write)(context, fields, n, message);
}

wf_status wf_message_read(const wf_field *fields, size_t n, uint64_t ranks, const uint64_t *message,
                          const uint64_t *records) {
    const wf_status status = NEXT(wf_message_read)(fields, n, ranks, message, records);
    if (status == WF_OK && is("bits") && ranks == 1 && fields->result != NULL)
        *(unsigned char *)fields->result ^= 1;
    return status;
}

wf_status wf_backend_get_info(size_t index, wf_backend_info *info) {
    const wf_status status = NEXT(wf_backend_get_info)(index, info);
    if (status == WF_OK && is("gpus") && strcmp(info->name, "nvidia") == 0)
        info->devices = 2;
    return status;
}

/* "rank 1 on CPUs 2 3": in one write, as ranks print at the same time. */
static void say_cpus(const cpu_set_t *cpus) {
    char text[4096];
    int length = snprintf(text, sizeof text, "rank %s on CPUs", own_rank());
    for (int cpu = 0; cpu < CPU_SETSIZE && length < (int)sizeof text - 8; cpu++)
        if (CPU_ISSET(cpu, cpus))
            length += snprintf(text + length, sizeof text - (size_t)length, " %d", cpu);
    dprintf(STDERR_FILENO, "%s\n", text);
}

/* For the program alone: libraries that MPI loads, and the host device, move threads, too. */
static bool feigns_cpus(const void *caller) {
    Dl_info from;
    return (is("five") || is("bound")) && dladdr(caller, &from) != 0 && strstr(from.dli_fname, "wavefold-mpi-") != NULL;
}

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *cpus) {
    static const int five[] = {1, 2, 4, 6, 9};
    if (!feigns_cpus(__builtin_return_address(0)))
        return NEXT(sched_getaffinity)(thread, size, cpus);
    CPU_ZERO_S(size, cpus);
    for (size_t i = 0; is("five") && i < sizeof five / sizeof *five; i++)
        CPU_SET_S(five[i], size, cpus);
    if (is("bound"))
        CPU_SET_S(atoi(own_rank()), size, cpus);
    return 0;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *cpus) {
    if (!feigns_cpus(__builtin_return_address(0)))
        return NEXT(sched_setaffinity)(thread, size, cpus);
    say_cpus(cpus);
    return 0;
}

wf_status wf_context_create(wf_context **context, const char *device) {
    cpu_set_t cpus;
    if (is("cpus") && sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        say_cpus(&cpus);
    if (!is("gpus"))
        return NEXT(wf_context_create)(context, device);
    dprintf(STDERR_FILENO, "rank %s opens %s\n", own_rank(), device); /* what is printed by stdio is held back */
    return NEXT(wf_context_create)(context, "host");
}
