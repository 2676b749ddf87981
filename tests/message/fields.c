/* What many fields in one message come to, of every kind, of ranks and in pieces; how long messages are, and
 * where their results may stand. */
#include "message_tests.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data.h"
#include "message_ranks.h"
#include "message_values.h"
#include "numbers.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void test_many_fields(void **state) {
    (void)state;
    enum { FIELDS = 70, RANKS = 5, N = 997 };
    static const wf_reduce_spec specs[] = {
        {.type = WF_F32},
        {.type = WF_F64, .op = WF_MEAN},
        {.type = WF_I8, .op = WF_MINMAX},
        {.type = WF_U16, .op = WF_XOR},
        {.type = WF_F16, .op = WF_ARGMAX, .nan = WF_NAN_IGNORE},
        {.type = WF_I32, .op = WF_MATMUL},
        {.type = WF_I32, .op = WF_MEAN},
        {.type = WF_U32, .op = WF_PRODUCT},
        {.type = WF_BF16, .op = WF_ASUM},
        {.type = WF_U64, .op = WF_AND},
    };
    for (int queued = 0; queued < 2; queued++) {
        wf_field parts[RANKS][FIELDS], *fields[RANKS];
        uint64_t got[FIELDS][8], want[FIELDS][8];
        char *values[FIELDS];
        memset(got, 0xee, sizeof got);
        memset(want, 0xee, sizeof want);
        wf_reduction_info info[FIELDS];
        for (size_t f = 0; f < FIELDS; f++) {
            const wf_reduce_spec *spec = &specs[data_hash(f) % COUNT(specs)];
            require(wf_reduction_get_info(spec, &info[f]));
            const size_t scalars = info[f].element_bytes / wf_type_size(spec->type), count = N - f;
            values[f] = make_values(spec, scalars, count, 0, f);
            require(wf_reduce(context, spec, values[f], count, want[f], bytes_of_result(spec)));
            for (size_t r = 0; r < RANKS; r++) {
                const size_t begin = begin_of(ANYHOW, r, RANKS, count, f),
                             end = begin_of(ANYHOW, r + 1, RANKS, count, f);
                parts[r][f] = with_result_bytes((wf_field){.spec = *spec,
                                                           .in = values[f] + begin * info[f].element_bytes,
                                                           .count = end > begin ? end - begin : 0,
                                                           .result = f % 9 == 3 ? NULL : got[f]});
                fields[r] = parts[r];
            }
        }
        wf_message_size size;
        joined all = join_ranks(fields, FIELDS, RANKS, queued != 0, &size);
        read_results(fields[1], FIELDS, RANKS, queued != 0, &size, &all);
        free_joined(&all);
        for (size_t f = 0; f < FIELDS; f++) {
            if (f % 9 != 3 && !same_result(&info[f], got[f], want[f]))
                fail_msg("field %zu, %s of %s: %016" PRIx64 ", expected %016" PRIx64, f,
                         wf_op_name(parts[0][f].spec.op), wf_type_name(parts[0][f].spec.type), got[f][0], want[f][0]);
            free(values[f]);
        }
    }
}

/* Fields of every kind, one behind the other, whose results are exact for the parts below. */
static const wf_field mixed[] = {
    {.spec = {.type = WF_U8, .op = WF_XOR}},
    {.spec = {.type = WF_I32}},
    {.spec = {.type = WF_I8, .op = WF_ARGMAX}},
    {.spec = {.type = WF_I16, .op = WF_MEAN}},
    {.spec = {.type = WF_F32, .op = WF_MINMAX}},
    {.spec = {.type = WF_I32, .op = WF_PRODUCT}},
    {.spec = {.type = WF_U32, .op = WF_OR}},
    {.spec = {.type = WF_F32}},
    {.describes = 1, .spec = {.type = WF_I16}},
    {.spec = {.type = WF_F64, .op = WF_ARGMIN}},
    {.spec = {.type = WF_I64, .op = WF_MEAN}},
    {.spec = {.type = WF_I32, .op = WF_MATMUL}},
    {.spec = {.type = WF_U16, .op = WF_XOR}},
    {.spec = {.type = WF_F32, .op = WF_PRODUCT}},
    {.spec = {.type = WF_U16, .op = WF_ARGMIN}},
    {.describes = 1, .spec = {.type = WF_F32}},
    {.spec = {.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_FAST}},
    {.spec = {.type = WF_I32, .op = WF_AFFINE}},
    {.spec = {.type = WF_U8, .op = WF_MAX}},
    {.spec = {.type = WF_U16, .op = WF_AND}},
};
enum { MIXED = COUNT(mixed), MIXED_COUNT = 256, MIXED_RANKS = 4, FAR = 1000 };
static const size_t mixed_ends[MIXED_RANKS + 1] = {0, 32, 64, 128, MIXED_COUNT};

/* Products that do not vanish, whole numbers that f32 holds, and a part, the first, whose sum is 0. */
static double mixed_number(const wf_field *field, size_t i, size_t scalar) {
    const int k = (int)(data_hash(i + 1000 * (uint64_t)field->spec.type) % 5);
    const bool is_float = number_is_float(field->spec.type);
    switch (field->spec.op) {
    case WF_MATMUL: /* (1 k; 0 1) and (1 0; k 1), in turn */
        return scalar == 0 || scalar == 3 ? 1 : (i % 2 == 0) == (scalar == 1) ? k : 0;
    case WF_AFFINE:
        return scalar == 0 ? 2 * (k % 3) + 1 : k - 2;
    case WF_OR: /* some bits are not set */
        return 4 * k;
    case WF_AND: /* and some are everywhere */
        return 0xffff - 4 * k;
    case WF_PRODUCT:
        return is_float ? (k > 2 ? -1 : 1) * (k % 2 == 0 ? 0.5 : 2) : 2 * k - 5;
    default:
        if (i < mixed_ends[1])
            return i % 2 == 0 ? (double)i : -(double)(i - 1);
        return (field->spec.type == WF_I16 ? -1 : 1) * (10 * k - 17 + (double)(i / 10)); /* of these, sums below 0 */
    }
}

static char *mixed_values(const wf_field *field, size_t *bytes) {
    wf_reduction_info info = {.element_bytes = (uint32_t)wf_type_size(field->spec.type)};
    if (field->describes == 0)
        require(wf_reduction_get_info(&field->spec, &info));
    const size_t scalars = info.element_bytes / wf_type_size(field->spec.type);
    *bytes = info.element_bytes;
    char *const values = calloc(MIXED_COUNT, info.element_bytes);
    assert_non_null(values);
    for (size_t i = 0; i < MIXED_COUNT * scalars; i++) {
        const double number = mixed_number(field, i / scalars, i % scalars);
        if (number_is_float(field->spec.type))
            number_put_float(field->spec.type, values, i, number);
        else
            number_put_integer(field->spec.type, values, i, (uint64_t)(int64_t)number);
    }
    return values;
}

static void check_mixed(const wf_field *whole, const char *how, bool queued) {
    for (size_t f = 0; f < MIXED; f++) {
        const wf_field *const field = &whole[f];
        const uint64_t *const got = field->result;
        uint64_t want[8] = {0};
        wf_reduction_info info;
        bool is_right;
        if (field->describes != 0) {
            wf_description a, b;
            require(wf_describe(context, &(wf_describe_spec){.type = field->spec.type}, field->in, field->count, &b));
            memcpy(&a, got, sizeof a);
            memcpy(want, &b, sizeof b);
            want[4] += field->first;
            want[5] += field->first;
            is_right = memcmp(got, want, 7 * sizeof *want) == 0 && fabs(a.variance - b.variance) <= 1e-12 * b.variance;
        } else {
            require(wf_reduction_get_info(&field->spec, &info));
            require(wf_reduce(context, &field->spec, field->in, field->count, want, bytes_of_result(&field->spec)));
            want[1] += info.has_index ? field->first : 0;
            is_right = same_result(&info, got, want);
        }
        if (!is_right)
            fail_msg("field %zu, %s, %s, first %" PRIu64 ": %016" PRIx64 " %016" PRIx64 ", expected %016" PRIx64
                     " %016" PRIx64,
                     f, how, queued ? "queued" : "awaited", field->first, got[0], got[1], want[0], want[1]);
    }
}

/* The words of pieces that were appended are those of all elements at once, but for a description's variance. */
static void check_mixed_words(const wf_message_size *size, const uint64_t *got, const uint64_t *want) {
    size_t record = size->sums + size->maxima;
    assert_memory_equal(got, want, record * sizeof *got);
    for (size_t f = 0; f < MIXED; f++) {
        wf_message_size of;
        require(wf_message_get_size(&mixed[f], 1, &of));
        for (size_t i = 0; i < of.records; i++)
            if (got[record + i] != want[record + i] && !(mixed[f].describes != 0 && i == 7))
                fail_msg("field %zu, word %zu of its record: %016" PRIx64 ", expected %016" PRIx64, f, i,
                         got[record + i], want[record + i]);
        record += of.records;
    }
}

/* Of ranks, and in pieces of one rank. */
void test_mixed_fields(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        const bool queued = way % 2 != 0, has_first = way / 2 != 0;
        uint64_t got[MIXED][8];
        wf_field whole[MIXED], parts[MIXED_RANKS][MIXED], *ranks[MIXED_RANKS];
        for (size_t f = 0; f < MIXED; f++) {
            size_t bytes;
            char *const values = mixed_values(&mixed[f], &bytes);
            whole[f] = mixed[f];
            whole[f].has_first = has_first;
            whole[f].first = has_first ? FAR : 0;
            whole[f].in = values;
            whole[f].count = MIXED_COUNT;
            whole[f].result = got[f];
            whole[f] = with_result_bytes(whole[f]);
            for (size_t r = 0; r < MIXED_RANKS; r++) {
                parts[r][f] = whole[f];
                parts[r][f].first += has_first ? mixed_ends[r] : 0;
                parts[r][f].in = values + mixed_ends[r] * bytes;
                parts[r][f].count = mixed_ends[r + 1] - mixed_ends[r];
                ranks[r] = parts[r];
            }
        }
        wf_message_size size;
        memset(got, 0xee, sizeof got);
        joined all = join_ranks(ranks, MIXED, MIXED_RANKS, queued, &size);
        read_results(whole, MIXED, MIXED_RANKS, queued, &size, &all);
        free_joined(&all);
        check_mixed(whole, "of ranks", queued);

        const size_t words = size.sums + size.maxima + size.records;
        uint64_t *const at_once = host_words(words), *const pieces = host_words(words),
                        *const piece = host_words(words);
        write_message(whole, MIXED, words, queued, at_once);
        for (size_t r = 0; r < MIXED_RANKS; r++) {
            write_message(parts[r], MIXED, words, queued, r == 0 ? pieces : piece);
            if (r != 0)
                require(wf_message_append(whole, MIXED, pieces, piece));
        }
        check_mixed_words(&size, pieces, at_once);
        memset(got, 0xee, sizeof got);
        require(wf_message_read(whole, MIXED, 1, pieces, pieces + size.sums + size.maxima));
        check_mixed(whole, "of pieces", queued);
        free(at_once);
        free(pieces);
        free(piece);
        for (size_t f = 0; f < MIXED; f++)
            free((void *)whole[f].in);
    }
}

/* As many fields as one launch takes, or some more: each with a result of its own, or none; and of a message that is
 * not of these ranks, no result. */
void test_numbers_of_fields(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 40, 64, 65};
    enum { MOST = 65, RANKS = 2 };
    for (size_t c = 0; c < COUNT(counts); c++)
        for (int way = 0; way < 8; way++) {
            const bool queued = way % 2 != 0, has_results = way / 2 % 2 != 0, begins_with_sum = way / 4 != 0;
            const size_t n = counts[c];
            int8_t values[RANKS][MOST][3];
            const float terms[2] = {3, -1};
            uint64_t got[MOST][8];
            wf_field parts[RANKS][MOST + 1], *ranks[RANKS];
            memset(got, 0xee, sizeof got);
            for (size_t r = 0; r < RANKS; r++) {
                ranks[r] = parts[r];
                parts[r][0] = (wf_field){.count = 0}; /* of which there is one at least */
                for (size_t f = 0; f < n; f++) {
                    values[r][f][0] = (int8_t)(f + r);
                    values[r][f][1] = (int8_t)(f - 100);
                    values[r][f][2] = (int8_t)(f - 50);
                    const bool is_sum = begins_with_sum && f == 0;
                    parts[r][f] = with_result_bytes(
                        (wf_field){.spec = {.type = is_sum ? WF_F32 : WF_I8, .op = is_sum ? WF_SUM : WF_MAX},
                                   .in = is_sum ? (const void *)terms : values[r][f],
                                   .count = is_sum ? 2 : 3,
                                   .result = has_results ? got[f] : NULL});
                }
            }
            wf_message_size size;
            joined all = join_ranks(ranks, n, RANKS, queued, &size);
            read_results(parts[0], n, RANKS, queued, &size, &all);
            for (size_t f = 0; f < n; f++) {
                const float sum = 4;
                const int8_t largest = (int8_t)(f + RANKS - 1);
                const bool is_sum = begins_with_sum && f == 0;
                if (has_results && memcmp(got[f], is_sum ? (const void *)&sum : &largest, is_sum ? 4 : 1) != 0)
                    fail_msg("field %zu of %zu, %s: %016" PRIx64, f, n, queued ? "queued" : "awaited", got[f][0]);
                assert_true(has_results || got[f][0] == UINT64_C(0xeeeeeeeeeeeeeeee));
            }
            all.message[1]++;
            memset(got, 0xee, sizeof got);
            refuses(wf_message_read(parts[0], n, RANKS, all.message, all.records), WF_INVALID_ARGUMENT,
                    "not of these fields");
            for (size_t f = 0; f < n; f++)
                assert_true(got[f][0] == UINT64_C(0xeeeeeeeeeeeeeeee));
            free_joined(&all);
        }
}

/* Where launches write a result it must be aligned, and is refused before anything is; the host writes anywhere. */
void test_alignment_of_results(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec spec;
        uint32_t describes;
        size_t alignment;
    } rows[] = {
        {{.type = WF_F32}, 0, 4},
        {{.type = WF_F64}, 0, 8},
        {{.type = WF_F16}, 0, 2},
        {{.type = WF_I32}, 0, 4},
        {{.type = WF_I32, .op = WF_MEAN}, 0, 8},
        {{.type = WF_U8, .op = WF_MINMAX}, 0, 1},
        {{.type = WF_U16, .op = WF_XOR}, 0, 2},
        {{.type = WF_F32, .op = WF_ARGMIN}, 0, 8},
        {{.type = WF_F32}, 1, 8},
        {{.type = WF_I8}, 1, 8},
    };
    char *const there = (char *)device_words(400);
    uint64_t *const message = (uint64_t *)(void *)there, *const failures = message + 300;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t off = 1; off <= 8; off *= 2) {
            uint64_t here[200], result[10];
            char says[64];
            wf_field fields[2] = {{.spec = {.type = WF_F32, .op = WF_MAX}},
                                  with_result_bytes((wf_field){.spec = rows[i].spec, .describes = rows[i].describes})};
            wf_message_size size;
            require(wf_message_get_size(fields, 2, &size));
            fields[1].result = there + 310 * sizeof *message + off;
            snprintf(says, sizeof says, "field 1 of 2: 'result' must be aligned to %zu bytes", rows[i].alignment);
            const wf_status written = wf_message_write_async(context, fields, 2, message, NULL);
            if (off % rows[i].alignment == 0)
                require(written);
            else
                refuses(written, WF_INVALID_ARGUMENT, says);
            fields[1].result = (char *)result + off;
            require(wf_message_write(context, fields, 2, here));
            require(wf_message_read(fields, 2, 1, here, here + size.sums + size.maxima));
            require(wf_copy_to_device(context, message, here, (size.sums + size.maxima + size.records) * 8));
            fields[1].result = there + 310 * sizeof *message + off;
            const wf_status read = wf_message_read_async(context, fields, 2, 1, message,
                                                         message + size.sums + size.maxima, failures, NULL);
            if (off % rows[i].alignment == 0)
                require(read);
            else
                refuses(read, WF_INVALID_ARGUMENT, says);
        }
    wf_free(context, there);
}

/* Words of a message, as wavefold_message.h counts them. */
void test_sizes(void **state) {
    (void)state;
    static const struct {
        wf_field field;
        wf_message_size size; /* but for the check */
    } rows[] = {
        {{.spec = {.type = WF_F32}}, {75, 0, 0}},
        {{.spec = {.type = WF_F16, .op = WF_MEAN}}, {75, 0, 0}},
        {{.spec = {.type = WF_I32}}, {1, 0, 0}},
        {{.spec = {.type = WF_U8, .op = WF_MEAN}}, {3, 0, 0}},
        {{.spec = {.type = WF_I32, .op = WF_MEAN}}, {3, 0, 0}},
        {{.spec = {.type = WF_I64, .op = WF_MEAN}}, {0, 0, 2}},
        {{.spec = {.type = WF_U8, .op = WF_AND}}, {4, 0, 0}},
        {{.spec = {.type = WF_U64, .op = WF_XOR}}, {32, 0, 0}},
        {{.spec = {.type = WF_F64, .op = WF_MIN}}, {0, 1, 0}},
        {{.spec = {.type = WF_F64, .op = WF_MINMAX}}, {0, 2, 0}},
        {{.spec = {.type = WF_F64, .op = WF_ARGMIN}}, {0, 0, 3}},
        {{.spec = {.type = WF_I32, .op = WF_PRODUCT}}, {0, 0, 1}},
        {{.spec = {.type = WF_I32, .op = WF_AFFINE}}, {0, 0, 1}},
        {{.spec = {.type = WF_I32, .op = WF_MATMUL}}, {0, 0, 2}},
        {{.spec = {.type = WF_F64, .op = WF_MATMUL}}, {0, 0, 4}},
        {{.describes = 1, .spec = {.type = WF_F64}}, {75, 0, 9}},
        {{.describes = 1, .spec = {.type = WF_I8}}, {0, 0, 9}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_message_size size;
        require(wf_message_get_size(&rows[i].field, 1, &size));
        assert_int_equal(size.sums, WF_MESSAGE_CHECK_WORDS + rows[i].size.sums);
        assert_int_equal(size.maxima, rows[i].size.maxima);
        assert_int_equal(size.records, rows[i].size.records);
    }
}

static uint32_t request_of(wf_field field) {
    uint32_t request;
    require(wf_message_get_request(&field, 1, &request));
    return request;
}

/* What tells requests apart, though messages are as long; of descriptions only type and NaN. */
void test_requests(void **state) {
    (void)state;
    const wf_field sum = {.spec = {.type = WF_F32}}, lowest = {.spec = {.type = WF_F32, .op = WF_ARGMIN}};
    wf_field other = sum;
    other.spec.accumulator = WF_ACCUMULATE_F64;
    assert_int_not_equal(request_of(sum), request_of(other));
    other = lowest;
    other.has_first = 1;
    assert_int_not_equal(request_of(lowest), request_of(other));
    other.has_first = 2;
    assert_int_not_equal(request_of(lowest), request_of(other));
    other = lowest;
    other.spec.nan = WF_NAN_IGNORE;
    assert_int_not_equal(request_of(lowest), request_of(other));
    const wf_field described = {.describes = 1};
    other = described;
    other.spec.op = WF_XOR;
    assert_int_equal(request_of(described), request_of(other));
    /* By the library, ranks must agree: another number is another version of messages. */
    static const wf_field many[300];
    uint32_t request;
    require(wf_message_get_request(many, COUNT(many), &request));
    assert_int_equal(request, 0x8582d);
    require(wf_message_get_request(mixed, MIXED, &request));
    assert_int_equal(request, 0xc41c8);
    require(wf_message_get_request(NULL, 0, &request));
    assert_int_equal(request, 0xb10de);
    assert_int_equal(request_of(sum), 0xb1968);
    assert_int_equal(request_of(lowest), 0xd367f);
}
