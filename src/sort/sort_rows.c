/* wf_sort_rows, wf_sort_segments, wf_argsort_rows, wf_argsort_segments and their _async: checks, and a plan. */
#include "wavefold_sort.h"

#include "check.h"
#include "check_sort.h"
#include "device_memory.h"
#include "row_queue.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdbool.h>

/* A call of any of these functions. */
typedef struct rows_call {
    wf_context *context;
    const wf_sort_spec *spec;
    const void *keys; /* which a sort changes */
    void *values;     /* or positions */
    bool has_positions, is_async;
    void *stream;
} rows_call;

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static wf_status check_flags(const rows_call *call) {
    const uint32_t flags = call->spec->flags;
    if (flags == WF_SORT_IN_PLACE && !call->has_positions)
        return wf_fail(WF_UNSUPPORTED, "sorts of rows and segments have no WF_SORT_IN_PLACE: 'flags' must be 0");
    if (flags != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: sorts of rows and segments have no flags", flags);
    return WF_OK;
}

/* longest: of the positions in a row. */
static wf_status check_call(const rows_call *call, const char *name, size_t count, size_t longest) {
    wf_status status = wf_check_call(call->context, call->spec, "spec");
    if (status == WF_OK)
        status = check_flags(call);
    if (status == WF_OK)
        status = call->has_positions ? wf_sort_check_positions(name, call->spec, longest)
                                     : wf_sort_check_values(call->spec, call->values);
    if (status == WF_OK)
        status = wf_sort_check_spec(call->spec);
    if (status == WF_OK)
        status = wf_sort_check_arrays(call->context, call->spec, call->keys,
                                      call->has_positions ? "positions" : "values", call->values, count);
    return status;
}

static wf_status check_apart(const char *name, const void *array, size_t bytes, const void *begins,
                             size_t begins_bytes) {
    if (bytes == 0 || wf_check_overlap(begins, begins_bytes, array, bytes, false) == WF_OK)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'begins' and '%s' overlap; they must be apart", name);
}

static wf_status check_segments(const rows_call *call, const wf_segments *segments, size_t count) {
    wf_status status = wf_check_call(call->context, segments, "segments");
    if (status == WF_OK)
        status =
            wf_check_reserved("segments", segments->reserved, sizeof segments->reserved / sizeof *segments->reserved);
    if (status != WF_OK)
        return status;
    const uint32_t bytes = segments->offset_bytes;
    if (bytes != 4 && bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "'offset_bytes' is %u: offsets have 4 or 8 bytes", bytes);
    if (segments->ends != NULL)
        return wf_fail(WF_UNSUPPORTED, "sorts take segments that lie one behind the other: 'ends' must be NULL");
    if (segments->flags != 0)
        return wf_fail(WF_UNSUPPORTED, "'flags' is %u: sorts do not check offsets, so it must be 0", segments->flags);
    if (segments->count >= PTRDIFF_MAX / bytes)
        return wf_fail(WF_INVALID_ARGUMENT, "%llu segments are more than an address space holds",
                       (unsigned long long)segments->count);
    const size_t offsets = segments->count == 0 ? 0 : (size_t)segments->count + 1;
    const size_t key_bytes = count * wf_type_size(call->spec->type), value_bytes = count * call->spec->value_bytes;
    status = wf_check_array("begins", segments->begins, offsets, bytes, bytes);
    if (status == WF_OK)
        status = wf_check_device_memory(call->context, "begins", segments->begins, offsets * bytes);
    if (status == WF_OK)
        status = check_apart("keys", call->keys, key_bytes, segments->begins, offsets * bytes);
    if (status == WF_OK)
        status = check_apart(call->has_positions ? "positions" : "values", call->values, value_bytes, segments->begins,
                             offsets * bytes);
    return status;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

static wf_status run(const rows_call *call, size_t count, const wf_row_list *list, bool find_longest) {
    const wf_sort_spec *const spec = call->spec;
    const wf_row_sorting sorting = {.all = {.type = spec->type,
                                            .descending = spec->descending,
                                            .value_bytes = spec->value_bytes,
                                            .begin_bit = spec->begin_bit,
                                            .end_bit = spec->end_bit,
                                            .count = count,
                                            .source_keys = call->keys,
                                            .source_values = call->has_positions ? NULL : call->values,
                                            .keys = call->has_positions ? NULL : (void *)(uintptr_t)call->keys,
                                            .values = call->values},
                                    .list = *list,
                                    .find_longest = find_longest};
    return wf_row_run(call->context, &sorting, "sorting", wf_row_queue, call->is_async, call->stream);
}

static wf_status sort_rows(const rows_call *call, const char *name, size_t rows, size_t length) {
    if (length != 0 && rows > PTRDIFF_MAX / length)
        return wf_fail(WF_INVALID_ARGUMENT, "%zu rows of %zu keys are more than an address space holds", rows, length);
    const size_t count = rows * length;
    const wf_status status = check_call(call, name, count, length);
    const wf_row_list list = {
        .rows = rows, .stride = length, .length = length, .parts = 1, .part_length = length, .longest = length};
    return status == WF_OK ? run(call, count, &list, false) : status;
}

static wf_status sort_segments(const rows_call *call, const char *name, const wf_segments *segments, size_t count,
                               size_t longest) {
    const size_t most = longest == 0 ? count : (size_t)wf_smaller(longest, count);
    wf_status status = check_call(call, name, count, most);
    if (status == WF_OK)
        status = check_segments(call, segments, count);
    if (status != WF_OK)
        return status;
    const wf_row_list list = {.offsets = segments->begins,
                              .offset_bytes = segments->offset_bytes,
                              .rows = segments->count,
                              .parts = 1,
                              .longest = most};
    return run(call, count, &list, longest == 0 && !call->is_async);
}

/* ---- Public functions ------------------------------------------------------------------------------------------- */

wf_status wf_sort_rows(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t rows,
                       size_t length) {
    const rows_call call = {.context = context, .spec = spec, .keys = keys, .values = values};
    return sort_rows(&call, "wf_sort_rows", rows, length);
}

wf_status wf_sort_rows_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t rows,
                             size_t length, void *stream) {
    const rows_call call = {
        .context = context, .spec = spec, .keys = keys, .values = values, .is_async = true, .stream = stream};
    return sort_rows(&call, "wf_sort_rows", rows, length);
}

wf_status wf_argsort_rows(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions, size_t rows,
                          size_t length) {
    const rows_call call = {.context = context, .spec = spec, .keys = keys, .values = positions, .has_positions = true};
    return sort_rows(&call, "wf_argsort_rows", rows, length);
}

wf_status wf_argsort_rows_async(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                                size_t rows, size_t length, void *stream) {
    const rows_call call = {.context = context,
                            .spec = spec,
                            .keys = keys,
                            .values = positions,
                            .has_positions = true,
                            .is_async = true,
                            .stream = stream};
    return sort_rows(&call, "wf_argsort_rows", rows, length);
}

wf_status wf_sort_segments(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments, void *keys,
                           void *values, size_t count, size_t longest) {
    const rows_call call = {.context = context, .spec = spec, .keys = keys, .values = values};
    return sort_segments(&call, "wf_sort_segments", segments, count, longest);
}

wf_status wf_sort_segments_async(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments, void *keys,
                                 void *values, size_t count, size_t longest, void *stream) {
    const rows_call call = {
        .context = context, .spec = spec, .keys = keys, .values = values, .is_async = true, .stream = stream};
    return sort_segments(&call, "wf_sort_segments", segments, count, longest);
}

wf_status wf_argsort_segments(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                              const void *keys, void *positions, size_t count, size_t longest) {
    const rows_call call = {.context = context, .spec = spec, .keys = keys, .values = positions, .has_positions = true};
    return sort_segments(&call, "wf_argsort_segments", segments, count, longest);
}

wf_status wf_argsort_segments_async(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                                    const void *keys, void *positions, size_t count, size_t longest, void *stream) {
    const rows_call call = {.context = context,
                            .spec = spec,
                            .keys = keys,
                            .values = positions,
                            .has_positions = true,
                            .is_async = true,
                            .stream = stream};
    return sort_segments(&call, "wf_argsort_segments", segments, count, longest);
}
