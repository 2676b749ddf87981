/* Reductions of arrays that are spread over the ranks of an NCCL or RCCL communicator, queued on a stream. The library
 * is libwavefold-nccl for NCCL, libwavefold-rccl for RCCL; the header is the same, and needs neither's.
 *
 *   wf_nccl *ranks;
 *   wf_nccl_create(&ranks, context, comm);
 *   wf_nccl_reduce_async(ranks, &(wf_reduce_spec){.type = WF_F32}, in, count, result, sizeof(float), stream);
 *   wf_nccl_wait(ranks, stream);
 *
 * What holds for every function:
 *
 *   collective: All ranks of the communicator call it, in the same order, with the same fields; their parts differ. The
 *               message of wavefold_message.h goes by ncclAllReduce and, for what goes by records, ncclAllGather, in
 *               one group; nothing here sends bytes by itself. Every rank gets the results.
 *   bits:       as wavefold_message.h says: of exact sums, and all else that is not rounded more than once, the same
 *               for any number of ranks, any parts, and any algorithm that the engine picks
 *   stream:     of the context's device, and not NULL: cudaStreamLegacy is CUDA's default one. Calls queue and return.
 *               Those of one wf_nccl are ordered by their streams as the engine's own are: one
 *               stream, or streams that events order. They can be captured into a graph, once a call of the same fields
 *               has been made.
 *   in, result: as for wf_reduce_async: memory that the device can read, and write: device memory or pinned host memory
 *   threads:    a thread for each rank, or one thread for several: then calls stand between wf_nccl_group_start and
 *               wf_nccl_group_end, as the engine's own do; not between ncclGroupStart and ncclGroupEnd, as launches
 *               follow what the group sends. The context's device is to be the thread's current one (cudaSetDevice,
 *               hipSetDevice): on a thread that has none, the engine's calls and CUDA's give it GPU 0, and that a
 *               context, with some hundred MB of its memory.
 *   failures:   A rank whose part is refused returns the error, and takes part all the same, with a message of nothing,
 *               so that no other rank waits for it. The results of that call are then written nowhere, and wf_nccl_wait
 *               says on every rank which rank failed, and why. What is refused before a message can be made (a wf_nccl
 *               that is NULL, fields that are in no table, no memory for the message) no other rank hears of; and what
 *               an engine does with messages of different lengths, which different fields may have, it does not say.
 *               wf_nccl_agree finds all that beforehand. A rank that dies is the
 *               engine's matter: ncclCommGetAsyncError, ncclCommAbort.
 *   fails:      WF_ENGINE_ERROR: NCCL or RCCL reported an error. Or what wf_reduce_async says. */
#ifndef WAVEFOLD_NCCL_H
#define WAVEFOLD_NCCL_H

#include "wavefold_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in <nccl.h> and <rccl/rccl.h>. */
typedef struct ncclComm *ncclComm_t;

/* A context on one rank of a communicator, and the messages between them. Not collective.
 *   comm:      the caller's, on the context's device. It and the context must live until wf_nccl_destroy.
 *   threads:   a wf_nccl is used by one thread at a time
 *   fails:     WF_INVALID_ARGUMENT: NULL; a communicator of another device, or of more than 2^20 ranks.
 *              WF_OUT_OF_MEMORY. */
typedef struct wf_nccl wf_nccl;
WF_API wf_status wf_nccl_create(wf_nccl **ranks, wf_context *context, ncclComm_t comm);
/* When nothing that was queued with it runs, or will be replayed. */
WF_API void wf_nccl_destroy(wf_nccl *ranks);

/* wf_reduce_async of the parts of all ranks, which follow each other in the order of ranks. */
WF_API wf_status wf_nccl_reduce_async(wf_nccl *ranks, const wf_reduce_spec *spec, const void *in, size_t count,
                                      void *result, size_t result_bytes, void *stream);
/* wf_describe_async likewise. */
WF_API wf_status wf_nccl_describe_async(wf_nccl *ranks, const wf_describe_spec *spec, const void *in, size_t count,
                                        wf_description *result, void *stream);
/* n reductions and descriptions in one message. fields is read before the call returns; results are as above, NULL
 * where a rank is not to have one. */
WF_API wf_status wf_nccl_reduce_many_async(wf_nccl *ranks, const wf_field *fields, size_t n, void *stream);

/* What stands between them, on one thread, is queued by wf_nccl_group_end: for a thread that has several ranks, one
 * call of each. Groups nest. */
WF_API wf_status wf_nccl_group_start(void);
WF_API wf_status wf_nccl_group_end(void);

/* Waits for the stream, and says whether all ranks took part in all that was queued since the last call, with the same
 * fields: else the same error on every rank, which names the rank and the cause. Collective, and blocks.
 *   stream:           comes behind all of these: what is still running in another one is not known of
 *   wf_nccl_wait_all: the same for n ranks of one thread, each with its stream; all of one communicator */
WF_API wf_status wf_nccl_wait(wf_nccl *ranks, void *stream);
WF_API wf_status wf_nccl_wait_all(wf_nccl *const *ranks, size_t n, void *const *streams);

/* Whether all ranks are well and ask for the same fields, before anything is queued. Collective, and blocks; needs a
 * thread for each rank.
 *   mine, cause:  as for wf_mpi_agree: this rank's status, and why, or NULL: wf_last_error()
 *   fields:       may be NULL if n is 0: then only the statuses are compared */
WF_API wf_status wf_nccl_agree(wf_nccl *ranks, wf_status mine, const char *cause, const wf_field *fields, size_t n,
                               void *stream);

#ifdef __cplusplus
}
#endif
#endif
