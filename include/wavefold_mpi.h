/* Reductions of arrays that are spread over the ranks of an MPI communicator. The library is libwavefold-mpi, installed
 * next to libwavefold; it is built for one MPI, that of the <mpi.h> below.
 *
 * These rules hold for every function:
 *
 *   collective: All ranks of comm call it, in the same order, with the same fields (their parts differ) and root.
 *   agreement:  Each rank reduces its part. Then one allreduce of three numbers checks that all ranks succeeded and
 *               requested the same. If not, every rank returns the same error, which names the lowest rank that failed,
 *               its cause, and the number of other failures.
 *   message:    Only after the agreement is the message of wavefold_message.h sent, by MPI_Allreduce (MPI_Reduce with a
 *               root) and, for its records, MPI_Allgather (MPI_Gather). From then on only MPI can fail, and wf_mpi_join
 *               if all ranks pass a message of other fields; then statuses may differ between ranks.
 *   memory:     One allocation per call, before the agreement: the message, and on ranks that read results all records.
 *               Reporting an error allocates nothing.
 *   bits:       Results that are rounded at most once have the same bits for any number of ranks, any division and any
 *               MPI (the table in wavefold_message.h).
 *   context:    each rank's own; devices may differ between ranks
 *   in:         as for wf_reduce: host memory or memory of the context's device. MPI sees only host memory, so it need
 *               not support GPUs.
 *   result:     host memory; NULL on a rank that needs no result. Not changed on failure.
 *   root:       the rank that gets the results, or WF_MPI_ALL
 *   comm:       an intracommunicator. Its error handler applies: MPI_ERRORS_ARE_FATAL, the default, ends the job if a
 *               rank dies or MPI fails; with MPI_ERRORS_RETURN the call returns WF_ENGINE_ERROR, and MPI defines the
 *               communicator's state.
 *   threads:    as for wf_reduce, and within the thread level of MPI_Init_thread: one thread at a time per communicator
 *   fails:      WF_INVALID_ARGUMENT: MPI is not initialised, or is finalised; comm is MPI_COMM_NULL or an
 *               intercommunicator; root is no rank; more than 2^20 ranks; ranks request different fields. Otherwise any
 *               rank's error from wf_reduce. A rank that passes MPI_COMM_NULL returns alone. */
#ifndef WAVEFOLD_MPI_H
#define WAVEFOLD_MPI_H

#include "wavefold_message.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_MPI_ALL = -1 };

/* wf_reduce of the whole array: the parts of all ranks in the order of ranks. */
WF_API wf_status wf_mpi_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                               void *result, size_t result_bytes, int root, MPI_Comm comm);

/* wf_describe of the whole array. */
WF_API wf_status wf_mpi_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                                 wf_description *result, int root, MPI_Comm comm);

/* n reductions and descriptions in one message: if latency dominates, n fields cost little more than one.
 *   fields:   owned by the caller, as are their results */
WF_API wf_status wf_mpi_reduce_many(wf_context *context, const wf_field *fields, size_t n, int root, MPI_Comm comm);

/* The second half of wf_mpi_reduce_many, for callers that write their messages themselves, for example in pieces
 * (wf_message_append): the ranks agree, the messages are joined, and the results are read.
 *   mine:     this rank's status. If it is not WF_OK, wf_last_error() is the cause and message is ignored.
 *   message:  host memory. On ranks that read results, its sums and maxima become the joined ones; else unchanged. */
WF_API wf_status wf_mpi_join(wf_status mine, const wf_field *fields, size_t n, uint64_t *message, int root,
                             MPI_Comm comm);

/* The agreement alone: checks that all ranks of comm succeeded in work of the program's own.
 *   mine:     this rank's status
 *   cause:    a sentence if mine is not WF_OK; NULL: wf_last_error(). Other ranks get at least its first 450 bytes.
 *   returns:  WF_OK if mine is WF_OK on all ranks; else, on all ranks, the status of the lowest rank that failed, and
 *             wf_last_error() names that rank and its cause. */
WF_API wf_status wf_mpi_agree(wf_status mine, const char *cause, MPI_Comm comm);

#ifdef __cplusplus
}
#endif
#endif
