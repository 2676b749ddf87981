/* Messages and requests that are refused in words, and what queued calls tell of an engine that lost a rank. */
#include "message_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_sum.h>

#include "message_ranks.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void test_bad_messages(void **state) {
    (void)state;
    const float values[4] = {1, 2, 4, 8};
    float result = 77;
    wf_field field = with_result_bytes((wf_field){.in = values, .count = 4, .result = &result}), other = field;
    other.spec.op = WF_MEAN; /* as long a message */
    wf_message_size size;
    uint32_t request;
    uint64_t message[160], twice[160], both[160];
    require(wf_message_get_size(&field, 1, &size));
    refuses(wf_message_get_size(NULL, 1, &size), WF_INVALID_ARGUMENT, "fields");
    refuses(wf_message_get_size(&field, 1, NULL), WF_INVALID_ARGUMENT, "size");
    refuses(wf_message_get_request(&field, 1, NULL), WF_INVALID_ARGUMENT, "request");
    require(wf_message_get_request(&field, 1, &request));
    refuses(wf_message_write(NULL, &field, 1, message), WF_INVALID_ARGUMENT, "context");
    refuses(wf_message_write(context, &field, 1, NULL), WF_INVALID_ARGUMENT, "message");
    refuses(wf_message_write(context, NULL, 1, message), WF_INVALID_ARGUMENT, "fields");
    refuses(wf_message_write(context, &field, 1, (uint64_t *)((char *)message + 4)), WF_INVALID_ARGUMENT, "aligned");
    wf_field bad[2] = {field, field};
    bad[1].spec = (wf_reduce_spec){.type = WF_F32, .op = WF_XOR};
    refuses(wf_message_write(context, bad, 2, message), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_size(bad, 2, &size), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_request(bad, 2, &request), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_read(bad, 2, 1, message, NULL), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_append(bad, 2, message, twice), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_size(&bad[1], 1, &size), WF_UNSUPPORTED, "xor of f32");
    assert_true(strncmp(wf_last_error(), "xor", 3) == 0); /* of one field there is no number */
    bad[1] = (wf_field){.describes = 1, .spec.type = WF_TYPE_COUNT};
    refuses(wf_message_get_size(bad, 2, &size), WF_INVALID_ARGUMENT, "field 1 of 2: unknown element type");
    bad[1] = (wf_field){.describes = 1, .count = 4};
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 1 of 2: 'in'");
    bad[1] = field;
    bad[1].in = NULL;
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 1 of 2: 'in'");
    bad[0].in = NULL;
    bad[1] = field;
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 0 of 2: 'in'");

    require(wf_message_write(context, &field, 1, message));
    refuses(wf_message_read(&field, 1, 0, message, NULL), WF_INVALID_ARGUMENT,
            "a message of 0 ranks cannot be read: 1 to 1048576 can be joined");
    refuses(wf_message_read(&field, 1, WF_MOST_RANKS, message, NULL), WF_INVALID_ARGUMENT, "1 of 1048576 ranks");
    refuses(wf_message_append(&field, 1, NULL, message), WF_INVALID_ARGUMENT, "'message' must not be NULL");
    refuses(wf_message_append(&field, 1, message, NULL), WF_INVALID_ARGUMENT, "'other' must not be NULL");
    refuses(wf_message_read_async(NULL, &field, 1, 1, message, NULL, twice, NULL), WF_INVALID_ARGUMENT, "context");
    if (is_native) {
        refuses(wf_message_read_async(context, &field, 1, 1, message, NULL, twice, both), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");
        refuses(wf_message_write_async(context, &field, 1, message, both), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");
        refuses(wf_message_write_async(context, NULL, 0, message, both), WF_INVALID_ARGUMENT, "'stream' must be NULL");
    }
    memcpy(twice, message, size.sums * sizeof *twice);
    twice[WF_MESSAGE_CHECK_WORDS + 2] = INT64_MAX - 3; /* the count */
    refuses(wf_message_append(&field, 1, twice, message), WF_INVALID_ARGUMENT, "up to 2^63 - 1");
    refuses(wf_message_read(&field, 1, WF_MOST_RANKS + 1, message, NULL), WF_INVALID_ARGUMENT, "1048577 ranks");
    refuses(wf_message_read(&field, 1, 1, NULL, NULL), WF_INVALID_ARGUMENT, "message");
    uint64_t *const between = (uint64_t *)((char *)both + 4);
    refuses(wf_message_read(&field, 1, 1, between, NULL), WF_INVALID_ARGUMENT, "'message' must be aligned to 8 bytes");
    refuses(wf_message_read(&field, 1, 1, message, between), WF_INVALID_ARGUMENT,
            "'records' must be aligned to 8 bytes");
    refuses(wf_message_append(&field, 1, between, message), WF_INVALID_ARGUMENT,
            "'message' must be aligned to 8 bytes");
    refuses(wf_message_append(&field, 1, message, between), WF_INVALID_ARGUMENT, "'other' must be aligned to 8 bytes");
    refuses(wf_message_read(&field, 1, 2, message, NULL), WF_INVALID_ARGUMENT, "1 of 2 ranks");
    refuses(wf_message_read(&other, 1, 1, message, NULL), WF_INVALID_ARGUMENT, "these fields");
    require(wf_message_write(context, &other, 1, twice));
    refuses(wf_message_append(&field, 1, message, twice), WF_INVALID_ARGUMENT, "other is not of one rank");
    for (size_t i = 0; i < size.sums; i++)
        twice[i] += message[i];
    refuses(wf_message_read(&field, 1, 2, twice, NULL), WF_INVALID_ARGUMENT, "ranks");
    refuses(wf_message_append(&field, 1, twice, message), WF_INVALID_ARGUMENT, "message is not of one rank");
    /* Words that no state has, behind a check that holds. */
    for (size_t i = WF_MESSAGE_CHECK_WORDS; i < size.sums; i += size.sums - WF_MESSAGE_CHECK_WORDS - 1) {
        memcpy(twice, message, size.sums * sizeof *twice);
        twice[i] = UINT64_MAX / 3;
        refuses(wf_message_read(&field, 1, 1, twice, NULL), WF_INVALID_ARGUMENT, "no valid sum");
        wf_field two[2] = {field, field};
        float results[2] = {77, 77};
        two[0].result = &results[0];
        two[1].result = &results[1];
        require(wf_message_write(context, two, 2, both));
        memcpy(both + WF_SUM_STATE_BYTES / 8 + WF_MESSAGE_CHECK_WORDS, twice + WF_MESSAGE_CHECK_WORDS,
               WF_SUM_STATE_BYTES);
        refuses(wf_message_read(two, 2, 1, both, NULL), WF_INVALID_ARGUMENT,
                "field 1 of 2: the message holds no valid sum");
        assert_true(results[0] == 77 && results[1] == 77);
    }
    /* One number of a state, where nothing else is wrong; of two ranks, a sum that is too large for the last limb. */
    static const struct {
        size_t number;
        uint64_t value;
    } numbers[] = {{0, 2}, {1, 2}, {7, UINT64_C(1) << 32}, {74, (1 << 18) + 1}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        memcpy(twice, message, size.sums * sizeof *twice);
        twice[WF_MESSAGE_CHECK_WORDS + numbers[i].number] = numbers[i].value;
        refuses(wf_message_read(&field, 1, 1, twice, NULL), WF_INVALID_ARGUMENT, "no valid sum of 1 ranks");
    }
    for (size_t i = 0; i < size.sums; i++)
        twice[i] = 2 * message[i];
    twice[size.sums - 1] = (1 << 18) + 1;
    refuses(wf_message_read(&field, 1, 2, twice, NULL), WF_INVALID_ARGUMENT, "no valid sum of 2 ranks");
    /* Counts are not looked at: of a description that passes over NaN they are without these. */
    memcpy(twice, message, size.sums * sizeof *twice);
    twice[WF_MESSAGE_CHECK_WORDS + 2] = 0;
    twice[WF_MESSAGE_CHECK_WORDS + 6] = 1;
    require(wf_message_read(&field, 1, 1, twice, NULL));
    assert_true(result == 15);
    result = 77;
    refuses(wf_message_fail(WF_ENGINE_ERROR, "the engine"), WF_ENGINE_ERROR, "the engine");
    refuses(wf_message_read(&field, 1, 2, message, NULL), WF_INVALID_ARGUMENT, "1 of 2 ranks");
    refuses(wf_message_fail(WF_ENGINE_ERROR, wf_last_error()), WF_ENGINE_ERROR, "1 of 2 ranks");
    field.spec.op = WF_PRODUCT;
    require(wf_message_write(context, &field, 1, message));
    refuses(wf_message_read(&field, 1, 1, message, NULL), WF_INVALID_ARGUMENT, "records");
    assert_true(result == 77);
}

/* What is wrong with the last field is found before anything is done for the others. */
void test_nothing_is_half_done(void **state) {
    (void)state;
    enum { FIELDS = 40 /* more than a launch reads */ };
    static const int32_t values[4] = {1, 2, 4, 8};
    wf_field fields[FIELDS];
    uint64_t *const results = device_words(FIELDS), *const there = device_words(200);
    for (size_t i = 0; i < FIELDS; i++)
        fields[i] = with_result_bytes((wf_field){.spec.type = WF_I32, .in = values, .count = 4, .result = results + i});
    wf_message_size size;
    require(wf_message_get_size(fields, FIELDS, &size));
    uint64_t *message = host_words(size.sums), *kept = host_words(size.sums), *got = host_words(FIELDS);
    memset(message, 0x5c, size.sums * sizeof *message);
    memcpy(kept, message, size.sums * sizeof *message);
    fields[FIELDS - 1].in = NULL;
    refuses(wf_message_write(context, fields, FIELDS, message), WF_INVALID_ARGUMENT, "field 39 of 40: 'in'");
    assert_memory_equal(message, kept, size.sums * sizeof *message);
    require(wf_copy_to_device(context, there, message, size.sums * sizeof *message));
    refuses(wf_message_write_async(context, fields, FIELDS, there, NULL), WF_INVALID_ARGUMENT, "field 39 of 40: 'in'");
    require(wf_copy_to_host(context, message, there, size.sums * sizeof *message));
    assert_memory_equal(message, kept, size.sums * sizeof *message);
    fields[FIELDS - 1] =
        (wf_field){.spec = {.type = WF_I32, .op = WF_ARGMAX}, .has_first = 1, .in = values, .count = 4};
    uint64_t *const long_enough = host_words(size.sums + 8);
    fields[FIELDS - 1].first = UINT64_MAX - 3;
    refuses(wf_message_write(context, fields, FIELDS, long_enough), WF_INVALID_ARGUMENT, "field 39 of 40: first is");
    fields[FIELDS - 1].first = UINT64_MAX;
    refuses(wf_message_write(context, fields, FIELDS, long_enough), WF_INVALID_ARGUMENT, "field 39 of 40: first is");
    refuses(wf_message_write(context, &fields[FIELDS - 1], 1, long_enough), WF_INVALID_ARGUMENT, "first is");
    fields[FIELDS - 1].describes = 1;
    refuses(wf_message_write(context, &fields[FIELDS - 1], 1, long_enough), WF_INVALID_ARGUMENT, "first is");
    fields[FIELDS - 1].describes = 0;
    fields[FIELDS - 1].has_first = 0; /* then first is not heeded */
    require(wf_message_write(context, fields, FIELDS, long_enough));
    fields[FIELDS - 1].has_first = 1;
    fields[FIELDS - 1].first = UINT64_MAX - 4;
    require(wf_message_write(context, fields, FIELDS, long_enough));
    fields[FIELDS - 1].spec.op = WF_SUM; /* which has no index */
    fields[FIELDS - 1].first = UINT64_MAX;
    require(wf_message_write(context, fields, FIELDS, long_enough));
    free(long_enough);
    fields[FIELDS - 1] = fields[0];
    require(wf_message_write(context, fields, FIELDS, message));
    require(wf_copy_to_device(context, there, message, size.sums * sizeof *message));
    memset(got, 0x5c, FIELDS * sizeof *got);
    require(wf_copy_to_device(context, results, got, FIELDS * sizeof *got));
    fields[FIELDS - 1].result = (char *)(results + FIELDS - 1) + 1;
    uint64_t *const failures = there + 199;
    refuses(wf_message_read_async(context, fields, FIELDS, 1, there, NULL, failures, NULL), WF_INVALID_ARGUMENT,
            "field 39 of 40: 'result' must be aligned");
    refuses(wf_message_read_async(context, fields, 1, 1, (uint64_t *)((char *)there + 4), NULL, failures, NULL),
            WF_INVALID_ARGUMENT, "'message' must be aligned to 8 bytes");
    refuses(wf_message_read_async(context, fields, 1, 1, there, NULL, (uint64_t *)((char *)failures + 4), NULL),
            WF_INVALID_ARGUMENT, "'failures' must be aligned to 8 bytes");
    refuses(wf_message_read_async(context, fields, 1, 1, there, (uint64_t *)((char *)there + 4), failures, NULL),
            WF_INVALID_ARGUMENT, "'records' must be aligned to 8 bytes");
    memset(kept, 0x5c, FIELDS * sizeof *kept);
    require(wf_copy_to_host(context, got, results, FIELDS * sizeof *got));
    assert_memory_equal(got, kept, FIELDS * sizeof *got);
    /* A state that is none, behind a field that could be appended. */
    const float few[2] = {1, 2};
    wf_field two[2] = {fields[0], {.in = few, .count = 2}};
    uint64_t both[160], other[160], before[160];
    require(wf_message_write(context, two, 2, both));
    memcpy(other, both, sizeof other);
    memcpy(before, both, sizeof before);
    other[WF_MESSAGE_CHECK_WORDS + 1] += 5;
    refuses(wf_message_append(two, 2, both, other), WF_INVALID_ARGUMENT, "field 1 of 2");
    assert_memory_equal(both, before, sizeof both);
    wf_free(context, results);
    wf_free(context, there);
    free(message);
    free(kept);
    free(got);
}

/* Of an engine that lost a rank, queued: the word says so, and the results stay. */
void test_failures(void **state) {
    (void)state;
    const float values[4] = {1, 2, 4, 8};
    uint64_t cells[2] = {0x7777, 0};
    wf_field field = with_result_bytes((wf_field){.in = values, .count = 4});
    wf_message_size size;
    require(wf_message_get_size(&field, 1, &size));
    uint64_t *message = host_words(size.sums), *there = device_words(size.sums + 2);
    require(wf_message_write(context, &field, 1, message));
    for (int flaw = 0; flaw < (is_native ? 4 : 3); flaw++) { /* a GPU does not look at sums */
        uint64_t *copy = host_words(size.sums);
        memcpy(copy, message, size.sums * sizeof *copy);
        copy[0] += flaw == 1;
        copy[1] += flaw == 2;
        copy[WF_MESSAGE_CHECK_WORDS + 1] += flaw == 3;
        require(wf_copy_to_device(context, there, copy, size.sums * sizeof *copy));
        require(wf_copy_to_device(context, there + size.sums, cells, sizeof cells));
        field.result = there + size.sums;
        require(wf_message_read_async(context, &field, 1, flaw == 0 ? 2 : 1, there, NULL, there + size.sums + 1, NULL));
        uint64_t seen[2];
        require(wf_copy_to_host(context, seen, there + size.sums, sizeof seen));
        assert_int_equal(seen[0], cells[0]);
        assert_int_equal(seen[1], 1);
        /* Also where nothing is to be read. */
        field.result = NULL;
        require(wf_copy_to_device(context, there + size.sums + 1, &cells[1], sizeof *cells));
        require(wf_message_read_async(context, &field, 1, flaw == 0 ? 2 : 1, there, NULL, there + size.sums + 1, NULL));
        require(wf_copy_to_host(context, &seen[1], there + size.sums + 1, sizeof *seen));
        assert_int_equal(seen[1], 1);
        free(copy);
    }
    refuses(wf_message_read_async(context, &field, 1, 1, there, NULL, NULL, NULL), WF_INVALID_ARGUMENT, "failures");
    free(message);
    wf_free(context, there);
}
