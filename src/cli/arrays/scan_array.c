/* A scan takes elements to the device, and results from there. Rows that lie one behind the other pass in pieces of
 * whole rows. A long row passes in pieces of whole spans: the order of a scan combines these one after the other, from
 * the initial value on, so each piece begins with what the elements before it come to (scan/request.h). */
#include "scan_array.h"

#include "cli/cli.h"
#include "scan/request.h"
#include "wavefold_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Elements, of which a span of every scan is a part. */
enum { SPANS = 1 << 24, MOST_PACK = 16, MOST_LANE_ROWS = 4 };
_Static_assert(SPANS % (WF_SCAN_TILE * MOST_PACK * MOST_LANE_ROWS * WF_SCAN_GROUP * WF_SCAN_GROUP) == 0,
               "a span has a power of two of elements, up to this product");

typedef struct scan_run {
    array_answer *a;
    wf_scan_spec spec;
    bool by_spans;
    uint64_t at_a_time;                   /* elements of a row if by_spans, else outer indices */
    void *elements;                       /* of a piece, on the device */
    void *results;                        /* may be `elements` */
    unsigned char before[sizeof(result)]; /* what the elements before a piece come to */
    size_t before_bytes;                  /* of that */
} scan_run;

static uint64_t smaller(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

static bool fits_a_piece(const scan_run *run, uint64_t elements) {
    return elements <= ARRAY_PIECE_BYTES / run->a->of.info.element_bytes;
}

/* argmin and argmax take no initial value, and a reverse scan begins with the last piece. */
static bool can_carry(const scan_run *run) {
    return run->a->of.info.has_index == 0 && run->spec.reverse == 0;
}

static void choose_pieces(scan_run *run) {
    const row_layout *layout = &run->a->layout;
    const uint64_t of_outer = layout->length * layout->inner, element = run->a->of.info.element_bytes;
    run->by_spans = layout->inner == 1 && !fits_a_piece(run, layout->length) && can_carry(run);
    if (run->by_spans)
        run->at_a_time = (ARRAY_PIECE_BYTES / element + SPANS - 1) / SPANS * SPANS;
    else if (fits_a_piece(run, layout->outer * of_outer))
        run->at_a_time = layout->outer;
    else
        run->at_a_time = (ARRAY_PIECE_BYTES / element - 1) / of_outer + 1;
}

/* Integers and extremes are the same in every order, so the last result is what the next piece begins with. */
static bool carries_last_result(const scan_run *run) {
    const wf_op op = run->spec.reduce.op;
    const bool is_exact = !wf_type_is_float(run->spec.reduce.type) || op == WF_MIN || op == WF_MAX;
    return is_exact && run->spec.exclusive == 0 && run->spec.as_elements == 0;
}

static bool allocate(scan_run *run) {
    array_answer *a = run->a;
    const row_layout *layout = &a->layout;
    const size_t element = a->of.info.element_bytes, of_result = a->of.info.result_bytes;
    const uint64_t piece = run->by_spans ? smaller(run->at_a_time, layout->length) + 1
                                         : smaller(run->at_a_time, layout->outer) * layout->length * layout->inner;
    const bool in_place = !run->by_spans && element == of_result;
    const size_t room = of_result > run->before_bytes ? of_result : run->before_bytes;
    const uint64_t bytes = piece * (element + (in_place ? 0 : room));
    char *doing = cli_text("scanning %" PRIu64 " elements at once", piece);
    const bool has_room = array_has_room(a, bytes, doing);
    free(doing);
    if (!has_room)
        return false;
    run->elements = array_allocate(a, (size_t)(piece * element));
    run->results = in_place || run->elements == NULL ? run->elements : array_allocate(a, (size_t)(piece * room));
    return run->results != NULL;
}

/* ---- Pieces of rows ---- */

static bool scan_rows(scan_run *run) {
    array_answer *a = run->a;
    const row_layout *layout = &a->layout;
    const uint64_t of_outer = layout->length * layout->inner;
    for (uint64_t first = 0; first < layout->outer; first += run->at_a_time) {
        const uint64_t outer = smaller(run->at_a_time, layout->outer - first);
        const wf_axes axes = {.dimensions = 3, .reduced = 1u << 1, .counts = {outer, layout->length, layout->inner}};
        if (!array_load(a, run->elements, first * of_outer, outer * of_outer))
            return false;
        progress_show(&a->bar, "scanning");
        if (wf_scan_axes(a->context, &run->spec, &axes, run->elements, run->results) != WF_OK)
            return array_fail(a);
        if (!array_store(a, run->results, outer * of_outer))
            return false;
    }
    return true;
}

/* ---- Pieces of a row ---- */

/* The result behind the piece of an exclusive scan is what its elements come to. */
static wf_status scan_what_follows(scan_run *run, size_t count, unsigned char *next) {
    wf_scan_spec exclusive = run->spec;
    exclusive.exclusive = 1;
    exclusive.as_elements = 0;
    const wf_status status = wf_scan(run->a->context, &exclusive, run->elements, count + 1, run->results);
    const char *const behind = (const char *)run->results + count * run->before_bytes;
    return status == WF_OK ? wf_copy_to_host(run->a->context, next, behind, run->before_bytes) : status;
}

static wf_status scan_piece(scan_run *run, size_t count, bool is_last) {
    wf_context *const context = run->a->context;
    unsigned char next[sizeof run->before] = {0};
    const bool by_last_result = carries_last_result(run);
    wf_status status = WF_OK;
    if (!is_last && !by_last_result)
        status = scan_what_follows(run, count, next);
    if (status == WF_OK)
        status = wf_scan(context, &run->spec, run->elements, count, run->results);
    if (status == WF_OK && !is_last && by_last_result)
        status = wf_copy_to_host(context, next, (const char *)run->results + (count - 1) * run->before_bytes,
                                 run->before_bytes);
    memcpy(run->before, next, sizeof next);
    return status;
}

static bool scan_row(scan_run *run, uint64_t row) {
    array_answer *a = run->a;
    const uint64_t length = a->layout.length, begin = row * length;
    for (uint64_t first = 0; first < length; first += run->at_a_time) {
        const uint64_t count = smaller(run->at_a_time, length - first);
        const bool is_last = first + count == length;
        /* One more, which is not combined: the exclusive scan has a result there. */
        if (!array_load(a, run->elements, begin + first, count + !is_last))
            return false;
        progress_show(&a->bar, "scanning");
        if (scan_piece(run, (size_t)count, is_last) != WF_OK)
            return array_fail(a);
        if (!array_store(a, run->results, count))
            return false;
        run->spec.initial = run->before;
    }
    return true;
}

static bool scan_long_rows(scan_run *run) {
    const void *const initial = run->spec.initial;
    for (uint64_t row = 0; row < run->a->layout.outer; row++) {
        run->spec.initial = initial;
        if (!scan_row(run, row))
            return false;
    }
    return true;
}

bool scan_array(array_answer *a, const wf_scan_spec *spec) {
    scan_run run = {.a = a, .spec = *spec};
    wf_scan_spec unrounded = *spec;
    wf_reduction_info info;
    unrounded.as_elements = 0;
    if (a->data.count == 0)
        return true;
    if (wf_scan_get_info(&unrounded, &info) != WF_OK)
        return array_fail(a);
    run.before_bytes = info.result_bytes;
    choose_pieces(&run);
    return allocate(&run) && (run.by_spans ? scan_long_rows(&run) : scan_rows(&run));
}
