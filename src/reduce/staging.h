/* Staging: the lock of reductions in several parts, and a device buffer for pieces of host memory. */
#ifndef WAVEFOLD_REDUCE_STAGING_H
#define WAVEFOLD_REDUCE_STAGING_H

#include "launch.h"
#include "wavefold.h"

wf_status wf_staging_create(wf_context *context);
void wf_staging_destroy(wf_context *context);

/* A reduction in several parts keeps its intermediate result in the stream workspace: one at a time for
 * each context. */
void wf_staging_lock(wf_context *context);
void wf_staging_unlock(wf_context *context);
/* Calls work with the lock: no other thread's launches that use a stream's room come between those of work. A queue
 * with a room has the lock. */
wf_status wf_staging_take_turn(const wf_queue *queue, wf_status (*work)(const wf_queue *queue, const void *of),
                               const void *of);
/* *memory becomes a buffer for up to wanted bytes, valid until wf_staging_unlock; *room is its size. The context owns
 * it. */
wf_status wf_staging_reserve(wf_context *context, size_t wanted, void **memory, size_t *room);

#endif
