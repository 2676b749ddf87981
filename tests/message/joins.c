/* What joining must keep: sums wider than a word, pieces that are appended, which NaN, and the lowest index. */
#define _GNU_SOURCE
#include "message_tests.h"

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "message_ranks.h"
#include "message_values.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* More elements than one sum of 64 bits takes, of which the first and the last are not 0: each piece's sum counts. */
void test_long_mean(void **state) {
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
    if (values == MAP_FAILED && errno == ENOMEM)
        skip(); /* 8 GiB of addresses, of which next to nothing is touched, are not for this process */
    assert_true(values != MAP_FAILED);
    madvise(values, bytes, MADV_HUGEPAGE); /* all zeros are one page then */
    values[1] = -100;
    values[count - 1] = 7;
    values[count - 2] = 2;
    double mean = 0;
    const wf_field field = with_result_bytes(
        (wf_field){.spec = {.type = WF_I16, .op = WF_MEAN}, .in = values, .count = count, .result = &mean});
    uint64_t message[5];
    memset(message, 0x5a, sizeof message);
    require(wf_message_write(context, &field, 1, message));
    require(wf_message_read(&field, 1, 1, message, NULL));
    munmap(values, bytes);
    assert_true(mean == -91 / (double)count);
}

/* Means of integers whose sum does not fit 64 bits by far, as ranks' sums do. */
void test_wide_mean(void **state) {
    (void)state;
    for (int sign = 0; sign < 2; sign++) {
        const wf_field field = {.spec = {.type = sign ? WF_I32 : WF_U32, .op = WF_MEAN}};
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
        read.result_bytes = sizeof mean;
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

void test_pieces(void **state) {
    (void)state;
    uint64_t number = 1;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op <= WF_OP_COUNT + 1; op++) {
            const bool describes = op >= WF_OP_COUNT, passes_over = op > WF_OP_COUNT;
            const wf_reduce_spec spec = {.type = (wf_type)type,
                                         .op = passes_over ? WF_MIN /* not heeded */
                                               : describes ? WF_SUM
                                                           : (wf_op)op,
                                         .nan = passes_over ? WF_NAN_IGNORE : WF_NAN_PROPAGATE};
            wf_reduction_info info;
            if (wf_reduction_get_info(&spec, &info) != WF_OK)
                continue;
            enum { N = 500 };
            const size_t scalars = info.element_bytes / wf_type_size(spec.type);
            char *values = make_values(&spec, scalars, N, passes_over ? NAN_AND_MINUS_ZERO : 0, number++);
            uint64_t want[8] = {0}, got[8] = {0};
            wf_field field = with_result_bytes(
                (wf_field){.spec = spec, .describes = describes, .in = values, .count = N, .result = want});
            wf_message_size size;
            require(wf_message_get_size(&field, 1, &size));
            uint64_t *whole = host_words(size.sums + size.maxima + size.records);
            uint64_t *piece = host_words(size.sums + size.maxima + size.records);
            require(wf_message_write(context, &field, 1, whole));
            require(wf_message_read(&field, 1, 1, whole, whole + size.sums + size.maxima));
            static const size_t ends[] = {123, 123, 400, N};
            static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
            for (size_t m = 0; m < COUNT(modes); m++) {
                uint64_t in_mode[8] = {0};
                field.result = in_mode;
                field.count = 0;
                fesetround(modes[m]);
                if (is_native) /* a GPU's runtime is not made for that */
                    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
                require(wf_message_write(context, &field, 1, whole));
                for (size_t p = 0, begin = 0; p < COUNT(ends); begin = ends[p++]) {
                    field.in = values + begin * info.element_bytes;
                    field.count = ends[p] - begin;
                    require(wf_message_write(context, &field, 1, piece));
                    require(wf_message_append(&field, 1, whole, piece));
                }
                require(wf_message_read(&field, 1, 1, whole, whole + size.sums + size.maxima));
                assert_int_equal(fegetround(), modes[m]);
                fesetenv(FE_DFL_ENV);
                if (m == 0)
                    memcpy(got, in_mode, sizeof got);
                if (memcmp(in_mode, got, sizeof got) != 0)
                    fail_msg("%s of %s in pieces: the caller's mode of rounding has changed it",
                             describes ? "description" : wf_op_name(spec.op), wf_type_name(spec.type));
            }
            wf_description a, b;
            memcpy(&a, got, sizeof a);
            memcpy(&b, want, sizeof b);
            const bool is_right = describes
                                      ? a.count == b.count && a.sum.u64 == b.sum.u64 && a.argmin == b.argmin &&
                                            a.argmax == b.argmax && a.max.u64 == b.max.u64 && a.min.u64 == b.min.u64 &&
                                            fabs(a.variance - b.variance) <= 1e-12 * b.variance
                                  : is_rounded_often(&spec, &info) ? is_close(&spec, &info, got, want, N)
                                                                   : same_result(&info, got, want);
            if (!is_right)
                fail_msg("%s of %s in pieces: %016" PRIx64 " %016" PRIx64 ", expected %016" PRIx64 " %016" PRIx64,
                         describes ? "description" : wf_op_name(spec.op), wf_type_name(spec.type), got[0], got[1],
                         want[0], want[1]);
            free(values);
            free(whole);
            free(piece);
        }
}

/* The mean of what is all alike is that, however it is divided. */
void test_mean_of_equals(void **state) {
    (void)state;
    enum { MOST = 12 };
    uint8_t values[MOST];
    memset(values, 127, sizeof values);
    for (size_t all = 1; all <= MOST; all++)
        for (size_t of_first = 0; of_first <= all; of_first++) {
            wf_description got;
            wf_field first = with_result_bytes(
                (wf_field){.describes = 1, .spec.type = WF_U8, .in = values, .count = of_first, .result = &got});
            wf_field second = first;
            second.count = all - of_first;
            wf_field *fields[] = {&first, &second};
            wf_message_size size;
            joined both = join_ranks(fields, 1, 2, false, &size);
            read_results(&first, 1, 2, false, &size, &both);
            free_joined(&both);
            if (got.mean != 127 || got.variance != 0)
                fail_msg("%zu and %zu of 127: mean %.17g, variance %g", of_first, all - of_first, got.mean,
                         got.variance);
        }
}

/* Number i of some that lie a few last places of a large one above it, in no order but that parts differ in their
 * means. */
static unsigned steps_above(size_t i) {
    return (unsigned)(i / 50 + i * i % 7);
}

static void put_beside(wf_type type, double base, double step, size_t count, void *values) {
    for (size_t i = 0; i < count; i++) {
        const double number = base + step * steps_above(i);
        const uint64_t whole = number < 0 ? (uint64_t)(int64_t)number : number < 0x1p64 ? (uint64_t)number : 0;
        switch (type) {
        case WF_F64:
            ((double *)values)[i] = number;
            break;
        case WF_F32:
            ((float *)values)[i] = (float)number;
            break;
        case WF_I32:
            ((uint32_t *)values)[i] = (uint32_t)whole;
            break;
        default: /* of integers of 8 bytes a step is less than a double tells */
            ((uint64_t *)values)[i] = (base < 0 ? (uint64_t)(int64_t)base : (uint64_t)base) + steps_above(i);
        }
    }
}

/* A large mean does not drown the variance that ranks join, nor that of pieces. */
void test_large_means(void **state) {
    (void)state;
    enum { N = 999 };
    static const struct {
        wf_type type;
        double base, step;
    } rows[] = {{WF_F64, 1e16, 2},
                {WF_F64, -0x1p60, 256},
                {WF_F64, 0x1p500, 0x1p448},
                {WF_F64, 0x1p-440, 0x1p-492},
                {WF_F32, 0x1p24, 2},
                {WF_F64, 3, 1},
                {WF_I64, 0x1p62, 1},
                {WF_I64, -0x1p63, 1},
                {WF_I64, -0x1p52, 1},
                {WF_U64, 0x1p63, 1},
                {WF_U64, 0x1.fffffffffffffp63, 1},
                {WF_I32, -0x1p31, 1},
                {WF_I64, -10, 1}};
    uint64_t sum = 0, squares = 0, seed = 1;
    for (size_t i = 0; i < N; i++) {
        sum += steps_above(i);
        squares += (uint64_t)steps_above(i) * steps_above(i);
    }
    const double apart = (double)(N * squares - sum * sum) / (double)(N * N);
    /* As a single description's: each of N additions rounds, of squares about a pivot that is among the elements. */
    const double off = 16 * (N + 8) * 0x1p-53 * apart;
    for (size_t row = 0; row < COUNT(rows); row++)
        for (size_t ranks = 1; ranks <= 5; ranks++)
            for (int how = 0; how < CUTTINGS; how++) {
                uint64_t values[N];
                const size_t bytes = wf_type_size(rows[row].type);
                const double step = rows[row].step;
                wf_description got, pieces;
                wf_field parts[MOST_RANKS], *of_ranks[MOST_RANKS];
                put_beside(rows[row].type, rows[row].base, step, N, values);
                size_t begin = 0;
                for (size_t rank = 0; rank < ranks; rank++) {
                    const size_t end = begin_of((cutting)how, rank + 1, ranks, N, seed);
                    parts[rank] = with_result_bytes((wf_field){.describes = 1,
                                                               .spec.type = rows[row].type,
                                                               .in = (char *)values + begin * bytes,
                                                               .count = end - begin,
                                                               .result = &got});
                    of_ranks[rank] = &parts[rank];
                    begin = end;
                }
                const bool queued = seed++ % 2 == 0;
                wf_message_size size;
                joined all = join_ranks(of_ranks, 1, ranks, queued, &size);
                read_results(parts, 1, ranks, queued, &size, &all);
                free_joined(&all);
                uint64_t *whole = host_words(size.sums + size.maxima + size.records);
                uint64_t *piece = host_words(size.sums + size.maxima + size.records);
                for (size_t rank = 0; rank < ranks; rank++) {
                    require(wf_message_write(context, &parts[rank], 1, rank == 0 ? whole : piece));
                    if (rank > 0)
                        require(wf_message_append(&parts[rank], 1, whole, piece));
                }
                parts[0].result = &pieces;
                require(wf_message_read(parts, 1, 1, whole, whole + size.sums + size.maxima));
                free(whole);
                free(piece);
                const double variance = got.variance / step / step, of_pieces = pieces.variance / step / step;
                const double mean = rows[row].base + step * ((double)sum / (double)N);
                if (!(fabs(variance - apart) <= off) || !(fabs(of_pieces - apart) <= off) ||
                    !(fabs(got.mean - mean) <= 0x1p-51 * fabs(mean)))
                    fail_msg("%s beside %g, %zu ranks, cut %d: variance %.17g, in pieces %.17g, expected %.17g; mean "
                             "%.17g, expected %.17g",
                             wf_type_name(rows[row].type), rows[row].base, ranks, how, variance, of_pieces, apart,
                             got.mean, mean);
            }
}

/* The message of a part that comes as often as 2^times - 1 copies of it. */
static uint64_t *write_copies(const wf_field *part, const wf_message_size *size, int times) {
    const size_t words = size->sums + size->maxima + size->records;
    uint64_t *const all = host_words(words), *const before = host_words(words), *const one = host_words(words);
    require(wf_message_write(context, part, 1, one));
    memcpy(all, one, words * sizeof *all);
    for (int time = 1; time < times; time++) {
        memcpy(before, all, words * sizeof *before);
        require(wf_message_append(part, 1, all, before));
        require(wf_message_append(part, 1, all, one));
    }
    free(before);
    free(one);
    return all;
}

/* More elements than any array here has, beside a large mean: of ranks that have copies of few. */
void test_large_counts(void **state) {
    (void)state;
    enum { N = 999, OF_FIRST = 400 };
    static const struct {
        wf_type type;
        double base, step;
    } rows[] = {{WF_F64, 1e16, 2}, {WF_F64, -0x1.123456789abcp60, 256}, {WF_F32, 0x1p24, 2},
                {WF_F64, 3, 1},    {WF_F64, 0x1p-990, 0x1p-1042},       {WF_I64, -0x1p63, 1}};
    uint64_t sum = 0, squares = 0;
    for (size_t i = 0; i < N; i++) {
        sum += steps_above(i);
        squares += (uint64_t)steps_above(i) * steps_above(i);
    }
    const double apart = (double)(N * squares - sum * sum) / (double)(N * N);
    for (size_t row = 0; row < COUNT(rows); row++)
        for (int times = 1; times <= 40; times++) {
            const size_t bytes = wf_type_size(rows[row].type);
            const double step = rows[row].step, mean = rows[row].base + step * ((double)sum / (double)N);
            uint64_t values[N];
            wf_description got[2]; /* 64 bytes are read back, which one has */
            wf_message_size size;
            put_beside(rows[row].type, rows[row].base, step, N, values);
            const wf_field first = with_result_bytes((wf_field){
                .describes = 1, .spec.type = rows[row].type, .in = values, .count = OF_FIRST, .result = got});
            wf_field second = first;
            second.in = (char *)values + OF_FIRST * bytes;
            second.count = N - OF_FIRST;
            require(wf_message_get_size(&first, 1, &size));
            uint64_t *const of_first = write_copies(&first, &size, times);
            uint64_t *const of_second = write_copies(&second, &size, times);
            joined both = {of_first, host_words(2 * size.records)};
            memcpy(both.records, of_first + size.sums, size.records * sizeof *of_first);
            memcpy(both.records + size.records, of_second + size.sums, size.records * sizeof *of_first);
            for (size_t i = 0; i < size.sums; i++)
                both.message[i] += of_second[i];
            read_results(&first, 1, 2, times % 8 == 0, &size, &both);
            free_joined(&both);
            free(of_second);
            const double variance = apart * step * step, off = 16 * (N + 8) * 0x1p-53 * variance;
            if (got->count != N * ((UINT64_C(1) << times) - 1) || !(fabs(got->mean - mean) <= 0x1p-51 * fabs(mean)) ||
                !(fabs(got->variance - variance) <= off))
                fail_msg("%s beside %g, 2^%d - 1 copies: count %" PRIu64 ", mean %.17g, expected %.17g; variance "
                         "%.17g, expected %.17g",
                         wf_type_name(rows[row].type), rows[row].base, times, got->count, got->mean, mean,
                         got->variance, variance);
        }
}

/* Where one rank alone has elements the description is that of wf_describe, to the bit. */
void test_one_part(void **state) {
    (void)state;
    enum { N = 99, RANKS = 3 };
    uint64_t values[N], number = 1;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t count = 1; count <= N; count++) {
            const wf_describe_spec spec = {.type = (wf_type)type, .nan = WF_NAN_IGNORE};
            wf_description want, got;
            for (size_t i = 0; i < N; i++)
                values[i] = number = number * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            memset(&got, 0x5a, sizeof got);
            require(wf_describe(context, &spec, values, count, &want));
            wf_field parts[RANKS], *of_ranks[RANKS];
            for (size_t rank = 0; rank < RANKS; rank++) {
                parts[rank] = with_result_bytes((wf_field){.describes = 1,
                                                           .spec = {.type = spec.type, .nan = spec.nan},
                                                           .in = values,
                                                           .count = rank == count % RANKS ? count : 0,
                                                           .result = &got});
                of_ranks[rank] = &parts[rank];
            }
            wf_message_size size;
            joined all = join_ranks(of_ranks, 1, RANKS, false, &size);
            read_results(parts, 1, RANKS, false, &size, &all);
            free_joined(&all);
            assert_true(want.count == got.count && want.sum.u64 == got.sum.u64);
            assert_memory_equal(&want.mean, &got.mean, sizeof want.mean);
            assert_memory_equal(&want.variance, &got.variance, sizeof want.variance);
        }
}

/* Ranks' means are doubles, of which those of integers of 8 bytes lack hundreds. What they come to lacks none of it. */
void test_means_that_lack(void **state) {
    (void)state;
    enum { N = 5 };
    static const uint64_t most = INT64_MAX, least = UINT64_C(1) << 63, large = UINT64_C(0xb1d2d89e75fe7926);
    static const uint64_t ones = UINT64_MAX;
    const struct {
        wf_type type;
        size_t of_first;
        uint64_t values[N];
        double mean, variance; /* NaN: whatever it is */
    } rows[] = {{WF_I64, 2, {most, most, least, least, 1}, -1.0 / 5, NAN},
                {WF_U64, 3, {large + 1, large, large + 1, large, large}, (double)large, 0.24},
                /* Means that are no integers of the type. */
                {WF_I64, 2, {most, most, most, most, most}, 0x1p63, 0},
                {WF_U64, 3, {ones, ones, ones, ones, ones}, 0x1p64, 0},
                /* Three fifths, which three times a fifth is not, beside a rank whose sum is 0. */
                {WF_U64, 1, {3, 0, 0, 0, 0}, 3.0 / 5, 1.44}};
    for (size_t row = 0; row < COUNT(rows); row++) {
        wf_description got, pieces;
        wf_field first = with_result_bytes((wf_field){.describes = 1,
                                                      .spec.type = rows[row].type,
                                                      .in = rows[row].values,
                                                      .count = rows[row].of_first,
                                                      .result = &got});
        wf_field second = first;
        second.in = rows[row].values + first.count;
        second.count = N - first.count;
        wf_field *fields[] = {&first, &second};
        wf_message_size size;
        joined both = join_ranks(fields, 1, 2, false, &size);
        read_results(&first, 1, 2, false, &size, &both);
        free_joined(&both);
        uint64_t *whole = host_words(size.sums + size.maxima + size.records);
        uint64_t *piece = host_words(size.sums + size.maxima + size.records);
        require(wf_message_write(context, &first, 1, whole));
        require(wf_message_write(context, &second, 1, piece));
        require(wf_message_append(&first, 1, whole, piece));
        first.result = &pieces;
        require(wf_message_read(&first, 1, 1, whole, whole + size.sums + size.maxima));
        free(whole);
        free(piece);
        const double variance = rows[row].variance, off = 0x1p-50 * variance;
        if (got.mean != rows[row].mean || pieces.mean != rows[row].mean || fabs(got.variance - variance) > off ||
            fabs(pieces.variance - variance) > off)
            fail_msg("row %zu: mean %.17g, in pieces %.17g, expected %.17g; variance %.17g, in pieces %.17g", row,
                     got.mean, pieces.mean, rows[row].mean, got.variance, pieces.variance);
    }
}

/* Where all numbers are NaN that are passed over, the result is the same NaN whoever has them. */
void test_nothing_but_nan(void **state) {
    (void)state;
    const uint32_t values[4] = {0x7fc00001, 0xffffffff, 0x7f800001, 0xffc00000};
    static const wf_op ops[] = {WF_MIN, WF_MAX, WF_ARGMIN, WF_ARGMAX};
    for (size_t op = 0; op < COUNT(ops); op++)
        for (size_t of_first = 0; of_first <= 4; of_first++) {
            uint64_t result[8] = {0};
            const wf_reduce_spec spec = {.type = WF_F32, .op = ops[op], .nan = WF_NAN_IGNORE};
            wf_field first =
                with_result_bytes((wf_field){.spec = spec, .in = values, .count = of_first, .result = result});
            wf_field second = with_result_bytes(
                (wf_field){.spec = spec, .in = values + of_first, .count = 4 - of_first, .result = result});
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
void test_lowest_index(void **state) {
    (void)state;
    const int32_t values[3] = {7, -5, -5};
    static const uint64_t firsts[2][2] = {{100, 40}, {40, 100}};
    for (size_t order = 0; order < COUNT(firsts); order++) {
        uint64_t result[8] = {0};
        wf_field parts[2], *fields[2];
        for (size_t r = 0; r < 2; r++) {
            parts[r] = with_result_bytes((wf_field){.spec = {.type = WF_I32, .op = WF_ARGMIN},
                                                    .has_first = 1,
                                                    .first = firsts[order][r],
                                                    .in = values,
                                                    .count = 3,
                                                    .result = result});
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
        parts[r] = with_result_bytes((wf_field){.spec = {.type = WF_U8, .op = WF_ARGMAX},
                                                .has_first = 1,
                                                .first = r == 0 ? 10 : 5,
                                                .in = zeros,
                                                .count = r == 0 ? 3 : 0,
                                                .result = result});
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
