#define _GNU_SOURCE
#include "array_output.h"

#include "cli/cli.h"
#include "json_values.h"
#include "printed_number.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 16, LINES_AT_AN_END = 4 };

bool array_has_text(const array_answer *a) {
    const char *path = a->options->axes.output_path;
    return output_has_text(&a->options->output) && !(path != NULL && output_is_stdout(path));
}

void array_print_file(const array_answer *a, const array_head *head) {
    char *shape = shape_text(head->counts, head->dimensions), *name = cli_printable(a->options->axes.output_path);
    printf("%s: shape %s, dtype %s\n", name, shape, head->descr);
    free(name);
    free(shape);
}

json_t *array_file_object(const array_answer *a, const array_head *head) {
    json_t *object = json_object();
    json_put(object, "path", json_text(a->options->axes.output_path));
    json_put(object, "shape", json_shape(head->counts, head->dimensions));
    json_put(object, "dtype", json_string(head->descr));
    return object;
}

static void print_result(const array_answer *a, uint64_t i) {
    uint64_t index[WF_MOST_DIMENSIONS];
    const result r = array_result(a, i);
    row_layout_index(&a->layout, i, index);
    char *text = shape_text(index, a->layout.dimensions);
    printf("%s", text);
    free(text);
    for (size_t k = 0; k < a->of.info.result_values; k++) {
        putchar(' ');
        if (a->of.info.has_index != 0)
            print_index(result_index(&r));
        else
            print_number(a->of.info.result_type, result_value(&a->of, &r, k), a->is_bool);
    }
    putchar('\n');
}

static void print_results(const array_answer *a, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++)
        print_result(a, i);
}

static void print_all(const array_answer *a) {
    const uint64_t count = a->data.count;
    char *shape = shape_text(a->layout.counts, a->layout.dimensions);
    if (count == 0) {
        printf("no results: shape %s\n", shape);
    } else if (count <= MOST_LINES) {
        print_results(a, 0, count);
    } else {
        print_results(a, 0, LINES_AT_AN_END);
        puts("...");
        print_results(a, count - LINES_AT_AN_END, count);
        printf("%" PRIu64 " results, shape %s; --output FILE.npy writes all of them\n", count, shape);
    }
    free(shape);
}

json_t *array_document_head(const array_answer *a) {
    const input *data = &a->data;
    json_t *document = json_object();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "input", json_text(data->path));
    json_put(document, "n", json_count(data->count));
    json_put(document, "type", json_string(data->is_bool ? "bool" : wf_type_name(data->type)));
    json_put(document, "device", json_device(&a->device));
    json_put(document, "seconds", json_number(a->seconds));
    return document;
}

static const char *result_type_name(const array_answer *a) {
    return a->is_bool ? "bool" : wf_type_name(a->is_place ? WF_I64 : a->of.info.result_type);
}

static json_t *results_array(const array_answer *a) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < a->data.count; i++) {
        const result r = array_result(a, i);
        json_add(array, json_result(&a->of, &r, a->is_bool ? json_bool : json_value));
    }
    return array;
}

bool array_write(const array_answer *a, json_t *document) {
    const row_layout *layout = &a->layout;
    char dtype[NPY_DTYPE_NAME];
    if (a->sink.path != NULL)
        array_dtype(a, dtype);
    const array_head head = array_head_of(a, a->sink.path != NULL ? dtype : "");
    if (array_has_text(a) && a->sink.path != NULL)
        array_print_file(a, &head);
    else if (array_has_text(a))
        print_all(a);
    json_put(document, "axis", layout->axis >= 0 ? json_integer(layout->axis) : json_null());
    json_put(document, "result_type", json_string(result_type_name(a)));
    json_put(document, "result_shape", json_shape(layout->counts, layout->dimensions));
    json_put(document, a->sink.path != NULL ? "output" : "results",
             a->sink.path != NULL ? array_file_object(a, &head) : results_array(a));
    const char *path = a->options->output.json_path;
    if (path != NULL)
        return json_save(document, path);
    json_decref(document);
    return true;
}
