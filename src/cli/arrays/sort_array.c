/* Rows are sorted on the device, in pieces of whole rows. Rows whose elements lie apart pass through host memory, where
 * they are brought together, and taken apart again. */
#include "sort_array.h"

#include "cli/cli.h"
#include "cli/input/host_memory.h"
#include "cli/input/transpose.h"
#include "wavefold_sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct sort_run {
    array_answer *a;
    wf_sort_spec spec;
    uint64_t at_a_time;            /* outer indices */
    void *keys;                    /* of a piece, on the device */
    void *positions;               /* NULL: keys are sorted */
    unsigned char *rows, *columns; /* of a piece, on the host, if elements of a row lie apart */
} sort_run;

uint32_t sort_position_bytes(const row_layout *layout) {
    return layout->length <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}

static uint64_t smaller(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

/* Whether the elements of a row lie apart. */
static bool lies_apart(const row_layout *layout) {
    return layout->inner > 1 && layout->length > 1;
}

static bool allocate_on_host(sort_run *run, uint64_t piece) {
    const size_t key = run->a->of.info.element_bytes, of_result = run->a->of.info.result_bytes;
    const size_t larger = key > of_result ? key : of_result;
    const uint64_t bytes = 2 * piece * larger, available = memory_of_host();
    run->rows = bytes <= available ? malloc((size_t)(bytes / 2)) : NULL;
    run->columns = run->rows != NULL ? malloc((size_t)(bytes / 2)) : NULL;
    if (run->columns == NULL)
        cli_error("input '%s': rows along axis %d are brought together, which needs %" PRIu64
                  " bytes of host memory, but %" PRIu64 " are available; save numpy.moveaxis(a, %d, -1) and sort that",
                  run->a->data.path, run->a->layout.axis, bytes, available, run->a->layout.axis);
    return run->columns != NULL;
}

/* The library's copies: of keys one, with positions two, and one of positions; and 0.3 bytes for each key. */
static uint64_t bytes_for_each(const sort_run *run) {
    const uint64_t key = run->a->of.info.element_bytes, position = run->spec.value_bytes;
    return (position != 0 ? 3 * key + 2 * position : 2 * key) + 1;
}

static bool allocate(sort_run *run) {
    array_answer *a = run->a;
    const row_layout *layout = &a->layout;
    const uint64_t of_outer = layout->length * layout->inner, at_once = ARRAY_PIECE_BYTES / a->of.info.element_bytes;
    run->at_a_time = smaller(layout->outer, (at_once - 1) / of_outer + 1);
    const uint64_t piece = run->at_a_time * of_outer;
    char *doing = cli_text("sorting %" PRIu64 " elements at once", piece);
    const bool has_room = array_has_room(a, piece * bytes_for_each(run), doing);
    free(doing);
    if (!has_room || (lies_apart(layout) && !allocate_on_host(run, piece)))
        return false;
    run->keys = array_allocate(a, (size_t)(piece * a->of.info.element_bytes));
    if (run->keys == NULL || run->spec.value_bytes == 0)
        return run->keys != NULL;
    run->positions = array_allocate(a, (size_t)(piece * run->spec.value_bytes));
    return run->positions != NULL;
}

/* Rows one behind the other on the device. */
static wf_status sort_rows(const sort_run *run, uint64_t rows) {
    wf_context *const context = run->a->context;
    const size_t length = (size_t)run->a->layout.length;
    return run->positions != NULL
               ? wf_argsort_rows(context, &run->spec, run->keys, run->positions, (size_t)rows, length)
               : wf_sort_rows(context, &run->spec, run->keys, NULL, (size_t)rows, length);
}

/* Writes, for each outer index, the columns of a matrix as rows. */
static void turn(unsigned char *to, const unsigned char *from, size_t bytes, uint64_t outer, uint64_t rows,
                 uint64_t columns) {
    const npy_shape shape = {.dimensions = 2, .sizes = {columns, rows}}; /* in Fortran order */
    for (uint64_t i = 0; i < outer; i++, to += rows * columns * bytes, from += rows * columns * bytes)
        transpose(to, from, bytes, &shape, rows * columns);
}

static bool load(sort_run *run, uint64_t first, uint64_t outer) {
    array_answer *a = run->a;
    const row_layout *layout = &a->layout;
    const size_t bytes = a->of.info.element_bytes;
    const uint64_t of_outer = layout->length * layout->inner, count = outer * of_outer;
    if (!lies_apart(layout))
        return array_load(a, run->keys, first * of_outer, count);
    progress_show(&a->bar, "reading");
    const void *elements = input_chunk(&a->data, first * of_outer, (size_t)count, run->columns);
    turn(run->rows, elements, bytes, outer, layout->length, layout->inner);
    progress_advance(&a->bar, (size_t)count);
    return wf_copy_to_device(a->context, run->keys, run->rows, (size_t)count * bytes) == WF_OK || array_fail(a);
}

static bool store(sort_run *run, uint64_t outer) {
    array_answer *a = run->a;
    const row_layout *layout = &a->layout;
    const size_t bytes = a->of.info.result_bytes;
    const uint64_t count = outer * layout->length * layout->inner;
    void *const results = run->positions != NULL ? run->positions : run->keys;
    if (!lies_apart(layout))
        return array_store(a, results, count);
    if (wf_copy_to_host(a->context, run->rows, results, (size_t)count * bytes) != WF_OK)
        return array_fail(a);
    turn(run->columns, run->rows, bytes, outer, layout->inner, layout->length);
    return array_store_from_host(a, run->columns, count);
}

bool sort_array(array_answer *a, const wf_sort_spec *spec) {
    sort_run run = {.a = a, .spec = *spec};
    const row_layout *layout = &a->layout;
    bool done = a->data.count == 0 || allocate(&run);
    for (uint64_t first = 0; first < layout->outer && a->data.count != 0 && done; first += run.at_a_time) {
        const uint64_t outer = smaller(run.at_a_time, layout->outer - first);
        done = load(&run, first, outer);
        if (!done)
            break;
        progress_show(&a->bar, "sorting");
        if (sort_rows(&run, outer * layout->inner) != WF_OK)
            done = array_fail(a);
        done = done && store(&run, outer);
    }
    free(run.rows);
    free(run.columns);
    return done;
}
