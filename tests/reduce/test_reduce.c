/* wf_reduce and wf_describe: the whole table, over sizes, kinds of data and addresses, on one device. Sums of
 * floats are the fast ones; of the exact ones, which have test_exact, only that they are the default.
 *
 * usage: test_reduce [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host). PATTERN: which tests, such as 'f32_*' (default: all).
 *        EVERY FIRST: of what is the same for many arrays, every so manieth, from that one on: large arrays, addresses
 *        in 16 bytes, long descriptions. Every length, type and operator is there in any case.
 *
 * The host device's kernels heed WAVEFOLD_CPU. Where that asks for what the CPU lacks, nothing is tested, and the exit
 * status is 77. */
#define _POSIX_C_SOURCE 200809L /* setenv, fork */
#include "big_sum.h"
#include "data.h"
#include "numbers.h"
#include "reduce_tests.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { SKIPPED = 77, LARGER = 3000007 };

wf_context *context;
const char *device = "host";
data_share share = {1, 0};

/* Around registers and blocks of them, waves of both widths, chunks of 16 KiB of every type, and some primes. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,     9,     15,   16,
                               17,   31,   32,   33,   63,   64,   65,   73,    127,   128,  129,
                               255,  256,  257,  511,  512,  513,  521,  1023,  1024,  1025, 2047,
                               2048, 2049, 4093, 4095, 4096, 4097, 8193, 16381, 16385, 32771};
/* Those at which every address is tried. */
static const size_t address_sizes[] = {3, 33, 257, 1031, 4099};

/* Operations in the accumulator on the longest path, as the host device folds: chunks of 16 KiB in 8 registers of at
 * least 16 bytes side by side, up to 7 more registers, 3 joins of registers. Then f64 joins chunks and pieces; those of
 * f32 are joined in f64, which rounds once more in the end. */
static uint64_t depth_of(const wf_reduction_info *info, size_t count) {
    const size_t lanes = 16 / wf_type_size(info->accumulator);
    const size_t chunk = 16 * 1024 / info->element_bytes;
    uint64_t depth = chunk / (8 * lanes) + 7 + 3;
    if (info->accumulator == WF_F64)
        depth += count / chunk / 256 + 1 + 257 + 3 + 8; /* chunks of a piece, pieces, lanes, what fills no register */
    else
        depth += 2;
    return depth < count ? depth : count + 1;
}

/* ---- wf_reduce ---- */

/* The data at the given address modulo 64, in memory with nothing behind it that belongs to it. */
typedef struct placed {
    char *memory, *in;
    size_t bytes;
} placed;

static placed place(const dataset *data, size_t offset) {
    placed made = {.bytes = data->count * data->info.element_bytes};
    require(wf_malloc(context, (void **)&made.memory, made.bytes + 128));
    /* Around the data stands what would show in any fold, if it were read. */
    char around[64];
    for (size_t i = 0; i < sizeof around; i++)
        around[i] = (char)(0x81 + 7 * i);
    made.in = made.memory + offset;
    require(wf_copy_to_device(context, made.memory, around, offset));
    require(wf_copy_to_device(context, made.in, data->values, made.bytes));
    require(wf_copy_to_device(context, made.in + made.bytes, around, sizeof around));
    return made;
}

static void check(const dataset *data, size_t offset) {
    const placed at = place(data, offset);
    uint64_t result[5];
    memset(result, 0xfe, sizeof result);
    require(wf_reduce(context, &data->spec, at.in, data->count, result, bytes_of_result(&data->spec)));
    for (size_t i = data->info.result_bytes; i < sizeof result; i++)
        assert_int_equal(((unsigned char *)result)[i], 0xfe);

    char difference[256];
    const wf_rung_report report = {.depth = depth_of(&data->info, data->count)};
    if (!data_agrees(data, result, &report, difference, sizeof difference))
        fail_msg("%s data, n %zu, offset %zu: %s", data->name, data->count, offset, difference);

    void *after = malloc(at.bytes + 1); /* the input is the caller's */
    assert_non_null(after);
    require(wf_copy_to_host(context, after, at.in, at.bytes));
    assert_memory_equal(after, data->values, at.bytes);
    free(after);
    wf_free(context, at.memory);
}

static bool is_ordered(wf_op op) {
    return op == WF_MATMUL || op == WF_AFFINE;
}

static void test_reduction(void **state) {
    const wf_reduce_spec *spec = *state;
    /* Ordered operators need their type's alignment. */
    const size_t step = is_ordered(spec->op) ? wf_type_size(spec->type) : 1;
    size_t turn = 0;
    for (size_t kind = 0; kind < data_kinds(spec); kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            if (kind >= 2 && s % 3 != kind % 3 && sizes[s] > 3)
                continue;
            dataset data = data_make(spec, kind, sizes[s], 1 + sizes[s] + kind);
            check(&data, turn++ * step % 64);
            data_free(&data);
        }
        for (size_t s = 0; s < COUNT(address_sizes) && kind < 2; s++) {
            dataset data = data_make(spec, kind, address_sizes[s], 5 + s);
            for (size_t offset = 0; offset < 16; offset += step)
                if (data_takes(share, (size_t)spec->type + (size_t)spec->op + s + offset / step + kind))
                    check(&data, offset);
            data_free(&data);
        }
    }
    if (spec->accumulator == WF_ACCUMULATE_DEFAULT && spec->nan == WF_NAN_PROPAGATE &&
        data_takes(share, (size_t)spec->type + (size_t)spec->op)) {
        const size_t kind = number_is_float(spec->type) && spec->op != WF_PRODUCT;
        dataset data = data_make(spec, kind, spec->op == WF_SUM || spec->op == WF_ARGMIN ? LARGER : LARGE, 11);
        check(&data, 3 * step);
        data_free(&data);
    }
}

/* ---- The default ---- */

static const wf_type float_types[] = {WF_F32, WF_F64, WF_F16, WF_BF16};
static const wf_op sums[] = {WF_SUM, WF_MEAN, WF_ASUM, WF_SUMSQ};

/* Of every exponent, so that sums that round at each step are off; but for the largest, whose sums would be infinite in
 * any case. f16 has so few that f32 would hold the sums of the rest. */
static void put_any(wf_type type, unsigned char *values, size_t i) {
    const big_format format = big_format_of(type);
    const uint64_t left_out = type == WF_F16 ? 0 : 20, fraction = (UINT64_C(1) << (format.digits - 1)) - 1,
                   most = (UINT64_C(1) << format.exponent_bits) - 1;
    const uint64_t random = data_hash(i ^ 77), sign = random >> 63 << (8 * wf_type_size(type) - 1);
    const uint64_t bits = sign | (random >> 53) % (most - left_out) << (format.digits - 1) | (random & fraction);
    memcpy(values + i * wf_type_size(type), &bits, wf_type_size(type));
}

static uint64_t exact_bits(const wf_reduce_spec *spec, const unsigned char *values, size_t count, wf_type result) {
    static big_sum sum;
    const size_t size = wf_type_size(spec->type);
    memset(&sum, 0, sizeof sum);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, values + i * size, size);
        big_sum_add(&sum, spec->type,
                    spec->op == WF_ASUM    ? BIG_MAGNITUDE
                    : spec->op == WF_SUMSQ ? BIG_SQUARE
                                           : BIG_ELEMENT,
                    bits);
    }
    big_sum_finish(&sum);
    return big_sum_rounded(&sum, spec->op == WF_MEAN, result);
}

/* By both calls; nothing is written but the result. */
static void expect_bits(const wf_reduce_spec *spec, const void *there, size_t count, size_t bytes, uint64_t expected) {
    uint64_t awaited[2] = {UINT64_C(0xfefefefefefefefe), 7}, queued[2] = {UINT64_C(0xfefefefefefefefe), 7}, right[2];
    memcpy(right, awaited, sizeof right);
    memcpy(right, &expected, bytes);
    require(wf_reduce(context, spec, there, count, awaited, bytes_of_result(spec)));
    void *result;
    require(wf_malloc(context, &result, sizeof queued));
    require(wf_copy_to_device(context, result, queued, sizeof queued));
    require(wf_reduce_async(context, spec, there, count, result, bytes_of_result(spec), NULL));
    require(wf_copy_to_host(context, queued, result, sizeof queued));
    wf_free(context, result);
    if (memcmp(awaited, right, sizeof right) != 0 || memcmp(queued, right, sizeof right) != 0)
        fail_msg("%s of %s, n %zu, accumulator %d: expected %#llx, wf_reduce %#llx, wf_reduce_async %#llx",
                 wf_op_name(spec->op), wf_type_name(spec->type), count, (int)spec->accumulator,
                 (unsigned long long)right[0], (unsigned long long)awaited[0], (unsigned long long)queued[0]);
}

/* What a caller gets who says nothing of accuracy: the exact sum of floats, in the element's type or as asked. */
static void test_default_sums_are_exact(void **state) {
    (void)state;
    enum { MOST = 4099 };
    static const size_t counts[] = {0, 3, 1000, MOST};
    static const wf_accumulator accumulators[] = {WF_ACCUMULATE_DEFAULT, WF_ACCUMULATE_F32, WF_ACCUMULATE_F64};
    unsigned char *there, values[MOST * 8];
    require(wf_malloc(context, (void **)&there, sizeof values));
    for (size_t t = 0; t < COUNT(float_types); t++) {
        const wf_type type = float_types[t];
        const wf_type results[] = {type, WF_F32, WF_F64};
        for (size_t i = 0; i < MOST; i++)
            put_any(type, values, i);
        require(wf_copy_to_device(context, there, values, MOST * wf_type_size(type)));
        for (size_t o = 0; o < COUNT(sums); o++)
            for (size_t a = 0; a < COUNT(accumulators); a++) {
                const wf_reduce_spec spec = {.type = type, .op = sums[o], .accumulator = accumulators[a]};
                if (type == WF_F64 && sums[o] == WF_SUMSQ)
                    continue;
                wf_reduction_info info;
                require(wf_reduction_get_info(&spec, &info));
                assert_int_equal(info.accuracy, WF_ACCURACY_EXACT);
                assert_string_equal(wf_type_name(info.result_type), wf_type_name(results[a]));
                assert_int_equal(info.result_bytes, wf_type_size(results[a]));
                for (size_t c = 0; c < COUNT(counts); c++)
                    expect_bits(&spec, there, counts[c], info.result_bytes,
                                exact_bits(&spec, values, counts[c], results[a]));
            }
    }
    wf_free(context, there);
}

/* Where there is no exact sum, the default is what WF_ACCURACY_FAST gives, and is not refused. */
static void test_other_defaults_are_fast(void **state) {
    (void)state;
    static const wf_reduce_spec others[] = {{.type = WF_F64, .op = WF_SUMSQ},    {.type = WF_F32, .op = WF_PRODUCT},
                                            {.type = WF_BF16, .op = WF_PRODUCT}, {.type = WF_F64, .op = WF_AFFINE},
                                            {.type = WF_I32, .op = WF_MEAN},     {.type = WF_U8, .op = WF_SUM},
                                            {.type = WF_F16, .op = WF_MIN}};
    enum { LENGTH = 1000 };
    for (size_t o = 0; o < COUNT(others); o++) {
        wf_reduce_spec fast = others[o];
        fast.accuracy = WF_ACCURACY_FAST;
        wf_reduction_info info, of_fast;
        require(wf_reduction_get_info(&others[o], &info));
        require(wf_reduction_get_info(&fast, &of_fast));
        assert_int_equal(info.accuracy, WF_ACCURACY_FAST);
        assert_memory_equal(&info, &of_fast, sizeof info);
        dataset data = data_make(&fast, 0, LENGTH, 3);
        void *there;
        require(wf_malloc(context, &there, LENGTH * info.element_bytes));
        require(wf_copy_to_device(context, there, data.values, LENGTH * info.element_bytes));
        uint64_t expected[4] = {0};
        require(wf_reduce(context, &fast, there, LENGTH, expected, bytes_of_result(&fast)));
        uint64_t got[4] = {0};
        require(wf_reduce(context, &others[o], there, LENGTH, got, bytes_of_result(&others[o])));
        assert_memory_equal(got, expected, sizeof got);
        wf_free(context, there);
        data_free(&data);
    }
}

void put_number(wf_type type, void *values, size_t i, int small) {
    if (number_is_float(type))
        number_put_float(type, values, i, small);
    else
        number_put_integer(type, values, i, (uint64_t)small);
}

/* Arrays that no core's cache holds, from which the CPU's own kernels ask ahead: the last element counts, no other. */
static void test_far_arrays(void **state) {
    (void)state;
    if (strcmp(device, "host") != 0)
        skip(); /* kernels know no such difference */
    enum { LENGTH = 2300007 };
    static const wf_op ops[] = {WF_SUM, WF_XOR, WF_OR, WF_AND};
    uint32_t *values = malloc(LENGTH * sizeof *values), expected[] = {0, 0, 0, UINT32_MAX};
    assert_non_null(values);
    for (size_t i = 0; i < LENGTH; i++) {
        values[i] = (uint32_t)data_hash(i);
        if (i + 1 < LENGTH) /* a bit of "and" and one of "or" are the last one's */
            values[i] = (values[i] | 1) & ~UINT32_C(2);
        else
            values[i] = 2;
        expected[0] += values[i];
        expected[1] ^= values[i];
        expected[2] |= values[i];
        expected[3] &= values[i];
    }
    for (size_t o = 0; o < COUNT(ops); o++) {
        const wf_reduce_spec spec = {.type = WF_U32, .op = ops[o]};
        uint32_t result = 0;
        require(wf_reduce(context, &spec, values, LENGTH, &result, bytes_of_result(&spec)));
        assert_int_equal(result, expected[o]);
        require(wf_reduce(context, &spec, values, LENGTH - 1, &result, bytes_of_result(&spec)));
        const uint32_t before[] = {expected[0] - 2, expected[1] ^ 2, expected[2] & ~UINT32_C(2), 1};
        assert_int_equal(result, before[o]);
    }
    free(values);
}

/* The data of "and" and "or" must show an element that is left out at either end. */
static void test_bits_show(void **state) {
    (void)state;
    enum { LENGTH = 1000 };
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = WF_AND; op <= WF_OR && !number_is_float((wf_type)type); op++) {
            const wf_reduce_spec spec = {.type = (wf_type)type, .op = (wf_op)op};
            dataset data = data_make(&spec, 0, LENGTH, 7);
            const wf_rung_report report = {.depth = LENGTH};
            for (size_t end = 0; end < 2; end++) {
                char difference[256];
                uint64_t result[4] = {0};
                require(wf_reduce(context, &spec, (char *)data.values + end * data.info.element_bytes, LENGTH - 1,
                                  result, bytes_of_result(&spec)));
                if (data_agrees(&data, result, &report, difference, sizeof difference))
                    fail_msg("%s of %s: the %s element does not show", wf_op_name(spec.op), wf_type_name(spec.type),
                             end == 0 ? "last" : "first");
            }
            data_free(&data);
        }
}

/* Where the extreme stands, and that the first of several is told, for every place in a few lengths. */
static void test_every_index(void **state) {
    (void)state;
    static const size_t lengths[] = {1, 17, 70, 300, 5000};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int least = 0; least < 2; least++) {
            const wf_reduce_spec spec = {.type = (wf_type)type, .op = least ? WF_ARGMIN : WF_ARGMAX};
            for (size_t l = 0; l < COUNT(lengths); l++) {
                const size_t n = lengths[l], bytes = wf_type_size(spec.type), stride = n > 1000 ? 37 : 1;
                unsigned char *values = calloc(n, bytes);
                assert_non_null(values);
                for (size_t i = 0; i < n; i++)
                    put_number(spec.type, values, i, 5);
                for (size_t at = 0; at < n; at += stride) {
                    /* The extreme, and again at the end. */
                    put_number(spec.type, values, at, least ? 3 : 7);
                    put_number(spec.type, values, n - 1, least ? 3 : 7);
                    uint64_t result[2];
                    require(wf_reduce(context, &spec, values, n, result, bytes_of_result(&spec)));
                    if (result[1] != at)
                        fail_msg("%s of %s, n %zu: it stands at %zu, not %llu", wf_op_name(spec.op),
                                 wf_type_name(spec.type), n, at, (unsigned long long)result[1]);
                    put_number(spec.type, values, at, 5);
                    put_number(spec.type, values, n - 1, 5);
                }
                free(values);
            }
        }
}

/* Elements of two words, which a wave may compare one after the other: of those whose upper word has lost, neither the
 * lower one nor the place must count. The same elements in turn, from each of them on. */
static void test_index_by_words(void **state) {
    (void)state;
    static const struct { uint32_t upper, lower; } words[] = {{5, 7}, {9, 1}, {4, 9}, {6, 7}, {4, 7}, {9, 9}};
    enum { COUNT_OF_WORDS = COUNT(words), LEAST = 4, LARGEST = 5, N = 4 * COUNT_OF_WORDS };
    static const wf_type types[] = {WF_I64, WF_U64, WF_F64};
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t turn = 0; turn < N; turn++)
            for (int least = 0; least < 2; least++) {
                uint64_t values[N], result[2], expected = N;
                for (size_t i = 0; i < N; i++) {
                    const size_t k = (i + turn) % COUNT_OF_WORDS;
                    values[i] = (uint64_t)words[k].upper << 32 | words[k].lower; /* of f64: positive, tiny */
                    if (expected == N && k == (size_t)(least ? LEAST : LARGEST))
                        expected = i;
                }
                const wf_reduce_spec spec = {.type = types[t], .op = least ? WF_ARGMIN : WF_ARGMAX};
                require(wf_reduce(context, &spec, values, N, result, bytes_of_result(&spec)));
                if (result[1] != expected)
                    fail_msg("%s of %s, turn %zu: it stands at %llu, not %llu", wf_op_name(spec.op),
                             wf_type_name(spec.type), turn, (unsigned long long)expected,
                             (unsigned long long)result[1]);
            }
}

/* The same where pieces have several chunks, and, among floats, of NaN. */
static void test_index_of_large(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F64, WF_U8, WF_F32, WF_BF16};
    static const size_t firsts[] = {0, 3, 16384, 100003, 262144 + 11, 600000};
    enum { BYTES = 9000000 };
    for (size_t t = 0; t < COUNT(types); t++) {
        const size_t n = BYTES / wf_type_size(types[t]);
        char *values = calloc(n, wf_type_size(types[t]));
        assert_non_null(values);
        for (size_t i = 0; i < n; i++)
            put_number(types[t], values, i, 5);
        for (int op = WF_ARGMIN; op <= WF_ARGMAX; op++)
            for (int is_nan = 0; is_nan < (number_is_float(types[t]) ? 2 : 1); is_nan++)
                for (size_t f = 0; f < COUNT(firsts); f++) {
                    if (!data_takes(share, t + f))
                        continue;
                    /* Again in every chunk after the first. */
                    for (size_t i = firsts[f]; i < n; i += 1500)
                        if (is_nan)
                            number_put_float(types[t], values, i, (double)NAN);
                        else
                            put_number(types[t], values, i, op == WF_ARGMIN ? 3 : 7);
                    const wf_reduce_spec spec = {.type = types[t], .op = (wf_op)op};
                    uint64_t result[2];
                    require(wf_reduce(context, &spec, values, n, result, bytes_of_result(&spec)));
                    if (result[1] != firsts[f])
                        fail_msg("%s of %s, n %zu, NaN %d: it stands at %zu, not %llu", wf_op_name(spec.op),
                                 wf_type_name(spec.type), n, is_nan, firsts[f], (unsigned long long)result[1]);
                    for (size_t i = firsts[f]; i < n; i += 1500)
                        put_number(types[t], values, i, 5);
                }
        free(values);
    }
}

/* ---- Several callers ---- */

typedef struct caller {
    const float *values;
    size_t *counts;
    double *results;
    size_t rounds, wrong;
    wf_description *descriptions;
} caller;

enum { COUNTS = 4 };

/* Both kernels of sums meet each other. */
static wf_reduce_spec sum_of_callers(size_t c) {
    return (wf_reduce_spec){.type = WF_F32,
                            .op = WF_SUM,
                            .accumulator = WF_ACCUMULATE_F64,
                            .accuracy = c % 2 == 0 ? WF_ACCURACY_EXACT : WF_ACCURACY_FAST};
}

static void *call_often(void *argument) {
    caller *self = argument;
    for (size_t round = 0; round < self->rounds; round++)
        for (size_t c = 0; c < COUNTS; c++) {
            const wf_reduce_spec sum = sum_of_callers(c);
            double got = 0;
            wf_description described;
            memset(&described, 0, sizeof described);
            if (wf_reduce(context, &sum, self->values, self->counts[c], &got, bytes_of_result(&sum)) != WF_OK ||
                memcmp(&got, &self->results[c], sizeof got) != 0)
                self->wrong++;
            if (wf_describe(context, &(wf_describe_spec){.type = WF_F32}, self->values, self->counts[c], &described) !=
                    WF_OK ||
                memcmp(&described, &self->descriptions[c], sizeof described) != 0)
                self->wrong++;
        }
    return NULL;
}

static void test_several_callers(void **state) {
    (void)state;
    enum { CALLERS = 4, ROUNDS = 200, SHARED_ROUNDS = 40, LEAST_ROUNDS = 2 };
    /* Emulated kernels take so long that callers meet in each. */
    const size_t shared = SHARED_ROUNDS / share.every < LEAST_ROUNDS ? LEAST_ROUNDS : SHARED_ROUNDS / share.every;
    size_t counts[COUNTS] = {1000, 40000, 200000, 1000003};
    float *values = malloc(counts[COUNTS - 1] * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < counts[COUNTS - 1]; i++)
        values[i] = (float)uniform(i, 9);
    double results[COUNTS];
    wf_description descriptions[COUNTS];
    caller alone = {values, counts, results, 1, 0, descriptions};
    for (size_t c = 0; c < COUNTS; c++) {
        const wf_reduce_spec sum = sum_of_callers(c);
        require(wf_reduce(context, &sum, values, counts[c], &results[c], bytes_of_result(&sum)));
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, values, counts[c], &descriptions[c]));
    }
    call_often(&alone);
    assert_int_equal(alone.wrong, 0);
    pthread_t threads[CALLERS];
    caller callers[CALLERS];
    for (size_t t = 0; t < CALLERS; t++) {
        callers[t] = (caller){values, counts, results, share.every == 1 ? ROUNDS : shared, 0, descriptions};
        assert_int_equal(pthread_create(&threads[t], NULL, call_often, &callers[t]), 0);
    }
    size_t wrong = 0;
    for (size_t t = 0; t < CALLERS; t++) {
        pthread_join(threads[t], NULL);
        wrong += callers[t].wrong;
    }
    free(values);
    assert_int_equal(wrong, 0);
}

/* Helpers of the parent are not there in its child, which must still reduce, and close what it got. */
static void test_after_fork(void **state) {
    (void)state;
    if (strncmp(device, "host", 4) != 0)
        skip(); /* GPU runtimes do not survive a fork */
    enum { N = 2000003 };
    int32_t *values = malloc(N * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < N; i++)
        values[i] = (int32_t)data_hash(i);
    const wf_reduce_spec sum = {.type = WF_I32, .op = WF_SUM};
    int32_t here, there;
    require(wf_reduce(context, &sum, values, N, &here, bytes_of_result(&sum)));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bool is_right =
            wf_reduce(context, &sum, values, N, &there, bytes_of_result(&sum)) == WF_OK && here == there;
        wf_context_destroy(context);
        _exit(is_right ? 0 : 1);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    free(values);
}

/* ---- What is refused ---- */

static void refuses_untouched(const char *about, wf_status expected, wf_status status, const char *word,
                              const uint64_t *result) {
    if (status != expected || strstr(wf_last_error(), word) == NULL)
        fail_msg("%s: %s, '%s'; expected %s and '%s'", about, wf_status_name(status), wf_last_error(),
                 wf_status_name(expected), word);
    for (size_t i = 0; i < 4; i++)
        if (result[i] != 0xfeedfeedfeedfeed)
            fail_msg("%s: the result has changed", about);
}

static void test_bad_input(void **state) {
    (void)state;
    uint64_t result[4] = {0xfeedfeedfeedfeed, 0xfeedfeedfeedfeed, 0xfeedfeedfeedfeed, 0xfeedfeedfeedfeed};
    const wf_reduce_spec sum = {.type = WF_F32, .op = WF_SUM};
    float values[8] = {0};
    refuses_untouched("no context", WF_INVALID_ARGUMENT,
                      wf_reduce(NULL, &sum, values, 8, result, bytes_of_result(&sum)), "context", result);
    refuses_untouched("nothing asked", WF_INVALID_ARGUMENT, wf_reduce(context, NULL, values, 8, result, 0), "spec",
                      result);
    refuses_untouched("no result", WF_INVALID_ARGUMENT, wf_reduce(context, &sum, values, 8, NULL, 0), "result", result);
    refuses_untouched("no array", WF_INVALID_ARGUMENT, wf_reduce(context, &sum, NULL, 8, result, bytes_of_result(&sum)),
                      "'in' ", result);

    static const struct {
        wf_reduce_spec spec;
        wf_status status;
        const char *word;
    } bad[] = {
        {{.type = WF_F32, .op = WF_XOR}, WF_UNSUPPORTED, "xor of f32"},
        {{.type = WF_I64, .op = WF_MATMUL}, WF_UNSUPPORTED, "matmul of i64"},
        {{.type = WF_I32, .op = WF_SUM, .accumulator = WF_ACCUMULATE_F32}, WF_UNSUPPORTED, "f32"},
        {{.type = WF_F64, .accumulator = WF_ACCUMULATE_F32, .accuracy = WF_ACCURACY_FAST}, WF_UNSUPPORTED, "narrower"},
        {{.type = WF_F64, .op = WF_SUMSQ, .accumulator = WF_ACCUMULATE_F32}, WF_UNSUPPORTED, "narrower"},
        {{.type = WF_F32, .op = WF_SUM, .nan = WF_NAN_IGNORE}, WF_UNSUPPORTED, "sum"},
        {{.type = WF_F64, .op = WF_SUMSQ, .accuracy = WF_ACCURACY_EXACT}, WF_UNSUPPORTED, "no exact sumsq of f64"},
        {{.type = WF_F32, .op = WF_PRODUCT, .accuracy = WF_ACCURACY_EXACT}, WF_UNSUPPORTED, "no exact product of f32"},
        {{.type = (wf_type)99}, WF_INVALID_ARGUMENT, "type 99"},
        {{.op = (wf_op)99}, WF_INVALID_ARGUMENT, "operator 99"},
        {{.op = WF_SUM, .accumulator = (wf_accumulator)99}, WF_INVALID_ARGUMENT, "accumulator 99"},
        {{.op = WF_MIN, .nan = (wf_nan)99}, WF_INVALID_ARGUMENT, "NaN rule 99"},
        {{.op = WF_SUM, .accuracy = (wf_accuracy)99}, WF_INVALID_ARGUMENT, "accuracy 99"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        refuses_untouched(bad[i].word, bad[i].status,
                          wf_reduce(context, &bad[i].spec, values, 8, result, bytes_of_result(&bad[i].spec)),
                          bad[i].word, result);
    const wf_reduce_spec maps = {.type = WF_F32, .op = WF_AFFINE};
    refuses_untouched("misaligned maps", WF_INVALID_ARGUMENT,
                      wf_reduce(context, &maps, (char *)values + 1, 2, result, bytes_of_result(&maps)), "in", result);
    refuses_untouched("too many", WF_INVALID_ARGUMENT,
                      wf_reduce(context, &sum, values, SIZE_MAX / 2, result, bytes_of_result(&sum)), "elements",
                      result);
    require(wf_reduce(context, &sum, NULL, 0, result, bytes_of_result(&sum)));
}

static void test_named_cpus(void **state) {
    (void)state;
    if (strncmp(device, "host", 4) != 0)
        skip();
    const char *const set = getenv("WAVEFOLD_CPU");
    char *const before = set != NULL ? strdup(set) : NULL;
    wf_context *none = NULL;
    static const char *const unknown[][2] = {
        {"avx1024", "WAVEFOLD_CPU is 'avx1024': it can be plain"},
        {"a name of forty characters, and no more, of which the rest is not told",
         "WAVEFOLD_CPU is 'a name of forty characters, and no more,': it can be plain"}};
    for (size_t i = 0; i < COUNT(unknown); i++) {
        setenv("WAVEFOLD_CPU", unknown[i][0], 1);
        assert_int_equal(wf_context_create(&none, "host"), WF_INVALID_ARGUMENT);
        assert_null(none);
        assert_non_null(strstr(wf_last_error(), unknown[i][1]));
        assert_non_null(strstr(wf_last_error(), ", or not set"));
    }
    setenv("WAVEFOLD_CPU", "plain", 1); /* which every CPU has */
    wf_context *plain = NULL;
    const wf_status created = wf_context_create(&plain, "host");
    wf_context_destroy(plain);
    if (before != NULL)
        setenv("WAVEFOLD_CPU", before, 1);
    else
        unsetenv("WAVEFOLD_CPU");
    free(before);
    require(created);
}

static void test_half_floats(void **state) {
    (void)state;
    char difference[256];
    if (!data_half_floats_agree(difference, sizeof difference))
        fail_msg("%s", difference);
}

/* ---- The table ---- */

static size_t list_reductions(wf_reduce_spec *list) {
    size_t count = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op < WF_OP_COUNT; op++)
            for (int accumulator = WF_ACCUMULATE_DEFAULT; accumulator <= WF_ACCUMULATE_F64; accumulator++)
                for (int nan = WF_NAN_PROPAGATE; nan <= WF_NAN_IGNORE; nan++) {
                    const wf_reduce_spec spec = {.type = (wf_type)type,
                                                 .op = (wf_op)op,
                                                 .accumulator = (wf_accumulator)accumulator,
                                                 .nan = (wf_nan)nan,
                                                 .accuracy = WF_ACCURACY_FAST};
                    /* The default's name asks for the same again. */
                    wf_reduce_spec usual = spec;
                    usual.accumulator = WF_ACCUMULATE_DEFAULT;
                    wf_reduction_info info, by_default;
                    if (wf_reduction_get_info(&spec, &info) == WF_OK &&
                        wf_reduction_get_info(&usual, &by_default) == WF_OK &&
                        (accumulator == WF_ACCUMULATE_DEFAULT || info.accumulator != by_default.accumulator))
                        list[count++] = spec;
                }
    return count;
}

int main(int argc, char **argv) {
    device = argc > 1 ? argv[1] : "host";
    const char *const cpu = getenv("WAVEFOLD_CPU");
    const wf_status opened = wf_context_create(&context, device);
    if (opened != WF_OK) {
        fprintf(stderr, "test_reduce: %s\n", wf_last_error());
        return opened == WF_UNSUPPORTED && cpu != NULL ? SKIPPED : 1;
    }
    printf("on %s%s%s\n", device, cpu != NULL ? ", WAVEFOLD_CPU=" : "", cpu != NULL ? cpu : "");
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);

    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_default_sums_are_exact),
        cmocka_unit_test(test_other_defaults_are_fast),
        cmocka_unit_test(test_bits_show),
        cmocka_unit_test(test_every_index),
        cmocka_unit_test(test_index_by_words),
        cmocka_unit_test(test_extreme_floats),
        cmocka_unit_test(test_zero_products),
        cmocka_unit_test(test_nothing_beside),
        cmocka_unit_test(test_index_of_large),
        cmocka_unit_test(test_far_arrays),
        cmocka_unit_test(test_hard_descriptions),
        cmocka_unit_test(test_describe_by_a_pivot),
        cmocka_unit_test(test_describe_minus_zeros),
        cmocka_unit_test(test_describe_outside_the_window),
        cmocka_unit_test(test_describe_in_the_window),
        cmocka_unit_test(test_describe_means_between_two),
        cmocka_unit_test(test_describe_neighbours),
        cmocka_unit_test(test_describe_an_edge_behind),
        cmocka_unit_test(test_describe_what_is_taken_again),
        cmocka_unit_test(test_long_descriptions),
        cmocka_unit_test(test_close_integers),
        cmocka_unit_test(test_integers_bits),
        cmocka_unit_test(test_far_integers),
        cmocka_unit_test(test_several_callers),
        cmocka_unit_test(test_modes_of_the_caller),
        cmocka_unit_test(test_modes_are_kept),
        cmocka_unit_test(test_traps_of_the_caller),
        cmocka_unit_test(test_small_stacks),
        cmocka_unit_test(test_cancelled_callers),
        cmocka_unit_test(test_signals_of_the_caller),
        cmocka_unit_test(test_after_fork),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_named_cpus),
        cmocka_unit_test(test_half_floats),
    };
    enum { MOST = (int)WF_TYPE_COUNT * (int)WF_OP_COUNT * 14, DESCRIPTIONS = 2 * WF_TYPE_COUNT };
    static wf_reduce_spec reductions[MOST];
    static wf_describe_spec descriptions[DESCRIPTIONS];
    static struct CMUnitTest tests[MOST + DESCRIPTIONS + COUNT(others)];
    static char names[MOST + DESCRIPTIONS][64];
    const size_t count = list_reductions(reductions);
    static const char *const in[] = {"", "_in_i32", "_in_i64", "_in_u32", "_in_u64", "_in_f32", "_in_f64"};
    for (size_t i = 0; i < count; i++) {
        const wf_reduce_spec *spec = &reductions[i];
        snprintf(names[i], sizeof names[i], "%s_%s%s%s", wf_type_name(spec->type), wf_op_name(spec->op),
                 in[spec->accumulator], spec->nan == WF_NAN_IGNORE ? "_ignoring_nan" : "");
        tests[i] = (struct CMUnitTest){.name = names[i], .test_func = test_reduction, .initial_state = &reductions[i]};
    }
    size_t last = count;
    for (size_t i = 0; i < DESCRIPTIONS; i++, last++) {
        descriptions[i] = (wf_describe_spec){.type = (wf_type)(i / 2), .nan = (wf_nan)(i % 2)};
        snprintf(names[last], sizeof names[last], "%s_describe%s", wf_type_name(descriptions[i].type),
                 i % 2 ? "_ignoring_nan" : "");
        tests[last] =
            (struct CMUnitTest){.name = names[last], .test_func = test_description, .initial_state = &descriptions[i]};
    }
    memcpy(tests + last, others, sizeof others);
    last += COUNT(others);
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("reduce", tests, last, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
