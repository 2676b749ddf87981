/* Checks the order of a sorted array, and that its elements are those of the data: by their positions if it has them,
 * else by two hashes that do not depend on the order. */
#include "array_check.h"
#include "cli/cli.h"
#include "oracle/hash.h"
#include "oracle/widen.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct sort_positions {
    atomic_uchar *bits;
};

sort_positions *sort_positions_begin(const array_run *run) {
    if (run->kind != WF_RUNG_SORTS_PAIRS)
        return NULL;
    sort_positions *seen = cli_allocate(1, sizeof *seen);
    seen->bits = cli_allocate(run->from.count / 8 + 1, sizeof *seen->bits);
    return seen;
}

void sort_positions_end(sort_positions *seen) {
    if (seen != NULL)
        free(seen->bits);
    free(seen);
}

/* One piece, and the position in it. */
typedef struct walk {
    const array_run *run;
    wf_type type;
    uint64_t last_rank;
    value last;
    bool any_last;
} walk;

/* Increases with the element: -0 before +0, and all NaN, which are equal, last. */
static uint64_t rank_of(wf_type type, const void *element) {
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    double number;
    if (!wf_type_is_float(type)) {
        widen_integers(type, element, 1, &bits);
        return wf_type_is_signed(type) ? bits ^ sign : bits;
    }
    widen_floats(type, element, 1, &number);
    if (isnan(number))
        return UINT64_MAX;
    memcpy(&bits, &number, sizeof bits);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

static void add_to(fingerprint *print, value v) {
    print->sum += hash_index(0, v.u64);
    print->bits ^= hash_index(1, ~v.u64);
}

static bool is_in_order(walk *w, uint64_t index, const void *element, value v, char **reason) {
    uint64_t rank = rank_of(w->type, element);
    bool descending = w->run->descending;
    bool fits = !w->any_last || (descending ? rank <= w->last_rank : rank >= w->last_rank);
    if (!fits) {
        char text[VALUE_TEXT], last[VALUE_TEXT];
        value_format(w->type, v, text);
        value_format(w->type, w->last, last);
        *reason = cli_text("element %" PRIu64 " of the result is %s, expected %s or %s, which is the element before it",
                           index, text, last, descending ? "less" : "more");
    }
    w->any_last = true;
    w->last_rank = rank;
    w->last = v;
    return fits;
}

static bool is_from_its_position(const walk *w, sort_positions *seen, uint64_t index, uint32_t position, value v,
                                 char **reason) {
    const source *from = &w->run->from;
    if (position >= from->count) {
        *reason = cli_text("position %" PRIu64 " of the result is %" PRIu32 ", expected one below %" PRIu64, index,
                           position, from->count);
        return false;
    }
    unsigned char bit = (unsigned char)(1 << position % 8);
    if ((atomic_fetch_or_explicit(&seen->bits[position / 8], bit, memory_order_relaxed) & bit) != 0) {
        *reason = cli_text("position %" PRIu64 " of the result is %" PRIu32 " a second time", index, position);
        return false;
    }
    uint64_t space;
    value origin = value_at(w->type, source_chunk(from, position, 1, &space), 0);
    if (value_same_bits(w->type, v, origin))
        return true;
    char text[VALUE_TEXT], expected[VALUE_TEXT];
    value_format(w->type, v, text);
    value_format(w->type, origin, expected);
    *reason = cli_text("element %" PRIu64 " of the result is %s, expected %s, element %" PRIu32 " of the data", index,
                       text, expected, position);
    return false;
}

sort_prints sort_check(const array_run *run, sort_positions *seen, const array_piece *piece, char **reason) {
    walk w = {.run = run, .type = run->from.of->spec.type, .any_last = piece->before != NULL};
    sort_prints prints = {{0, 0}, {0, 0}};
    if (piece->before != NULL) {
        w.last_rank = rank_of(w.type, piece->before);
        w.last = value_at(w.type, piece->before, 0);
    }
    for (size_t i = 0; i < piece->count; i++) {
        const char *element = (const char *)piece->result + i * wf_type_size(w.type);
        value v = value_at(w.type, element, 0);
        if (!is_in_order(&w, piece->first + i, element, v, reason) ||
            (seen != NULL && !is_from_its_position(&w, seen, piece->first + i, piece->positions[i], v, reason)))
            break;
        add_to(&prints.in, value_at(w.type, piece->in, i));
        add_to(&prints.result, v);
    }
    return prints;
}

static void merge(fingerprint *print, const fingerprint *next) {
    print->sum += next->sum;
    print->bits ^= next->bits;
}

void sort_prints_merge(sort_prints *prints, const sort_prints *next) {
    merge(&prints->in, &next->in);
    merge(&prints->result, &next->result);
}

void sort_prints_check(const sort_prints *prints, char **reason) {
    if (prints->in.sum != prints->result.sum || prints->in.bits != prints->result.bits)
        *reason = cli_text("the result is in order, but its elements are not those of the data");
}
