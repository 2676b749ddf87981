/* The notes that ranks exchange after a failure, and the errors made from them. */
#include "nccl_ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wf_status wf_nccl_fail(wf_status status, const char *format, ...) {
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return wf_message_fail(status, sentence);
}

wf_status wf_nccl_check(ncclResult_t result, const char *doing, ncclComm_t comm) {
    if (result == ncclSuccess || result == ncclInProgress)
        return WF_OK;
    const char *const more = ncclGetLastError(comm);
    return wf_nccl_fail(WF_ENGINE_ERROR, "%s: %s: %s%s%s", WF_ENGINE_NAME, doing, ncclGetErrorString(result),
                        more != NULL && *more != '\0' ? ": " : "", more != NULL ? more : "");
}

wf_status wf_nccl_settle(ncclResult_t result, const char *doing, ncclComm_t comm) {
    while (result == ncclInProgress) {
        const wf_status queried = wf_nccl_check(ncclCommGetAsyncError(comm, &result), doing, comm);
        if (queried != WF_OK)
            return queried;
    }
    return wf_nccl_check(result, doing, comm);
}

void wf_nccl_tell_fields(const wf_field *fields, size_t n, char *text, size_t room) {
    size_t length = 0;
    text[0] = '\0';
    if (n != 1)
        snprintf(text, room, "%zu fields%s", n, n != 0 ? ": " : "");
    for (size_t i = 0; i < n; i++) {
        length = strlen(text);
        const char *const op = fields[i].describes != 0 ? "description" : wf_op_name(fields[i].spec.op);
        const char *const type = wf_type_name(fields[i].spec.type);
        snprintf(text + length, room - length, "%s%s of %s", i != 0 ? ", " : "", op != NULL ? op : "no operator",
                 type != NULL ? type : "no type");
    }
}

/* ---- Exchange ---- */

static char *notes_on(const wf_nccl *ranks) {
    return ranks->board + sizeof(wf_nccl_note);
}

static wf_status gather(wf_nccl *const *ranks, size_t n, void *const *streams) {
    wf_status status = wf_nccl_check(ncclGroupStart(), "starting a group", NULL);
    if (status != WF_OK)
        return status;
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = wf_nccl_check(ncclAllGather(ranks[i]->board, notes_on(ranks[i]), sizeof(wf_nccl_note), ncclChar,
                                             ranks[i]->comm, (wf_engine_stream)streams[i]),
                               "gathering the ranks' notes", ranks[i]->comm);
    const ncclResult_t result = ncclGroupEnd();
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = wf_nccl_settle(result, "gathering the ranks' notes", ranks[i]->comm);
    return status;
}

static wf_status synchronise(void *stream) {
    const char *const error = wf_engine_synchronise(stream);
    return error == NULL ? WF_OK : wf_nccl_fail(WF_DEVICE_ERROR, "waiting for the stream: %s", error);
}

/* Steps that can fail on a single rank come last, so that other ranks do not wait for it. Exception: a device fails. */
wf_status wf_nccl_exchange(wf_nccl *const *ranks, size_t n, void *const *streams, wf_nccl_note **notes) {
    const size_t all = (size_t)ranks[0]->ranks;
    wf_status status = WF_OK;
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = wf_copy_to_device(ranks[i]->context, ranks[i]->board, &ranks[i]->note, sizeof ranks[i]->note);
    if (status == WF_OK)
        status = gather(ranks, n, streams);
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = synchronise(streams[i]);
    if (status != WF_OK)
        return status;
    wf_nccl_note *const read = malloc(all * sizeof *read);
    if (read == NULL)
        return wf_nccl_fail(WF_OUT_OF_MEMORY, "no host memory for the notes of %zu ranks", all);
    status = wf_copy_to_host(ranks[0]->context, read, notes_on(ranks[0]), all * sizeof *read);
    if (status == WF_OK)
        *notes = read;
    else
        free(read);
    return status;
}

/* ---- Errors ---- */

wf_status wf_nccl_judge(const wf_nccl_note *notes, int ranks, bool is_lost) {
    int failed = 0, first = 0;
    for (int r = ranks - 1; r >= 0; r--)
        if (notes[r].status != WF_OK) {
            failed++;
            first = r;
        }
    if (failed != 0)
        return wf_nccl_fail((wf_status)notes[first].status, "rank %d%s: %.*s", first,
                            failed > 1 ? ", as others, failed" : "", WF_NOTE_TEXT, notes[first].text);
    for (int r = 1; r < ranks; r++)
        if (notes[r].request != notes[0].request || notes[r].fields != notes[0].fields)
            return wf_nccl_fail(
                WF_INVALID_ARGUMENT,
                "rank 0 requests %.*s, rank %d requests %.*s: all ranks must request the same fields, in "
                "the same order",
                WF_NOTE_TEXT, notes[0].text, r, WF_NOTE_TEXT, notes[r].text);
    if (is_lost)
        return wf_nccl_fail(WF_INVALID_ARGUMENT, "in a call before the last one, ranks requested different fields: all "
                                                 "must request the same, in the same order");
    return WF_OK;
}
