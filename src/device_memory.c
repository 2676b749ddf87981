/* Device memory: allocation, copies, and the check that an array is inside a block. */
#define _GNU_SOURCE
#include "device_memory.h"
#include "wavefold_host_memory.h"

#include "check.h"
#include "status.h"
#include "wf_context.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    uintptr_t address;
    size_t bytes; /* as requested from wf_malloc */
    size_t room;  /* bytes allocated: 1 for a block of 0 bytes, so that its address is unique */
} block;

/* Blocks compare equal if they overlap. Blocks in the tree never overlap, so a key of one byte finds its block. */
static int compare_blocks(const void *left, const void *right) {
    const block *a = left, *b = right;
    return (a->address >= b->address + b->room) - (b->address >= a->address + a->room);
}

static block *find_block(const wf_context *context, const void *memory) {
    const block wanted = {.address = (uintptr_t)memory, .room = 1};
    void *found = tfind(&wanted, &context->blocks, compare_blocks);
    return found != NULL ? *(block **)found : NULL;
}

static size_t room_of(size_t bytes) {
    return bytes != 0 ? bytes : 1;
}

static wf_status add_block(wf_context *context, void *memory, size_t bytes) {
    block *added = malloc(sizeof *added);
    if (added != NULL) {
        *added = (block){.address = (uintptr_t)memory, .bytes = bytes, .room = room_of(bytes)};
        if (tsearch(added, &context->blocks, compare_blocks) != NULL)
            return WF_OK;
    }
    free(added);
    return wf_fail(WF_OUT_OF_MEMORY, "no host memory to record an allocation");
}

static void release_block(wf_context *context, block *released) {
    tdelete(released, &context->blocks, compare_blocks);
    context->backend->release(context->device, (void *)released->address);
    free(released);
}

/* ---- Checks ---- */

wf_status wf_check_device_memory(const wf_context *context, const char *name, const void *array, size_t bytes) {
    if (bytes == 0)
        return WF_OK;
    const block *holder = find_block(context, array);
    const char *device = context->info.id;
    if (holder == NULL && wf_is_host_device(context) && !context->takes_host_memory)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'%s' is not device memory of %s: host memory, or freed; allocate it with wf_malloc", name,
                       device);
    if (holder == NULL)
        return WF_OK;
    const size_t room = holder->address + holder->bytes - (uintptr_t)array;
    if (bytes > room)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'%s' takes %zu bytes, but its block of %zu bytes ends after %zu: allocate more with wf_malloc, "
                       "or pass fewer",
                       name, bytes, holder->bytes, room);
    return WF_OK;
}

/* ---- Allocation ---- */

wf_status wf_malloc(wf_context *context, void **memory, size_t bytes) {
    wf_status status = wf_check_call(context, memory, "memory");
    if (status != WF_OK)
        return status;
    void *allocated;
    status = context->backend->allocate(context->device, room_of(bytes), &allocated);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "allocating");
    status = add_block(context, allocated, bytes);
    if (status != WF_OK) {
        context->backend->release(context->device, allocated);
        return status;
    }
    *memory = allocated;
    return WF_OK;
}

wf_status wf_free(wf_context *context, void *memory) {
    if (memory == NULL)
        return WF_OK;
    const wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    block *freed = find_block(context, memory);
    if (freed == NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'memory' is no block of this context: it was freed before, or is not from wf_malloc");
    if (freed->address != (uintptr_t)memory)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'memory' lies %zu bytes inside a block of %zu: pass the address from wf_malloc",
                       (uintptr_t)memory - freed->address, freed->bytes);
    release_block(context, freed);
    return WF_OK;
}

wf_status wf_context_take_host_memory(wf_context *context) {
    const wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (!wf_is_host_device(context) || !wf_folds_on_cpu(context))
        return wf_fail(WF_UNSUPPORTED, "%s runs kernels, which need device memory: allocate it with wf_malloc",
                       context->info.id);
    context->takes_host_memory = true;
    return WF_OK;
}

void wf_device_memory_destroy(wf_context *context) {
    while (context->blocks != NULL)
        release_block(context, *(block **)context->blocks);
}

/* ---- Copies ---- */

/* device: the address in device memory; host: the one in host memory. */
static wf_status check_copy(const wf_context *context, const void *device, const void *host, size_t bytes) {
    wf_status status = wf_check_context(context);
    if (status == WF_OK)
        status = wf_check_bytes(bytes);
    if (status == WF_OK && bytes != 0 && (device == NULL || host == NULL))
        status = wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL for %zu bytes", device == NULL ? "device" : "host",
                         bytes);
    return status == WF_OK ? wf_check_device_memory(context, "device", device, bytes) : status;
}

static wf_status copy(wf_context *context, void *to, const void *from, size_t bytes, wf_direction direction) {
    const wf_status status = bytes != 0 ? context->backend->copy(context->device, to, from, bytes, direction)
                                        : context->backend->finish(context->device); /* a call for 0 bytes waits, too */
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "copying");
}

wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes) {
    const wf_status status = check_copy(context, device, host, bytes);
    return status == WF_OK ? copy(context, device, host, bytes, WF_TO_DEVICE) : status;
}

wf_status wf_copy_to_host(wf_context *context, void *host, const void *device, size_t bytes) {
    const wf_status status = check_copy(context, device, host, bytes);
    return status == WF_OK ? copy(context, host, device, bytes, WF_TO_HOST) : status;
}
