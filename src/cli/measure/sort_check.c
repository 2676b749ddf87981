/* The order of a sorted array, and that its elements are those of the data: by their positions if it has those, else by
 * two hashes that do not depend on the order. */
#include "array_check.h"
#include "cli/cli.h"
#include "oracle/hash.h"
#include "oracle/widen.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the bits of all elements: a sum and an exclusive or of 64 bits each, over two hashes. */
typedef struct fingerprint {
    uint64_t sum, bits;
} fingerprint;

struct sort_check {
    const array_run *run;
    wf_type type;
    uint64_t last_rank;
    value last;
    fingerprint in, result;
    unsigned char *seen; /* of pairs: a bit for each position */
};

struct sort_check *sort_check_begin(const array_run *run) {
    struct sort_check *check = cli_allocate(1, sizeof *check);
    check->run = run;
    check->type = run->from.of->what.type;
    if (run->kind == WF_RUNG_SORTS_PAIRS)
        check->seen = cli_allocate(run->from.count / 8 + 1, 1);
    return check;
}

/* Grows with the element: -0 before +0, and every NaN, which are all alike, behind the rest. */
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
    return bits & sign ? ~bits : bits | sign;
}

static void add_to(fingerprint *print, value v) {
    print->sum += hash_index(0, v.u64);
    print->bits ^= hash_index(1, ~v.u64);
}

static bool is_in_order(struct sort_check *check, uint64_t index, const void *element, value v, char **reason) {
    uint64_t rank = rank_of(check->type, element);
    bool descending = check->run->descending;
    bool fits = index == 0 || (descending ? rank <= check->last_rank : rank >= check->last_rank);
    if (!fits) {
        char text[VALUE_TEXT], last[VALUE_TEXT];
        value_format(check->type, v, text);
        value_format(check->type, check->last, last);
        *reason = cli_text("element %" PRIu64 " of the result is %s, expected %s or %s, which is the element before it",
                           index, text, last, descending ? "less" : "more");
    }
    check->last_rank = rank;
    check->last = v;
    return fits;
}

static bool is_from_its_position(struct sort_check *check, uint64_t index, uint32_t position, value v, char **reason) {
    if (position >= check->run->from.count) {
        *reason = cli_text("position %" PRIu64 " of the result is %" PRIu32 ", expected one below %" PRIu64, index,
                           position, check->run->from.count);
        return false;
    }
    unsigned char bit = (unsigned char)(1 << position % 8);
    if (check->seen[position / 8] & bit) {
        *reason = cli_text("position %" PRIu64 " of the result is %" PRIu32 " a second time", index, position);
        return false;
    }
    check->seen[position / 8] |= bit;
    uint64_t space;
    value origin = value_at(check->type, source_chunk(&check->run->from, position, 1, &space), 0);
    if (value_same_bits(check->type, v, origin))
        return true;
    char text[VALUE_TEXT], expected[VALUE_TEXT];
    value_format(check->type, v, text);
    value_format(check->type, origin, expected);
    *reason = cli_text("element %" PRIu64 " of the result is %s, expected %s, element %" PRIu32 " of the data", index,
                       text, expected, position);
    return false;
}

bool sort_check_feed(struct sort_check *check, const array_piece *piece, char **reason) {
    size_t size = wf_type_size(check->type);
    for (size_t i = 0; i < piece->count; ++i) {
        const char *element = (const char *)piece->result + i * size;
        value v = value_at(check->type, element, 0);
        if (!is_in_order(check, piece->first + i, element, v, reason))
            return false;
        if (piece->positions && !is_from_its_position(check, piece->first + i, piece->positions[i], v, reason))
            return false;
        add_to(&check->in, value_at(check->type, piece->in, i));
        add_to(&check->result, v);
    }
    return true;
}

bool sort_check_end(struct sort_check *check, char **reason) {
    bool same = check->in.sum == check->result.sum && check->in.bits == check->result.bits;
    if (!same)
        *reason = cli_text("the result is in order, but its elements are not those of the data");
    free(check->seen);
    free(check);
    return same;
}
