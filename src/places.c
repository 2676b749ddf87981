#define _GNU_SOURCE
#include "places.h"

#include <pthread.h>
#include <stdlib.h>

enum { PLACES = 64, CELLS = 64, CELL_BYTES = 256, CELL_WORD = 128 };
#define MEMORY_BYTES ((size_t)PLACES * WF_PLACE_BYTES + (size_t)CELLS * CELL_BYTES)

typedef struct owner {
    void *stream;
    uint64_t capture; /* 0: none */
    bool taken;
} owner;

struct wf_places {
    pthread_mutex_t mutex;
    char *memory; /* of the device: PLACES of them, and behind them CELLS for results if no others are to be had */
    owner owners[PLACES];
    char *cells_there;
    char *cells_here;        /* NULL: the device and the host share no memory */
    uint64_t numbers[CELLS]; /* the last that was given out with each */
    uint64_t free_cells;     /* a bit for each */
    pthread_cond_t cell_freed;
};

wf_status wf_places_create(wf_context *context) {
    const wf_backend *backend = context->backend;
    struct wf_places *places = calloc(1, sizeof *places);
    if (places == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for a context");
    pthread_mutex_init(&places->mutex, NULL);
    pthread_cond_init(&places->cell_freed, NULL);
    context->places = places;
    void *memory, *here, *there;
    wf_status status = backend->allocate(context->device, MEMORY_BYTES, &memory);
    if (status == WF_OK) {
        places->memory = memory;
        status = backend->clear(context->device, NULL, memory, MEMORY_BYTES);
    }
    if (status == WF_OK)
        status = backend->finish(context->device);
    if (status != WF_OK) {
        wf_backend_fail(context, status, "making room for what tiles tell each other");
        wf_places_destroy(context);
        return status;
    }
    places->free_cells = UINT64_MAX;
    places->cells_there = places->memory + (size_t)PLACES * WF_PLACE_BYTES;
    if (backend->share(context->device, (size_t)CELLS * CELL_BYTES, &here, &there) == WF_OK) {
        places->cells_here = here;
        places->cells_there = there;
        for (size_t c = 0; c < CELLS; c++)
            *(uint64_t *)(void *)(places->cells_here + c * CELL_BYTES + CELL_WORD) = 0;
    }
    return WF_OK;
}

void wf_places_destroy(wf_context *context) {
    struct wf_places *places = context->places;
    if (places == NULL)
        return;
    if (places->memory != NULL)
        context->backend->release(context->device, places->memory);
    if (places->cells_here != NULL)
        context->backend->unshare(context->device, places->cells_here);
    pthread_cond_destroy(&places->cell_freed);
    pthread_mutex_destroy(&places->mutex);
    free(places);
    context->places = NULL;
}

wf_status wf_place_of(wf_context *context, void *stream, void **place) {
    uint64_t capture = 0;
    const wf_status status = stream != NULL ? context->backend->capture(context->device, stream, &capture) : WF_OK;
    if (status != WF_OK)
        return wf_backend_fail(context, status, "asking what the stream is captured into");
    struct wf_places *places = context->places;
    pthread_mutex_lock(&places->mutex);
    size_t found = 0, vacant = PLACES;
    for (; found < PLACES; found++) {
        const owner *of = &places->owners[found];
        if (of->taken && of->stream == stream && of->capture == capture)
            break;
        if (!of->taken && vacant == PLACES)
            vacant = found;
    }
    if (found == PLACES && vacant < PLACES) {
        found = vacant;
        places->owners[found] = (owner){stream, capture, true};
    }
    pthread_mutex_unlock(&places->mutex);
    if (found == PLACES)
        return wf_fail(WF_OUT_OF_MEMORY,
                       "%d streams and captures have used this context, and it has room for no more: give back what is "
                       "done with by wf_context_forget_stream, or use another context",
                       PLACES);
    *place = places->memory + found * WF_PLACE_BYTES;
    return WF_OK;
}

void wf_context_forget_stream(wf_context *context, void *stream) {
    if (context == NULL || context->places == NULL || stream == NULL)
        return;
    struct wf_places *places = context->places;
    pthread_mutex_lock(&places->mutex);
    for (size_t i = 0; i < PLACES; i++)
        if (places->owners[i].stream == stream)
            places->owners[i].taken = false;
    pthread_mutex_unlock(&places->mutex);
}

wf_cell wf_take_cell(wf_context *context) {
    struct wf_places *places = context->places;
    pthread_mutex_lock(&places->mutex);
    while (places->free_cells == 0)
        pthread_cond_wait(&places->cell_freed, &places->mutex);
    size_t c = 0;
    while ((places->free_cells >> c & 1) == 0)
        c++;
    places->free_cells &= ~(UINT64_C(1) << c);
    const uint64_t number = ++places->numbers[c];
    pthread_mutex_unlock(&places->mutex);
    wf_cell cell = {.index = c, .there = places->cells_there + c * CELL_BYTES, .number = number};
    if (places->cells_here != NULL) {
        cell.here = places->cells_here + c * CELL_BYTES;
        cell.notice = (char *)cell.there + CELL_WORD;
        cell.word = (uint64_t *)(void *)((char *)cell.here + CELL_WORD);
    }
    return cell;
}

void wf_give_cell(wf_context *context, const wf_cell *cell) {
    struct wf_places *places = context->places;
    pthread_mutex_lock(&places->mutex);
    places->free_cells |= UINT64_C(1) << cell->index;
    pthread_cond_signal(&places->cell_freed);
    pthread_mutex_unlock(&places->mutex);
}
