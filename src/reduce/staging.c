#define _GNU_SOURCE
#include "staging.h"
#include "cancellation.h"
#include "status.h"
#include "wf_context.h"

#include <pthread.h>
#include <stdlib.h>

/* Pieces of MOST_BYTES hide the start-up cost of a copy. */
enum { LEAST_BYTES = 64 * 1024, MOST_BYTES = 64 * 1024 * 1024 };

struct wf_staging {
    pthread_mutex_t mutex;
    void *memory; /* grows, never shrinks */
    size_t bytes;
};

wf_status wf_staging_create(wf_context *context) {
    context->staging = calloc(1, sizeof *context->staging);
    if (context->staging == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for a context");
    pthread_mutex_init(&context->staging->mutex, NULL);
    return WF_OK;
}

void wf_staging_destroy(wf_context *context) {
    if (context->staging == NULL)
        return;
    if (context->staging->memory != NULL)
        context->backend->release(context->device, context->staging->memory);
    pthread_mutex_destroy(&context->staging->mutex);
    free(context->staging);
}

void wf_staging_lock(wf_context *context) {
    pthread_mutex_lock(&context->staging->mutex);
}

void wf_staging_unlock(wf_context *context) {
    pthread_mutex_unlock(&context->staging->mutex);
}

wf_status wf_staging_take_turn(const wf_queue *queue, wf_status (*work)(const wf_queue *queue, const void *of),
                               const void *of) {
    if (queue->room != NULL)
        return work(queue, of);
    const int before = wf_disable_cancellation(); /* a cancelled thread would keep the lock */
    wf_staging_lock(queue->context);
    const wf_status status = work(queue, of);
    wf_staging_unlock(queue->context);
    wf_restore_cancellation(before);
    return status;
}

wf_status wf_staging_reserve(wf_context *context, size_t wanted, void **memory, size_t *room) {
    struct wf_staging *staging = context->staging;
    size_t bytes = LEAST_BYTES;
    while (bytes < wanted && bytes < MOST_BYTES)
        bytes *= 2;
    if (bytes > staging->bytes) {
        if (staging->memory != NULL)
            context->backend->release(context->device, staging->memory);
        staging->bytes = 0;
        const wf_status status = context->backend->allocate(context->device, bytes, &staging->memory);
        if (status != WF_OK) {
            staging->memory = NULL;
            return wf_backend_fail(context, status, "allocating a buffer for pieces of host memory");
        }
        staging->bytes = bytes;
    }
    *memory = staging->memory;
    *room = staging->bytes;
    return WF_OK;
}
