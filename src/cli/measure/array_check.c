#include "array_check.h"

#include "cli/cli.h"
#include "oracle/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 }; /* elements that are copied to the host at a time */

typedef struct buffers {
    void *in, *result;
    uint32_t *positions;
} buffers;

static wf_status fetch(const array_run *run, const buffers *to, uint64_t first, size_t count, array_piece *piece) {
    size_t element = run->from.of->info.element_bytes;
    const char *elements = run->result, *positions = elements + run->from.count * element;
    *piece = (array_piece){.first = first, .count = count, .result = to->result};
    wf_status status = wf_copy_to_host(run->context, to->result, elements + first * element, count * element);
    if (status == WF_OK && run->kind == WF_RUNG_SORTS_PAIRS) {
        status = wf_copy_to_host(run->context, to->positions, positions + first * sizeof *to->positions,
                                 count * sizeof *to->positions);
        piece->positions = to->positions;
    }
    piece->in = source_chunk(&run->from, first, count, to->in);
    return status;
}

/* Stops at the first wrong element. */
static wf_status feed_all(const array_run *run, const buffers *to, struct scan_check *scan, struct sort_check *sort,
                          char **reason) {
    for (uint64_t first = 0; first < run->from.count && !*reason; first += PIECE) {
        size_t count = run->from.count - first < PIECE ? (size_t)(run->from.count - first) : PIECE;
        array_piece piece;
        wf_status status = fetch(run, to, first, count, &piece);
        if (status != WF_OK)
            return status;
        if (scan)
            (void)scan_check_feed(scan, &piece, reason);
        else
            (void)sort_check_feed(sort, &piece, reason);
    }
    return WF_OK;
}

static wf_status check_all(const array_run *run, judgement *judged, char **reason) {
    size_t element = run->from.of->info.element_bytes;
    buffers to = {.in = cli_allocate(PIECE, element), .result = cli_allocate(PIECE, element)};
    bool scans = run->kind == WF_RUNG_SCANS;
    struct scan_check *scan = scans ? scan_check_begin(run) : NULL;
    struct sort_check *sort = scans ? NULL : sort_check_begin(run);
    to.positions = cli_allocate(PIECE, sizeof *to.positions);
    wf_status status = feed_all(run, &to, scan, sort, reason);
    if (scans) {
        *judged = scan_check_end(scan);
    } else {
        char *late = NULL;
        bool sorted = sort_check_end(sort, &late) && !*reason;
        if (*reason)
            free(late);
        else
            *reason = late;
        *judged = (judgement){.accepted = sorted, .compared = true, .ulps_known = sorted, .error = sorted ? 0 : NAN};
    }
    free(to.in);
    free(to.result);
    free(to.positions);
    return status;
}

/* Of all bytes and their places. */
static wf_status hash_result(const array_run *run, uint64_t hash[2]) {
    enum { WORDS = 1 << 16 };
    size_t pair = run->kind == WF_RUNG_SORTS_PAIRS ? sizeof(uint32_t) : 0;
    size_t bytes = run->from.count * (run->from.of->info.element_bytes + pair), size = WORDS * sizeof(uint64_t);
    uint64_t *words = cli_allocate(WORDS, sizeof *words);
    wf_status status = WF_OK;
    hash[0] = hash[1] = 0;
    for (size_t first = 0; first < bytes && status == WF_OK; first += size) {
        size_t piece = bytes - first < size ? bytes - first : size;
        words[piece / sizeof *words - (piece % sizeof *words == 0)] = 0; /* the last one may not be filled */
        status = wf_copy_to_host(run->context, words, (const char *)run->result + first, piece);
        for (size_t i = 0; i < (piece + sizeof *words - 1) / sizeof *words; ++i) {
            hash[0] = hash_index(hash[0], words[i]);
            hash[1] = (hash[1] ^ words[i]) * UINT64_C(0x9fb21c651e98df25);
            hash[1] ^= hash[1] >> 32;
        }
    }
    free(words);
    return status;
}

wf_status array_check(const array_run *run, array_memory *seen, judgement *judged, char **reason) {
    uint64_t hash[2];
    wf_status status = hash_result(run, hash);
    *reason = NULL;
    if (status == WF_OK && seen->any && memcmp(hash, seen->hash, sizeof hash) == 0) {
        *judged = seen->judged;
        return WF_OK;
    }
    if (status == WF_OK)
        status = check_all(run, judged, reason);
    if (status == WF_OK && judged->accepted) {
        *seen = (array_memory){.any = true, .judged = *judged};
        memcpy(seen->hash, hash, sizeof hash);
    }
    return status;
}
