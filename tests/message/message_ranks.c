#include "message_ranks.h"
#include "data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

wf_context *context;
bool is_native;
uint64_t turn;

uint64_t *device_words(size_t words) {
    void *memory;
    require(wf_malloc(context, &memory, (words + 1) * sizeof(uint64_t)));
    return memory;
}

uint64_t *host_words(size_t words) {
    uint64_t *memory = calloc(words + 1, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static wf_field on_device(const wf_field *field) {
    const size_t bytes = field->count * wf_type_size(field->spec.type) *
                         (field->spec.op == WF_MATMUL   ? 4
                          : field->spec.op == WF_AFFINE ? 2
                                                        : 1);
    wf_field moved = *field;
    void *memory;
    require(wf_malloc(context, &memory, bytes));
    if (bytes != 0)
        require(wf_copy_to_device(context, memory, field->in, bytes));
    moved.in = memory;
    return moved;
}

void write_message(const wf_field *fields, size_t n, size_t words, bool queued, uint64_t *message) {
    memset(message, 0x5a, words * sizeof *message);
    if (!queued) {
        require(wf_message_write(context, fields, n, message));
        return;
    }
    uint64_t *there = device_words(words);
    wf_field *moved = malloc(n * sizeof *moved);
    assert_non_null(moved);
    for (size_t i = 0; i < n; i++)
        moved[i] = on_device(&fields[i]);
    require(wf_copy_to_device(context, there, message, words * sizeof *message));
    require(wf_message_write_async(context, moved, n, there, NULL));
    require(wf_copy_to_host(context, message, there, words * sizeof *message));
    for (size_t i = 0; i < n; i++)
        wf_free(context, (void *)moved[i].in);
    free(moved);
    wf_free(context, there);
}

/* What an engine does with a rank's message. Words are added up in an order of its own. */
static void join(const wf_message_size *size, const uint64_t *message, size_t rank, joined *all) {
    for (size_t i = 0; i < size->sums; i++)
        all->message[i] += message[i];
    for (size_t i = size->sums; i < size->sums + size->maxima; i++)
        if (message[i] > all->message[i])
            all->message[i] = message[i];
    memcpy(all->records + rank * size->records, message + size->sums + size->maxima, size->records * sizeof *message);
}

joined join_ranks(wf_field *const *fields, size_t n, size_t ranks, bool queued, wf_message_size *size) {
    require(wf_message_get_size(fields[0], n, size));
    const size_t words = size->sums + size->maxima + size->records;
    joined all = {host_words(size->sums + size->maxima), host_words(ranks * size->records)};
    uint64_t *message = host_words(words);
    const size_t start = data_hash(turn++) % ranks;
    for (size_t r = 0; r < ranks; r++) {
        const size_t rank = (start + r) % ranks;
        write_message(fields[rank], n, words, queued, message);
        join(size, message, rank, &all);
    }
    free(message);
    return all;
}

void read_results(const wf_field *fields, size_t n, size_t ranks, bool queued, const wf_message_size *size,
                  const joined *all) {
    if (!queued) {
        require(wf_message_read(fields, n, ranks, all->message, all->records));
        return;
    }
    /* Results land on the device, 64 bytes apart. */
    const size_t words = size->sums + size->maxima, record_words = ranks * size->records;
    uint64_t *message = device_words(words), *records = device_words(record_words), *results = device_words(9 * n);
    wf_field *there = malloc(n * sizeof *there);
    assert_non_null(there);
    for (size_t i = 0; i < n; i++) {
        there[i] = fields[i];
        there[i].in = NULL; /* who reads has no elements */
        there[i].result = fields[i].result == NULL ? NULL : results + 8 * i;
        if (fields[i].result != NULL)
            require(wf_copy_to_device(context, results + 8 * i, fields[i].result, 64));
    }
    require(wf_copy_to_device(context, message, all->message, words * sizeof *message));
    require(wf_copy_to_device(context, records, all->records, record_words * sizeof *records));
    uint64_t failures = 0;
    require(wf_copy_to_device(context, results + 8 * n, &failures, sizeof failures));
    require(wf_message_read_async(context, there, n, ranks, message, records, results + 8 * n, NULL));
    require(wf_copy_to_host(context, &failures, results + 8 * n, sizeof failures));
    assert_int_equal(failures, 0);
    for (size_t i = 0; i < n; i++)
        if (fields[i].result != NULL)
            require(wf_copy_to_host(context, fields[i].result, results + 8 * i, 64));
    free(there);
    wf_free(context, message);
    wf_free(context, records);
    wf_free(context, results);
}

void free_joined(joined *all) {
    free(all->message);
    free(all->records);
}

size_t begin_of(cutting how, size_t rank, size_t ranks, size_t count, uint64_t seed) {
    if (rank == 0 || rank == ranks)
        return rank == 0 ? 0 : count;
    switch (how) {
    case EVEN:
        return count * rank / ranks;
    case ANYHOW: { /* some are empty */
        size_t at = 0;
        for (size_t r = 0; r < rank; r++)
            at += data_hash(seed + r) % 3 == 0 ? 0 : data_hash(seed + 99 + r) % (2 * count / ranks + 1);
        return at < count ? at : count;
    }
    case FIRST_ALONE:
        return count;
    case LAST_ALONE:
    case CUTTINGS:
        break;
    }
    return 0;
}
