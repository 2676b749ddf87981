#define _GNU_SOURCE
#include "stream_workspace.h"
#include "status.h"
#include "wf_context.h"

#include <pthread.h>
#include <stdlib.h>

enum { WORKSPACES = 64, SLOTS = 64, SLOT_BYTES = 1024, SLOT_WORD = 768 };
#define MEMORY_BYTES ((size_t)WORKSPACES * WF_WORKSPACE_BYTES + (size_t)SLOTS * SLOT_BYTES)

/* Device memory that an owner has. Queued launches and captured graphs may use what a larger room replaced. */
typedef struct stream_room {
    struct stream_room *replaced;
    void *memory;
    size_t bytes;
} stream_room;

typedef struct owner {
    void *stream;
    uint64_t capture; /* 0: none */
    bool taken;
    stream_room *room; /* the largest; stays with the workspace when that changes its owner */
} owner;

struct wf_stream_workspaces {
    pthread_mutex_t mutex;
    char *memory; /* device memory: the workspaces, then result slots for devices that share no memory with the host */
    owner owners[WORKSPACES];
    char *slots_there;
    char *slots_here;        /* NULL: the device shares no memory with the host */
    uint64_t numbers[SLOTS]; /* the last number of each slot */
    uint64_t free_slots;     /* a bit for each slot */
    pthread_cond_t slot_freed;
};

wf_status wf_stream_workspaces_create(wf_context *context) {
    const wf_backend *backend = context->backend;
    struct wf_stream_workspaces *workspaces = calloc(1, sizeof *workspaces);
    if (workspaces == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for a context");
    pthread_mutex_init(&workspaces->mutex, NULL);
    pthread_cond_init(&workspaces->slot_freed, NULL);
    context->stream_workspaces = workspaces;
    void *memory, *here, *there;
    wf_status status = backend->allocate(context->device, MEMORY_BYTES, &memory);
    if (status == WF_OK) {
        workspaces->memory = memory;
        status = backend->clear(context->device, NULL, memory, MEMORY_BYTES);
    }
    if (status == WF_OK)
        status = backend->finish(context->device);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "allocating the stream workspaces");
    workspaces->free_slots = UINT64_MAX;
    workspaces->slots_there = workspaces->memory + (size_t)WORKSPACES * WF_WORKSPACE_BYTES;
    if (backend->share(context->device, (size_t)SLOTS * SLOT_BYTES, &here, &there) == WF_OK) {
        workspaces->slots_here = here;
        workspaces->slots_there = there;
        for (size_t c = 0; c < SLOTS; c++)
            *(uint64_t *)(void *)(workspaces->slots_here + c * SLOT_BYTES + SLOT_WORD) = 0;
    }
    return WF_OK;
}

static void release_room(const wf_context *context, owner *of) {
    stream_room *const room = of->room;
    of->room = room->replaced;
    context->backend->release(context->device, room->memory);
    free(room);
}

void wf_stream_workspaces_destroy(wf_context *context) {
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    if (workspaces == NULL)
        return;
    for (size_t i = 0; i < WORKSPACES; i++)
        while (workspaces->owners[i].room != NULL)
            release_room(context, &workspaces->owners[i]);
    if (workspaces->memory != NULL)
        context->backend->release(context->device, workspaces->memory);
    if (workspaces->slots_here != NULL)
        context->backend->unshare(context->device, workspaces->slots_here);
    pthread_cond_destroy(&workspaces->slot_freed);
    pthread_mutex_destroy(&workspaces->mutex);
    free(workspaces);
}

wf_status wf_stream_workspace_of(wf_context *context, void *stream, void **workspace, bool *is_new) {
    uint64_t capture = 0;
    const wf_status status = stream != NULL ? context->backend->capture(context->device, stream, &capture) : WF_OK;
    if (status != WF_OK)
        return wf_backend_fail(context, status, "querying the stream's capture");
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    pthread_mutex_lock(&workspaces->mutex);
    size_t found = 0, vacant = WORKSPACES;
    for (; found < WORKSPACES; found++) {
        const owner *candidate = &workspaces->owners[found];
        if (candidate->taken && candidate->stream == stream && candidate->capture == capture)
            break;
        if (!candidate->taken && vacant == WORKSPACES)
            vacant = found;
    }
    const bool takes_vacant = found == WORKSPACES && vacant < WORKSPACES;
    if (takes_vacant) {
        found = vacant;
        owner *const made = &workspaces->owners[found];
        *made = (owner){stream, capture, true, made->room};
    }
    pthread_mutex_unlock(&workspaces->mutex);
    if (found == WORKSPACES)
        return wf_fail(WF_OUT_OF_MEMORY,
                       "%d streams and captures have used this context, the most that it holds: release finished "
                       "streams by wf_context_forget_stream, or use another context",
                       WORKSPACES);
    *workspace = workspaces->memory + found * WF_WORKSPACE_BYTES;
    if (is_new != NULL)
        *is_new = takes_vacant;
    return WF_OK;
}

static wf_status add_room(const wf_context *context, owner *of, size_t bytes) {
    stream_room *const room = malloc(sizeof *room);
    if (room == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory to record an allocation");
    *room = (stream_room){.replaced = of->room, .bytes = bytes};
    const wf_status status = context->backend->allocate(context->device, bytes, &room->memory);
    if (status != WF_OK) {
        free(room);
        return wf_backend_fail(context, status, "allocating a stream's workspace");
    }
    of->room = room;
    return WF_OK;
}

wf_status wf_stream_room(wf_context *context, void *stream, size_t bytes, void **room) {
    enum { LEAST_ROOM = 1 << 20 };
    void *workspace;
    wf_status status = wf_stream_workspace_of(context, stream, &workspace, NULL);
    if (status != WF_OK)
        return status;
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    owner *const of = &workspaces->owners[(size_t)((char *)workspace - workspaces->memory) / WF_WORKSPACE_BYTES];
    pthread_mutex_lock(&workspaces->mutex);
    const size_t present = of->room != NULL ? of->room->bytes : LEAST_ROOM / 2;
    if (bytes > present || of->room == NULL)
        status = add_room(context, of, bytes > 2 * present ? bytes : 2 * present);
    if (status == WF_OK)
        *room = of->room->memory;
    pthread_mutex_unlock(&workspaces->mutex);
    return status;
}

wf_status wf_queue_room(const wf_queue *queue, size_t bytes, void **room) {
    if (queue->room == NULL)
        return wf_stream_room(queue->context, queue->stream, bytes, room);
    if (bytes > queue->room_bytes)
        return wf_fail(WF_OUT_OF_MEMORY, "a launch needs %zu bytes of workspace, but has %zu", bytes,
                       queue->room_bytes);
    *room = queue->room;
    return WF_OK;
}

void wf_stream_workspace_give_back(wf_context *context, const void *workspace) {
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    const size_t found = (size_t)((const char *)workspace - workspaces->memory) / WF_WORKSPACE_BYTES;
    pthread_mutex_lock(&workspaces->mutex);
    workspaces->owners[found].taken = false;
    pthread_mutex_unlock(&workspaces->mutex);
}

void wf_context_forget_stream(wf_context *context, void *stream) {
    if (context == NULL || context->stream_workspaces == NULL || stream == NULL)
        return;
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    pthread_mutex_lock(&workspaces->mutex);
    for (size_t i = 0; i < WORKSPACES; i++)
        if (workspaces->owners[i].stream == stream)
            workspaces->owners[i].taken = false;
    pthread_mutex_unlock(&workspaces->mutex);
}

wf_result_slot wf_take_result_slot(wf_context *context) {
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    pthread_mutex_lock(&workspaces->mutex);
    while (workspaces->free_slots == 0)
        pthread_cond_wait(&workspaces->slot_freed, &workspaces->mutex);
    size_t c = 0;
    while ((workspaces->free_slots >> c & 1) == 0)
        c++;
    workspaces->free_slots &= ~(UINT64_C(1) << c);
    const uint64_t number = ++workspaces->numbers[c];
    pthread_mutex_unlock(&workspaces->mutex);
    wf_result_slot slot = {.index = c, .there = workspaces->slots_there + c * SLOT_BYTES, .number = number};
    if (workspaces->slots_here != NULL) {
        slot.here = workspaces->slots_here + c * SLOT_BYTES;
        slot.notice = (char *)slot.there + SLOT_WORD;
        slot.word = (uint64_t *)(void *)((char *)slot.here + SLOT_WORD);
    }
    return slot;
}

void wf_give_result_slot(wf_context *context, const wf_result_slot *slot) {
    struct wf_stream_workspaces *workspaces = context->stream_workspaces;
    pthread_mutex_lock(&workspaces->mutex);
    workspaces->free_slots |= UINT64_C(1) << slot->index;
    pthread_cond_signal(&workspaces->slot_freed);
    pthread_mutex_unlock(&workspaces->mutex);
}
