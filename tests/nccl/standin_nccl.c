#include "standin_nccl.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_CALLS = 64 };

typedef struct operation {
    const void *from;
    void *to;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    bool gathers;
} operation;

/* What the ranks of a communicator share. Call number n of each rank joins with number n of the others. */
typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t joined;
    int ranks, alive;
    uint64_t done; /* calls that have been joined */
    uint64_t made[MOST_RANKS];
    operation calls[MOST_CALLS][MOST_RANKS];
} world;

struct ncclComm {
    world *of;
    int rank;
    ncclResult_t fails;
    int asks; /* until calls that were put off are made */
    operation put_off[MOST_CALLS];
    size_t put_off_count;
};

/* What this thread has made in a group, and waits for at its end. */
static _Thread_local struct {
    int depth;
    ncclComm_t waits[MOST_RANKS * 4];
    size_t count;
    bool is_put_off;
} group;

static void join(world *w, const operation *calls) {
    const size_t count = calls[0].count;
    if (calls[0].gathers) {
        const size_t bytes = count * (calls[0].type == ncclChar ? 1 : sizeof(uint64_t));
        for (int to = 0; to < w->ranks; to++)
            for (int from = 0; from < w->ranks; from++)
                memcpy((char *)calls[to].to + (size_t)from * bytes, calls[from].from, bytes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t total = 0;
        for (int r = w->ranks - 1; r >= 0; r--) {
            const uint64_t word = ((const uint64_t *)calls[r].from)[i];
            total = calls[0].op == ncclSum ? total + word : word > total ? word : total;
        }
        for (int r = 0; r < w->ranks; r++)
            ((uint64_t *)calls[r].to)[i] = total;
    }
}

static bool is_complete(const world *w, uint64_t call) {
    for (int r = 0; r < w->ranks; r++)
        if (w->made[r] <= call)
            return false;
    return true;
}

static void wait_for(ncclComm_t comm) {
    world *const w = comm->of;
    pthread_mutex_lock(&w->lock);
    while (w->done < w->made[comm->rank])
        pthread_cond_wait(&w->joined, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

static ncclResult_t make(ncclComm_t comm, operation what) {
    if (comm->fails != ncclSuccess) {
        const ncclResult_t with = comm->fails;
        comm->fails = ncclSuccess;
        return with;
    }
    if (comm->asks > 0) {
        comm->put_off[comm->put_off_count++] = what;
        group.is_put_off = true;
        return ncclInProgress;
    }
    world *const w = comm->of;
    pthread_mutex_lock(&w->lock);
    w->calls[w->made[comm->rank]++ % MOST_CALLS][comm->rank] = what;
    for (; is_complete(w, w->done); w->done++)
        join(w, w->calls[w->done % MOST_CALLS]);
    pthread_cond_broadcast(&w->joined);
    pthread_mutex_unlock(&w->lock);
    if (group.depth == 0)
        wait_for(comm);
    else
        group.waits[group.count++] = comm;
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, void *stream) {
    (void)stream;
    return make(comm, (operation){from, to, count, type, op, false});
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           void *stream) {
    (void)stream;
    return make(comm, (operation){from, to, count, type, ncclSum, true});
}

ncclResult_t ncclGroupStart(void) {
    group.depth++;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
    if (--group.depth > 0)
        return ncclSuccess;
    for (size_t i = 0; i < group.count; i++)
        wait_for(group.waits[i]);
    group.count = 0;
    const bool is_put_off = group.is_put_off;
    group.is_put_off = false;
    return is_put_off ? ncclInProgress : ncclSuccess;
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int ranks, const int *devices) {
    (void)devices;
    if (ranks < 1 || ranks > MOST_RANKS)
        return ncclInvalidArgument;
    world *made = calloc(1, sizeof *made);
    if (made == NULL)
        return ncclSystemError;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->joined, NULL);
    made->ranks = made->alive = ranks;
    for (int r = 0; r < ranks; r++) {
        comms[r] = calloc(1, sizeof *comms[r]);
        if (comms[r] == NULL)
            abort();
        comms[r]->of = made;
        comms[r]->rank = r;
    }
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    world *const w = comm->of;
    pthread_mutex_lock(&w->lock);
    const bool was_last = --w->alive == 0;
    pthread_mutex_unlock(&w->lock);
    if (was_last) {
        pthread_mutex_destroy(&w->lock);
        pthread_cond_destroy(&w->joined);
        free(w);
    }
    free(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommCount(ncclComm_t comm, int *count) {
    *count = comm->of->ranks;
    return ncclSuccess;
}
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank) {
    *rank = comm->rank;
    return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device) {
    *device = comm->rank;
    return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
    *error = comm->asks > 0 && --comm->asks > 0 ? ncclInProgress : ncclSuccess;
    for (size_t i = 0; i < comm->put_off_count && comm->asks == 0; i++)
        (void)make(comm, comm->put_off[i]);
    comm->put_off_count = comm->asks == 0 ? 0 : comm->put_off_count;
    return ncclSuccess;
}
const char *ncclGetErrorString(ncclResult_t result) {
    return result == ncclSystemError ? "a made-up system error" : "an error";
}
const char *ncclGetLastError(ncclComm_t comm) {
    return comm == NULL ? "" : "of the stand-in";
}
void standin_fail(ncclComm_t comm, ncclResult_t with) {
    comm->fails = with;
}
void standin_put_off(ncclComm_t comm, int asked) {
    comm->asks = asked;
}
