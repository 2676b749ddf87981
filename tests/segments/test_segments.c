/* wf_reduce_segments: every result is what wf_reduce gives for the same elements; with a second array what
 * wf_reduce_axes_with gives on the CPU.
 *
 *   test_segments DEVICE [PATTERN] */
#include "folds.h"
#include "numbers.h"

#include <wavefold_pairs.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static wf_context *context, *host; /* the device under test; the CPU, which has each segment by itself */

typedef enum lengths { EQUAL, POWER_LAW, FEW_LONG, MOSTLY_EMPTY } lengths;

static uint64_t length_of(lengths kind, uint64_t i, uint64_t *seed) {
    const uint64_t random = fold_random(seed);
    switch (kind) {
    case EQUAL:
        return 37;
    case POWER_LAW:
        return random % 40 == 0 ? random / 40 % 3000 : random % (1 + random / 64 % 60);
    case FEW_LONG:
        return i % 5 == 2 ? 40000 + random % 60000 : random % 4;
    case MOSTLY_EMPTY:
        return i % 300 == 7 ? random % 9000 : 0;
    }
    return 0;
}

typedef struct offsets {
    uint64_t count;
    uint64_t *at; /* count + 1 */
} offsets;

static offsets make_offsets(lengths kind, uint64_t count, uint64_t *seed) {
    offsets made = {count, malloc((count + 1) * sizeof *made.at)};
    made.at[0] = fold_random(seed) % 5; /* elements before the first segment belong to none */
    for (uint64_t i = 0; i < count; i++)
        made.at[i + 1] = made.at[i] + length_of(kind, i, seed);
    return made;
}

static void *put_offsets(const uint64_t *from, uint64_t count, uint32_t bytes) {
    char *const copied = malloc(count * bytes + 1);
    void *there;
    for (uint64_t i = 0; i < count; i++)
        if (bytes == 8)
            memcpy(copied + i * 8, &from[i], 8);
        else
            memcpy(copied + i * 4, &(uint32_t){(uint32_t)from[i]}, 4);
    require(wf_malloc(context, &there, count * bytes));
    require(wf_copy_to_device(context, there, copied, count * bytes));
    free(copied);
    return there;
}

/* with_ends: begins and ends apart, and the segments in another order. */
static void check(const wf_reduce_spec *spec, lengths kind, uint64_t count, uint32_t offset_bytes, bool with_ends,
                  bool wild) {
    uint64_t seed = 88172645463325252u + (uint64_t)spec->type * 64 + (uint64_t)spec->op;
    offsets of = make_offsets(kind, count, &seed);
    wf_reduction_info info;
    require(wf_reduction_get_info(spec, &info));
    const uint64_t elements = of.at[count] + 3;
    const size_t number_bytes = wf_type_size(spec->type), numbers = info.element_bytes / number_bytes;
    const size_t past = seed % 16 / number_bytes * number_bytes;
    char *const values = malloc(elements * info.element_bytes), *there, *results;
    fold_fill(spec->type, values, elements * numbers, wild, &seed);
    require(wf_malloc(context, (void **)&there, past + elements * info.element_bytes));
    require(wf_copy_to_device(context, there + past, values, elements * info.element_bytes));
    const size_t result_bytes = count * info.result_bytes;
    require(wf_malloc(context, (void **)&results, result_bytes + 1));
    uint64_t *const begins = malloc((count + 1) * sizeof *begins), *const ends = malloc((count + 1) * sizeof *ends);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t from = with_ends ? count - 1 - i : i;
        begins[i] = of.at[from];
        ends[i] = of.at[from + 1];
    }
    begins[count] = of.at[count];
    const wf_segments segments = {.count = count,
                                  .offset_bytes = offset_bytes,
                                  .flags = count % 2 == 0 ? WF_CHECK_OFFSETS : 0,
                                  .begins = put_offsets(begins, count + 1, offset_bytes),
                                  .ends = with_ends ? put_offsets(ends, count, offset_bytes) : NULL};
    require(wf_reduce_segments(context, spec, &segments, there + past, elements, results, result_bytes));
    char *const got = malloc(result_bytes + 1);
    require(wf_copy_to_host(context, got, results, result_bytes));
    const wf_reduce_spec by = fold_rounded_once(*spec, &info);
    for (uint64_t i = 0; i < count; i++) {
        char wanted[WF_RESULT_BYTES];
        require(wf_reduce(host, &by, values + begins[i] * info.element_bytes, ends[i] - begins[i], wanted,
                          info.result_bytes));
        if (!fold_results_alike(&info, wanted, got + i * info.result_bytes))
            fail_msg("%s of %s, lengths %d: segment %llu, from %llu to %llu, is wrong (%.17g, not %.17g)",
                     wf_op_name(spec->op), wf_type_name(spec->type), (int)kind, (unsigned long long)i,
                     (unsigned long long)begins[i], (unsigned long long)ends[i],
                     (double)number_value(info.result_type, got + i * info.result_bytes, 0),
                     (double)number_value(info.result_type, wanted, 0));
    }
    free(got);
    free(begins);
    free(ends);
    free(values);
    free(of.at);
    require(wf_free(context, there));
    require(wf_free(context, results));
    require(wf_free(context, (void *)segments.begins));
    require(wf_free(context, (void *)segments.ends));
}

static void test_segments(void **state) {
    (void)state;
    static const wf_op ops[] = {WF_SUM,    WF_MEAN,   WF_ASUM, WF_MIN, WF_MAX,   WF_MINMAX,
                                WF_ARGMIN, WF_ARGMAX, WF_AND,  WF_XOR, WF_MATMUL};
    static const uint64_t counts[] = {0, 1, 2, 3, 33, 127, 700};
    size_t tests = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t op = 0; op < COUNT(ops); op++) {
            const wf_reduce_spec spec = {.type = (wf_type)type, .op = ops[op]};
            wf_reduction_info info;
            if (wf_reduction_get_info(&spec, &info) != WF_OK || (ops[op] == WF_MATMUL && type != WF_I32))
                continue;
            tests++;
            check(&spec, (lengths)(tests % 2), counts[tests % COUNT(counts)], tests % 3 == 0 ? 4 : 8, tests % 4 == 1,
                  tests % 2 == 0);
        }
    assert_true(tests > 70);
}

/* Segments that waves share, and those that are reduced by chunks. */
static void test_long_segments(void **state) {
    (void)state;
    static const wf_reduce_spec specs[] = {
        {.type = WF_F32}, {.type = WF_F64, .op = WF_MEAN},   {.type = WF_BF16, .op = WF_ARGMAX},
        {.type = WF_U8},  {.type = WF_I16, .op = WF_MINMAX}, {.type = WF_I32, .op = WF_MATMUL}};
    for (size_t i = 0; i < COUNT(specs); i++) {
        check(&specs[i], FEW_LONG, 8, 8, false, i % 2 == 0);
        check(&specs[i], FEW_LONG, 4, 4, true, i % 2 == 1);
        check(&specs[i], MOSTLY_EMPTY, 2000, 4, false, false);
    }
}

/* Segments with a second array, whose elements lie `stride` apart. */
static void check_with(const wf_reduce_spec *spec, wf_second_kind kind, lengths lengths_kind, uint64_t count,
                       int64_t stride, bool with_ends, bool wild) {
    uint64_t seed = 88172645463325252u + (uint64_t)spec->type * 64 + (uint64_t)spec->op + (uint64_t)kind;
    offsets of = make_offsets(lengths_kind, count, &seed);
    wf_reduction_info info;
    require(wf_reduction_get_info(spec, &info));
    const uint64_t elements = of.at[count] + 3, apart = (uint64_t)(stride < 0 ? -stride : stride);
    const size_t element = info.element_bytes, second_element = kind == WF_MASK ? 1 : element;
    const uint64_t span = (elements - 1) * apart + 1, first = stride < 0 ? span - 1 : 0;
    char *const values = malloc(elements * element), *const others = malloc(span * second_element);
    char *there, *others_there, *results;
    fold_fill(spec->type, values, elements, wild, &seed);
    fold_fill(kind == WF_MASK ? WF_U8 : spec->type, others, span, wild, &seed);
    for (uint64_t i = 0; kind == WF_MASK && i < span; i++)
        others[i] = (char)(i / 3000 % 5 == 4 || others[i] % 3 == 0 ? 0 : others[i]); /* nothing of some chunks counts */
    const size_t result_bytes = count * info.result_bytes;
    require(wf_malloc(context, (void **)&there, elements * element));
    require(wf_malloc(context, (void **)&others_there, span * second_element));
    require(wf_malloc(context, (void **)&results, result_bytes + 1));
    require(wf_copy_to_device(context, there, values, elements * element));
    require(wf_copy_to_device(context, others_there, others, span * second_element));
    const wf_segments segments = {.count = count,
                                  .offset_bytes = 8,
                                  .begins = put_offsets(of.at, count + 1, 8),
                                  .ends = with_ends ? put_offsets(of.at + 1, count, 8) : NULL};
    wf_second second = {
        .kind = kind, .has_strides = stride != 1, .data = others_there + first * second_element, .strides = {stride}};
    require(wf_reduce_segments_with(context, spec, &segments, there, elements, &second, results, result_bytes));
    char *const got = malloc(result_bytes + 1);
    require(wf_copy_to_host(context, got, results, result_bytes));
    for (uint64_t i = 0; i < count; i++) {
        char wanted[WF_RESULT_BYTES];
        const int64_t begin = (int64_t)of.at[i];
        const wf_axes alone = {.dimensions = 1, .reduced = 1, .counts = {of.at[i + 1] - of.at[i]}};
        second.data = others + ((int64_t)first + begin * stride) * (int64_t)second_element;
        require(wf_reduce_axes_with(host, spec, &alone, values + (size_t)begin * element, &second, wanted,
                                    info.result_bytes));
        if (!fold_results_alike(&info, wanted, got + i * info.result_bytes))
            fail_msg("%s of %s, kind %d, lengths %d, stride %lld: segment %llu, from %llu to %llu, is wrong (%.17g, "
                     "not %.17g)",
                     wf_op_name(spec->op), wf_type_name(spec->type), (int)kind, (int)lengths_kind, (long long)stride,
                     (unsigned long long)i, (unsigned long long)of.at[i], (unsigned long long)of.at[i + 1],
                     (double)number_value(info.result_type, got + i * info.result_bytes, 0),
                     (double)number_value(info.result_type, wanted, 0));
    }
    free(got);
    free(others);
    free(values);
    free(of.at);
    require(wf_free(context, there));
    require(wf_free(context, others_there));
    require(wf_free(context, results));
    require(wf_free(context, (void *)segments.begins));
    require(wf_free(context, (void *)segments.ends));
}

static void test_segments_with(void **state) {
    (void)state;
    static const wf_op ops[] = {WF_SUM,    WF_MEAN,   WF_ASUM, WF_SUMSQ, WF_MIN, WF_MINMAX,
                                WF_ARGMIN, WF_ARGMAX, WF_AND,  WF_OR,    WF_XOR};
    static const uint64_t counts[] = {0, 1, 2, 3, 33, 127, 700};
    static const int64_t strides[] = {1, -1, 0, 3, -2};
    size_t tests = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t op = 0; op < COUNT(ops); op++)
            for (int kind = ops[op] == WF_SUM ? WF_WEIGHTS : WF_MASK; kind <= WF_MASK; kind++) {
                const wf_reduce_spec spec = {.type = (wf_type)type, .op = ops[op], .nan = (wf_nan)(op % 2)};
                wf_reduction_info info;
                if (wf_reduction_get_info(&spec, &info) != WF_OK)
                    continue;
                check_with(&spec, (wf_second_kind)kind, (lengths)(tests % 2), counts[tests % COUNT(counts)],
                           strides[tests % COUNT(strides)], tests % 4 == 1, tests % 3 == 0);
                tests++;
            }
    assert_true(tests > 70);
}

static void test_long_segments_with(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec spec;
        wf_second_kind kind;
    } cases[] = {{{.type = WF_F32}, WF_WEIGHTS},
                 {{.type = WF_F64}, WF_WEIGHTS},
                 {{.type = WF_I64}, WF_WEIGHTS},
                 {{.type = WF_F32, .op = WF_MEAN}, WF_MASK},
                 {{.type = WF_F64, .op = WF_MEAN}, WF_MASK},
                 {{.type = WF_I32, .op = WF_MEAN}, WF_MASK},
                 {{.type = WF_F64, .op = WF_ARGMAX}, WF_MASK},
                 {{.type = WF_U64, .op = WF_XOR}, WF_MASK}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_with(&cases[i].spec, cases[i].kind, FEW_LONG, 8, i % 3 == 0 ? -1 : 1, false, i % 2 == 0);
        check_with(&cases[i].spec, cases[i].kind, FEW_LONG, 8, 0, i % 2 == 0, i % 2 == 1);
        check_with(&cases[i].spec, cases[i].kind, MOSTLY_EMPTY, 700, 2, false, false);
    }
}

static void test_refused_with(void **state) {
    (void)state;
    static const uint64_t at[] = {0, 3, 5, 10};
    float *in, *out;
    require(wf_malloc(context, (void **)&in, 80));
    require(wf_malloc(context, (void **)&out, 12));
    const wf_segments segments = {.count = 3, .offset_bytes = 8, .begins = put_offsets(at, 4, 8)};
    const wf_reduce_spec sum = {.type = WF_F32}, mean = {.type = WF_F32, .op = WF_MEAN};
    wf_second second = {.kind = WF_WEIGHTS, .data = in + 10};
#define REFUSES(spec, status, says)                                                                                    \
    refuses(wf_reduce_segments_with(context, &(spec), &segments, in, 10, &second, out, 12), status, says)
    require(wf_reduce_segments_with(context, &sum, &segments, in, 10, &second, out, 12));
    require(wf_reduce_segments_with_async(context, &sum, &segments, in, 10, &second, out, 12, NULL));
    REFUSES(mean, WF_UNSUPPORTED, "mean of f32 takes no weights");
    second.data = out;
    REFUSES(sum, WF_INVALID_ARGUMENT, "overlap");
    second.data = (char *)in + 2;
    REFUSES(sum, WF_INVALID_ARGUMENT, "aligned");
    second.data = NULL;
    REFUSES(sum, WF_INVALID_ARGUMENT, "'second'");
    second.data = in;
    second.kind = (wf_second_kind)7;
    REFUSES(sum, WF_INVALID_ARGUMENT, "kind 7");
    second = (wf_second){.kind = WF_MASK, .data = in, .has_strides = 1, .strides = {INT64_MAX / 4}};
    REFUSES(sum, WF_INVALID_ARGUMENT, "address space");
#undef REFUSES
    refuses(wf_reduce_segments_with(context, &sum, &segments, in, 10, NULL, out, 12), WF_INVALID_ARGUMENT, "'second'");
    require(wf_free(context, (void *)segments.begins));
    require(wf_free(context, in));
    require(wf_free(context, out));
}

static void test_refused(void **state) {
    (void)state;
    static const uint64_t at[] = {0, 3, 2, 10};
    float *in, *out;
    require(wf_malloc(context, (void **)&in, 40));
    require(wf_malloc(context, (void **)&out, 12));
    wf_segments segments = {.count = 3, .offset_bytes = 8, .begins = put_offsets(at, 4, 8)};
    const wf_reduce_spec sum = {.type = WF_F32};
#define REFUSES(status, says) refuses(wf_reduce_segments(context, &sum, &segments, in, 10, out, 12), status, says)
    segments.flags = WF_CHECK_OFFSETS;
    REFUSES(WF_INVALID_ARGUMENT, "segment 1 of 3 goes from 3 to 2");
    segments.flags = 2;
    REFUSES(WF_INVALID_ARGUMENT, "'flags' is 0x2");
    segments.flags = 0;
    segments.offset_bytes = 2;
    REFUSES(WF_INVALID_ARGUMENT, "'offset_bytes' is 2: offsets have 4 or 8 bytes");
    segments.offset_bytes = 8;
    segments.reserved[1] = 1;
    REFUSES(WF_INVALID_ARGUMENT, "reserved field 1 of 'segments'");
    segments.reserved[1] = 0;
    refuses(wf_reduce_segments(context, &sum, &segments, in, 10, out, 8), WF_INVALID_ARGUMENT,
            "'result_bytes' is 8, but the result of sum of f32 has 12 bytes");
    refuses(wf_reduce_segments(context, &sum, &segments, in, 10, in + 5, 12), WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_reduce_segments(context, &sum, NULL, in, 10, out, 12), WF_INVALID_ARGUMENT, "'segments'");
    const void *const begins = segments.begins;
    segments.begins = NULL;
    REFUSES(WF_INVALID_ARGUMENT, "'begins'");
#undef REFUSES
    require(wf_free(context, (void *)begins));
    require(wf_free(context, in));
    require(wf_free(context, out));
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "test_segments DEVICE [PATTERN]\n");
        return 2;
    }
    if (wf_context_create(&context, argv[1]) != WF_OK || wf_context_create(&host, "host") != WF_OK) {
        fprintf(stderr, "test_segments: %s\n", wf_last_error());
        return 1;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_segments),
                                       cmocka_unit_test(test_long_segments),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_segments_with),
                                       cmocka_unit_test(test_long_segments_with),
                                       cmocka_unit_test(test_refused_with)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    wf_context_destroy(host);
    return failed;
}
