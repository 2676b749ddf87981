/* Reductions of arrays that are spread over the ranks of an MPI communicator. The library is libwavefold-mpi, beside
 * libwavefold; it is built for one MPI, that of the <mpi.h> below.
 *
 * What holds for every function:
 *
 *   collective: All ranks of comm call it, in the same order, with the same fields (their parts differ) and the same
 *               root. Each rank folds its own part; then all agree, by an allreduce of three numbers, that each has
 *               done so and asks for the same. If not, every rank returns the same error, which names the rank and the
 *               cause; of several ranks that failed the lowest, and how many more.
 *               Only then comes the message of wavefold_message.h, by MPI_Allreduce (MPI_Reduce with a root) and, for
 *               what goes by records, MPI_Allgather (MPI_Gather). No byte is sent otherwise.
 *               After the agreement only MPI itself can fail (and with wf_mpi_join a message that is none of these
 *               fields' on any rank). Each rank then tells what it has met itself: on another rank the call may have
 *               succeeded, or fail in other words.
 *   memory:     One allocation a call, before the agreement: the message, and on ranks that read it everyone's records.
 *               What is needed to tell an error needs none.
 *   bits:       as wavefold_message.h says: of exact sums, and all else that is not rounded more than once, the same
 *               for any number of ranks, any parts, and any MPI
 *   context:    each rank's own: any device, also a different one on each rank
 *   in:         as for wf_reduce: host memory or memory of the context's device. MPI gets to see host memory alone, so
 *               it need not know GPUs.
 *   result:     host memory; NULL where a rank is not to have it. It has not changed on failure.
 *   root:       the rank that gets the results, or WF_MPI_ALL
 *   comm:       an intracommunicator. Its error handler is in force: MPI_ERRORS_ARE_FATAL, the default, ends the job
 *               when a rank dies or MPI fails; with MPI_ERRORS_RETURN it is WF_ENGINE_ERROR, and the communicator's
 *               state is what MPI says.
 *   threads:    as for wf_reduce, and as the level asks that MPI was initialised with: calls on one communicator from
 *               one thread at a time
 *   fails:      WF_INVALID_ARGUMENT: MPI is not initialised, or has been finalised; comm is MPI_COMM_NULL or joins two
 *               groups; root is no rank; more than 2^20 ranks; ranks that ask for different things. Or what wf_reduce
 *               says, of any rank. A rank to which MPI_COMM_NULL is given returns alone, as it is in no group. */
#ifndef WAVEFOLD_MPI_H
#define WAVEFOLD_MPI_H

#include "wavefold_message.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_MPI_ALL = -1 };

/* wf_reduce of the parts of all ranks, which follow each other in the order of ranks. */
WF_API wf_status wf_mpi_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                               void *result, size_t result_bytes, int root, MPI_Comm comm);

/* wf_describe likewise. */
WF_API wf_status wf_mpi_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                                 wf_description *result, int root, MPI_Comm comm);

/* n reductions and descriptions in one message: n fields cost hardly more than one, where the time is that of messages.
 *   fields:   their results too are the caller's */
WF_API wf_status wf_mpi_reduce_many(wf_context *context, const wf_field *fields, size_t n, int root, MPI_Comm comm);

/* What follows in wf_mpi_reduce_many when a rank has folded: for who writes messages, as of a long part in pieces
 * (wf_message_append). The ranks agree, the messages are joined, and the results read.
 *   mine:     this rank's status; not WF_OK: wf_last_error() says why, and message is not heeded
 *   message:  host memory. Where results are read its sums and maxima become the joined ones; else it stays. */
WF_API wf_status wf_mpi_join(wf_status mine, const wf_field *fields, size_t n, uint64_t *message, int root,
                             MPI_Comm comm);

/* Whether all ranks of comm are well: the agreement alone, for what a program does before it calls the above.
 *   mine:     this rank's status; not WF_OK: cause says why
 *   cause:    a sentence, of which others get the first 450 bytes at least, or NULL: wf_last_error()
 *   returns:  WF_OK if all ranks passed that. Else the status of the lowest rank that did not, and wf_last_error() says
 *             which it is and its cause, on all ranks. */
WF_API wf_status wf_mpi_agree(wf_status mine, const char *cause, MPI_Comm comm);

#ifdef __cplusplus
}
#endif
#endif
