/* Reductions of arrays that are spread over the ranks of an NCCL or RCCL communicator, queued on a stream. The library
 * is libwavefold-nccl for NCCL, libwavefold-rccl for RCCL. This header serves both, and includes neither's header.
 *
 *   wf_nccl *ranks;
 *   wf_nccl_create(&ranks, context, comm);
 *   wf_nccl_reduce_async(ranks, &(wf_reduce_spec){.type = WF_F32}, in, count, result, sizeof(float), stream);
 *   wf_nccl_wait(ranks, stream);
 *
 * These rules hold for every function:
 *
 *   collective: All ranks of the communicator call it, in the same order, with the same fields; their parts differ. The
 *               message of wavefold_message.h is joined in one group by ncclAllReduce and, for its records,
 *               ncclAllGather. Every rank gets the results.
 *   bits:       Results that are rounded at most once have the same bits for any number of ranks, any division and any
 *               algorithm of the engine (the table in wavefold_message.h).
 *   stream:     of the context's device, and not NULL (cudaStreamLegacy is CUDA's default stream). Calls queue and
 *               return. The calls of one wf_nccl need one stream, or streams that events order. They can be captured
 *               into a graph after a first call with the same fields.
 *   in, result: device memory or pinned host memory, as for wf_reduce_async
 *   threads:    A thread for each rank; or one thread for several ranks, with the calls between wf_nccl_group_start and
 *               wf_nccl_group_end (not ncclGroupStart and ncclGroupEnd, since launches must follow the engine's group).
 *               Make the context's device current on the thread (cudaSetDevice, hipSetDevice); otherwise the runtime
 *               creates a context on GPU 0, which takes some hundred MB.
 *   failures:   A rank whose part is refused returns the error, and still sends an empty message, so that no other rank
 *               waits. That call then writes no results, and wf_nccl_wait reports the rank and the cause on every rank.
 *   undetected: errors before a message exists (a NULL wf_nccl, fields in no table, no memory), and fields that differ
 *               in length between ranks. wf_nccl_agree detects them beforehand. For a rank that dies:
 *               ncclCommGetAsyncError, ncclCommAbort.
 *   fails:      WF_ENGINE_ERROR: NCCL or RCCL reported an error. Otherwise as for wf_reduce_async. */
#ifndef WAVEFOLD_NCCL_H
#define WAVEFOLD_NCCL_H

#include "wavefold_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in <nccl.h> and <rccl/rccl.h>. */
typedef struct ncclComm *ncclComm_t;

/* A context on one rank of a communicator, and its messages. Not collective.
 *   comm:      the caller's, on the context's device. It and the context must live until wf_nccl_destroy.
 *   threads:   a wf_nccl is used by one thread at a time
 *   fails:     WF_INVALID_ARGUMENT: NULL; a communicator of another device, or of more than 2^20 ranks.
 *              WF_OUT_OF_MEMORY. */
typedef struct wf_nccl wf_nccl;
WF_API wf_status wf_nccl_create(wf_nccl **ranks, wf_context *context, ncclComm_t comm);
/* Frees ranks. No work that was queued with it may still run or be replayed. */
WF_API void wf_nccl_destroy(wf_nccl *ranks);

/* wf_reduce_async of the whole array: the parts of all ranks in the order of ranks. */
WF_API wf_status wf_nccl_reduce_async(wf_nccl *ranks, const wf_reduce_spec *spec, const void *in, size_t count,
                                      void *result, size_t result_bytes, void *stream);
/* wf_describe_async of the whole array. */
WF_API wf_status wf_nccl_describe_async(wf_nccl *ranks, const wf_describe_spec *spec, const void *in, size_t count,
                                        wf_description *result, void *stream);
/* n reductions and descriptions in one message.
 *   fields:   read before the call returns; a result may be NULL on a rank that needs none */
WF_API wf_status wf_nccl_reduce_many_async(wf_nccl *ranks, const wf_field *fields, size_t n, void *stream);

/* wf_nccl_group_end queues the calls that this thread made since wf_nccl_group_start: one call for each of its ranks.
 * Groups nest. */
WF_API wf_status wf_nccl_group_start(void);
WF_API wf_status wf_nccl_group_end(void);

/* Wait for the stream and check the calls since the last wait: all ranks must have succeeded with the same fields.
 * Otherwise every rank returns the same error, which names the rank and the cause. Collective; block.
 *   stream:           must follow all these calls: work that still runs in another stream is not checked
 *   wf_nccl_wait_all: for n ranks of one thread and one communicator, each with its stream */
WF_API wf_status wf_nccl_wait(wf_nccl *ranks, void *stream);
WF_API wf_status wf_nccl_wait_all(wf_nccl *const *ranks, size_t n, void *const *streams);

/* Checks that all ranks succeeded and request the same fields, before anything is queued. Collective; blocks; needs a
 * thread for each rank.
 *   mine, cause:  this rank's status, and its cause as a sentence; NULL: wf_last_error()
 *   fields:       may be NULL if n is 0: then only the statuses are compared */
WF_API wf_status wf_nccl_agree(wf_nccl *ranks, wf_status mine, const char *cause, const wf_field *fields, size_t n,
                               void *stream);

#ifdef __cplusplus
}
#endif
#endif
