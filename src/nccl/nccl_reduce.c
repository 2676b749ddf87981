/* wavefold_nccl.h: each call writes a message, which the engine joins on the caller's stream. */
#include "nccl_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A rank ---- */

static wf_status check_device(const wf_context *context, ncclComm_t comm) {
    wf_device_info device;
    int ordinal;
    wf_status status = wf_context_get_device(context, &device);
    if (status == WF_OK)
        status = wf_nccl_check(ncclCommCuDevice(comm, &ordinal), "querying the communicator's device", comm);
    if (status != WF_OK)
        return status;
    char wanted[32];
    snprintf(wanted, sizeof wanted, WF_ENGINE_BACKEND ":%d", ordinal);
    if (strcmp(device.backend, WF_ENGINE_BACKEND) != 0 ||
        (strcmp(WF_ENGINE_BACKEND, "host") != 0 && strcmp(device.id, wanted) != 0))
        return wf_nccl_fail(WF_INVALID_ARGUMENT,
                            "the communicator is on %s, the context on %s: create a context of "
                            "the communicator's device",
                            wanted, device.id);
    return WF_OK;
}

static wf_status set_up(wf_nccl *made) {
    const uint64_t none = 0;
    void *memory;
    wf_status status = wf_nccl_settle(ncclInProgress, "waiting for the communicator", made->comm);
    if (status == WF_OK)
        status = check_device(made->context, made->comm);
    if (status == WF_OK)
        status = wf_nccl_check(ncclCommCount(made->comm, &made->ranks), "counting the ranks", made->comm);
    if (status == WF_OK)
        status = wf_nccl_check(ncclCommUserRank(made->comm, &made->rank), "querying the rank", made->comm);
    if (status == WF_OK && made->ranks > WF_MOST_RANKS)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "the communicator has %d ranks: at most %d are supported", made->ranks,
                            WF_MOST_RANKS);
    if (status == WF_OK)
        status = wf_malloc(made->context, &memory, sizeof none);
    if (status != WF_OK)
        return status;
    made->failures = memory;
    status = wf_copy_to_device(made->context, memory, &none, sizeof none);
    if (status == WF_OK)
        status = wf_malloc(made->context, &memory, ((size_t)made->ranks + 1) * sizeof(wf_nccl_note));
    if (status == WF_OK)
        made->board = memory;
    return status;
}

wf_status wf_nccl_create(wf_nccl **ranks, wf_context *context, ncclComm_t comm) {
    if (ranks == NULL || context == NULL || comm == NULL)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL",
                            ranks == NULL     ? "ranks"
                            : context == NULL ? "context"
                                              : "comm");
    wf_nccl *made = calloc(1, sizeof *made);
    if (made == NULL)
        return wf_nccl_fail(WF_OUT_OF_MEMORY, "no host memory for a rank");
    made->context = context;
    made->comm = comm;
    const wf_status status = set_up(made);
    if (status != WF_OK) {
        wf_nccl_destroy(made);
        return status;
    }
    *ranks = made;
    return WF_OK;
}

void wf_nccl_destroy(wf_nccl *ranks) {
    if (ranks == NULL)
        return;
    for (unsigned i = 0; i < ranks->outgrown_count; i++)
        wf_free(ranks->context, ranks->outgrown[i]);
    wf_free(ranks->context, ranks->words);
    wf_free(ranks->context, ranks->failures);
    wf_free(ranks->context, ranks->board);
    free(ranks);
}

/* ---- A call ---- */

/* A call, which in a group waits for the group's end. */
typedef struct call {
    struct call *next;
    wf_nccl *ranks;
    wf_message_size size;
    void *stream;
    size_t n;
    wf_field fields[];
} call;

static _Thread_local struct {
    unsigned depth;
    call *first, **last;
} group;

/* Makes room for the message; a new buffer is at least twice as large. The old one is kept, since queued work may use
 * it. */
static wf_status reserve(wf_nccl *ranks, const wf_message_size *size) {
    const size_t words = size->sums + size->maxima + size->records + (size_t)ranks->ranks * size->records;
    if (words <= ranks->room)
        return WF_OK;
    const size_t room = words > 2 * ranks->room ? words : 2 * ranks->room;
    void *memory;
    const wf_status status = wf_malloc(ranks->context, &memory, room * sizeof(uint64_t));
    if (status != WF_OK)
        return status;
    if (ranks->words != NULL)
        ranks->outgrown[ranks->outgrown_count++] = ranks->words;
    ranks->words = memory;
    ranks->room = room;
    return WF_OK;
}

static uint64_t *records_of(const call *c) {
    return c->ranks->words + c->size.sums + c->size.maxima + c->size.records;
}

/* Joins the messages by one to three calls of the engine. */
static wf_status collect(const call *c) {
    const wf_nccl *const ranks = c->ranks;
    const wf_message_size *const size = &c->size;
    uint64_t *const sums = ranks->words, *const maxima = sums + size->sums, *const record = maxima + size->maxima;
    const wf_engine_stream stream = (wf_engine_stream)c->stream;
    wf_status status = wf_nccl_check(ncclAllReduce(sums, sums, size->sums, ncclUint64, ncclSum, ranks->comm, stream),
                                     "adding up the ranks' messages", ranks->comm);
    if (status == WF_OK && size->maxima != 0)
        status = wf_nccl_check(ncclAllReduce(maxima, maxima, size->maxima, ncclUint64, ncclMax, ranks->comm, stream),
                               "finding the largest of the ranks' words", ranks->comm);
    if (status == WF_OK && size->records != 0)
        status = wf_nccl_check(ncclAllGather(record, records_of(c), size->records, ncclUint64, ranks->comm, stream),
                               "gathering the ranks' records", ranks->comm);
    return status;
}

static wf_status read_results(const call *c) {
    return wf_message_read_async(c->ranks->context, c->fields, c->n, (uint64_t)c->ranks->ranks, c->ranks->words,
                                 records_of(c), c->ranks->failures, c->stream);
}

/* Completes the calls of a group in one group of the engine. It returns the first failure, but completes all calls. */
static wf_status finish(call *calls) {
    wf_status first = wf_nccl_check(ncclGroupStart(), "starting a group", NULL);
    const bool is_open = first == WF_OK;
    for (const call *c = calls; c != NULL && is_open; c = c->next) {
        const wf_status status = collect(c);
        first = first == WF_OK ? status : first;
    }
    if (is_open) {
        const ncclResult_t result = ncclGroupEnd();
        for (const call *c = calls; c != NULL; c = c->next) {
            const wf_status ended = wf_nccl_settle(result, "joining the ranks' messages", c->ranks->comm);
            first = first == WF_OK ? ended : first;
        }
    }
    const bool is_joined = first == WF_OK;
    while (calls != NULL) {
        call *const next = calls->next;
        calls->ranks->is_in_group = false;
        const wf_status status = is_joined ? read_results(calls) : WF_OK;
        first = first == WF_OK ? status : first;
        free(calls);
        calls = next;
    }
    return first;
}

/* Records the call in the rank's note. The first failure stays until wf_nccl_wait reports it. */
static void note_call(wf_nccl *ranks, wf_status status, const wf_field *fields, size_t n) {
    wf_nccl_note *const note = &ranks->note;
    if (note->status != WF_OK)
        return;
    note->status = status;
    note->fields = n;
    (void)wf_message_get_request(fields, n, &note->request); /* succeeds: wf_message_get_size accepted the fields */
    if (status == WF_OK)
        wf_nccl_tell_fields(fields, n, note->text, sizeof note->text);
    else
        snprintf(note->text, sizeof note->text, "%s", wf_last_error());
}

/* A rank that fails sends a message of no fields, so that the check fails on every rank. */
static wf_status write_message(wf_nccl *ranks, const wf_field *fields, size_t n, void *stream) {
    const wf_status status = wf_message_write_async(ranks->context, fields, n, ranks->words, stream);
    note_call(ranks, status, fields, n);
    if (status == WF_OK)
        return WF_OK;
    char cause[WF_NOTE_TEXT];
    snprintf(cause, sizeof cause, "%s", wf_last_error());
    (void)wf_message_write_async(ranks->context, NULL, 0, ranks->words, stream);
    return wf_message_fail(status, cause);
}

static wf_status check_rank(const wf_nccl *ranks, const void *stream) {
    if (ranks == NULL)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "'ranks' must not be NULL");
    if (stream == NULL && strcmp(WF_ENGINE_BACKEND, "host") != 0)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "'stream' must not be NULL: pass the engine's stream");
    return WF_OK;
}

static wf_status check_call(const wf_nccl *ranks, const void *stream) {
    const wf_status status = check_rank(ranks, stream);
    if (status == WF_OK && ranks->is_in_group)
        return wf_nccl_fail(WF_INVALID_ARGUMENT,
                            "rank %d already has a call in this group: a group takes one call of each "
                            "rank; use wf_nccl_reduce_many_async for several fields",
                            ranks->rank);
    return status;
}

/* The checks of calls that block. */
static wf_status check_wait(const wf_nccl *ranks, const void *stream) {
    const wf_status status = check_rank(ranks, stream);
    if (status == WF_OK && group.depth != 0)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "this thread is in a group, whose calls are not queued yet: call "
                                                 "wf_nccl_group_end first");
    return status;
}

wf_status wf_nccl_reduce_many_async(wf_nccl *ranks, const wf_field *fields, size_t n, void *stream) {
    wf_message_size size;
    wf_status status = check_call(ranks, stream);
    if (status == WF_OK)
        status = wf_message_get_size(fields, n, &size);
    if (status == WF_OK)
        status = reserve(ranks, &size);
    if (status != WF_OK)
        return status;
    call *const made = malloc(sizeof *made + n * sizeof *fields);
    if (made == NULL)
        return wf_nccl_fail(WF_OUT_OF_MEMORY, "no host memory for a call of %zu fields", n);
    *made = (call){.ranks = ranks, .size = size, .stream = stream, .n = n};
    if (n != 0)
        memcpy(made->fields, fields, n * sizeof *fields);
    const wf_status written = write_message(ranks, fields, n, stream);
    for (size_t i = 0; i < n && written != WF_OK; i++)
        made->fields[i].result = NULL; /* a result may be the refused argument; the check is still read */
    char cause[WF_NOTE_TEXT];
    snprintf(cause, sizeof cause, "%s", wf_last_error());
    if (group.depth == 0) {
        status = finish(made);
    } else {
        ranks->is_in_group = true;
        *group.last = made;
        group.last = &made->next;
    }
    return written != WF_OK ? wf_message_fail(written, cause) : status;
}

wf_status wf_nccl_reduce_async(wf_nccl *ranks, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                               size_t result_bytes, void *stream) {
    if (spec == NULL)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    const wf_field field = {.spec = *spec, .in = in, .count = count, .result = result, .result_bytes = result_bytes};
    return wf_nccl_reduce_many_async(ranks, &field, 1, stream);
}

wf_status wf_nccl_describe_async(wf_nccl *ranks, const wf_describe_spec *spec, const void *in, size_t count,
                                 wf_description *result, void *stream) {
    if (spec == NULL)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    const wf_field field = {.spec = {.type = spec->type, .nan = spec->nan},
                            .describes = 1,
                            .in = in,
                            .count = count,
                            .result = result,
                            .result_bytes = sizeof *result};
    return wf_nccl_reduce_many_async(ranks, &field, 1, stream);
}

wf_status wf_nccl_group_start(void) {
    if (group.depth++ == 0) {
        group.first = NULL;
        group.last = &group.first;
    }
    return WF_OK;
}

wf_status wf_nccl_group_end(void) {
    if (group.depth == 0)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "wf_nccl_group_end without wf_nccl_group_start on this thread");
    if (--group.depth > 0 || group.first == NULL)
        return WF_OK;
    return finish(group.first);
}

/* ---- Waiting ---- */

static wf_status add_failures(wf_nccl *ranks, void *stream, uint64_t *failures) {
    const char *const error = wf_engine_synchronise(stream);
    if (error != NULL)
        return wf_nccl_fail(WF_DEVICE_ERROR, "waiting for the stream: %s", error);
    uint64_t seen = 0;
    const wf_status status = wf_copy_to_host(ranks->context, &seen, ranks->failures, sizeof seen);
    *failures |= seen;
    return status;
}

static wf_status forget_failures(wf_nccl *ranks) {
    const uint64_t none = 0;
    memset(&ranks->note, 0, sizeof ranks->note);
    return wf_copy_to_device(ranks->context, ranks->failures, &none, sizeof none);
}

wf_status wf_nccl_wait_all(wf_nccl *const *ranks, size_t n, void *const *streams) {
    if (ranks == NULL || streams == NULL || n == 0)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "%s",
                            n == 0          ? "n must not be 0"
                            : ranks == NULL ? "'ranks' must not be NULL"
                                            : "'streams' must not be NULL");
    uint64_t failures = 0;
    for (size_t i = 0; i < n; i++) {
        wf_status status = check_wait(ranks[i], streams[i]);
        if (status == WF_OK)
            status = add_failures(ranks[i], streams[i], &failures);
        if (status != WF_OK)
            return status;
    }
    if (failures == 0)
        return WF_OK;
    wf_nccl_note *notes;
    wf_status status = wf_nccl_exchange(ranks, n, streams, &notes);
    if (status != WF_OK)
        return status;
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = forget_failures(ranks[i]);
    if (status == WF_OK)
        status = wf_nccl_judge(notes, ranks[0]->ranks, true);
    free(notes);
    return status;
}

wf_status wf_nccl_wait(wf_nccl *ranks, void *stream) {
    return wf_nccl_wait_all(&ranks, 1, &stream);
}

wf_status wf_nccl_agree(wf_nccl *ranks, wf_status mine, const char *cause, const wf_field *fields, size_t n,
                        void *stream) {
    char text[WF_NOTE_TEXT];
    snprintf(text, sizeof text, "%s", cause != NULL ? cause : wf_last_error());
    wf_status status = check_wait(ranks, stream);
    if (status != WF_OK)
        return status;
    const wf_nccl_note before = ranks->note;
    wf_nccl_note note = {.status = mine, .fields = n};
    if (mine == WF_OK) {
        note.status = wf_message_get_request(fields, n, &note.request);
        if (note.status != WF_OK)
            snprintf(text, sizeof text, "%s", wf_last_error());
        else
            wf_nccl_tell_fields(fields, n, text, sizeof text);
    }
    memcpy(note.text, text, sizeof text);
    ranks->note = note;
    wf_nccl_note *notes;
    status = wf_nccl_exchange(&ranks, 1, &stream, &notes);
    ranks->note = before;
    if (status != WF_OK)
        return status;
    status = wf_nccl_judge(notes, ranks->ranks, false);
    free(notes);
    return status;
}
