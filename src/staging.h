/* Device memory through which host memory is folded in pieces. */
#ifndef WAVEFOLD_STAGING_H
#define WAVEFOLD_STAGING_H

#include "internal.h"

wf_status wf_staging_create(wf_context *context);
void wf_staging_destroy(wf_context *context);

/* Device memory for up to wanted bytes, for this thread alone until the end; *room is how many there are, a multiple of
 * 64. It stays the context's. */
wf_status wf_staging_begin(wf_context *context, size_t wanted, void **memory, size_t *room);
void wf_staging_end(wf_context *context);

#endif
