/* Preloaded into the ranks of wavefold-mpi: has the library fail, or tell of devices that are not there.
 *
 * WAVEFOLD_RANK_FAULT is
 *   fold   rank 1 cannot fold
 *   bits   one rank alone comes to another result than several
 *   gpus   there are two NVIDIA GPUs; which of them is opened is said on standard error, and the host is opened
 */
#define _GNU_SOURCE
#include "wavefold_message.h"

#include <dlfcn.h>
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
    if (is("fold") && strcmp(own_rank(), "1") == 0)
        return wf_message_fail(WF_DEVICE_ERROR, "the injected fault");
    return NEXT(wf_message_write)(context, fields, n, message);
}

wf_status wf_message_read(const wf_field *fields, size_t n, uint64_t ranks, const uint64_t *message,
                          const uint64_t *records) {
    const wf_status status = NEXT(wf_message_read)(fields, n, ranks, message, records);
    if (status == WF_OK && is("bits") && ranks == 1)
        *(unsigned char *)fields->result ^= 1;
    return status;
}

wf_status wf_backend_get_info(size_t index, wf_backend_info *info) {
    const wf_status status = NEXT(wf_backend_get_info)(index, info);
    if (status == WF_OK && is("gpus") && strcmp(info->name, "nvidia") == 0)
        info->devices = 2;
    return status;
}

wf_status wf_context_create(wf_context **context, const char *device) {
    if (!is("gpus"))
        return NEXT(wf_context_create)(context, device);
    dprintf(STDERR_FILENO, "rank %s opens %s\n", own_rank(), device); /* what is printed by stdio is held back */
    return NEXT(wf_context_create)(context, "host");
}
