/* wf_top_k and wf_top_k_async: checks, and a plan. */
#include "wavefold_sort.h"

#include "check.h"
#include "device_memory.h"
#include "row_queue.h"
#include "status.h"
#include "top_k_queue.h"
#include "wf_context.h"

#include <stdbool.h>

static wf_status check_spec(const wf_top_k_spec *spec, size_t length, const void *positions) {
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_check_type(spec->type);
    if (status != WF_OK)
        return status;
    const uint32_t bytes = spec->position_bytes;
    if (bytes != 0 && bytes != 4 && bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "positions of %u bytes: 'position_bytes' must be 0 (none), 4 or 8", bytes);
    if (bytes == 0 && positions != NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'positions' are given, but 'position_bytes' is 0: it must be 4 or 8, or "
                                            "'positions' NULL");
    if (spec->k > length)
        return wf_fail(WF_INVALID_ARGUMENT, "'k' is %llu, but a row has %zu elements: it must be at most that",
                       (unsigned long long)spec->k, length);
    if (bytes == 4 && length > (size_t)UINT32_MAX + 1)
        return wf_fail(WF_UNSUPPORTED, "%zu elements have positions of more than 32 bits: 'position_bytes' must be 8",
                       length);
    return WF_OK;
}

typedef struct result_array {
    const char *name;
    const void *array;
    size_t bytes;
} result_array;

static wf_status check_apart(const result_array *a, const result_array *b) {
    if (a->bytes == 0 || b->bytes == 0 || wf_check_overlap(a->array, a->bytes, b->array, b->bytes, false) == WF_OK)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'%s' and '%s' overlap; they must be apart", a->name, b->name);
}

static wf_status check_arrays(const wf_context *context, const wf_top_k_spec *spec, size_t count, size_t results,
                              const void *in, const void *values, const void *positions) {
    const size_t element = wf_type_size(spec->type), position = spec->position_bytes;
    const result_array arrays[] = {{"in", in, count * element},
                                   {"values", values, results * element},
                                   {"positions", positions, results * position}};
    wf_status status = wf_check_array("in", in, count, element, element);
    if (status == WF_OK)
        status = wf_check_array("values", values, results, element, element);
    if (status == WF_OK && position != 0)
        status = wf_check_array("positions", positions, results, position, position);
    for (size_t i = 0; status == WF_OK && i < 3; i++)
        status = check_apart(&arrays[i], &arrays[(i + 1) % 3]);
    for (size_t i = 0; status == WF_OK && i < 3; i++)
        status = wf_check_device_memory(context, arrays[i].name, arrays[i].array, arrays[i].bytes);
    return status;
}

static wf_status top_k(wf_context *context, const wf_top_k_spec *spec, const void *in, size_t rows, size_t length,
                       void *values, void *positions, bool is_async, void *stream) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_spec(spec, length, positions);
    if (status == WF_OK && length != 0 && rows > PTRDIFF_MAX / length)
        status =
            wf_fail(WF_INVALID_ARGUMENT, "%zu rows of %zu elements are more than an address space holds", rows, length);
    if (status == WF_OK)
        status = check_arrays(context, spec, rows * length, rows * (size_t)spec->k, in, values, positions);
    if (status != WF_OK)
        return status;
    const wf_row_sorting sorting = {.all = {.type = spec->type,
                                            .descending = spec->smallest == 0,
                                            .value_bytes = spec->position_bytes,
                                            .count = spec->k == 0 ? 0 : rows * length,
                                            .source_keys = in,
                                            .keys = values,
                                            .values = positions},
                                    .list = {.rows = rows,
                                             .stride = length,
                                             .length = length,
                                             .parts = 1,
                                             .part_length = length,
                                             .kept = spec->k,
                                             .longest = length}};
    return wf_row_run(context, &sorting, "selecting", wf_top_k_queue, is_async, stream);
}

wf_status wf_top_k(wf_context *context, const wf_top_k_spec *spec, const void *in, size_t rows, size_t length,
                   void *values, void *positions) {
    return top_k(context, spec, in, rows, length, values, positions, false, NULL);
}

wf_status wf_top_k_async(wf_context *context, const wf_top_k_spec *spec, const void *in, size_t rows, size_t length,
                         void *values, void *positions, void *stream) {
    return top_k(context, spec, in, rows, length, values, positions, true, stream);
}
