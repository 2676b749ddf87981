/* The plan of a field: its words in a message, and the reductions that compute them. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_PLAN_H
#define WAVEFOLD_MESSAGE_MESSAGE_PLAN_H

#include "message_words.h"
#include "reduce/plan.h"
#include "wavefold_message.h"

typedef struct wf_message_plan {
    wf_message_entry entry; /* without offsets, until wf_message_place sets them */
    wf_message_size words;
    wf_reduce_plan fold;
    wf_reduce_plan state; /* for descriptions of floats */
} wf_message_plan;

/* Plans field i of n. It fails if the reduction is not in the table; the error names the field. */
wf_status wf_message_plan_of(const wf_field *fields, size_t i, size_t n, wf_message_plan *plan);

/* Adds the field's number to the error message, if there are several fields. */
wf_status wf_message_name_field(wf_status status, size_t i, size_t n);

/* Size and alignment of the result that wf_read_words writes. */
size_t wf_message_result_bytes(const wf_message_entry *entry);
size_t wf_message_result_alignment(const wf_message_entry *entry);

/* Sets the offsets of the field's words to *at, and adds their number to *at. */
void wf_message_place(wf_message_plan *plan, wf_message_size *at);

/* wf_message_get_size and wf_message_get_request, without the check of size and request. */
wf_status wf_message_measure(const wf_field *fields, size_t n, wf_message_size *size, uint32_t *request);

/* Refuses words that are not aligned; name is their parameter, for the message. */
wf_status wf_message_check_alignment(const char *name, const uint64_t *words);

#endif
