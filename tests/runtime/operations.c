/* The functions of the library whose calls are made to fail. */
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#include <wavefold_ladder.h>
#include <wavefold_message.h>

const float *floats_of(const bench *b) {
    return (const float *)(b->there + COUNT);
}

const wf_reduce_spec sum = {.type = WF_I32}, exact = {.type = WF_F32};
static const wf_reduce_spec fast = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST},
                            least = {.type = WF_F32, .op = WF_ARGMIN}, ordered = {.type = WF_I32, .op = WF_MATMUL};
const wf_describe_spec described = {.type = WF_F32};

wf_status reduce(bench *b) {
    return wf_reduce(b->context, &sum, b->there, COUNT, b->result, bytes_of_result(&sum));
}

static wf_status reduce_few(bench *b) {
    return wf_reduce(b->context, &sum, b->there, 3, b->result, bytes_of_result(&sum));
}

static wf_status reduce_exactly(bench *b) {
    return wf_reduce(b->context, &exact, floats_of(b), COUNT, b->result, bytes_of_result(&exact));
}

static wf_status reduce_fast(bench *b) {
    return wf_reduce(b->context, &fast, floats_of(b), COUNT, b->result, bytes_of_result(&fast));
}

static wf_status reduce_to_index(bench *b) {
    return wf_reduce(b->context, &least, floats_of(b), COUNT, b->result, bytes_of_result(&least));
}

static wf_status reduce_in_order(bench *b) {
    return wf_reduce(b->context, &ordered, b->there, COUNT / 4, b->result, bytes_of_result(&ordered));
}

wf_status reduce_from_host(bench *b) {
    return wf_reduce(b->context, &exact, b->floats, COUNT, b->result, bytes_of_result(&exact));
}

static wf_status reduce_in_order_from_host(bench *b) {
    return wf_reduce(b->context, &ordered, b->integers, COUNT / 4, b->result, bytes_of_result(&ordered));
}

wf_status describe(bench *b) {
    return wf_describe(b->context, &described, floats_of(b), COUNT, (wf_description *)(void *)b->result);
}

static wf_status accumulate(bench *b) {
    wf_sum_state state, before;
    wf_sum_state_init(&state);
    before = state;
    const wf_status status = wf_sum_state_accumulate(b->context, &exact, floats_of(b), COUNT, &state);
    if (status == WF_OK)
        memcpy(b->result, &state, sizeof state);
    else
        assert_memory_equal(&state, &before, sizeof state);
    return status;
}

wf_status reduce_on_stream(bench *b) {
    return wf_reduce_async(b->context, &sum, b->there, COUNT, b->out, bytes_of_result(&sum), b->stream);
}

wf_status reduce_captured(bench *b) {
    standin->capture = 7;
    const wf_status status =
        wf_reduce_async(b->context, &exact, floats_of(b), COUNT, b->out, bytes_of_result(&exact), b->stream);
    standin->capture = 0;
    wf_context_forget_stream(b->context, b->stream);
    return status;
}

wf_status describe_on_stream(bench *b) {
    return wf_describe_async(b->context, &described, floats_of(b), COUNT, (wf_description *)(void *)b->out, b->stream);
}

static wf_status accumulate_on_stream(bench *b) {
    wf_sum_state *const state = (wf_sum_state *)(void *)b->out;
    wf_sum_state none;
    wf_sum_state_init(&none);
    const wf_status status = wf_copy_to_device(b->context, state, &none, sizeof none);
    return status == WF_OK ? wf_sum_state_accumulate_async(b->context, &exact, floats_of(b), COUNT, state, b->stream)
                           : status;
}

wf_status scan(bench *b) {
    return wf_scan(b->context, &(wf_scan_spec){.reduce = {.type = WF_I32}}, b->there, COUNT, b->out);
}

wf_status scan_on_stream(bench *b) {
    return wf_scan_async(b->context, &(wf_scan_spec){.reduce = {.type = WF_I32}}, b->there, COUNT, b->out, b->stream);
}

wf_status sort(bench *b) {
    return wf_sort(b->context, &(wf_sort_spec){.type = WF_I32}, b->there, NULL, COUNT);
}

wf_status sort_pairs_on_stream(bench *b) {
    return wf_sort_async(b->context, &(wf_sort_spec){.type = WF_I32, .value_bytes = 4}, b->there, b->there + COUNT,
                         COUNT, b->stream);
}

static wf_status allocate(bench *b) {
    void *memory = b;
    const wf_status status = wf_malloc(b->context, &memory, 100);
    if (status == WF_OK)
        wf_free(b->context, memory);
    else
        assert_ptr_equal(memory, b);
    return status;
}

static wf_status copy_there(bench *b) {
    return wf_copy_to_device(b->context, b->out, b->integers, sizeof b->integers);
}

/* What a copy was to fill is undefined when it failed. */
static wf_status copy_here(bench *b) {
    unsigned char copied[COUNT];
    const wf_status status = wf_copy_to_host(b->context, copied, b->there, sizeof copied);
    if (status == WF_OK)
        memcpy(b->result, copied, sizeof copied);
    return status;
}

static wf_status ask_device(bench *b) {
    wf_device_info info = {.id = "as it was"};
    const wf_status status = wf_context_get_device(b->context, &info);
    if (status != WF_OK)
        assert_string_equal(info.id, "as it was");
    return status;
}

wf_status read_ceiling(bench *b) {
    double seconds = -1;
    const wf_status status = wf_read_ceiling(b->context, b->there, sizeof b->integers, &seconds);
    assert_true((status == WF_OK) == (seconds >= 0));
    return status;
}

static void fields_of(const bench *b, const int32_t *integers, void *results, wf_field fields[2]) {
    fields[0] = with_result_bytes(
        (wf_field){.spec = exact, .in = (const float *)(integers + COUNT), .count = COUNT, .result = results});
    fields[1] = with_result_bytes((wf_field){.spec = {.type = WF_I32, .op = WF_ARGMAX},
                                             .in = integers,
                                             .count = COUNT,
                                             .result = results == NULL ? NULL : (char *)results + 16});
    (void)b;
}

static wf_status write_message(bench *b) {
    wf_field fields[2];
    fields_of(b, b->there, b->result, fields);
    uint64_t message[256] = {0};
    return wf_message_write(b->context, fields, 2, message);
}

static wf_status pass_message_on_stream(bench *b) {
    wf_field fields[2];
    wf_message_size size;
    fields_of(b, b->there, b->out, fields);
    require(wf_message_get_size(fields, 2, &size));
    uint64_t *const message = (uint64_t *)(void *)(b->out + 64), *const failures = (uint64_t *)(void *)(b->out + 48);
    const uint64_t none = 0;
    wf_status status = wf_copy_to_device(b->context, failures, &none, sizeof none);
    if (status == WF_OK)
        status = wf_message_write_async(b->context, fields, 2, message, b->stream);
    return status == WF_OK ? wf_message_read_async(b->context, fields, 2, 1, message, message + size.sums + size.maxima,
                                                   failures, b->stream)
                           : status;
}

wf_status run_rung(bench *b) {
    wf_rung_info info;
    wf_rung_options options = {.type = WF_I32, .tiles = 4, .tile_size = 64};
    require(wf_rung_get_info((size_t)running->rung, &info));
    const void *in = b->there;
    if (wf_rung_supports((size_t)running->rung, &options) != WF_OK) {
        options.type = WF_F32;
        in = floats_of(b);
    }
    void *const result = info.kind == WF_RUNG_REDUCES ? (void *)b->result : (void *)b->out;
    return wf_rung_run(b->context, (size_t)running->rung, &options, in, COUNT, result,
                       bytes_of_rung_result((size_t)running->rung, &options, COUNT), NULL);
}

#define HERE(name, bytes)                                                                                              \
    { #name, name, bytes, 0, NO_RUNG }
#define THERE(name, bytes)                                                                                             \
    { #name, name, 0, bytes, NO_RUNG }
const operation operations[] = {
    HERE(reduce, 4),
    HERE(reduce_few, 4),
    HERE(reduce_exactly, 4),
    HERE(reduce_fast, 4),
    HERE(reduce_to_index, 16),
    HERE(reduce_in_order, 16),
    HERE(reduce_from_host, 4),
    HERE(reduce_in_order_from_host, 16),
    HERE(describe, 40), /* count, sum, extremes and where they stand; the mean and the variance are rounded */
    HERE(accumulate, sizeof(wf_sum_state)),
    THERE(reduce_on_stream, 4),
    THERE(reduce_captured, 4),
    THERE(describe_on_stream, 40),
    THERE(accumulate_on_stream, sizeof(wf_sum_state)),
    THERE(scan, 4 * COUNT),
    THERE(scan_on_stream, 4 * COUNT),
    {"sort", sort, 0, 4 * COUNT, SORTED},
    {"sort_pairs_on_stream", sort_pairs_on_stream, 0, 8 * COUNT, SORTED},
    HERE(allocate, 0),
    THERE(copy_there, 4 * COUNT),
    HERE(copy_here, COUNT),
    HERE(ask_device, 0),
    HERE(read_ceiling, 0),
    HERE(write_message, 0),
    THERE(pass_message_on_stream, 32),
};
const size_t operation_count = sizeof operations / sizeof *operations;
