/* Reductions of arrays that are spread over ranks (processes, GPUs, machines), with any communication library. That
 * library is called the engine.
 *
 * wavefold_mpi.h and wavefold_nccl.h use these functions for MPI, NCCL and RCCL. A program can use them with another
 * engine, or with files: each rank writes a message of its part, the engine joins the messages, and the ranks read the
 * results from the joined message:
 *
 *   wf_message_size size;
 *   wf_message_get_size(fields, n, &size);
 *   wf_message_write(context, fields, n, message);
 *   (the engine adds the first size.sums words over all ranks, takes the maximum of each of the next size.maxima words,
 *    and gathers the last size.records words of every rank, in the order of ranks, into records)
 *   wf_message_read(fields, n, ranks, message, records);
 *
 * The rules for every function in wavefold.h hold here, too. Further rules:
 *
 *   words:      A message is an array of uint64_t; all ranks have one byte order. sums: ncclSum of ncclUint64, MPI_SUM
 *               of MPI_UINT64_T; they wrap. maxima: ncclMax, MPI_MAX. records: ncclAllGather, MPI_Allgather. MPICH 4.0
 *               compares MPI_UINT64_T as signed: flip the top bit of maxima before and after, and use MPI_INT64_T.
 *   same bits:  Results of all rows of this table but the last have the same bits for any number of ranks, for any
 *               division of the elements among them, and for any algorithm of the engine:
 *
 *   reduction                                                       words are     words of 64 bits
 *   exact sum, mean, asum, sumsq                                    sums          75: the wf_sum_state
 *   sum, asum, sumsq of integers, wrapping in the accumulator       sums          1
 *   mean of integers of up to 4 bytes: exact, rounded once          sums          3
 *   and, or, xor                                                    sums          one for every two bits
 *   min, max; minmax                                                maxima        1; 2
 *   argmin, argmax: the lowest index among all ranks                records       3
 *   description: its count, sum, mean, extremes and indices         records, sums 9; floats also 75 sums
 *   product of integers                                             records       1
 *   affine and matmul of i32, in rank order                         records       1 and 2
 *   rounded more than once, in rank order: fast sums, means and     records       1 or 2; affine and
 *   products of floats; means of integers of 8 bytes; matmul and                  matmul 1, 2 or 4
 *   affine of floats; variance and integer mean of descriptions
 *
 *               The last row depends on how the elements are divided; the same parts on devices of one kind give the
 *               same bits every time.
 *   check:      Every message begins with two check words, which are part of size.sums. With them wf_message_read
 *               detects that a rank did not write, or wrote other fields. It misses different fields of the same size
 *               with a probability of 2^-20.
 *   NaN:        min, max and minmax give the quiet NaN without sign and payload.
 *   ranks:      1 to 2^20 */
#ifndef WAVEFOLD_MESSAGE_H
#define WAVEFOLD_MESSAGE_H

#include "wavefold_sum.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_MOST_RANKS = 1 << 20, WF_MESSAGE_CHECK_WORDS = 2 };

/* An array that is spread over ranks, and its reduction or description. Zero-initialised: the exact sum of an empty
 * array of f32, with the parts in the order of ranks.
 *   ranks:  spec, describes and has_first must be the same on all ranks; in, count and first differ */
typedef struct wf_field {
    wf_reduce_spec spec;
    uint32_t describes;   /* not 0: a description (wf_describe); then only type and nan of spec are used */
    uint32_t has_first;   /* 0: the parts are in the order of ranks; not 0: first is the position of this part */
    uint64_t first;       /* the index of this part's first element in the whole array, for argmin, argmax and
                           descriptions; first + count is at most 2^64 - 1 */
    const void *in;       /* this rank's part: as for wf_reduce, or wf_reduce_async */
    size_t count;         /* elements of this part; may be 0, and differ between ranks */
    void *result;         /* as for wf_reduce, or wf_reduce_async; a wf_description if describes is set; NULL: no result
                           on this rank */
    size_t result_bytes;  /* as for wf_reduce; ignored if result is NULL */
    uint32_t reserved[4]; /* 0 */
} wf_field;

/* Numbers of words in one rank's message, in the order of the message. */
typedef struct wf_message_size {
    size_t sums, maxima, records;
} wf_message_size;

/* Computes the size of a message of n fields.
 *   fails:    WF_UNSUPPORTED: a reduction that wf_reduction_get_info refuses; wf_last_error() names the field.
 *             WF_INVALID_ARGUMENT: more than 2^31 - 1 words. */
WF_API wf_status wf_message_get_size(const wf_field *fields, size_t n, wf_message_size *size);

/* Computes a hash of the fields' reductions, from 0 to 2^20 - 1. wf_message_read compares it by the check words; an
 * engine can compare it before it joins messages. */
WF_API wf_status wf_message_get_request(const wf_field *fields, size_t n, uint32_t *request);

/* Reduces this rank's parts and writes the message.
 *   message:  wf_message_write: host memory. wf_message_write_async: memory that the device can write, aligned to 8
 *             bytes. On the host device: host memory. An invalid argument leaves it unchanged; a later failure, such as
 *             a device without a kernel for a field, leaves it undefined.
 *   result:   not written, but checked: a result that wf_message_read_async refuses is refused here.
 *   stream:   wf_message_write_async queues one launch for a field, two for a description of floats, several beyond
 *             32 GiB, two for every 2^32 elements of a mean of integers, and up to one more for every 32 fields. It can
 *             be captured into a graph.
 *   the rest: as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_message_write(wf_context *context, const wf_field *fields, size_t n, uint64_t *message);
WF_API wf_status wf_message_write_async(wf_context *context, const wf_field *fields, size_t n, uint64_t *message,
                                        void *stream);

/* Appends other to message: both are messages of one rank, and other holds the elements that follow. A long part can
 * thus be reduced in pieces.
 *   fields:   in, count, first and result are ignored
 *   message, other:  host memory, written by wf_message_write and not yet joined with other ranks' messages
 *   rounding: float values in records (last row of the table) are rounded once more
 *   fails:    WF_INVALID_ARGUMENT: a message of other fields, or of several ranks; more than 2^63 - 1 terms */
WF_API wf_status wf_message_append(const wf_field *fields, size_t n, uint64_t *message, const uint64_t *other);

/* Reads the results from the joined message.
 *   ranks:    the number of ranks that wrote a message
 *   message:  wf_message_read: host memory. wf_message_read_async: memory that the device can read.
 *   records:  size.records words of each rank, in the order of ranks; NULL is allowed if size.records is 0. With one
 *             rank, pass message + size.sums + size.maxima.
 *   failures: wf_message_read_async: a word that the device can write; set to 1 if the check fails (on the host device
 *             also for an invalid exact sum), else not changed
 *   results:  written if the check holds, else not changed; fields whose result is NULL are skipped
 *   stream:   wf_message_read_async queues a launch for every 32 fields
 *   fails:    WF_INVALID_ARGUMENT: the check fails (a rank did not write, or wrote other fields), or an exact sum is
 *             invalid. GPUs do not detect an invalid exact sum: its result is an arbitrary number. */
WF_API wf_status wf_message_read(const wf_field *fields, size_t n, uint64_t ranks, const uint64_t *message,
                                 const uint64_t *records);
WF_API wf_status wf_message_read_async(wf_context *context, const wf_field *fields, size_t n, uint64_t ranks,
                                       uint64_t *message, const uint64_t *records, uint64_t *failures, void *stream);

/* Sets this thread's wf_last_error() to the sentence and returns status: for code that implements an engine. */
WF_API wf_status wf_message_fail(wf_status status, const char *sentence);

#ifdef __cplusplus
}
#endif
#endif
