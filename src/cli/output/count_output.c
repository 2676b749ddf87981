#define _GNU_SOURCE
#include "count_output.h"

#include "array_output.h"
#include "cli/cli.h"
#include "json_values.h"
#include "text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20 };

/* The values that are written, in order. */
typedef struct listed {
    const array_answer *a;
    const value_counts *counts;
    const uint64_t *order; /* NULL: their own */
    const count_request *request;
    uint64_t count;
} listed;

static uint64_t smaller(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

static uint64_t place_of(const listed *list, uint64_t i) {
    return list->order != NULL ? list->order[i] : i;
}

static value value_of(const listed *list, uint64_t i) {
    return value_at(list->counts->type, list->counts->values, (size_t)place_of(list, i));
}

bool count_can_write(const array_answer *a) {
    if (a->options->axes.output_path == NULL || a->data.type != WF_BF16)
        return true;
    cli_error(
        "input '%s': the values are bf16, and NumPy has no bf16; convert the elements to f32, which holds each of "
        "them",
        a->data.path);
    return false;
}

/* ---- .npy ---- */

static char *descr_of(const listed *list) {
    char dtype[NPY_DTYPE_NAME], count[NPY_DTYPE_NAME];
    npy_dtype_name(list->counts->type, list->a->data.is_bool, dtype);
    npy_dtype_name(WF_U64, false, count);
    return cli_text("[('value', '%s'), ('count', '%s')]", dtype, count);
}

static bool write_records(array_answer *a, const listed *list) {
    enum { RECORDS = 1 << 14 };
    const size_t bytes = wf_type_size(list->counts->type), record = bytes + sizeof(uint64_t);
    for (uint64_t first = 0; first < list->count; first += RECORDS) {
        const size_t part = (size_t)smaller(RECORDS, list->count - first);
        for (size_t i = 0; i < part; i++) {
            const uint64_t place = place_of(list, first + i);
            memcpy(a->stage + i * record, list->counts->values + place * bytes, bytes);
            memcpy(a->stage + i * record + bytes, &list->counts->counts[place], sizeof(uint64_t));
        }
        if (!array_sink_write(&a->sink, a->stage, part * record, &a->bar))
            return false;
    }
    return true;
}

static bool write_file(array_answer *a, const listed *list, const array_head *head) {
    a->sink.path = a->options->axes.output_path;
    return a->sink.path == NULL ||
           (array_sink_begin(&a->sink, head, &a->bar) && write_records(a, list) && array_sink_end(&a->sink, &a->bar));
}

/* ---- Text ---- */

static char *number_text(const listed *list, value v) {
    char text[VALUE_TEXT];
    value_format_shortest(list->counts->type, v, text);
    return cli_text("%s", list->a->data.is_bool ? v.u8 != 0 ? "true" : "false" : text);
}

static void print_table(const listed *list) {
    static const text_column columns[] = {{"value", true}, {"count", true}};
    text_table table = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    const uint64_t rows = list->request->top != 0 ? list->count : smaller(list->count, MOST_ROWS);
    for (uint64_t i = 0; i < rows; i++) {
        text_table_add(&table, number_text(list, value_of(list, i)));
        text_table_add(&table, cli_text("%" PRIu64, list->counts->counts[place_of(list, i)]));
    }
    if (rows != 0)
        text_table_print(&table, stdout);
    else
        puts("no values");
    text_table_free(&table);
    const uint64_t more = list->counts->distinct - rows;
    if (more != 0)
        printf("%" PRIu64 " more value%s; --output FILE.npy writes all of them\n", more, more != 1 ? "s" : "");
}

/* ---- JSON ---- */

static json_t *counts_array(const listed *list) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < list->count; i++) {
        json_t *object = json_object();
        const value v = value_of(list, i);
        json_put(object, "value", list->a->data.is_bool ? json_bool(WF_U8, v) : json_value(list->counts->type, v));
        json_put(object, "count", json_count(list->counts->counts[place_of(list, i)]));
        json_add(array, object);
    }
    return array;
}

static json_t *document_of(const listed *list, const array_head *head) {
    const bool to_file = list->a->sink.path != NULL;
    json_t *document = array_document_head(list->a);
    json_put(document, "by", json_string(list->request->by_count ? "count" : "value"));
    json_put(document, "distinct", json_count(list->counts->distinct));
    json_put(document, to_file ? "output" : "counts", to_file ? array_file_object(list->a, head) : counts_array(list));
    return document;
}

static bool can_list(const listed *list) {
    const array_options *options = list->a->options;
    const bool can =
        options->output.json_path == NULL || options->axes.output_path != NULL || list->count <= MOST_SHOWN_RESULTS;
    if (!can)
        cli_error("input '%s': --json lists at most %d values, and there are %" PRIu64
                  "; add --output FILE.npy, or --top %d",
                  list->a->data.path, MOST_SHOWN_RESULTS, list->count, MOST_SHOWN_RESULTS);
    return can;
}

static bool write_all(array_answer *a, const listed *list, const array_head *head) {
    progress_end(&a->bar);
    if (!can_list(list) || !write_file(a, list, head))
        return false;
    a->seconds += progress_now();
    if (array_has_text(a) && a->sink.path != NULL)
        array_print_file(a, head);
    else if (array_has_text(a))
        print_table(list);
    const char *path = a->options->output.json_path;
    return path == NULL || json_save(document_of(list, head), path);
}

bool count_write(array_answer *a, const value_counts *counts, const uint64_t *order, const count_request *request) {
    const listed list = {.a = a,
                         .counts = counts,
                         .order = order,
                         .request = request,
                         .count = request->top != 0 ? smaller(request->top, counts->distinct) : counts->distinct};
    char *descr = a->options->axes.output_path != NULL ? descr_of(&list) : NULL;
    const array_head head = {.descr = descr, .dimensions = 1, .counts = {list.count}};
    const bool written = write_all(a, &list, &head);
    free(descr);
    return written;
}
