/* wf_sort, wf_argsort and their _async: checks, a plan, and the CPU's sort or launches. */
#include "algebra.h"
#include "bitonic.h"
#include "call.h"
#include "check.h"
#include "device_memory.h"
#include "radix.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "status.h"
#include "wf_context.h"

/* The network sorts keys alone up to this count: there it is faster, and without values no stability is visible. */
enum { MOST_KEYS_OF_NETWORK = 1 << 20 };

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static wf_status check_bits(const wf_sort_spec *spec) {
    const uint32_t bits = 8 * (uint32_t)wf_type_size(spec->type);
    if (spec->begin_bit == 0 && spec->end_bit == 0)
        return WF_OK;
    if (wf_type_is_float(spec->type))
        return wf_fail(WF_INVALID_ARGUMENT,
                       "bits %u to %u of %s: floats are sorted by all bits; 'begin_bit' and 'end_bit' must be 0",
                       spec->begin_bit, spec->end_bit, wf_type_name(spec->type));
    if (spec->begin_bit >= spec->end_bit || spec->end_bit > bits)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'begin_bit' is %u and 'end_bit' is %u: the first must be less than the second, and that at "
                       "most %u, the bits of %s; or both 0",
                       spec->begin_bit, spec->end_bit, bits, wf_type_name(spec->type));
    return WF_OK;
}

static wf_status check_in_place(const wf_sort_spec *spec) {
    if ((spec->flags & ~(uint32_t)WF_SORT_IN_PLACE) != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: it must be 0 or WF_SORT_IN_PLACE", spec->flags);
    if (spec->flags == 0)
        return WF_OK;
    const uint32_t value_bytes = spec->value_bytes;
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return wf_fail(WF_UNSUPPORTED,
                       "values of %u bytes: with WF_SORT_IN_PLACE 'value_bytes' is 0, 4 or 8; leave out the flag",
                       value_bytes);
    if (spec->begin_bit != 0 || spec->end_bit != 0)
        return wf_fail(WF_UNSUPPORTED, "bits %u to %u: WF_SORT_IN_PLACE compares all bits; leave out the flag",
                       spec->begin_bit, spec->end_bit);
    return wf_check_sort_type("wf_sort with WF_SORT_IN_PLACE", spec->type);
}

static wf_status check_spec(const wf_sort_spec *spec) {
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_check_type(spec->type);
    if (status == WF_OK)
        status = check_bits(spec);
    return status == WF_OK ? check_in_place(spec) : status;
}

static wf_status check_values(const wf_sort_spec *spec, const void *values) {
    const uint32_t bytes = spec->value_bytes;
    if (bytes > 16 || (bytes & (bytes - 1)) != 0)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "values of %u bytes: 'value_bytes' must be 0 (keys alone), 1, 2, 4, 8 or 16", bytes);
    if (bytes == 0 && values != NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'values' are given, but 'value_bytes' is 0: it must be their size, or 'values' NULL");
    return WF_OK;
}

static wf_status check_positions(const wf_sort_spec *spec, size_t count) {
    if (spec->flags != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: wf_argsort has no flags", spec->flags);
    if (spec->value_bytes != 4 && spec->value_bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "positions of %u bytes: 'value_bytes' must be 4 or 8", spec->value_bytes);
    if (spec->value_bytes == 4 && count > (size_t)UINT32_MAX + 1)
        return wf_fail(WF_UNSUPPORTED, "%zu keys have positions of more than 32 bits: 'value_bytes' must be 8", count);
    return WF_OK;
}

/* name: of the values. */
static wf_status check_arrays(const wf_context *context, const wf_sort_spec *spec, const void *keys, const char *name,
                              const void *values, size_t count) {
    const size_t key_bytes = wf_type_size(spec->type), value_bytes = spec->value_bytes;
    wf_status status = wf_check_array("keys", keys, count, key_bytes, key_bytes);
    if (status == WF_OK && value_bytes != 0)
        status = wf_check_array(name, values, count, value_bytes, value_bytes);
    if (status == WF_OK && value_bytes != 0 &&
        wf_check_overlap(keys, count * key_bytes, values, count * value_bytes, false) != WF_OK)
        status = wf_fail(WF_INVALID_ARGUMENT, "'keys' and '%s' overlap; they must be apart", name);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "keys", keys, count * key_bytes);
    return status == WF_OK ? wf_check_device_memory(context, name, values, count * value_bytes) : status;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

typedef struct sort_plan {
    wf_context *context;
    wf_sorting sorting;
    bool in_place;
} sort_plan;

static sort_plan plan_of(wf_context *context, const wf_sort_spec *spec, size_t count) {
    return (sort_plan){.context = context,
                       .sorting = {.type = spec->type,
                                   .descending = spec->descending,
                                   .value_bytes = spec->value_bytes,
                                   .begin_bit = spec->begin_bit,
                                   .end_bit = spec->end_bit,
                                   .count = count},
                       .in_place = (spec->flags & WF_SORT_IN_PLACE) != 0};
}

static wf_status plan_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                           sort_plan *plan) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_spec(spec);
    if (status == WF_OK)
        status = check_values(spec, values);
    if (status == WF_OK)
        status = check_arrays(context, spec, keys, "values", values, count);
    if (status != WF_OK)
        return status;
    *plan = plan_of(context, spec, count);
    plan->sorting.source_keys = plan->sorting.keys = keys;
    plan->sorting.source_values = plan->sorting.values = values;
    return WF_OK;
}

static wf_status plan_argsort(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                              size_t count, sort_plan *plan) {
    wf_status status = wf_check_call(context, spec, "spec");
    if (status == WF_OK)
        status = check_positions(spec, count);
    if (status == WF_OK)
        status = check_spec(spec);
    if (status == WF_OK)
        status = check_arrays(context, spec, keys, "positions", positions, count);
    if (status != WF_OK)
        return status;
    *plan = plan_of(context, spec, count);
    plan->sorting.source_keys = keys;
    plan->sorting.values = positions;
    return WF_OK;
}

/* ---- Launches, or the CPU's sort -------------------------------------------------------------------------------- */

static bool suits_network(const sort_plan *plan) {
    const wf_sorting *sorting = &plan->sorting;
    return plan->in_place || (sorting->value_bytes == 0 && sorting->end_bit == 0 && wf_type_size(sorting->type) >= 4 &&
                              sorting->count <= MOST_KEYS_OF_NETWORK);
}

static wf_status queue_radix(const wf_queue *queue, const void *of) {
    const wf_sorting *sorting = of;
    void *room;
    const wf_status status = wf_stream_room(queue->context, queue->stream, wf_radix_bytes(sorting), &room);
    return status == WF_OK ? wf_radix_run(queue, sorting, room) : status;
}

static wf_status queue_sort(const wf_queue *queue, const void *of) {
    const sort_plan *plan = of;
    if (suits_network(plan))
        return wf_sort_registers(queue, &plan->sorting);
    if (wf_radix_is_short(&plan->sorting))
        return wf_radix_run_short(queue, &plan->sorting);
    return wf_staging_take_turn(queue, queue_radix, &plan->sorting);
}

static wf_status sort_on_cpu(const sort_plan *plan) {
    if (plan->sorting.count == 0)
        return WF_OK;
    const wf_context *context = plan->context;
    const wf_status status = context->backend->sort(context->device, &plan->sorting, context->threads);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "sorting");
}

static wf_call call_of(const sort_plan *plan) {
    return (wf_call){.doing = "sorting", .count = plan->sorting.count, .queue = queue_sort, .plan = plan};
}

static wf_status run(const sort_plan *plan) {
    const wf_call call = call_of(plan);
    return wf_folds_on_cpu(plan->context) ? sort_on_cpu(plan) : wf_call_and_wait(plan->context, &call);
}

static wf_status run_async(const sort_plan *plan, void *stream) {
    const wf_call call = call_of(plan);
    const wf_status status = wf_check_stream(plan->context, stream);
    if (status != WF_OK)
        return status;
    return wf_folds_on_cpu(plan->context) ? sort_on_cpu(plan) : wf_call_async(plan->context, &call, stream);
}

wf_status wf_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_sort(context, spec, keys, values, count, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_sort_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                        void *stream) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_sort(context, spec, keys, values, count, &plan);
    return status == WF_OK ? run_async(&plan, stream) : status;
}

wf_status wf_argsort(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions, size_t count) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_argsort(context, spec, keys, positions, count, &plan);
    return status == WF_OK ? run(&plan) : status;
}

wf_status wf_argsort_async(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                           size_t count, void *stream) {
    sort_plan plan = {.context = NULL};
    const wf_status status = plan_argsort(context, spec, keys, positions, count, &plan);
    return status == WF_OK ? run_async(&plan, stream) : status;
}
