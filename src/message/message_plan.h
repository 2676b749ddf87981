/* Which words a field has in a message, and what is folded for them. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_PLAN_H
#define WAVEFOLD_MESSAGE_MESSAGE_PLAN_H

#include "message_words.h"
#include "reduce/plan.h"
#include "wavefold_message.h"

typedef struct wf_message_plan {
    wf_message_entry entry; /* but for where its words are */
    wf_message_size words;
    wf_reduce_plan fold;
    wf_reduce_plan state; /* of descriptions with one */
} wf_message_plan;

/* fails: number i of n is no reduction of the table; the error names it */
wf_status wf_message_plan_of(const wf_field *fields, size_t i, size_t n, wf_message_plan *plan);

/* Has the error say which field it is of, if there are several. */
wf_status wf_message_name_field(wf_status status, size_t i, size_t n);

/* Of the result that wf_read_words writes. */
size_t wf_message_result_bytes(const wf_message_entry *of);
size_t wf_message_result_alignment(const wf_message_entry *of);

/* Behind the field's words begin the next one's: *at, which is what all fields before it take. */
void wf_message_place(wf_message_plan *plan, wf_message_size *at);

/* wf_message_get_size, and wf_message_get_request, after the check of the arguments. */
wf_status wf_message_measure(const wf_field *fields, size_t n, wf_message_size *size, uint32_t *request);

/* Refuses words of a message that are not aligned; name is what their caller knows them by. */
wf_status wf_message_check_alignment(const char *name, const uint64_t *words);

#endif
