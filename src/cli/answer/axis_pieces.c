#include "axis_pieces.h"

#include "cli/output/progress.h"

#include <string.h>

static const uint64_t PIECE_BYTES = UINT64_C(64) << 20;

/* An array that is cut along one dimension. Elements and results of a piece stand together. */
typedef struct cut_array {
    const answer *of;
    const axis_plan *plan;
    wf_context *context;
    const unsigned char *elements;
    unsigned char *results;
    bool is_cut; /* else there is one piece: indices is 1 */
    uint32_t dimension;
    uint64_t indices, at_a_time;
    size_t element_bytes, result_bytes;     /* at one index */
    void *device_elements, *device_results; /* of a piece; NULL: the CPU reduces the host's arrays */
} cut_array;

/* Products, and what is combined in order, are rounded at steps that depend on the shape. */
static bool depends_on_shape(const answer *a) {
    return wf_op_multiplies(a->of.spec.op) && wf_type_is_float(a->data.type);
}

/* The outermost dimension in memory, if it is kept: then pieces lie one behind the other. */
static cut_array cut(const answer *a, const axis_plan *plan) {
    const wf_axes *axes = &plan->axes;
    cut_array whole = {.of = a,
                       .plan = plan,
                       .indices = 1,
                       .at_a_time = 1,
                       .element_bytes = (size_t)(a->data.count * a->of.info.element_bytes),
                       .result_bytes = (size_t)(plan->results * a->of.info.result_bytes)};
    uint32_t outermost = 0;
    while (outermost + 1 < axes->dimensions && axes->counts[outermost] == 1)
        outermost++;
    if (whole.element_bytes <= PIECE_BYTES || axes->has_strides != 0 || (axes->reduced >> outermost & 1) != 0 ||
        depends_on_shape(a))
        return whole;
    cut_array pieces = whole;
    pieces.is_cut = true;
    pieces.dimension = outermost;
    pieces.indices = axes->counts[outermost];
    pieces.element_bytes /= pieces.indices;
    pieces.result_bytes /= pieces.indices;
    pieces.at_a_time = (PIECE_BYTES - 1) / pieces.element_bytes + 1;
    return pieces;
}

static wf_status reduce_piece(const cut_array *array, uint64_t first, uint64_t count) {
    const wf_reduce_spec *spec = &array->of->of.spec;
    const unsigned char *const elements = array->elements + first * array->element_bytes;
    unsigned char *const results = array->results + first * array->result_bytes;
    const size_t element_bytes = count * array->element_bytes, result_bytes = count * array->result_bytes;
    wf_axes axes = array->plan->axes;
    if (array->is_cut)
        axes.counts[array->dimension] = count;
    if (array->device_elements == NULL)
        return wf_reduce_axes(array->context, spec, &axes, elements, results, result_bytes);
    wf_status status = wf_copy_to_device(array->context, array->device_elements, elements, element_bytes);
    if (status == WF_OK)
        status =
            wf_reduce_axes(array->context, spec, &axes, array->device_elements, array->device_results, result_bytes);
    return status == WF_OK ? wf_copy_to_host(array->context, results, array->device_results, result_bytes) : status;
}

static wf_status reduce_pieces(const cut_array *array) {
    const uint64_t steps = (array->indices - 1) / array->at_a_time + 1;
    progress bar;
    wf_status status = WF_OK;
    progress_begin(&bar, !array->of->options->output.quiet && steps > 1, (size_t)steps);
    for (uint64_t first = 0; first < array->indices && status == WF_OK; first += array->at_a_time) {
        const uint64_t left = array->indices - first;
        progress_show(&bar, "reducing");
        status = reduce_piece(array, first, left < array->at_a_time ? left : array->at_a_time);
        progress_advance(&bar, 1);
    }
    progress_end(&bar);
    return status;
}

static wf_status allocate(cut_array *array) {
    const uint64_t most = array->at_a_time < array->indices ? array->at_a_time : array->indices;
    const size_t bytes = (size_t)(most * array->element_bytes);
    wf_status status = wf_malloc(array->context, &array->device_elements, bytes != 0 ? bytes : 1);
    return status == WF_OK ? wf_malloc(array->context, &array->device_results, (size_t)(most * array->result_bytes))
                           : status;
}

wf_status axis_pieces_reduce(const answer *a, const axis_plan *plan, wf_context *context, const void *elements,
                             void *results) {
    if (plan->results == 0)
        return WF_OK;
    cut_array array = cut(a, plan);
    array.context = context;
    array.elements = elements;
    array.results = results;
    if (strcmp(a->device.backend, "host") == 0)
        return reduce_pieces(&array);
    wf_status status = allocate(&array);
    if (status == WF_OK)
        status = reduce_pieces(&array);
    (void)wf_free(context, array.device_results);
    (void)wf_free(context, array.device_elements);
    return status;
}
