/* Ranks that are turns of a loop, and a loop in place of an engine, which joins what they write. */
#ifndef WAVEFOLD_TESTS_MESSAGE_RANKS_H
#define WAVEFOLD_TESTS_MESSAGE_RANKS_H

#include <wavefold_message.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_RANKS = 8 };

extern wf_context *context;
extern bool is_native; /* the CPU folds, and there are no streams */
extern uint64_t turn;  /* what varies from one message to the next does so by this */

/* Memory of the context's device, and of the host, which is all zeros. */
uint64_t *device_words(size_t words);
uint64_t *host_words(size_t words);

typedef struct joined {
    uint64_t *message, *records;
} joined;

/* By the queued calls, or by those that wait. */
void write_message(const wf_field *fields, size_t n, size_t words, bool queued, uint64_t *message);
joined join_ranks(wf_field *const *fields, size_t n, size_t ranks, bool queued, wf_message_size *size);
void read_results(const wf_field *fields, size_t n, size_t ranks, bool queued, const wf_message_size *size,
                  const joined *all);
void free_joined(joined *all);

typedef enum cutting { EVEN, ANYHOW, FIRST_ALONE, LAST_ALONE, CUTTINGS } cutting;

/* Where rank's part begins; the last one's end is count. */
size_t begin_of(cutting how, size_t rank, size_t ranks, size_t count, uint64_t seed);

#endif
