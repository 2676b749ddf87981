#include "array_answer.h"

#include "cli/cli.h"
#include "cli/input/bool_check.h"
#include "cli/input/host_memory.h"
#include "cli/output/npy_head.h"
#include "equal_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE_BYTES_OF_ARRAYS = 4 << 20 };

bool array_can_begin(const array_options *options) {
    const char *path = options->axes.output_path;
    return output_can_begin(&options->output) && (path == NULL || npy_can_write(path));
}

bool array_open(array_answer *a, wf_op op) {
    const fold_options *asked = &a->options->fold;
    const input_request request = {.path = a->options->path,
                                   .type = asked->type_given ? &asked->spec.type : NULL,
                                   .op = op,
                                   .limit = asked->n_given ? &asked->n : NULL,
                                   .is_raw = asked->is_raw};
    return input_open(&a->data, &request);
}

/* ---- The results ---- */

static bool has_place(const array_answer *a) {
    return a->is_place || a->of.info.has_index != 0;
}

void array_dtype(const array_answer *a, char name[NPY_DTYPE_NAME]) {
    npy_dtype_name(has_place(a) ? WF_I64 : a->of.info.result_type, a->is_bool && !has_place(a), name);
}

array_head array_head_of(const array_answer *a, const char *descr) {
    const row_layout *layout = &a->layout;
    array_head head = {.descr = descr,
                       .fortran_order = layout->fortran_order,
                       .dimensions = layout->dimensions + layout->inner_dimensions};
    memcpy(head.counts, layout->counts, layout->dimensions * sizeof *head.counts);
    memcpy(head.counts + layout->dimensions, layout->inner_counts, layout->inner_dimensions * sizeof *head.counts);
    return head;
}

result array_result(const array_answer *a, uint64_t i) {
    uint64_t index[WF_MOST_DIMENSIONS];
    const size_t bytes = a->of.info.result_bytes;
    result r = {.words = {0}};
    row_layout_index(&a->layout, i, index);
    memcpy(r.bytes, a->sink.kept + row_layout_place(&a->layout, index) * bytes, bytes);
    return r;
}

static bool can_hold_results(const array_answer *a) {
    const char *path = a->options->axes.output_path;
    if (path == NULL && a->data.count > MOST_SHOWN_RESULTS) {
        cli_error("input '%s': at most %d results are printed, and there are %" PRIu64 "; add --output FILE.npy",
                  a->data.path, MOST_SHOWN_RESULTS, a->data.count);
        return false;
    }
    if (path != NULL && !has_place(a) && a->of.info.result_type == WF_BF16) {
        cli_error("input '%s': the results are bf16, and NumPy has no bf16; convert the elements to f32, which holds "
                  "each of them",
                  a->data.path);
        return false;
    }
    return true;
}

/* ---- The device ---- */

bool array_fail(array_answer *a) {
    progress_end(&a->bar);
    cli_error("input '%s': %s", a->data.path, wf_last_error());
    return false;
}

bool array_open_device(array_answer *a) {
    const input *data = &a->data;
    const uint64_t bytes = data->count * input_element_bytes(data);
    if (!input_check_bools(data, 0, data->count))
        return false;
    if (wf_context_create(&a->context, a->options->fold.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        return false;
    }
    a->stage = cli_allocate(STAGE_BYTES_OF_ARRAYS, 1);
    a->seconds = -progress_now();
    progress_begin(&a->bar, !a->options->output.quiet && bytes > ARRAY_PIECE_BYTES, (size_t)(2 * data->count));
    return wf_context_get_device(a->context, &a->device) == WF_OK || array_fail(a);
}

bool array_prepare(array_answer *a, bool in_order) {
    a->sink.path = a->options->axes.output_path;
    return can_hold_results(a) && row_layout_of(&a->layout, &a->data, &a->options->axes, in_order) &&
           array_open_device(a);
}

bool array_has_room(const array_answer *a, uint64_t bytes, const char *doing) {
    const bool on_host = strcmp(a->device.backend, "host") == 0;
    const uint64_t available = on_host ? memory_of_host() : a->device.memory_free_bytes;
    if (bytes <= available)
        return true;
    cli_error("input '%s': %s needs %" PRIu64 " bytes of memory of %s, but %" PRIu64 " are available; %s", a->data.path,
              doing, bytes, a->device.id, available, on_host ? "take parts of the array" : "write --device host");
    return false;
}

/* NULL, with the reason printed, without memory. */
void *array_allocate(array_answer *a, size_t bytes) {
    void *memory = NULL;
    if (wf_malloc(a->context, &memory, bytes) != WF_OK)
        (void)array_fail(a);
    return memory;
}

/* ---- Copies ---- */

bool array_load(array_answer *a, void *device, uint64_t first, uint64_t count) {
    const size_t bytes = input_element_bytes(&a->data);
    const uint64_t most = STAGE_BYTES_OF_ARRAYS / bytes;
    for (uint64_t done = 0; done < count; done += most) {
        const size_t piece = (size_t)(count - done < most ? count - done : most);
        progress_show(&a->bar, "reading");
        const void *elements = input_chunk(&a->data, first + done, piece, a->stage);
        if (a->joins_equal) {
            if (elements != a->stage)
                memcpy(a->stage, elements, piece * bytes);
            give_equal_bits(a->data.type, a->stage, piece);
            elements = a->stage;
        }
        if (wf_copy_to_device(a->context, (char *)device + done * bytes, elements, piece * bytes) != WF_OK)
            return array_fail(a);
        progress_advance(&a->bar, piece);
    }
    return true;
}

/* Indices and positions, as the file holds them; an index is -1 if there is no element. */
static void read_places(const array_answer *a, size_t count, const unsigned char *results, uint64_t *places) {
    const size_t bytes = a->of.info.result_bytes;
    for (size_t i = 0; i < count; i++) {
        result r = {.words = {0}};
        memcpy(r.bytes, results + i * bytes, bytes);
        places[i] = a->is_place ? value_to_bits(a->of.info.result_type, result_value(&a->of, &r, 0)) : result_index(&r);
    }
}

static bool begin_output(array_answer *a) {
    char dtype[NPY_DTYPE_NAME];
    if (a->sink.path == NULL || a->sink.is_open)
        return true;
    array_dtype(a, dtype);
    char *descr = cli_text("'%s'", dtype);
    const array_head head = array_head_of(a, descr);
    const bool begun = array_sink_begin(&a->sink, &head, &a->bar);
    free(descr);
    return begun;
}

/* from_host: the results are in host memory, else in device memory. */
static bool store(array_answer *a, const unsigned char *from, uint64_t count, bool from_host) {
    const size_t bytes = a->of.info.result_bytes;
    const bool as_places = has_place(a) && a->sink.path != NULL;
    const uint64_t most = STAGE_BYTES_OF_ARRAYS / (bytes + (as_places ? sizeof(uint64_t) : 0));
    uint64_t *const places = (uint64_t *)(void *)a->stage; /* in front of the results */
    unsigned char *const results = as_places ? a->stage + most * sizeof *places : a->stage;
    if (!begin_output(a))
        return false;
    for (uint64_t done = 0; done < count; done += most) {
        const size_t piece = (size_t)(count - done < most ? count - done : most);
        progress_show(&a->bar, "writing");
        if (from_host)
            memcpy(results, from + done * bytes, piece * bytes);
        else if (wf_copy_to_host(a->context, results, from + done * bytes, piece * bytes) != WF_OK)
            return array_fail(a);
        if (as_places)
            read_places(a, piece, results, places);
        if (!array_sink_write(&a->sink, a->stage, piece * (as_places ? sizeof *places : bytes), &a->bar))
            return false;
        progress_advance(&a->bar, piece);
    }
    return true;
}

bool array_store(array_answer *a, const void *device, uint64_t count) {
    return store(a, device, count, false);
}

bool array_store_from_host(array_answer *a, const void *results, uint64_t count) {
    return store(a, results, count, true);
}

bool array_end(array_answer *a) {
    const bool ended = begin_output(a) && array_sink_end(&a->sink, &a->bar);
    progress_end(&a->bar);
    a->seconds += progress_now();
    return ended;
}

void array_close(array_answer *a) {
    progress_end(&a->bar);
    array_sink_close(&a->sink);
    wf_context_destroy(a->context);
    free(a->stage);
    input_close(&a->data);
}
