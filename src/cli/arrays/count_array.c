/* Pieces of the array are sorted on the device, and equal neighbours counted on the host. The counts of pieces are
 * merged when they are about as long, as merge sort does. */
#include "count_array.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE = 1 << 20, MOST_LEVELS = 72 /* each has at least twice the values of the next */ };

typedef struct count_run {
    array_answer *a;
    void *keys; /* of a piece, on the device */
    unsigned char *stage;
    value_counts levels[MOST_LEVELS]; /* the longest first */
    size_t level_count;
} count_run;

static uint64_t smaller(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

static bool fail_without_memory(array_answer *a, uint64_t distinct) {
    progress_end(&a->bar);
    cli_error("input '%s': more than %" PRIu64
              " distinct values, whose counts need more host memory than is available; "
              "count parts of the array",
              a->data.path, distinct);
    return false;
}

/* Joins the two shortest lists while the last one has at least half of the values of the one before, or to the end. */
static bool merge_levels(count_run *run, bool to_end) {
    while (run->level_count > 1) {
        value_counts *const last = &run->levels[run->level_count - 1], *const before = last - 1;
        if (!to_end && before->distinct > 2 * last->distinct)
            break;
        const uint64_t most = before->distinct > last->distinct ? before->distinct : last->distinct;
        const bool merged = value_counts_merge(before, last);
        value_counts_free(last);
        run->level_count--;
        if (!merged)
            return fail_without_memory(run->a, most);
    }
    return true;
}

/* Counts the sorted keys of a piece. */
static bool count_keys(count_run *run, uint64_t count) {
    array_answer *a = run->a;
    const size_t bytes = wf_type_size(a->data.type);
    const uint64_t most = STAGE / bytes;
    value_counts *const counts = &run->levels[run->level_count++];
    *counts = (value_counts){.type = a->data.type};
    for (uint64_t done = 0; done < count; done += most) {
        const size_t part = (size_t)smaller(most, count - done);
        progress_show(&a->bar, "counting");
        if (wf_copy_to_host(a->context, run->stage, (const char *)run->keys + done * bytes, part * bytes) != WF_OK)
            return array_fail(a);
        if (!value_counts_add(counts, run->stage, part))
            return fail_without_memory(a, counts->distinct);
        progress_advance(&a->bar, part);
    }
    return merge_levels(run, false);
}

static bool count_piece(count_run *run, uint64_t first, uint64_t count) {
    array_answer *a = run->a;
    const wf_sort_spec spec = {.type = a->data.type};
    if (!array_load(a, run->keys, first, count))
        return false;
    progress_show(&a->bar, "sorting");
    return wf_sort(a->context, &spec, run->keys, NULL, (size_t)count) == WF_OK ? count_keys(run, count) : array_fail(a);
}

static bool count_pieces(count_run *run) {
    array_answer *a = run->a;
    const size_t bytes = wf_type_size(a->data.type);
    const uint64_t count = a->data.count, piece = smaller(count, ARRAY_PIECE_BYTES / bytes);
    char *doing = cli_text("sorting %" PRIu64 " elements at once", piece);
    bool done = array_has_room(a, piece * (2 * bytes + 1), doing); /* a copy, and 0.3 bytes for each key */
    free(doing);
    run->keys = done && count != 0 ? array_allocate(a, (size_t)(piece * bytes)) : NULL;
    done = done && (count == 0 || run->keys != NULL);
    for (uint64_t first = 0; first < count && done; first += piece)
        done = count_piece(run, first, smaller(piece, count - first));
    return done && merge_levels(run, true);
}

bool count_array(array_answer *a, value_counts *counts) {
    count_run *run = cli_allocate(1, sizeof *run);
    run->a = a;
    run->stage = cli_allocate(STAGE, 1);
    a->joins_equal = true;
    const bool done = count_pieces(run);
    *counts = done && run->level_count != 0 ? run->levels[0] : (value_counts){.type = a->data.type};
    for (size_t i = done ? 1 : 0; i < run->level_count; i++)
        value_counts_free(&run->levels[i]);
    (void)wf_free(a->context, run->keys);
    free(run->stage);
    free(run);
    return done;
}

bool count_order(array_answer *a, const value_counts *counts, uint64_t *order) {
    const wf_sort_spec spec = {.type = WF_U64, .descending = 1, .value_bytes = sizeof *order};
    const size_t distinct = (size_t)counts->distinct, bytes = distinct * sizeof *order;
    enum { WORDS = 6 /* of each key: it, two copies, its position and a copy, and the rest of the workspace */ };
    if (distinct == 0)
        return true;
    if (!array_has_room(a, WORDS * (uint64_t)bytes, "ordering values by their counts"))
        return false;
    void *const keys = array_allocate(a, bytes), *const positions = keys != NULL ? array_allocate(a, bytes) : NULL;
    bool done = positions != NULL;
    if (done && (wf_copy_to_device(a->context, keys, counts->counts, bytes) != WF_OK ||
                 wf_argsort(a->context, &spec, keys, positions, distinct) != WF_OK ||
                 wf_copy_to_host(a->context, order, positions, bytes) != WF_OK))
        done = array_fail(a);
    (void)wf_free(a->context, keys);
    (void)wf_free(a->context, positions);
    return done;
}
