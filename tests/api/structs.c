/* Sizes of results and reserved fields: a call that passes the wrong ones is refused, and writes nothing. */
#include "api_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_ladder.h>
#include <wavefold_message.h>

#include "require.h"

static const float values[4] = {1, 2, 4, 8};

static void is_untouched(const unsigned char *result) {
    for (size_t i = 0; i < WF_RESULT_BYTES; i++)
        assert_int_equal(result[i], 0xee);
}

void test_result_bytes(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec spec;
        size_t bytes;
    } rows[] = {{{.type = WF_F16}, 2},
                {{.type = WF_F32}, 4},
                {{.type = WF_F32, .accumulator = WF_ACCUMULATE_F64}, 8},
                {{.type = WF_U8}, 8},
                {{.type = WF_U8, .op = WF_MINMAX}, 2},
                {{.type = WF_F32, .op = WF_ARGMIN}, sizeof(wf_indexed_f32)},
                {{.type = WF_F64, .op = WF_MATMUL}, WF_RESULT_BYTES}};
    unsigned char result[WF_RESULT_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wf_reduce_spec *const spec = &rows[i].spec;
        memset(result, 0xee, sizeof result);
        for (size_t bytes = 0; bytes <= WF_RESULT_BYTES + 1; bytes++) {
            if (bytes == rows[i].bytes)
                continue;
            refuses(wf_reduce(context, spec, values, 0, result, bytes), WF_INVALID_ARGUMENT, "'result_bytes' is ");
            refuses(wf_reduce_async(context, spec, values, 0, result, bytes, NULL), WF_INVALID_ARGUMENT, " bytes");
            const wf_field field = {.spec = *spec, .result = result, .result_bytes = bytes};
            uint64_t message[128] = {0};
            refuses(wf_message_write(context, &field, 1, message), WF_INVALID_ARGUMENT, "'result_bytes' is ");
            refuses(wf_message_read(&field, 1, 1, message, message), WF_INVALID_ARGUMENT, "'result_bytes' is ");
        }
        is_untouched(result);
        require(wf_reduce(context, spec, values, 0, result, rows[i].bytes));
    }
    refuses(wf_reduce(context, &(wf_reduce_spec){.type = WF_U8}, values, 4, result, 1), WF_INVALID_ARGUMENT,
            "'result_bytes' is 1, but the result of sum of u8 has 8 bytes");
    const wf_field mean = {.spec = {.type = WF_I16, .op = WF_MEAN}, .result = result, .result_bytes = 4};
    uint64_t message[128] = {0};
    refuses(wf_message_write(context, &mean, 1, message), WF_INVALID_ARGUMENT,
            "'result_bytes' is 4, but the result of mean of i16 has 8 bytes");

    wf_sum_state sum;
    wf_sum_state_init(&sum);
    memset(result, 0xee, sizeof result);
    refuses(wf_sum_state_round(&sum, WF_SUM, WF_F64, result, 4), WF_INVALID_ARGUMENT, "f64 has 8 bytes");
    size_t rung;
    require(wf_rung_find("tiled_1", &rung));
    refuses(wf_rung_run(context, rung, &(wf_rung_options){0}, NULL, 0, result, 8, NULL), WF_INVALID_ARGUMENT,
            "the result of tiled_1 has 4 bytes");
    is_untouched(result);
    require(wf_rung_find("bitonic_pairs", &rung));
    void *keys, *pairs;
    require(wf_malloc(context, &keys, sizeof values));
    require(wf_malloc(context, &pairs, 2 * sizeof values));
    refuses(wf_rung_run(context, rung, &(wf_rung_options){0}, keys, 4, pairs, sizeof values, NULL), WF_INVALID_ARGUMENT,
            "has 32 bytes");
    require(wf_free(context, keys));
    require(wf_free(context, pairs));
}

void test_reserved_fields(void **state) {
    (void)state;
    const char *const says = "reserved field 1 of 'spec' is 7: it must be 0";
    unsigned char result[WF_RESULT_BYTES];
    wf_description description;
    const wf_reduce_spec sum = {.reserved = {0, 7}};
    wf_reduction_info info;
    refuses(wf_reduction_get_info(&sum, &info), WF_INVALID_ARGUMENT, says);
    refuses(wf_reduce(context, &sum, values, 4, result, 4), WF_INVALID_ARGUMENT, says);
    refuses(wf_reduce_async(context, &sum, values, 4, result, 4, NULL), WF_INVALID_ARGUMENT, says);
    const wf_describe_spec describe = {.reserved = {0, 7}};
    refuses(wf_describe(context, &describe, values, 4, &description), WF_INVALID_ARGUMENT, says);
    refuses(wf_describe_async(context, &describe, values, 4, &description, NULL), WF_INVALID_ARGUMENT, says);
    refuses(wf_scan(context, &(wf_scan_spec){.reserved = {0, 7}}, NULL, 0, NULL), WF_INVALID_ARGUMENT, says);
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = sum}, NULL, 0, NULL), WF_INVALID_ARGUMENT, says);
    refuses(wf_sort(context, &(wf_sort_spec){.reserved = {0, 7}}, NULL, NULL, 0), WF_INVALID_ARGUMENT, says);
    refuses(wf_argsort(context, &(wf_sort_spec){.value_bytes = 4, .reserved = {0, 7}}, NULL, NULL, 0),
            WF_INVALID_ARGUMENT, says);
    refuses(wf_rung_run(context, 0, &(wf_rung_options){.reserved = {0, 7}}, values, 0, result, 4, NULL),
            WF_INVALID_ARGUMENT, "reserved field 1 of 'options' is 7");
    const wf_field field = {.reserved = {0, 7}};
    wf_message_size size;
    refuses(wf_message_get_size(&field, 1, &size), WF_INVALID_ARGUMENT, "reserved");
}

/* A scan's reduction says more than scans do. */
void test_scan_specs(void **state) {
    (void)state;
    static const wf_reduce_spec refused[] = {
        {.accuracy = WF_ACCURACY_EXACT}, {.op = WF_MINMAX}, {.type = WF_I16, .accumulator = WF_ACCUMULATE_I32}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        refuses(wf_scan(context, &(wf_scan_spec){.reduce = refused[i]}, NULL, 0, NULL), WF_UNSUPPORTED, "no scan ");
    require(wf_scan(context, &(wf_scan_spec){.reduce = {.accuracy = WF_ACCURACY_FAST}}, NULL, 0, NULL));
}
