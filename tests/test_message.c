/* Messages between ranks, with no engine: ranks are turns of a loop, and a loop joins what they write. Results of parts
 * must have the bits of the whole, by wf_reduce on the same device; what is rounded more than once must be what
 * wf_message_read says of the parts' own results.
 *
 * test_message [DEVICE [EVERY FIRST [PATTERN]]]: on every device by wf_message_write and by the queued calls; number
 * FIRST and every EVERY-th reduction after it; the tests that PATTERN names (default: all). */
#define _GNU_SOURCE
#include "data.h"
#include "numbers.h"

#include <wavefold_message.h>

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { MOST_RANKS = 8, MOST_COUNT = 3000 };

static wf_context *context;
static bool is_native; /* the CPU folds, and there are no streams */
static data_share share;
static uint64_t turn;

/* ---- An engine ---- */

typedef struct joined {
    uint64_t *message, *records;
} joined;

static uint64_t *device_words(size_t words) {
    void *memory;
    require(wf_malloc(context, &memory, (words + 1) * sizeof(uint64_t)));
    return memory;
}

static uint64_t *host_words(size_t words) {
    uint64_t *memory = calloc(words + 1, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static wf_field on_device(const wf_field *field) {
    const size_t bytes = field->count * wf_type_size(field->what.type) *
                         (field->what.op == WF_MATMUL   ? 4
                          : field->what.op == WF_AFFINE ? 2
                                                        : 1);
    wf_field moved = *field;
    void *memory;
    require(wf_malloc(context, &memory, bytes));
    if (bytes != 0)
        require(wf_copy_to_device(context, memory, field->in, bytes));
    moved.in = memory;
    return moved;
}

static void write_message(const wf_field *fields, size_t n, size_t words, bool queued, uint64_t *message) {
    memset(message, 0x5a, words * sizeof *message);
    if (!queued) {
        require(wf_message_write(context, fields, n, message));
        return;
    }
    uint64_t *there = device_words(words);
    wf_field *moved = malloc(n * sizeof *moved);
    assert_non_null(moved);
    for (size_t i = 0; i < n; i++)
        moved[i] = on_device(&fields[i]);
    require(wf_copy_to_device(context, there, message, words * sizeof *message));
    require(wf_message_write_async(context, moved, n, there, NULL));
    require(wf_copy_to_host(context, message, there, words * sizeof *message));
    for (size_t i = 0; i < n; i++)
        wf_free(context, (void *)moved[i].in);
    free(moved);
    wf_free(context, there);
}

/* What an engine does with a rank's message. Words are added up in an order of its own. */
static void join(const wf_message_size *size, const uint64_t *message, size_t rank, joined *all) {
    for (size_t i = 0; i < size->sums; i++)
        all->message[i] += message[i];
    for (size_t i = size->sums; i < size->sums + size->maxima; i++)
        if (message[i] > all->message[i])
            all->message[i] = message[i];
    memcpy(all->records + rank * size->records, message + size->sums + size->maxima, size->records * sizeof *message);
}

static joined join_ranks(wf_field *const *fields, size_t n, size_t ranks, bool queued, wf_message_size *size) {
    require(wf_message_get_size(fields[0], n, size));
    const size_t words = size->sums + size->maxima + size->records;
    joined all = {host_words(size->sums + size->maxima), host_words(ranks * size->records)};
    uint64_t *message = host_words(words);
    const size_t start = data_hash(turn++) % ranks;
    for (size_t r = 0; r < ranks; r++) {
        const size_t rank = (start + r) % ranks;
        write_message(fields[rank], n, words, queued, message);
        join(size, message, rank, &all);
    }
    free(message);
    return all;
}

static void read_results(const wf_field *fields, size_t n, size_t ranks, bool queued, const wf_message_size *size,
                         const joined *all) {
    if (!queued) {
        require(wf_message_read(fields, n, ranks, all->message, all->records));
        return;
    }
    /* Results land on the device, 64 bytes apart. */
    const size_t words = size->sums + size->maxima, record_words = ranks * size->records;
    uint64_t *message = device_words(words), *records = device_words(record_words), *results = device_words(9 * n);
    wf_field *there = malloc(n * sizeof *there);
    assert_non_null(there);
    for (size_t i = 0; i < n; i++) {
        there[i] = fields[i];
        there[i].result = fields[i].result == NULL ? NULL : results + 8 * i;
        if (fields[i].result != NULL)
            require(wf_copy_to_device(context, results + 8 * i, fields[i].result, 64));
    }
    require(wf_copy_to_device(context, message, all->message, words * sizeof *message));
    require(wf_copy_to_device(context, records, all->records, record_words * sizeof *records));
    uint64_t failures = 0;
    require(wf_copy_to_device(context, results + 8 * n, &failures, sizeof failures));
    require(wf_message_read_async(context, there, n, ranks, message, records, results + 8 * n, NULL));
    require(wf_copy_to_host(context, &failures, results + 8 * n, sizeof failures));
    assert_int_equal(failures, 0);
    for (size_t i = 0; i < n; i++)
        if (fields[i].result != NULL)
            require(wf_copy_to_host(context, fields[i].result, results + 8 * i, 64));
    free(there);
    wf_free(context, message);
    wf_free(context, records);
    wf_free(context, results);
}

static void free_joined(joined *all) {
    free(all->message);
    free(all->records);
}

/* ---- Parts ---- */

typedef enum cutting { EVEN, ANYHOW, FIRST_ALONE, LAST_ALONE, CUTTINGS } cutting;

/* Where rank's part begins; the last one's end is count. */
static size_t begin_of(cutting how, size_t rank, size_t ranks, size_t count, uint64_t seed) {
    if (rank == 0 || rank == ranks)
        return rank == 0 ? 0 : count;
    switch (how) {
    case EVEN:
        return count * rank / ranks;
    case ANYHOW: { /* some are empty */
        size_t at = 0;
        for (size_t r = 0; r < rank; r++)
            at += data_hash(seed + r) % 3 == 0 ? 0 : data_hash(seed + 99 + r) % (2 * count / ranks + 1);
        return at < count ? at : count;
    }
    case FIRST_ALONE:
        return count;
    case LAST_ALONE:
    case CUTTINGS:
        break;
    }
    return 0;
}

/* ---- Data ---- */

/* Numbers whose sums cancel, reach over all exponents or end at ties; NaN and infinities in some kinds. */
enum { KINDS = 7, NAN_AND_MINUS_ZERO = 6 };
static void put_number(wf_type type, void *values, size_t i, size_t kind, uint64_t seed) {
    const uint64_t h = data_hash(seed * 1000003 + i);
    if (!number_is_float(type)) {
        number_put_integer(type, values, i, kind % 2 == 0 ? h : h % 200 - 100);
        return;
    }
    const double unit = (double)(int64_t)h * 0x1p-63;
    switch (kind) {
    case 0:
        number_put_float(type, values, i, unit);
        break;
    case 1: /* any bits: all exponents, subnormals; NaN and infinities are made finite */
    case 2: /* and not */
        number_put_integer(type == WF_F64 ? WF_U64 : type == WF_F32 ? WF_U32 : WF_U16, values, i, h);
        if (kind == 1 && !isfinite(number_float(type, values, i)))
            number_put_float(type, values, i, unit * 1e4);
        break;
    case 3:
        number_put_float(type, values, i, h % 64 == 0 ? (double)NAN : h % 3 == 0 ? -0.0 : unit * 3);
        break;
    case 4:
        number_put_float(type, values, i, -0.0);
        break;
    case NAN_AND_MINUS_ZERO:
        number_put_float(type, values, i, h % 3 == 0 ? (double)NAN : -0.0);
        break;
    default:
        number_put_float(type, values, i, h % 5 == 0 ? (double)INFINITY : unit);
    }
}

static void *make_values(const wf_reduce_spec *what, size_t scalars, size_t count, size_t kind, uint64_t seed) {
    const size_t bytes = wf_type_size(what->type);
    void *values = calloc(count * scalars + 1, bytes);
    assert_non_null(values);
    for (size_t i = 0; i < count * scalars; i++) {
        put_number(what->type, values, i, kind, seed);
        if (scalars > 1 && number_is_float(what->type)) /* whole, small, and with a product that stays so */
            number_put_float(what->type, values, i, (double)(int)(data_hash(seed + i) % 3) - 1);
    }
    return values;
}

/* ---- Every reduction ---- */

typedef struct expected {
    uint64_t words[8];
    bool is_known;   /* else only that all ways to join the same parts agree is asked */
    bool is_any_nan; /* of value i, which is a NaN, the bits are not told */
} expected;

static bool is_rounded_often(const wf_reduce_spec *what, const wf_reduction_info *info) {
    if (number_is_float(what->type) && info->accuracy == WF_ACCURACY_EXACT)
        return false;
    switch (what->op) {
    case WF_SUM:
    case WF_ASUM:
    case WF_SUMSQ:
    case WF_PRODUCT:
    case WF_MATMUL:
    case WF_AFFINE:
        return number_is_float(what->type);
    case WF_MEAN:
        return number_is_float(what->type) || wf_type_size(what->type) == 8;
    default:
        return false;
    }
}

/* The real mean of integers of up to 4 bytes, to nearest even: the sum is below 2^53. */
static double mean_of_integers(wf_type type, const void *values, size_t count) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (int64_t)number_integer(type, values, i);
    return count == 0 ? (double)NAN : (double)sum / (double)count;
}

static bool same_value(const wf_reduction_info *info, const void *got, const void *want, size_t i) {
    const wf_type type = info->result_type;
    if (number_is_float(type) && number_is_nan(type, want, i))
        return number_is_nan(type, got, i);
    return number_bits(type, got, i) == number_bits(type, want, i);
}

static bool same_result(const wf_reduction_info *info, const uint64_t *got, const uint64_t *want) {
    for (size_t i = 0; i < info->result_values; i++)
        if (!same_value(info, got, want, i))
            return false;
    return !info->has_index || got[1] == want[1];
}

/* What is rounded more than once: within the parts' and the join's roundings of the long double's value. */
static bool is_close(const wf_reduce_spec *what, const wf_reduction_info *info, const uint64_t *got,
                     const uint64_t *want, size_t count) {
    const double u = ldexp(1, -number_precision(info->result_type));
    for (size_t i = 0; i < info->result_values; i++) {
        const double g = number_float(info->result_type, got, i), w = number_float(info->result_type, want, i);
        const double magnitude = what->op == WF_PRODUCT || what->op == WF_ASUM || what->op == WF_SUMSQ ? fabs(w)
                                 : what->op == WF_MEAN ? 3 * (number_is_float(what->type) ? 1 : 0x1p64)
                                                       : 3 * (double)count;
        if (isnan(w) ? !isnan(g) : w != g && !(fabs(g - w) <= 4 * (double)(count + 16) * u * magnitude))
            return false;
    }
    return true;
}

static void check_one(const wf_reduce_spec *what, const wf_reduction_info *info, const char *values, size_t count,
                      size_t kind, size_t ranks, cutting how, bool queued) {
    uint64_t want[8] = {0}, got[MOST_RANKS][8];
    wf_field parts[MOST_RANKS], *fields[MOST_RANKS];
    const uint64_t seed = turn++;
    const bool has_first = seed % 2 == 0;
    for (size_t r = 0; r < ranks; r++) {
        const size_t begin = begin_of(how, r, ranks, count, seed), end = begin_of(how, r + 1, ranks, count, seed);
        parts[r] = (wf_field){.what = *what,
                              .has_first = has_first,
                              .first = has_first ? begin : 77,
                              .in = end == begin && r % 2 == 0 ? NULL : values + begin * info->element_bytes,
                              .count = end > begin ? end - begin : 0,
                              .result = got[r]};
        fields[r] = &parts[r];
        memset(got[r], 0xee, sizeof got[r]);
    }
    require(wf_reduce(context, what, values, count, want));
    const bool is_exact_mean = what->op == WF_MEAN && !number_is_float(what->type) && wf_type_size(what->type) <= 4;
    const double mean = is_exact_mean ? mean_of_integers(what->type, (const void *)values, count) : 0;
    if (is_exact_mean)
        memcpy(want, &mean, sizeof mean);
    wf_message_size size;
    joined all = join_ranks(fields, 1, ranks, queued, &size);
    for (size_t r = 0; r<ranks; r += ranks> 1 ? ranks - 1 : 1) {
        read_results(fields[r], 1, ranks, queued, &size, &all);
        /* The order of fast folds depends on the address, which is another one on the device. */
        const bool is_right = is_rounded_often(what, info) && (ranks > 1 || queued)
                                  ? is_close(what, info, got[r], want, count)
                                  : same_result(info, got[r], want);
        if (!is_right)
            fail_msg("%s of %s (accumulator %d, nan %d, accuracy %d), n %zu, data %zu, %zu ranks, cut %d, %s: got "
                     "%016" PRIx64 " %016" PRIx64 ", expected %016" PRIx64 " %016" PRIx64,
                     wf_op_name(what->op), wf_type_name(what->type), (int)what->accumulator, (int)what->nan,
                     (int)what->accuracy, count, kind, ranks, (int)how, queued ? "queued" : "awaited", got[r][0],
                     got[r][1], want[0], want[1]);
        for (size_t i = (info->result_bytes + 7) / 8; i < 8; i++)
            assert_true(got[r][i] == UINT64_C(0xeeeeeeeeeeeeeeee)); /* behind the result */
    }
    free_joined(&all);
}

static void check_reduction(const wf_reduce_spec *what, const wf_reduction_info *info, uint64_t seed) {
    static const size_t counts[] = {0, 1, 2, 7, 63, 64, 65, 257, 1000, 2999};
    static const size_t all_ranks[] = {1, 2, 3, 4, 7, 8};
    const size_t scalars = info->element_bytes / wf_type_size(what->type);
    const size_t kinds = number_is_float(what->type) && scalars == 1 ? KINDS : 2;
    for (size_t kind = 0; kind < kinds; kind++) {
        if (kind != 0 && is_rounded_often(what, info))
            continue; /* what rounds often overflows at will */
        for (size_t c = 0; c < COUNT(counts); c++) {
            const size_t count = counts[c];
            char *values = make_values(what, scalars, count, kind, seed + kind);
            const size_t ranks = all_ranks[data_hash(seed * 31 + kind * 7 + c) % COUNT(all_ranks)];
            check_one(what, info, values, count, kind, ranks, (cutting)(data_hash(seed + c) % CUTTINGS),
                      (seed + c) % 2 == 0);
            free(values);
        }
    }
}

static void test_every_reduction(void **state) {
    (void)state;
    uint64_t number = 0, checked = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op < WF_OP_COUNT; op++)
            for (int accumulator = 0; accumulator <= WF_ACCUMULATE_F64; accumulator++)
                for (int nan = 0; nan <= WF_NAN_IGNORE; nan++)
                    for (int accuracy = 0; accuracy <= WF_ACCURACY_EXACT; accuracy++) {
                        const wf_reduce_spec what = {(wf_type)type, (wf_op)op, (wf_accumulator)accumulator, (wf_nan)nan,
                                                     (wf_accuracy)accuracy};
                        wf_reduction_info info;
                        if (wf_reduction_get_info(&what, &info) != WF_OK || !data_takes(share, number++))
                            continue;
                        check_reduction(&what, &info, number);
                        checked++;
                    }
    assert_true(checked > 20);
}

/* ---- Descriptions ---- */

static void test_descriptions(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 5, 300, 2000};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int nan = 0; nan <= WF_NAN_IGNORE; nan++)
            for (size_t kind = 0; kind < (number_is_float((wf_type)type) ? KINDS : 2); kind++)
                for (size_t c = 0; c < COUNT(counts); c++) {
                    const wf_reduce_spec what = {.type = (wf_type)type, .nan = (wf_nan)nan};
                    const wf_describe_spec described = {.type = what.type, .nan = what.nan};
                    const size_t count = counts[c], bytes = wf_type_size(what.type);
                    const size_t ranks = 1 + data_hash(turn) % MOST_RANKS;
                    const cutting how = (cutting)(data_hash(turn + 5) % CUTTINGS);
                    const bool queued = turn % 3 == 0;
                    const uint64_t seed = turn;
                    char *values = make_values(&what, 1, count, kind, ++turn);
                    wf_description want, got;
                    wf_field parts[MOST_RANKS], *fields[MOST_RANKS];
                    for (size_t r = 0; r < ranks; r++) {
                        const size_t begin = begin_of(how, r, ranks, count, seed);
                        const size_t end = begin_of(how, r + 1, ranks, count, seed);
                        parts[r] = (wf_field){.what = what,
                                              .describes = 1,
                                              .in = values + begin * bytes,
                                              .count = end > begin ? end - begin : 0,
                                              .result = &got};
                        fields[r] = &parts[r];
                    }
                    require(wf_describe(context, &described, values, count, &want));
                    wf_message_size size;
                    joined all = join_ranks(fields, 1, ranks, queued, &size);
                    read_results(fields[0], 1, ranks, queued, &size, &all);
                    free_joined(&all);
                    const bool is_float = number_is_float(what.type);
                    /* NaN are told apart by nobody. */
                    const bool same_sum =
                        is_float && isnan(want.sum.f64) ? isnan(got.sum.f64) : got.sum.u64 == want.sum.u64;
                    const bool same_ends =
                        (is_float && isnan(want.min.f64) ? isnan(got.min.f64) : got.min.u64 == want.min.u64) &&
                        (is_float && isnan(want.max.f64) ? isnan(got.max.f64) : got.max.u64 == want.max.u64);
                    const double off = is_float ? 0 : 1e-12 * fabs(want.mean) + 4096 * ldexp(1, 11);
                    const bool same_mean =
                        isnan(want.mean) ? isnan(got.mean) : got.mean == want.mean || fabs(got.mean - want.mean) <= off;
                    /* Its own rounding, of some thousand terms; any bits reach so far that f64's range is left. */
                    const bool same_variance =
                        (kind == 1 || kind == 2) ||
                        (isnan(want.variance) ? isnan(got.variance)
                                              : fabs(got.variance - want.variance) <= 1e-11 * want.variance);
                    if (got.count != want.count || !same_sum || !same_ends || got.argmin != want.argmin ||
                        got.argmax != want.argmax || !same_mean || !same_variance)
                        fail_msg("describe %s, nan %d, n %zu, data %zu, %zu ranks, cut %d, %s: count %" PRIu64
                                 " %" PRIu64 " sum %a %a min %d max %d argmin %" PRIu64 " %" PRIu64 " argmax %" PRIu64
                                 " %" PRIu64 " mean %a %a variance %a %a",
                                 wf_type_name(what.type), nan, count, kind, ranks, (int)how,
                                 queued ? "queued" : "awaited", got.count, want.count, got.sum.f64, want.sum.f64,
                                 same_ends, same_ends, got.argmin, want.argmin, got.argmax, want.argmax, got.mean,
                                 want.mean, got.variance, want.variance);
                    free(values);
                }
}

/* ---- Many fields, pieces, and what is refused ---- */

static void test_many_fields(void **state) {
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
            const wf_reduce_spec *what = &specs[data_hash(f) % COUNT(specs)];
            require(wf_reduction_get_info(what, &info[f]));
            const size_t scalars = info[f].element_bytes / wf_type_size(what->type), count = N - f;
            values[f] = make_values(what, scalars, count, 0, f);
            require(wf_reduce(context, what, values[f], count, want[f]));
            for (size_t r = 0; r < RANKS; r++) {
                const size_t begin = begin_of(ANYHOW, r, RANKS, count, f),
                             end = begin_of(ANYHOW, r + 1, RANKS, count, f);
                parts[r][f] = (wf_field){.what = *what,
                                         .in = values[f] + begin * info[f].element_bytes,
                                         .count = end > begin ? end - begin : 0,
                                         .result = f % 9 == 3 ? NULL : got[f]};
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
                         wf_op_name(parts[0][f].what.op), wf_type_name(parts[0][f].what.type), got[f][0], want[f][0]);
            free(values[f]);
        }
    }
}

/* Fields of every kind, one behind the other, whose results are exact for the parts below. */
static const wf_field mixed[] = {
    {.what = {.type = WF_U8, .op = WF_XOR}},
    {.what = {.type = WF_I32}},
    {.what = {.type = WF_I8, .op = WF_ARGMAX}},
    {.what = {.type = WF_I16, .op = WF_MEAN}},
    {.what = {.type = WF_F32, .op = WF_MINMAX}},
    {.what = {.type = WF_I32, .op = WF_PRODUCT}},
    {.what = {.type = WF_U32, .op = WF_OR}},
    {.what = {.type = WF_F32}},
    {.describes = 1, .what = {.type = WF_I16}},
    {.what = {.type = WF_F64, .op = WF_ARGMIN}},
    {.what = {.type = WF_I64, .op = WF_MEAN}},
    {.what = {.type = WF_I32, .op = WF_MATMUL}},
    {.what = {.type = WF_U16, .op = WF_XOR}},
    {.what = {.type = WF_F32, .op = WF_PRODUCT}},
    {.what = {.type = WF_U16, .op = WF_ARGMIN}},
    {.describes = 1, .what = {.type = WF_F32}},
    {.what = {.type = WF_F32, .op = WF_MEAN, .accuracy = WF_ACCURACY_FAST}},
    {.what = {.type = WF_I32, .op = WF_AFFINE}},
    {.what = {.type = WF_U8, .op = WF_MAX}},
    {.what = {.type = WF_U16, .op = WF_AND}},
};
enum { MIXED = COUNT(mixed), MIXED_COUNT = 256, MIXED_RANKS = 4, FAR = 1000 };
static const size_t mixed_ends[MIXED_RANKS + 1] = {0, 32, 64, 128, MIXED_COUNT};

/* Products that do not vanish, whole numbers that f32 holds, and a part, the first, whose sum is 0. */
static double mixed_number(const wf_field *field, size_t i, size_t scalar) {
    const int k = (int)(data_hash(i + 1000 * (uint64_t)field->what.type) % 5);
    const bool is_float = number_is_float(field->what.type);
    switch (field->what.op) {
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
        return (field->what.type == WF_I16 ? -1 : 1) * (10 * k - 17 + (double)(i / 10)); /* of these, sums below 0 */
    }
}

static char *mixed_values(const wf_field *field, size_t *bytes) {
    wf_reduction_info info = {.element_bytes = (uint32_t)wf_type_size(field->what.type)};
    if (field->describes == 0)
        require(wf_reduction_get_info(&field->what, &info));
    const size_t scalars = info.element_bytes / wf_type_size(field->what.type);
    *bytes = info.element_bytes;
    char *const values = calloc(MIXED_COUNT, info.element_bytes);
    assert_non_null(values);
    for (size_t i = 0; i < MIXED_COUNT * scalars; i++) {
        const double number = mixed_number(field, i / scalars, i % scalars);
        if (number_is_float(field->what.type))
            number_put_float(field->what.type, values, i, number);
        else
            number_put_integer(field->what.type, values, i, (uint64_t)(int64_t)number);
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
            require(wf_describe(context, &(wf_describe_spec){.type = field->what.type}, field->in, field->count, &b));
            memcpy(&a, got, sizeof a);
            memcpy(want, &b, sizeof b);
            want[4] += field->first;
            want[5] += field->first;
            is_right = memcmp(got, want, 7 * sizeof *want) == 0 && fabs(a.variance - b.variance) <= 1e-12 * b.variance;
        } else {
            require(wf_reduction_get_info(&field->what, &info));
            require(wf_reduce(context, &field->what, field->in, field->count, want));
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
static void test_mixed_fields(void **state) {
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
static void test_numbers_of_fields(void **state) {
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
                    parts[r][f] = (wf_field){.what = {.type = is_sum ? WF_F32 : WF_I8, .op = is_sum ? WF_SUM : WF_MAX},
                                             .in = is_sum ? (const void *)terms : values[r][f],
                                             .count = is_sum ? 2 : 3,
                                             .result = has_results ? got[f] : NULL};
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
static void test_alignment_of_results(void **state) {
    (void)state;
    static const struct {
        wf_reduce_spec what;
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
            wf_field fields[2] = {{.what = {.type = WF_F32, .op = WF_MAX}},
                                  {.what = rows[i].what, .describes = rows[i].describes}};
            wf_message_size size;
            require(wf_message_get_size(fields, 2, &size));
            fields[1].result = there + 310 * sizeof *message + off;
            snprintf(says, sizeof says, "field 1 of 2: result must be aligned to %zu bytes", rows[i].alignment);
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
static void test_sizes(void **state) {
    (void)state;
    static const struct {
        wf_field field;
        wf_message_size size; /* but for the check */
    } rows[] = {
        {{.what = {.type = WF_F32}}, {75, 0, 0}},
        {{.what = {.type = WF_F16, .op = WF_MEAN}}, {75, 0, 0}},
        {{.what = {.type = WF_I32}}, {1, 0, 0}},
        {{.what = {.type = WF_U8, .op = WF_MEAN}}, {3, 0, 0}},
        {{.what = {.type = WF_I32, .op = WF_MEAN}}, {3, 0, 0}},
        {{.what = {.type = WF_I64, .op = WF_MEAN}}, {0, 0, 2}},
        {{.what = {.type = WF_U8, .op = WF_AND}}, {4, 0, 0}},
        {{.what = {.type = WF_U64, .op = WF_XOR}}, {32, 0, 0}},
        {{.what = {.type = WF_F64, .op = WF_MIN}}, {0, 1, 0}},
        {{.what = {.type = WF_F64, .op = WF_MINMAX}}, {0, 2, 0}},
        {{.what = {.type = WF_F64, .op = WF_ARGMIN}}, {0, 0, 3}},
        {{.what = {.type = WF_I32, .op = WF_PRODUCT}}, {0, 0, 1}},
        {{.what = {.type = WF_I32, .op = WF_AFFINE}}, {0, 0, 1}},
        {{.what = {.type = WF_I32, .op = WF_MATMUL}}, {0, 0, 2}},
        {{.what = {.type = WF_F64, .op = WF_MATMUL}}, {0, 0, 4}},
        {{.describes = 1, .what = {.type = WF_F64}}, {75, 0, 9}},
        {{.describes = 1, .what = {.type = WF_I8}}, {0, 0, 9}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_message_size size;
        require(wf_message_get_size(&rows[i].field, 1, &size));
        assert_int_equal(size.sums, WF_MESSAGE_CHECK_WORDS + rows[i].size.sums);
        assert_int_equal(size.maxima, rows[i].size.maxima);
        assert_int_equal(size.records, rows[i].size.records);
    }
}

/* More elements than one sum of 64 bits takes, of which the first and the last are not 0: each piece's sum counts. */
static void test_long_mean(void **state) {
    (void)state;
#if defined(NDEBUG) && !defined(IS_SANITIZED)
    const bool is_made_for_speed = true;
#else
    const bool is_made_for_speed = false;
#endif
    if (!is_native || !is_made_for_speed)
        skip(); /* lanes of the emulator take minutes */
    const size_t count = ((size_t)1 << 32) + 2, bytes = count * sizeof(int16_t);
    int16_t *const values =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(values != MAP_FAILED);
    madvise(values, bytes, MADV_HUGEPAGE); /* all zeros are one page then */
    values[1] = -100;
    values[count - 1] = 7;
    values[count - 2] = 2;
    double mean = 0;
    const wf_field field = {.what = {.type = WF_I16, .op = WF_MEAN}, .in = values, .count = count, .result = &mean};
    uint64_t message[5];
    memset(message, 0x5a, sizeof message);
    require(wf_message_write(context, &field, 1, message));
    require(wf_message_read(&field, 1, 1, message, NULL));
    munmap(values, bytes);
    assert_true(mean == -91 / (double)count);
}

/* Means of integers whose sum does not fit 64 bits by far, as ranks' sums do. */
static void test_wide_mean(void **state) {
    (void)state;
    for (int sign = 0; sign < 2; sign++) {
        const wf_field field = {.what = {.type = sign ? WF_I32 : WF_U32, .op = WF_MEAN}};
        const int64_t least = INT32_MIN;
        const uint64_t of_rank = sign ? (uint64_t)least << 32 : UINT64_C(0xffffffff00000000); /* 2^32 of the extreme */
        uint32_t request;
        require(wf_message_get_request(&field, 1, &request));
        const uint64_t ranks = 1000, high = sign ? (uint64_t)((int64_t)of_rank >> 32) : of_rank >> 32;
        const uint64_t message[5] = {ranks * (UINT64_C(1) << 40 | request), ranks * request * request, 0, ranks * high,
                                     ranks << 32};
        double mean = 0;
        wf_field read = field;
        read.result = &mean;
        require(wf_message_read(&read, 1, ranks, message, NULL));
        assert_true(mean == (sign ? (double)INT32_MIN : (double)UINT32_MAX));

        /* The middle of two numbers, which the even one takes; and of none it is the quiet NaN. */
        const uint64_t odd = UINT64_C(1) << 53 | 1, sum = sign ? -odd : odd;
        const uint64_t middle[5] = {UINT64_C(1) << 40 | request, (uint64_t)request * request, sum & UINT32_MAX,
                                    sign ? (uint64_t)((int64_t)sum >> 32) : sum >> 32, UINT64_C(1) << 22};
        require(wf_message_read(&read, 1, 1, middle, NULL));
        assert_true(mean == (sign ? -0x1p31 : 0x1p31));
        const uint64_t none[5] = {middle[0], middle[1]}, nan = UINT64_C(0x7ff8000000000000);
        require(wf_message_read(&read, 1, 1, none, NULL));
        assert_memory_equal(&mean, &nan, sizeof nan);
    }
}

static void test_pieces(void **state) {
    (void)state;
    uint64_t number = 1;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op <= WF_OP_COUNT + 1; op++) {
            const bool describes = op >= WF_OP_COUNT, passes_over = op > WF_OP_COUNT;
            const wf_reduce_spec what = {.type = (wf_type)type,
                                         .op = passes_over ? WF_MIN /* not heeded */
                                               : describes ? WF_SUM
                                                           : (wf_op)op,
                                         .nan = passes_over ? WF_NAN_IGNORE : WF_NAN_PROPAGATE};
            wf_reduction_info info;
            if (wf_reduction_get_info(&what, &info) != WF_OK)
                continue;
            enum { N = 500 };
            const size_t scalars = info.element_bytes / wf_type_size(what.type);
            char *values = make_values(&what, scalars, N, passes_over ? NAN_AND_MINUS_ZERO : 0, number++);
            uint64_t want[8] = {0}, got[8] = {0};
            wf_field field = {.what = what, .describes = describes, .in = values, .count = N, .result = want};
            wf_message_size size;
            require(wf_message_get_size(&field, 1, &size));
            uint64_t *whole = host_words(size.sums + size.maxima + size.records);
            uint64_t *piece = host_words(size.sums + size.maxima + size.records);
            require(wf_message_write(context, &field, 1, whole));
            require(wf_message_read(&field, 1, 1, whole, whole + size.sums + size.maxima));
            static const size_t ends[] = {123, 123, 400, N};
            field.result = got;
            field.count = 0;
            require(wf_message_write(context, &field, 1, whole));
            for (size_t p = 0, begin = 0; p < COUNT(ends); begin = ends[p++]) {
                field.in = values + begin * info.element_bytes;
                field.count = ends[p] - begin;
                require(wf_message_write(context, &field, 1, piece));
                require(wf_message_append(&field, 1, whole, piece));
            }
            require(wf_message_read(&field, 1, 1, whole, whole + size.sums + size.maxima));
            wf_description a, b;
            memcpy(&a, got, sizeof a);
            memcpy(&b, want, sizeof b);
            const bool is_right = describes
                                      ? a.count == b.count && a.sum.u64 == b.sum.u64 && a.argmin == b.argmin &&
                                            a.argmax == b.argmax && a.max.u64 == b.max.u64 && a.min.u64 == b.min.u64 &&
                                            fabs(a.variance - b.variance) <= 1e-12 * b.variance
                                  : is_rounded_often(&what, &info) ? is_close(&what, &info, got, want, N)
                                                                   : same_result(&info, got, want);
            if (!is_right)
                fail_msg("%s of %s in pieces: %016" PRIx64 " %016" PRIx64 ", expected %016" PRIx64 " %016" PRIx64,
                         describes ? "description" : wf_op_name(what.op), wf_type_name(what.type), got[0], got[1],
                         want[0], want[1]);
            free(values);
            free(whole);
            free(piece);
        }
}

/* Where all numbers are NaN that are passed over, the result is the same NaN whoever has them. */
static void test_nothing_but_nan(void **state) {
    (void)state;
    const uint32_t values[4] = {0x7fc00001, 0xffffffff, 0x7f800001, 0xffc00000};
    static const wf_op ops[] = {WF_MIN, WF_MAX, WF_ARGMIN, WF_ARGMAX};
    for (size_t op = 0; op < COUNT(ops); op++)
        for (size_t of_first = 0; of_first <= 4; of_first++) {
            uint64_t result[8] = {0};
            const wf_reduce_spec what = {.type = WF_F32, .op = ops[op], .nan = WF_NAN_IGNORE};
            wf_field first = {.what = what, .in = values, .count = of_first, .result = result};
            wf_field second = {.what = what, .in = values + of_first, .count = 4 - of_first, .result = result};
            wf_field *fields[] = {&first, &second};
            wf_message_size size;
            joined all = join_ranks(fields, 1, 2, false, &size);
            read_results(&first, 1, 2, false, &size, &all);
            free_joined(&all);
            assert_int_equal(result[0], 0x7fc00000);
            if (ops[op] == WF_ARGMIN || ops[op] == WF_ARGMAX)
                assert_true(result[1] == UINT64_MAX);
        }
}

/* Ranks whose parts do not follow each other: of equal numbers the lowest index counts, not the lowest rank. */
static void test_lowest_index(void **state) {
    (void)state;
    const int32_t values[3] = {7, -5, -5};
    static const uint64_t firsts[2][2] = {{100, 40}, {40, 100}};
    for (size_t order = 0; order < COUNT(firsts); order++) {
        uint64_t result[8] = {0};
        wf_field parts[2], *fields[2];
        for (size_t r = 0; r < 2; r++) {
            parts[r] = (wf_field){.what = {.type = WF_I32, .op = WF_ARGMIN},
                                  .has_first = 1,
                                  .first = firsts[order][r],
                                  .in = values,
                                  .count = 3,
                                  .result = result};
            fields[r] = &parts[r];
        }
        wf_message_size size;
        joined all = join_ranks(fields, 1, 2, false, &size);
        read_results(parts, 1, 2, false, &size, &all);
        free_joined(&all);
        assert_true(result[1] == 41);
    }
    /* A part of nothing has no place, though its value is as good as any. */
    const uint8_t zeros[3] = {0, 0, 0};
    uint64_t result[8];
    wf_field parts[2], *fields[2] = {&parts[0], &parts[1]};
    for (size_t r = 0; r < 2; r++)
        parts[r] = (wf_field){.what = {.type = WF_U8, .op = WF_ARGMAX},
                              .has_first = 1,
                              .first = r == 0 ? 10 : 5,
                              .in = zeros,
                              .count = r == 0 ? 3 : 0,
                              .result = result};
    memset(result, 0xee, sizeof result);
    wf_message_size size;
    joined all = join_ranks(fields, 1, 2, false, &size);
    read_results(parts, 1, 2, false, &size, &all);
    assert_true(result[0] == UINT64_C(0xeeeeeeeeeeeeee00)); /* of an i8 no other byte is written */
    assert_true(result[1] == 10);

    /* Behind the result nothing is read or written: there is no page. */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    parts[0].result = pages + page - 16;
    require(wf_message_read(parts, 1, 2, all.message, all.records));
    assert_memory_equal((char *)parts[0].result + 8, &result[1], 8);
    munmap(pages, 2 * page);
    free_joined(&all);
}

static uint32_t request_of(wf_field field) {
    uint32_t request;
    require(wf_message_get_request(&field, 1, &request));
    return request;
}

/* What tells requests apart, though messages are as long; of descriptions only type and NaN. */
static void test_requests(void **state) {
    (void)state;
    const wf_field sum = {.what = {.type = WF_F32}}, lowest = {.what = {.type = WF_F32, .op = WF_ARGMIN}};
    wf_field other = sum;
    other.what.accumulator = WF_ACCUMULATE_F64;
    assert_int_not_equal(request_of(sum), request_of(other));
    other = lowest;
    other.has_first = 1;
    assert_int_not_equal(request_of(lowest), request_of(other));
    other.has_first = 2;
    assert_int_not_equal(request_of(lowest), request_of(other));
    other = lowest;
    other.what.nan = WF_NAN_IGNORE;
    assert_int_not_equal(request_of(lowest), request_of(other));
    const wf_field described = {.describes = 1};
    other = described;
    other.what.op = WF_XOR;
    assert_int_equal(request_of(described), request_of(other));
    /* By the library, ranks must agree: another number is another version of messages. */
    static const wf_field many[300];
    uint32_t request;
    require(wf_message_get_request(many, COUNT(many), &request));
    assert_int_equal(request, 0x77ce3);
    require(wf_message_get_request(mixed, MIXED, &request));
    assert_int_equal(request, 0xc653c);
    require(wf_message_get_request(NULL, 0, &request));
    assert_int_equal(request, 0x1dcbc);
    assert_int_equal(request_of(sum), 0x1f763);
    assert_int_equal(request_of(lowest), 0x9f5a8);
}

static void test_bad_messages(void **state) {
    (void)state;
    const float values[4] = {1, 2, 4, 8};
    float result = 77;
    wf_field field = {.in = values, .count = 4, .result = &result}, other = field;
    other.what.op = WF_MEAN; /* as long a message */
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
    bad[1].what = (wf_reduce_spec){.type = WF_F32, .op = WF_XOR};
    refuses(wf_message_write(context, bad, 2, message), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_size(bad, 2, &size), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_request(bad, 2, &request), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_read(bad, 2, 1, message, NULL), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_append(bad, 2, message, twice), WF_UNSUPPORTED, "field 1 of 2: xor");
    refuses(wf_message_get_size(&bad[1], 1, &size), WF_UNSUPPORTED, "xor of f32");
    assert_true(strncmp(wf_last_error(), "xor", 3) == 0); /* of one field there is no number */
    bad[1] = (wf_field){.describes = 1, .what.type = WF_TYPE_COUNT};
    refuses(wf_message_get_size(bad, 2, &size), WF_INVALID_ARGUMENT, "field 1 of 2: unknown element type");
    bad[1] = (wf_field){.describes = 1, .count = 4};
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 1 of 2: in");
    bad[1] = field;
    bad[1].in = NULL;
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 1 of 2: in");
    bad[0].in = NULL;
    bad[1] = field;
    refuses(wf_message_write(context, bad, 2, message), WF_INVALID_ARGUMENT, "field 0 of 2: in");

    require(wf_message_write(context, &field, 1, message));
    refuses(wf_message_read(&field, 1, 0, message, NULL), WF_INVALID_ARGUMENT,
            "a message of 0 ranks was asked for: 1 to 1048576 can be joined");
    refuses(wf_message_read(&field, 1, WF_MOST_RANKS, message, NULL), WF_INVALID_ARGUMENT, "1 of 1048576 ranks");
    refuses(wf_message_append(&field, 1, NULL, message), WF_INVALID_ARGUMENT, "message must not be NULL");
    refuses(wf_message_append(&field, 1, message, NULL), WF_INVALID_ARGUMENT, "other must not be NULL");
    refuses(wf_message_read_async(NULL, &field, 1, 1, message, NULL, twice, NULL), WF_INVALID_ARGUMENT, "context");
    if (is_native)
        refuses(wf_message_read_async(context, &field, 1, 1, message, NULL, twice, both), WF_INVALID_ARGUMENT,
                "stream must be NULL");
    memcpy(twice, message, size.sums * sizeof *twice);
    twice[WF_MESSAGE_CHECK_WORDS + 2] = INT64_MAX - 3; /* the count */
    refuses(wf_message_append(&field, 1, twice, message), WF_INVALID_ARGUMENT, "up to 2^63 - 1");
    refuses(wf_message_read(&field, 1, WF_MOST_RANKS + 1, message, NULL), WF_INVALID_ARGUMENT, "1048577 ranks");
    refuses(wf_message_read(&field, 1, 1, NULL, NULL), WF_INVALID_ARGUMENT, "message");
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
        refuses(wf_message_read(&field, 1, 1, twice, NULL), WF_INVALID_ARGUMENT, "no sum");
        wf_field two[2] = {field, field};
        float results[2] = {77, 77};
        two[0].result = &results[0];
        two[1].result = &results[1];
        require(wf_message_write(context, two, 2, both));
        memcpy(both + WF_SUM_STATE_BYTES / 8 + WF_MESSAGE_CHECK_WORDS, twice + WF_MESSAGE_CHECK_WORDS,
               WF_SUM_STATE_BYTES);
        refuses(wf_message_read(two, 2, 1, both, NULL), WF_INVALID_ARGUMENT, "field 1 of 2: the message holds no sum");
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
        refuses(wf_message_read(&field, 1, 1, twice, NULL), WF_INVALID_ARGUMENT, "no sum that 1 ranks");
    }
    for (size_t i = 0; i < size.sums; i++)
        twice[i] = 2 * message[i];
    twice[size.sums - 1] = (1 << 18) + 1;
    refuses(wf_message_read(&field, 1, 2, twice, NULL), WF_INVALID_ARGUMENT, "no sum that 2 ranks");
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
    field.what.op = WF_PRODUCT;
    require(wf_message_write(context, &field, 1, message));
    refuses(wf_message_read(&field, 1, 1, message, NULL), WF_INVALID_ARGUMENT, "records");
    assert_true(result == 77);
}

/* ---- States ---- */

/* What kernels write is what wf_sum_state_accumulate makes, to the last word. */
static void test_states(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 64, 1000, 2999};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t kind = 0; kind < KINDS && number_is_float((wf_type)type); kind++)
            for (size_t c = 0; c < COUNT(counts); c++) {
                const wf_reduce_spec what = {.type = (wf_type)type, .op = c % 2 == 0 ? WF_SUM : WF_ASUM};
                char *values = make_values(&what, 1, counts[c], kind, 5 + c);
                const wf_field fields[2] = {{.what = what, .in = values, .count = counts[c]},
                                            {.what = what, .in = values, .count = counts[c]}};
                wf_message_size size;
                require(wf_message_get_size(fields, 2, &size));
                uint64_t *message = host_words(size.sums);
                wf_sum_state want;
                wf_sum_state_init(&want);
                require(wf_sum_state_accumulate(context, &what, values, counts[c], &want));
                for (int queued = 0; queued < 2; queued++) {
                    write_message(fields, 2, size.sums, queued != 0, message);
                    for (int f = 0; f < 2; f++)
                        if (memcmp(message + 2 + f * 75, &want, sizeof want) != 0)
                            fail_msg("the state of %s, data %zu, n %zu, field %d, %s", wf_type_name(what.type), kind,
                                     counts[c], f, queued ? "queued" : "awaited");
                }
                free(message);
                free(values);
            }
}

/* A normalised state whose carries go far: limbs of all bits or none, in runs; sums of both signs. */
static wf_sum_state far_state(uint64_t seed) {
    wf_sum_state state;
    wf_sum_state_init(&state);
    state.count = 1 + (int64_t)(data_hash(seed) % 1000);
    state.others = 1;
    int64_t limb = 0;
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++) {
        const uint64_t h = data_hash(seed * 977 + (uint64_t)i);
        if (h % 7 == 0)
            limb = h % 3 == 0 ? (int64_t)(h >> 32) : h % 3 == 1 ? (int64_t)UINT32_MAX : 0;
        state.limb[i] = limb;
    }
    state.limb[WF_SUM_LIMBS - 1] = (int64_t)(data_hash(seed + 3) % 3) - 1;
    return state;
}

/* Also sums that end below, at, and above the middle between two numbers, and those that are 0. */
static void test_joined_states(void **state) {
    (void)state;
    enum { ROUNDS = 300 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const size_t ranks = 1 + data_hash(round) % MOST_RANKS;
        const wf_reduce_spec what = {.type = round % 3 == 0   ? WF_F16
                                             : round % 3 == 1 ? WF_F32
                                                              : WF_F64,
                                     .op = round % 5 == 0 ? WF_MEAN : WF_SUM};
        uint64_t got[8] = {0}, want = 0;
        const wf_field field = {.what = what, .result = got};
        wf_message_size size = {.sums = 77};
        uint32_t request;
        require(wf_message_get_request(&field, 1, &request));
        wf_sum_state all;
        wf_sum_state_init(&all);
        joined of = {host_words(size.sums), host_words(0)};
        for (size_t r = 0; r < ranks; r++) {
            wf_sum_state part = far_state(round * 8 + r);
            if (round % 4 == 1) /* of numbers near 1, of which few limbs are not 0 */
                for (int i = 0; i < WF_SUM_LIMBS; i++)
                    part.limb[i] = i < 31 || i > 34 ? 0 : part.limb[i];
            if (round % 4 == 2 && r == ranks - 1 && r > 0) { /* what the others come to, turned round: 0 in the end */
                require(wf_sum_state_normalise(&all));
                part.limb[0] = ((int64_t)1 << 32) - all.limb[0];
                int64_t carried = part.limb[0] >> 32;
                part.limb[0] &= UINT32_MAX;
                for (int i = 1; i < WF_SUM_LIMBS; i++) {
                    const int64_t turned = (i < WF_SUM_LIMBS - 1 ? (int64_t)UINT32_MAX : -1) - all.limb[i] + carried;
                    carried = i < WF_SUM_LIMBS - 1 ? turned >> 32 : 0;
                    part.limb[i] = i < WF_SUM_LIMBS - 1 ? turned & UINT32_MAX : turned;
                }
            }
            uint64_t words[77] = {UINT64_C(1) << 40 | request, (uint64_t)request * request};
            memcpy(words + 2, &part, sizeof part);
            for (size_t i = 0; i < size.sums; i++)
                of.message[i] += words[i];
            require(wf_sum_state_merge(&all, &part));
        }
        require(wf_sum_state_round(&all, what.op, what.type, &want));
        for (int queued = 0; queued < 2; queued++) {
            memset(got, 0, sizeof got);
            read_results(&field, 1, ranks, queued != 0, &size, &of);
            if (got[0] != want)
                fail_msg("round %" PRIu64 ", %zu ranks, %s: %016" PRIx64 ", expected %016" PRIx64, round, ranks,
                         queued ? "queued" : "awaited", got[0], want);
        }
        free_joined(&of);
    }
}

/* Half of a number's last digit more than the number, and what lies far below that half, or nothing; and a number with
 * no half, whose lower words are all 0: around every power of two, by hand. */
static void test_ties(void **state) {
    (void)state;
    static const int below[] = {0, 20, 75, 107, 139, 300, -13}; /* bits, from the half on; 0: nothing is there */
    const wf_reduce_spec what = {.type = WF_F64};
    double got[8] = {0}; /* read_results copies 64 bytes */
    const wf_field field = {.what = what, .result = got};
    wf_message_size size = {.sums = 77};
    uint32_t request;
    require(wf_message_get_request(&field, 1, &request));
    for (int e = -1074; e < 1023; e += 7)
        for (size_t b = 0; b < COUNT(below); b++) {
            const double sign = (e + (int)b) % 2 == 0 ? 1 : -1, number = sign * ldexp(1, e);
            const bool has_half = e - 53 > -1074 && below[b] >= 0;
            const double half = has_half ? sign * ldexp(1, e - 53) : 0;
            const double rest = b != 0 ? sign * ldexp(1, e - 53 - below[b] < -1074 ? -1074 : e - 53 - below[b]) : 0;
            const double want = has_half && b != 0 ? number + 2 * half : number + rest; /* no sum here is rounded */
            const double values[2][3] = {{number, 0, 0}, {half, rest, 0}};
            joined of = {host_words(size.sums), host_words(0)};
            for (size_t r = 0; r < 2; r++) {
                uint64_t words[77] = {UINT64_C(1) << 40 | request, (uint64_t)request * request};
                wf_sum_state part;
                wf_sum_state_init(&part);
                require(wf_sum_state_accumulate(context, &what, values[r], 3, &part));
                memcpy(words + 2, &part, sizeof part);
                for (size_t i = 0; i < size.sums; i++)
                    of.message[i] += words[i];
            }
            for (int queued = 0; queued < 2; queued++) {
                got[0] = 0;
                read_results(&field, 1, 2, queued != 0, &size, &of);
                if (got[0] != want)
                    fail_msg("%a and %a and %a, %s: %a, expected %a", number, half, rest, queued ? "queued" : "awaited",
                             got[0], want);
            }
            free_joined(&of);
        }
}

/* Of an engine that lost a rank, queued: the word says so, and the results stay. */
static void test_failures(void **state) {
    (void)state;
    const float values[4] = {1, 2, 4, 8};
    uint64_t cells[2] = {0x7777, 0};
    wf_field field = {.in = values, .count = 4};
    wf_message_size size;
    require(wf_message_get_size(&field, 1, &size));
    uint64_t *message = host_words(size.sums), *there = device_words(size.sums + 2);
    require(wf_message_write(context, &field, 1, message));
    for (int flaw = 0; flaw < 3; flaw++) {
        uint64_t *copy = host_words(size.sums);
        memcpy(copy, message, size.sums * sizeof *copy);
        copy[0] += flaw == 1;
        copy[1] += flaw == 2;
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

int main(int argc, char **argv) {
    const char *device = argc > 1 ? argv[1] : "host";
    is_native = strcmp(device, "host") == 0 && getenv("WAVEFOLD_WRAP") == NULL;
    share = data_share_of(argc, argv, 2);
    if (argc > 4)
        cmocka_set_test_filter(argv[4]);
    if (wf_context_create(&context, device) != WF_OK) {
        fprintf(stderr, "%s: %s\n", device, wf_last_error());
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_messages),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_wide_mean),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_joined_states),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_every_reduction),
        cmocka_unit_test(test_nothing_but_nan),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_lowest_index),
        cmocka_unit_test(test_mixed_fields),
        cmocka_unit_test(test_numbers_of_fields),
        cmocka_unit_test(test_alignment_of_results),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_long_mean),
    };
    const int failed = cmocka_run_group_tests_name("messages", tests, NULL, NULL);
    wf_context_destroy(context);
    return failed;
}
