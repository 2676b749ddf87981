/* wf_message_append: merges two messages of one rank. The words stay within the limits of one message, so that messages
 * can be appended without limit. */
#include "default_environment.h"
#include "exact/sum_state.h"
#include "message_plan.h"
#include "status.h"
#include "wavefold_sum.h"

#include <string.h>

static void carry_mean(uint64_t *words) {
    words[1] += words[0] >> 32;
    words[0] &= UINT32_MAX;
}

static void limit_bits(const wf_message_entry *entry, uint64_t *words) {
    for (int i = 0; i < 4 * entry->bytes; i++) {
        const uint64_t low = words[i] & UINT32_MAX, high = words[i] >> 32;
        words[i] =
            entry->op == WF_XOR ? (low & 1) | (high & 1) << 32 : (uint64_t)(low != 0) | (uint64_t)(high != 0) << 32;
    }
}

static wf_status join_states(const uint64_t *words, const uint64_t *other, wf_sum_state *joined) {
    wf_sum_state added;
    memcpy(joined, words, sizeof *joined);
    memcpy(&added, other, sizeof added);
    const wf_status status = wf_sum_state_merge(joined, &added);
    return status == WF_OK ? wf_sum_state_normalise(joined) : status;
}

/* Joins two records of one rank like the records of two ranks. */
static void append_record(wf_message_entry entry, const uint64_t *sums, size_t words, uint64_t *record,
                          const uint64_t *other) {
    uint64_t both[2 * WF_MOST_RECORD_WORDS], joined[WF_MOST_RECORD_WORDS] = {0};
    int64_t state[WF_STATE_WORDS];
    wf_joined_sum sum = {.negative = false};
    memcpy(both, record, words * sizeof *both);
    memcpy(both + words, other, words * sizeof *both);
    if (entry.joins_state != 0) {
        memcpy(state, sums, sizeof state);
        sum = wf_sum_of_state(state);
    }
    entry.record = entry.sums = 0;
    entry.result = joined;
    wf_read_words(&entry, 2, sums, both, words, &sum);
    if (entry.kind == WF_MESSAGE_DESCRIPTION && entry.joins_state != 0)
        wf_write_beyond(joined, &sum);
    const bool has_length =
        entry.kind == WF_MESSAGE_PLACE || entry.kind == WF_MESSAGE_WEIGHTED || entry.kind == WF_MESSAGE_DESCRIPTION;
    if (has_length)
        joined[words - 1] = record[words - 1] + other[words - 1];
    memcpy(record, joined, words * sizeof *record);
}

static wf_status append_words(const wf_message_plan *plan, const wf_message_size *size, uint64_t *message,
                              const uint64_t *other) {
    const wf_message_entry *const entry = &plan->entry;
    uint64_t *const sums = message + entry->sums;
    if (entry->joins_state != 0) {
        wf_sum_state joined;
        const wf_status status = join_states(sums, other + entry->sums, &joined);
        if (status != WF_OK)
            return status;
        memcpy(sums, &joined, sizeof joined);
    } else {
        for (size_t i = 0; i < plan->words.sums; i++)
            sums[i] += other[entry->sums + i];
    }
    if (entry->kind == WF_MESSAGE_MEAN)
        carry_mean(sums);
    if (entry->kind == WF_MESSAGE_BITS)
        limit_bits(entry, sums);
    for (size_t i = entry->maxima; i < entry->maxima + plan->words.maxima; i++)
        if (other[i] > message[i])
            message[i] = other[i];
    const size_t record = size->sums + size->maxima + entry->record;
    if (plan->words.records != 0)
        append_record(*entry, sums, plan->words.records, message + record, other + record);
    return WF_OK;
}

/* The only step that can fail, done before anything is changed. */
static wf_status check_states(const wf_message_plan *plan, const wf_message_size *size, uint64_t *message,
                              const uint64_t *other) {
    wf_sum_state joined;
    (void)size;
    return plan->entry.joins_state != 0 ? join_states(message + plan->entry.sums, other + plan->entry.sums, &joined)
                                        : WF_OK;
}

typedef wf_status append_step(const wf_message_plan *plan, const wf_message_size *size, uint64_t *message,
                              const uint64_t *other);

__attribute__((noinline)) static wf_status append_fields(const wf_field *fields, size_t n, const wf_message_size *size,
                                                         uint64_t *message, const uint64_t *other, append_step *step) {
    wf_message_size at = {.sums = WF_MESSAGE_CHECK_WORDS, .maxima = size->sums};
    wf_status status = WF_OK;
    for (size_t i = 0; i < n && status == WF_OK; i++) {
        wf_message_plan plan;
        status = wf_message_plan_of(fields, i, n, &plan);
        if (status != WF_OK)
            return status;
        wf_message_place(&plan, &at);
        status = wf_message_name_field(step(&plan, size, message, other), i, n);
    }
    return status;
}

wf_status wf_message_append(const wf_field *fields, size_t n, uint64_t *message, const uint64_t *other) {
    wf_message_size size;
    uint32_t request;
    wf_status status = wf_message_measure(fields, n, &size, &request);
    if (status == WF_OK)
        status = wf_message_check_alignment("message", message);
    if (status == WF_OK)
        status = wf_message_check_alignment("other", other);
    if (status != WF_OK)
        return status;
    if (message == NULL || other == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", message == NULL ? "message" : "other");
    if (!wf_message_check_holds(message, 1, request) || !wf_message_check_holds(other, 1, request))
        return wf_fail(WF_INVALID_ARGUMENT,
                       "%s is not of one rank and of these fields: append messages of wf_message_write, "
                       "before they are joined with other ranks' messages",
                       wf_message_check_holds(message, 1, request) ? "other" : "message");
    status = append_fields(fields, n, &size, message, other, check_states);
    if (status != WF_OK)
        return status;
    const fenv_t before = wf_enter_default_environment();
    status = append_fields(fields, n, &size, message, other, append_words);
    fesetenv(&before);
    return status;
}
