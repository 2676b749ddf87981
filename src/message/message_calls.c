/* wavefold_message.h: writes and reads messages, on the host or by launches. */
#include "check.h"
#include "default_environment.h"
#include "launch.h"
#include "message_plan.h"
#include "reduce/run_plan.h"
#include "request.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdio.h>
#include <string.h>

/* The most elements of a mean's piece: the sum of 2^32 numbers of 32 bits fits 64 bits. */
#define MOST_MEAN_ELEMENTS ((uint64_t)1 << 32)

/* ---- Errors and sizes ---- */

wf_status wf_message_fail(wf_status status, const char *sentence) {
    char copy[512]; /* sentence may be wf_last_error() itself */
    snprintf(copy, sizeof copy, "%s", sentence != NULL ? sentence : "");
    return wf_fail(status, "%s", copy);
}

wf_status wf_message_get_size(const wf_field *fields, size_t n, wf_message_size *size) {
    uint32_t request;
    if (size == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'size' must not be NULL");
    return wf_message_measure(fields, n, size, &request);
}

wf_status wf_message_get_request(const wf_field *fields, size_t n, uint32_t *request) {
    wf_message_size size;
    if (request == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'request' must not be NULL");
    return wf_message_measure(fields, n, &size, request);
}

/* Checks the result's size, and its alignment if a launch writes it. */
static wf_status check_result(const wf_message_plan *plan, size_t result_bytes, bool is_launched) {
    const wf_message_entry *const entry = &plan->entry;
    if (entry->result == NULL)
        return WF_OK;
    const size_t alignment = wf_message_result_alignment(entry);
    if (is_launched && (uintptr_t)entry->result % alignment != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'result' must be aligned to %zu bytes", alignment);
    char name[64] = "a description";
    if (entry->kind != WF_MESSAGE_DESCRIPTION)
        snprintf(name, sizeof name, "%s of %s", wf_op_name((wf_op)entry->op), wf_type_name(plan->fold.spec.type));
    return wf_check_result_bytes(result_bytes, wf_message_result_bytes(entry), name);
}

/* The members of fields that a call uses. All fields are checked before the first is reduced or read. */
typedef enum use { USE_IN = 1, USE_LAUNCHED_RESULT = 2 } use;

static wf_status check_field(const wf_field *fields, size_t i, size_t n, int uses) {
    wf_message_plan plan;
    const wf_field *const field = &fields[i];
    wf_status status = wf_message_plan_of(fields, i, n, &plan);
    if (status != WF_OK)
        return status;
    /* Results are checked when writing, too, before other ranks rely on this one. */
    status = check_result(&plan, field->result_bytes, (uses & USE_LAUNCHED_RESULT) != 0);
    if (status != WF_OK || (uses & USE_IN) == 0)
        return wf_message_name_field(status, i, n);
    status = wf_check_plan_in(&plan.fold, field->in, field->count);
    const bool has_indices = plan.entry.kind == WF_MESSAGE_PLACE || plan.entry.kind == WF_MESSAGE_DESCRIPTION;
    if (status == WF_OK && has_indices && field->has_first != 0 && field->count > UINT64_MAX - field->first)
        status = wf_fail(WF_INVALID_ARGUMENT, "first is %llu, with %zu elements: their sum must be at most 2^64 - 1",
                         (unsigned long long)field->first, field->count);
    return wf_message_name_field(status, i, n);
}

static wf_status check_fields(const wf_field *fields, size_t n, int uses) {
    wf_status status = WF_OK;
    for (size_t i = 0; i < n && status == WF_OK; i++)
        status = check_field(fields, i, n, uses);
    return status;
}

/* ---- Writing ---- */

/* The destination of a message, and how it is written. */
typedef struct writing {
    wf_context *context;
    wf_message_size size;
    uint64_t *message;
    uint32_t request;
    bool waits;
    void *stream;
    bool is_checked; /* a reduction writes the check words */
} writing;

static bool uses_launches(const writing *w) {
    return !w->waits && w->context->stream_workspaces != NULL;
}

static uint64_t *records_of(const writing *w) {
    return w->message + w->size.sums + w->size.maxima;
}

static wf_status fold(const writing *w, const wf_reduce_plan *plan, const void *in, uint64_t count, uint64_t *words) {
    return w->waits ? wf_run_plan(w->context, plan, in, count, words)
                    : wf_queue_plan(w->context, plan, in, count, words, w->stream);
}

/* The sum of the field's state, which is not changed. */
static wf_joined_sum sum_of(const wf_message_entry *entry, const uint64_t *message) {
    int64_t state[WF_STATE_WORDS];
    wf_joined_sum sum = {.negative = false};
    if (entry->joins_state == 0)
        return sum;
    memcpy(state, message + entry->sums, sizeof state);
    return wf_sum_of_state(state);
}

__attribute__((noinline)) static void write_entries(const wf_message_part *part) {
    for (uint32_t i = 0; i < part->count; i++) {
        const wf_message_entry *const entry = &part->entries[i];
        wf_joined_sum own = {.negative = false};
        if (entry->kind == WF_MESSAGE_DESCRIPTION)
            own = sum_of(entry, part->message);
        wf_write_words(entry, part->message, part->records, &own);
    }
}

static void write_here(const wf_message_part *part) {
    const fenv_t before = wf_enter_default_environment();
    write_entries(part);
    fesetenv(&before);
}

/* Converts the results of up to WF_MESSAGE_ENTRIES fields to words. */
static wf_status finish_words(const writing *w, wf_message_part *part) {
    part->request = w->request;
    part->message = w->message;
    part->records = records_of(w);
    if (uses_launches(w) && w->is_checked && part->count == 0)
        return WF_OK;
    if (!uses_launches(w)) {
        for (int i = 0; i < WF_MESSAGE_CHECK_WORDS; i++)
            part->message[i] = wf_message_check_word(i, part->request);
        write_here(part);
        part->count = 0;
        return WF_OK;
    }
    const wf_message_request request = {.head = {.tiles = part->count != 0 ? part->count : 1,
                                                 .tile_size = w->context->info.wave_width,
                                                 .wave_width = w->context->info.wave_width},
                                        .part = part};
    const wf_queue queue = {.context = w->context, .stream = w->stream};
    const wf_status status = wf_launch(&queue, WF_ALGORITHM_MESSAGE, &request);
    part->count = 0;
    return status;
}

/* Reduces a mean of integers in pieces whose sums do not wrap. The caller finishes the words of the last piece. */
static wf_status fold_mean(const writing *w, const wf_message_plan *plan, const wf_field *field,
                           wf_message_entry *last) {
    const char *in = field->in;
    uint64_t first = 0;
    for (;;) {
        const uint64_t count = wf_smaller(field->count - first, MOST_MEAN_ELEMENTS);
        wf_status status = fold(w, &plan->fold, in, count, w->message + plan->entry.sums + 2);
        wf_message_part part = {.entries = {plan->entry}, .count = 1};
        part.entries[0].first = first;
        part.entries[0].count = count;
        part.entries[0].appends = first != 0;
        *last = part.entries[0];
        first += count;
        if (status != WF_OK || first >= field->count)
            return status;
        status = finish_words(w, &part);
        if (status != WF_OK)
            return status;
        in += count * plan->fold.element_bytes;
    }
}

/* If the first field is an exact sum, its launch also writes the check words. */
static wf_status fold_state(writing *w, const wf_message_plan *plan, const wf_field *field) {
    uint64_t *const sums = w->message + plan->entry.sums;
    if (!uses_launches(w) || plan->entry.sums != WF_MESSAGE_CHECK_WORDS)
        return fold(w, &plan->fold, field->in, field->count, sums);
    wf_reduce_plan whole = plan->fold;
    whole.exact_result = WF_EXACT_MESSAGE;
    whole.request = w->request;
    w->is_checked = true;
    return fold(w, &whole, field->in, field->count, w->message);
}

static wf_status fold_field(writing *w, const wf_message_plan *plan, const wf_field *field, wf_message_entry *entry) {
    uint64_t *const record = records_of(w) + entry->record, *const sums = w->message + entry->sums;
    switch ((wf_message_kind)entry->kind) {
    case WF_MESSAGE_STATE:
        return fold_state(w, plan, field);
    case WF_MESSAGE_SUM:
    case WF_MESSAGE_BITS:
        return fold(w, &plan->fold, field->in, field->count, sums);
    case WF_MESSAGE_MEAN:
        return fold_mean(w, plan, field, entry);
    case WF_MESSAGE_EXTREME:
        return fold(w, &plan->fold, field->in, field->count, w->message + entry->maxima);
    case WF_MESSAGE_PLACE:
    case WF_MESSAGE_VALUE:
    case WF_MESSAGE_WEIGHTED:
    case WF_MESSAGE_ORDERED:
        break;
    case WF_MESSAGE_DESCRIPTION: {
        const wf_status status = entry->joins_state != 0 ? fold(w, &plan->state, field->in, field->count, sums) : WF_OK;
        if (status != WF_OK)
            return status;
        break;
    }
    }
    return fold(w, &plan->fold, field->in, field->count, record);
}

/* Reduces the fields and finishes their words, WF_MESSAGE_ENTRIES at a time. Without fields, writes the check words
 * alone. */
static wf_status write_fields(writing *w, const wf_field *fields, size_t n) {
    /* Offsets in words; those of maxima are from the start of the message. */
    wf_message_size at = {.sums = WF_MESSAGE_CHECK_WORDS, .maxima = w->size.sums};
    wf_message_part part = {.count = 0};
    wf_status status = WF_OK;
    for (size_t i = 0; i < n && status == WF_OK; i++) {
        wf_message_plan plan;
        status = wf_message_plan_of(fields, i, n, &plan);
        if (status != WF_OK)
            return status;
        wf_message_place(&plan, &at);
        wf_message_entry *entry = &part.entries[part.count++];
        *entry = plan.entry;
        status = wf_message_name_field(fold_field(w, &plan, &fields[i], entry), i, n);
        part.count -= wf_is_written_by_fold(entry) ? 1 : 0;
        if (status == WF_OK && part.count == WF_MESSAGE_ENTRIES && i + 1 < n)
            status = finish_words(w, &part);
    }
    return status == WF_OK ? finish_words(w, &part) : status;
}

static wf_status write_message(wf_context *context, const wf_field *fields, size_t n, uint64_t *message, bool waits,
                               void *stream) {
    wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (message == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'message' must not be NULL");
    status = wf_message_check_alignment("message", message);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    if (status != WF_OK)
        return status;
    writing w = {.context = context, .message = message, .waits = waits, .stream = stream};
    status = wf_message_measure(fields, n, &w.size, &w.request);
    if (status == WF_OK)
        status = check_fields(fields, n, waits ? USE_IN : USE_IN | USE_LAUNCHED_RESULT);
    return status == WF_OK ? write_fields(&w, fields, n) : status;
}

wf_status wf_message_write(wf_context *context, const wf_field *fields, size_t n, uint64_t *message) {
    return write_message(context, fields, n, message, true, NULL);
}

wf_status wf_message_write_async(wf_context *context, const wf_field *fields, size_t n, uint64_t *message,
                                 void *stream) {
    return write_message(context, fields, n, message, false, stream);
}

/* ---- Reading ---- */

/* Called for every part: the entries of up to WF_MESSAGE_ENTRIES fields with a result. */
typedef wf_status visit_part(void *with, wf_message_part *part);

static wf_status visit_fields(const wf_field *fields, size_t n, const wf_message_part *about, visit_part *visit,
                              void *with) {
    wf_message_size size;
    uint32_t request;
    wf_status status = wf_message_measure(fields, n, &size, &request);
    if (status != WF_OK)
        return status;
    if (about->message == NULL || (about->records == NULL && size.records != 0))
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", about->message == NULL ? "message" : "records");
    if (about->ranks == 0 || about->ranks > WF_MOST_RANKS)
        return wf_fail(WF_INVALID_ARGUMENT, "a message of %llu ranks cannot be read: 1 to %d can be joined",
                       (unsigned long long)about->ranks, WF_MOST_RANKS);
    status = wf_message_check_alignment("message", about->message);
    if (status == WF_OK)
        status = wf_message_check_alignment("records", about->records);
    if (status == WF_OK)
        status = check_fields(fields, n, about->failures != NULL ? USE_LAUNCHED_RESULT : 0);
    if (status != WF_OK)
        return status;
    wf_message_size at = {.sums = WF_MESSAGE_CHECK_WORDS, .maxima = size.sums};
    wf_message_part part = *about;
    part.request = request;
    part.record_words = size.records;
    bool is_checked = false; /* a part without entries checks the message, too */
    for (size_t i = 0; i < n; i++) {
        wf_message_plan plan;
        status = wf_message_plan_of(fields, i, n, &plan);
        if (status != WF_OK)
            return status;
        wf_message_place(&plan, &at);
        if (plan.entry.result != NULL)
            part.entries[part.count++] = plan.entry;
        if (part.count == WF_MESSAGE_ENTRIES) {
            status = visit(with, &part);
            if (status != WF_OK)
                return status;
            part.count = 0;
            is_checked = true;
        }
    }
    return part.count != 0 || !is_checked ? visit(with, &part) : WF_OK;
}

static wf_status explain_check(const wf_message_part *part) {
    const unsigned long long wrote = part->message[0] >> 40;
    if (wrote != part->ranks)
        return wf_fail(WF_INVALID_ARGUMENT, "the message was written by %llu of %llu ranks", wrote,
                       (unsigned long long)part->ranks);
    return wf_fail(WF_INVALID_ARGUMENT,
                   "the message is not of these fields, or ranks wrote different fields: all must give "
                   "the same, in the same order");
}

/* True for a valid sum of `ranks` normalised states. The counts are not checked: descriptions that ignore NaN do not
 * count NaN, which are terms of the sum. */
static bool is_joined_state(const uint64_t *words, uint64_t ranks) {
    wf_sum_state state;
    memcpy(&state, words, sizeof state);
    if (state.merged != (int64_t)ranks || state.version != (int64_t)ranks * WF_SUM_STATE_VERSION)
        return false;
    state.count = state.others = INT64_MAX;
    state.nans = state.positive_infinities = state.negative_infinities = 0;
    return wf_flaw_of_state(&state) < 0 && !wf_state_overflows(&state);
}

static wf_status check_states(const wf_field *fields, size_t n, const wf_message_part *about) {
    wf_message_size at = {.sums = WF_MESSAGE_CHECK_WORDS};
    for (size_t i = 0; i < n; i++) {
        wf_message_plan plan;
        wf_status status = wf_message_plan_of(fields, i, n, &plan);
        if (status != WF_OK)
            return status;
        wf_message_place(&plan, &at);
        if (plan.entry.joins_state != 0 && !is_joined_state(about->message + plan.entry.sums, about->ranks))
            return wf_message_name_field(wf_fail(WF_INVALID_ARGUMENT,
                                                 "the message holds no valid sum of %llu ranks: it was changed, or "
                                                 "not joined by adding words",
                                                 (unsigned long long)about->ranks),
                                         i, n);
    }
    return WF_OK;
}

/* Works on copies: the message stays unchanged, and results need not be aligned. */
__attribute__((noinline)) static void read_entries(const wf_message_part *part) {
    for (uint32_t i = 0; i < part->count; i++) {
        wf_message_entry entry = part->entries[i];
        uint64_t result[WF_DESCRIPTION_WORDS];
        const wf_joined_sum joined = sum_of(&entry, part->message);
        memcpy(result, entry.result, wf_message_result_bytes(&entry)); /* argmin does not write its padding */
        entry.result = result;
        wf_read_words(&entry, part->ranks, part->message, part->records, part->record_words, &joined);
        memcpy(part->entries[i].result, result, wf_message_result_bytes(&entry));
    }
}

static void read_here(const wf_message_part *part) {
    const fenv_t before = wf_enter_default_environment();
    read_entries(part);
    fesetenv(&before);
}

/* All fields, and the status of their states, which are checked once, before any result is written. */
typedef struct all_fields {
    const wf_field *fields;
    size_t n;
    bool is_checked;
    wf_status states;
} all_fields;

static wf_status read_or_fail(void *with, wf_message_part *part) {
    all_fields *all = with;
    if (!wf_message_check_holds(part->message, part->ranks, part->request))
        return explain_check(part);
    if (!all->is_checked)
        all->states = check_states(all->fields, all->n, part);
    all->is_checked = true;
    if (all->states == WF_OK)
        read_here(part);
    return all->states;
}

/* Reports a failure as a launch does, by a word. */
static wf_status read_or_record(void *with, wf_message_part *part) {
    if (read_or_fail(with, part) != WF_OK)
        *part->failures = 1;
    return WF_OK;
}

wf_status wf_message_read(const wf_field *fields, size_t n, uint64_t ranks, const uint64_t *message,
                          const uint64_t *records) {
    const wf_message_part about = {.message = (uint64_t *)message, .records = (uint64_t *)records, .ranks = ranks};
    return visit_fields(fields, n, &about, read_or_fail, &(all_fields){.fields = fields, .n = n});
}

typedef struct reading {
    wf_context *context;
    void *stream;
} reading;

static wf_status read_there(void *with, wf_message_part *part) {
    const reading *r = with;
    const wf_message_request request = {.head = {.tiles = part->count != 0 ? part->count : 1,
                                                 .tile_size = r->context->info.wave_width,
                                                 .wave_width = r->context->info.wave_width},
                                        .reads = 1,
                                        .part = part};
    const wf_queue queue = {.context = r->context, .stream = r->stream};
    return wf_launch(&queue, WF_ALGORITHM_MESSAGE, &request);
}

wf_status wf_message_read_async(wf_context *context, const wf_field *fields, size_t n, uint64_t ranks,
                                uint64_t *message, const uint64_t *records, uint64_t *failures, void *stream) {
    wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (failures == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'failures' must not be NULL");
    status = wf_message_check_alignment("failures", failures);
    if (status != WF_OK)
        return status;
    const wf_message_part about = {
        .message = message, .records = (uint64_t *)records, .ranks = ranks, .failures = failures};
    if (!wf_folds_on_cpu(context))
        return visit_fields(fields, n, &about, read_there, &(reading){context, stream});
    status = wf_check_stream(context, stream);
    return status == WF_OK ? visit_fields(fields, n, &about, read_or_record, &(all_fields){.fields = fields, .n = n})
                           : status;
}
