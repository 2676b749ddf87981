/* Reductions over ranks: reduce, agree, join, read. */
#include "mpi_agree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One rank's message, and the joined one. joined and records follow words in its allocation; they are NULL on ranks
 * that read no results. */
typedef struct mpi_message {
    wf_message_size size;
    uint64_t *words;   /* the only allocation of a call */
    uint64_t *joined;  /* sums and maxima; not in place, since MPICH 4.0 then fails with a root other than 0 */
    uint64_t *records; /* of all ranks */
} mpi_message;

static bool reads(const wf_mpi_ranks *ranks, int root) {
    return root == WF_MPI_ALL || root == ranks->rank;
}

/* The source of a rank's message: a reduction on the context, or the caller's words. */
typedef struct mpi_part {
    wf_context *context;
    uint64_t *written; /* the caller's message; NULL: reduce on the context */
} mpi_part;

/* Every step that can fail locally, before the agreement. */
static wf_status write_message(mpi_part part, const wf_mpi_ranks *ranks, wf_mpi_request *request,
                               mpi_message *message) {
    if (request->root != WF_MPI_ALL && (request->root < 0 || request->root >= ranks->count))
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "'root' is %d: it must be 0 to %d, or WF_MPI_ALL", request->root,
                           ranks->count - 1);
    wf_message_size *const size = &message->size;
    const wf_status status =
        wf_message_get_size(request->fields, request->n, size); /* counts fit an int, as MPI needs */
    if (status != WF_OK)
        return status;
    const size_t joined = size->sums + size->maxima, own = joined + size->records;
    const size_t all = own + (reads(ranks, request->root) ? joined + (size_t)ranks->count * size->records : 0);
    message->words = malloc(all * sizeof *message->words);
    if (message->words == NULL)
        return wf_mpi_fail(WF_OUT_OF_MEMORY,
                           "no memory for the %zu bytes of a message of %zu fields and %d ranks' records: pass fewer "
                           "fields per call",
                           all * sizeof *message->words, request->n, ranks->count);
    if (reads(ranks, request->root)) {
        message->joined = message->words + own;
        message->records = message->joined + joined;
    }
    request->check = message->words;
    if (part.written == NULL)
        return wf_message_write(part.context, request->fields, request->n, message->words);
    memcpy(message->words, part.written, own * sizeof *message->words);
    return WF_OK;
}

/* Joins n words from offset `at` by an operator of MPI. */
static wf_status join_words(const wf_mpi_ranks *ranks, int root, const mpi_message *message, size_t at, size_t n,
                            MPI_Datatype type, MPI_Op op) {
    const uint64_t *const own = message->words + at;
    uint64_t *const joined = message->joined != NULL ? message->joined + at : NULL;
    if (root == WF_MPI_ALL)
        return wf_mpi_check(MPI_Allreduce(own, joined, (int)n, type, op, ranks->comm), "MPI_Allreduce");
    return wf_mpi_check(MPI_Reduce(own, joined, (int)n, type, op, root, ranks->comm), "MPI_Reduce");
}

/* Maps the order of unsigned words to that of signed words, and back. */
static void flip_signs(uint64_t *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        words[i] ^= UINT64_C(1) << 63;
}

/* Uses signed words, since MPICH 4.0 compares MPI_UINT64_T as signed. */
static wf_status join_maxima(const wf_mpi_ranks *ranks, int root, const mpi_message *message) {
    const size_t at = message->size.sums, n = message->size.maxima;
    flip_signs(message->words + at, n);
    const wf_status status = join_words(ranks, root, message, at, n, MPI_INT64_T, MPI_MAX);
    if (message->joined != NULL)
        flip_signs(message->joined + at, n);
    return status;
}

static wf_status gather_records(const wf_mpi_ranks *ranks, int root, const mpi_message *message) {
    const uint64_t *const own = message->words + message->size.sums + message->size.maxima;
    const int n = (int)message->size.records;
    if (root == WF_MPI_ALL)
        return wf_mpi_check(MPI_Allgather(own, n, MPI_UINT64_T, message->records, n, MPI_UINT64_T, ranks->comm),
                            "MPI_Allgather");
    return wf_mpi_check(MPI_Gather(own, n, MPI_UINT64_T, message->records, n, MPI_UINT64_T, root, ranks->comm),
                        "MPI_Gather");
}

static wf_status join(const wf_mpi_ranks *ranks, int root, const mpi_message *message) {
    const wf_message_size *const size = &message->size;
    wf_status status = WF_OK;
    if (size->sums > WF_MESSAGE_CHECK_WORDS)
        status = join_words(ranks, root, message, 0, size->sums, MPI_UINT64_T, MPI_SUM);
    else if (message->joined != NULL) /* only check words, which the agreement has already compared */
        for (size_t i = 0; i < size->sums; i++)
            message->joined[i] = message->words[i] * (uint64_t)ranks->count;
    if (status == WF_OK && size->maxima > 0)
        status = join_maxima(ranks, root, message);
    if (status == WF_OK && size->records > 0)
        status = gather_records(ranks, root, message);
    return status;
}

/* given: the status of the arguments other than fields; the agreement reports it to other ranks. */
static wf_status reduce_fields(mpi_part part, wf_status given, const wf_field *fields, size_t n, int root,
                               MPI_Comm comm) {
    wf_mpi_ranks ranks;
    wf_status status = wf_mpi_find_ranks(comm, &ranks);
    if (status != WF_OK)
        return status;
    wf_mpi_request request = {.fields = fields, .n = n, .root = root};
    mpi_message message = {.words = NULL};
    status = given == WF_OK ? write_message(part, &ranks, &request, &message) : given;
    status = wf_mpi_settle(&ranks, status, wf_last_error(), &request);
    if (status == WF_OK)
        status = join(&ranks, root, &message);
    if (status == WF_OK && reads(&ranks, root))
        status = wf_message_read(fields, n, (uint64_t)ranks.count, message.joined, message.records);
    if (status == WF_OK && reads(&ranks, root) && part.written != NULL)
        memcpy(part.written, message.joined, (message.size.sums + message.size.maxima) * sizeof *message.words);
    free(message.words);
    return status;
}

static wf_status check_spec(const void *spec) {
    return spec != NULL ? WF_OK : wf_message_fail(WF_INVALID_ARGUMENT, "'spec' must not be NULL");
}

wf_status wf_mpi_reduce_many(wf_context *context, const wf_field *fields, size_t n, int root, MPI_Comm comm) {
    return reduce_fields((mpi_part){.context = context}, WF_OK, fields, n, root, comm);
}

wf_status wf_mpi_join(wf_status mine, const wf_field *fields, size_t n, uint64_t *message, int root, MPI_Comm comm) {
    if (mine == WF_OK && message == NULL)
        mine = wf_message_fail(WF_INVALID_ARGUMENT, "'message' must not be NULL");
    return reduce_fields((mpi_part){.written = message}, mine, fields, n, root, comm);
}

wf_status wf_mpi_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                        size_t result_bytes, int root, MPI_Comm comm) {
    wf_field field = {.in = in, .count = count, .result = result, .result_bytes = result_bytes};
    if (spec != NULL)
        field.spec = *spec;
    return reduce_fields((mpi_part){.context = context}, check_spec(spec), &field, 1, root, comm);
}

wf_status wf_mpi_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                          wf_description *result, int root, MPI_Comm comm) {
    wf_field field = {.describes = 1, .in = in, .count = count, .result = result, .result_bytes = sizeof *result};
    if (spec != NULL)
        field.spec = (wf_reduce_spec){.type = spec->type, .nan = spec->nan};
    return reduce_fields((mpi_part){.context = context}, check_spec(spec), &field, 1, root, comm);
}
