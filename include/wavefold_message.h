/* Reductions of arrays that are spread over ranks (processes, GPUs, machines), for any engine that joins them.
 *
 * wavefold_mpi.h and wavefold_nccl.h are whole calls for MPI, NCCL and RCCL, made from what stands here; with another
 * engine, or files, it is as little work. Each rank writes a message of its part, the engine joins the messages, and
 * each rank that wants the results reads them:
 *
 *   wf_message_size size;
 *   wf_message_get_size(fields, n, &size);
 *   wf_message_write(context, fields, n, message);
 *   (the engine: the first size.sums words added up among ranks; the next size.maxima words: the largest of each; the
 *    last size.records words of every rank, in the order of ranks, to records)
 *   wf_message_read(fields, n, ranks, message, records);
 *
 * What holds for every function, unless its own lines say otherwise, is what wavefold.h says.
 *
 *   words:      A message is an array of uint64_t, on machines of one byte order. Sums wrap: ncclUint64 with ncclSum,
 *               MPI_UINT64_T with MPI_SUM; ncclMax, MPI_MAX; ncclAllGather, MPI_Allgather. MPICH 4.0 compares
 *               MPI_UINT64_T as if it were signed: flip the top bit of maxima before and after, and use MPI_INT64_T.
 *   same bits:  Whatever goes by sums and maxima has the same bits for any number of ranks, however the elements are
 *               divided among them, and whatever the engine's algorithm is: all but the last row of
 *
 *   what                                                            goes by       words of 64 bits
 *   exact sum, mean, asum, sumsq; NaN, infinities, zeros with them  sums          75: the wf_sum_state
 *   sum, asum, sumsq of integers, wrapping in the accumulator       sums          1
 *   mean of integers of up to 4 bytes: exact, rounded once          sums          3
 *   and, or, xor                                                    sums          one for every two bits
 *   min, max; minmax                                                maxima        1; 2
 *   argmin, argmax: the lowest index among all ranks                records       3
 *   description: its count, sum, mean, extremes and indices         sums, records 75 of floats, 9
 *   product of integers; affine and matmul of i32: in rank order    records       1; 1, 2
 *   What is rounded more than once, in rank order: fast sums and means and products of floats, means of integers of 8
 *   bytes, matmul and affine of floats; a description's variance,   records       1; 2; 4
 *   and of integers its mean
 *
 *               These last ones depend on how the elements are divided; for the same parts on devices of one kind they
 *               are the same every time.
 *   check:      Every message begins with two words by which wf_message_read tells whether all ranks wrote it, and for
 *               the same fields: different lists of them that take as many words look alike with a chance of 2^-20. The
 *               words are part of size.sums, which is therefore never 0.
 *   NaN:        What min, max and minmax give is the quiet NaN without sign and payload.
 *   ranks:      1 to 2^20 */
#ifndef WAVEFOLD_MESSAGE_H
#define WAVEFOLD_MESSAGE_H

#include "wavefold_sum.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_MOST_RANKS = 1 << 20, WF_MESSAGE_CHECK_WORDS = 2 };

/* An array that is spread over ranks, and what is wanted of it. Zero-initialised: the exact sum of no f32, whose parts
 * follow each other by rank.
 *   ranks:  spec, describes and has_first are the same on all ranks; in, count and first are each rank's own */
typedef struct wf_field {
    wf_reduce_spec spec;
    uint32_t describes;  /* not 0: as wf_describe does; then only type and nan of spec count */
    uint32_t has_first;  /* 0: parts follow each other in the order of ranks; not 0: first says where this one begins */
    uint64_t first;      /* the index of its first element among all ranks', for argmin, argmax and descriptions;
                           first + count is 2^64 - 1 at the most */
    const void *in;      /* this rank's part: as for wf_reduce, or wf_reduce_async */
    size_t count;        /* of its elements; may be 0, and differ from rank to rank */
    void *result;        /* as for wf_reduce, or wf_reduce_async; of a description a wf_description; NULL: not wanted */
    size_t result_bytes; /* as for wf_reduce; ignored if result is NULL */
    uint32_t reserved[4]; /* 0 */
} wf_field;

/* Words of one rank's message, in the order in which they stand. */
typedef struct wf_message_size {
    size_t sums, maxima, records;
} wf_message_size;

/* What a message of n fields takes.
 *   fails:    WF_UNSUPPORTED: a fold that is not in wf_reduction_get_info's table. wf_last_error() names the field.
 *             WF_INVALID_ARGUMENT: more than 2^31 - 1 words, too. */
WF_API wf_status wf_message_get_size(const wf_field *fields, size_t n, wf_message_size *size);

/* A number for what is asked of the fields, from 0 to 2^20 - 1: ranks that ask for the same have the same one, others
 * most likely another. It is what the check words compare, for engines that want to know beforehand. */
WF_API wf_status wf_message_get_request(const wf_field *fields, size_t n, uint32_t *request);

/* Folds this rank's parts and writes the message.
 *   message:  wf_message_write: host memory. wf_message_write_async: memory that the device can write, aligned to 8
 *             bytes; on the host device host memory. What is refused beforehand leaves it as it was; what fails later,
 *             as where the device has no kernel for a field, leaves it undefined.
 *   result:   wf_message_write_async: is not written, but refused where wf_message_read_async would refuse it
 *   stream:   wf_message_write_async queues a launch for a field, of descriptions three, one more for every 32 fields
 *             of which some are no exact sums, and for more than 2^32 elements more. It can be captured into a graph.
 *   the rest: as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_message_write(wf_context *context, const wf_field *fields, size_t n, uint64_t *message);
WF_API wf_status wf_message_write_async(wf_context *context, const wf_field *fields, size_t n, uint64_t *message,
                                        void *stream);

/* Adds other, the message of the same rank for elements that follow in the same fields, to message: so a long part can
 * be folded in pieces, and what came before can be kept.
 *   fields:   in, count, first and result are not heeded
 *   both:     host memory, from wf_message_write, not joined with other ranks'. What goes by records is rounded once
 *             more.
 *   fails:    WF_INVALID_ARGUMENT: a message of other fields, or of several ranks; more than 2^63 - 1 terms */
WF_API wf_status wf_message_append(const wf_field *fields, size_t n, uint64_t *message, const uint64_t *other);

/* Reads the results from what the engine made of the messages.
 *   ranks:    that wrote one
 *   message:  the joined one. wf_message_read: host memory. wf_message_read_async: memory that the device can
 *             read.
 *   records:  size.records words of each rank, one rank's behind the other's, in their order; may be NULL if that is 0.
 *             Of one rank: message + size.sums + size.maxima.
 *   failures: wf_message_read_async: a word that the device can write, which is set to 1 if the check fails, and else
 *             not changed
 *   results:  written if the check holds, and otherwise not changed; fields without one are passed over
 *   stream:   wf_message_read_async queues a launch for every 32 fields
 *   fails:    WF_INVALID_ARGUMENT: the check fails: not all ranks wrote a message, or they are of different fields; or
 *             exact sums that no ranks can have written. What else an engine may have changed is not noticed, and
 *             neither are, on a GPU, such sums: they come to some number. Nothing else is written or read for it. */
WF_API wf_status wf_message_read(const wf_field *fields, size_t n, uint64_t ranks, const uint64_t *message,
                                 const uint64_t *records);
WF_API wf_status wf_message_read_async(wf_context *context, const wf_field *fields, size_t n, uint64_t ranks,
                                       uint64_t *message, const uint64_t *records, uint64_t *failures, void *stream);

/* Has wf_last_error() say this sentence on this thread, and returns status: for who joins messages by an engine. */
WF_API wf_status wf_message_fail(wf_status status, const char *sentence);

#ifdef __cplusplus
}
#endif
#endif
