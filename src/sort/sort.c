/* The public face of the sorts: checked entry into the ladder's fastest. */
#include "bitonic.h"
#include "check.h"
#include "device_memory.h"
#include "status.h"
#include "wf_context.h"

static wf_status check(const wf_context *context, const wf_sort_spec *what, const void *keys, const void *values,
                       size_t count) {
    wf_status status = wf_check_call(context, what, "what");
    if (status == WF_OK)
        status = wf_check_sort_type("wf_sort", what->type);
    if (status != WF_OK)
        return status;
    const uint32_t value_bytes = what->value_bytes;
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "values of %u bytes: 'value_bytes' must be 0 (keys alone), 4 or 8",
                       value_bytes);
    if (value_bytes == 0 && values != NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'values' are given, but 'value_bytes' is 0: it must be 4 or 8, or 'values' NULL");
    const size_t key_bytes = wf_type_size(what->type);
    status = wf_check_array("keys", keys, count, key_bytes, key_bytes);
    if (status == WF_OK && value_bytes != 0)
        status = wf_check_array("values", values, count, value_bytes, value_bytes);
    if (status == WF_OK && value_bytes != 0 &&
        wf_check_overlap(keys, count * key_bytes, values, count * value_bytes, false) != WF_OK)
        status = wf_fail(WF_INVALID_ARGUMENT, "'keys' and 'values' overlap; they must be apart");
    if (status == WF_OK)
        status = wf_check_device_memory(context, "keys", keys, count * key_bytes);
    return status == WF_OK ? wf_check_device_memory(context, "values", values, count * value_bytes) : status;
}

static wf_status queue_sort(const wf_queue *queue, const wf_sort_spec *what, void *keys, void *values, size_t count) {
    const wf_sorting sorting = {.type = what->type,
                                .descending = what->descending,
                                .value_bytes = what->value_bytes,
                                .count = count,
                                .source_keys = keys,
                                .source_values = values,
                                .keys = keys,
                                .values = values};
    return wf_sort_registers(queue, &sorting);
}

wf_status wf_sort_async(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count,
                        void *stream) {
    wf_status status = check(context, what, keys, values, count);
    if (status == WF_OK)
        status = wf_check_stream(context, stream);
    const wf_queue queue = {.context = context, .stream = stream};
    return status != WF_OK || count == 0 ? status : queue_sort(&queue, what, keys, values, count);
}

wf_status wf_sort(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count) {
    const wf_status status = check(context, what, keys, values, count);
    if (status != WF_OK)
        return status;
    if (count == 0)
        return wf_finish_nothing(context, "sorting");
    wf_launch_count launched = {.launches = 0};
    const wf_queue queue = {.context = context, .count = &launched};
    return wf_finish_launches(&queue, queue_sort(&queue, what, keys, values, count), "sorting");
}
