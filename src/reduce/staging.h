/* Folds in several parts: whose turn it is, and device memory through which host memory goes. */
#ifndef WAVEFOLD_REDUCE_STAGING_H
#define WAVEFOLD_REDUCE_STAGING_H

#include "wavefold.h"

wf_status wf_staging_create(wf_context *context);
void wf_staging_destroy(wf_context *context);

/* What a fold in several parts leaves for the next one lies in its place: one at a time, of a context. */
void wf_staging_lock(wf_context *context);
void wf_staging_unlock(wf_context *context);
/* Device memory for up to wanted bytes, until wf_staging_unlock; *room is how many there are. It stays the context's.
 * */
wf_status wf_staging_reserve(wf_context *context, size_t wanted, void **memory, size_t *room);

#endif
