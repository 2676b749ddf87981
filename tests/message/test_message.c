/* Messages between ranks, with no engine: ranks are turns of a loop, and a loop joins what they write. Results of parts
 * must have the bits of the whole, by wf_reduce on the same device; what is rounded more than once must be what
 * wf_message_read says of the parts' own results.
 *
 * test_message [DEVICE [EVERY FIRST [PATTERN]]]: on every device by wf_message_write and by the queued calls; number
 * FIRST and every EVERY-th reduction after it; the tests that PATTERN names (default: all). */
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

static data_share share;

/* ---- Every reduction ---- */

/* The real mean of integers of up to 4 bytes, to nearest even: the sum is below 2^53. */
static double mean_of_integers(wf_type type, const void *values, size_t count) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (int64_t)number_integer(type, values, i);
    return count == 0 ? (double)NAN : (double)sum / (double)count;
}

static void check_one(const wf_reduce_spec *spec, const wf_reduction_info *info, const char *values, size_t count,
                      size_t kind, size_t ranks, cutting how, bool queued) {
    uint64_t want[8] = {0}, got[MOST_RANKS][8];
    wf_field parts[MOST_RANKS], *fields[MOST_RANKS];
    const uint64_t seed = turn++;
    const bool has_first = seed % 2 == 0;
    for (size_t r = 0; r < ranks; r++) {
        const size_t begin = begin_of(how, r, ranks, count, seed), end = begin_of(how, r + 1, ranks, count, seed);
        parts[r] =
            with_result_bytes((wf_field){.spec = *spec,
                                         .has_first = has_first,
                                         .first = has_first ? begin : 77,
                                         .in = end == begin && r % 2 == 0 ? NULL : values + begin * info->element_bytes,
                                         .count = end > begin ? end - begin : 0,
                                         .result = got[r]});
        fields[r] = &parts[r];
        memset(got[r], 0xee, sizeof got[r]);
    }
    require(wf_reduce(context, spec, values, count, want, bytes_of_result(spec)));
    const bool is_exact_mean = spec->op == WF_MEAN && !number_is_float(spec->type) && wf_type_size(spec->type) <= 4;
    const double mean = is_exact_mean ? mean_of_integers(spec->type, (const void *)values, count) : 0;
    if (is_exact_mean)
        memcpy(want, &mean, sizeof mean);
    wf_message_size size;
    joined all = join_ranks(fields, 1, ranks, queued, &size);
    for (size_t r = 0; r<ranks; r += ranks> 1 ? ranks - 1 : 1) {
        read_results(fields[r], 1, ranks, queued, &size, &all);
        /* The order of fast folds depends on the address, which is another one on the device. */
        const bool is_right = is_rounded_often(spec, info) && (ranks > 1 || queued)
                                  ? is_close(spec, info, got[r], want, count)
                                  : same_result(info, got[r], want);
        if (!is_right)
            fail_msg("%s of %s (accumulator %d, nan %d, accuracy %d), n %zu, data %zu, %zu ranks, cut %d, %s: got "
                     "%016" PRIx64 " %016" PRIx64 ", expected %016" PRIx64 " %016" PRIx64,
                     wf_op_name(spec->op), wf_type_name(spec->type), (int)spec->accumulator, (int)spec->nan,
                     (int)spec->accuracy, count, kind, ranks, (int)how, queued ? "queued" : "awaited", got[r][0],
                     got[r][1], want[0], want[1]);
        for (size_t i = (info->result_bytes + 7) / 8; i < 8; i++)
            assert_true(got[r][i] == UINT64_C(0xeeeeeeeeeeeeeeee)); /* behind the result */
    }
    free_joined(&all);
}

/* Of data that vanish in a long product, any parts would come to what all of them do. */
static void expect_first_counts(const wf_reduce_spec *spec, const wf_reduction_info *info, const char *values,
                                size_t count) {
    uint64_t all[4] = {0}, rest[4] = {0};
    require(wf_reduce(context, spec, values, count, all, bytes_of_result(spec)));
    require(wf_reduce(context, spec, values + info->element_bytes, count - 1, rest, bytes_of_result(spec)));
    if (same_result(info, all, rest))
        fail_msg("%s of %s, n %zu: the first element does not count", wf_op_name(spec->op), wf_type_name(spec->type),
                 count);
}

static void check_reduction(const wf_reduce_spec *spec, const wf_reduction_info *info, uint64_t seed) {
    static const size_t counts[] = {0, 1, 2, 7, 63, 64, 65, 257, 1000, 2999};
    static const size_t all_ranks[] = {1, 2, 3, 4, 7, 8};
    const size_t scalars = info->element_bytes / wf_type_size(spec->type);
    const size_t kinds = number_is_float(spec->type) && scalars == 1 ? KINDS : 2;
    for (size_t kind = 0; kind < kinds; kind++) {
        if (kind != 0 && is_rounded_often(spec, info))
            continue; /* what rounds often overflows at will */
        for (size_t c = 0; c < COUNT(counts); c++) {
            const size_t count = counts[c];
            char *values = make_values(spec, scalars, count, kind, seed + kind);
            const size_t ranks = all_ranks[data_hash(seed * 31 + kind * 7 + c) % COUNT(all_ranks)];
            if (is_native && multiplies(spec->op) && count != 0) /* the data are the same everywhere */
                expect_first_counts(spec, info, values, count);
            check_one(spec, info, values, count, kind, ranks, (cutting)(data_hash(seed + c) % CUTTINGS),
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
                        const wf_reduce_spec spec = {.type = (wf_type)type,
                                                     .op = (wf_op)op,
                                                     .accumulator = (wf_accumulator)accumulator,
                                                     .nan = (wf_nan)nan,
                                                     .accuracy = (wf_accuracy)accuracy};
                        wf_reduction_info info;
                        if (wf_reduction_get_info(&spec, &info) != WF_OK || !data_takes(share, number++))
                            continue;
                        check_reduction(&spec, &info, number);
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
                    const wf_reduce_spec spec = {.type = (wf_type)type, .nan = (wf_nan)nan};
                    const wf_describe_spec described = {.type = spec.type, .nan = spec.nan};
                    const size_t count = counts[c], bytes = wf_type_size(spec.type);
                    const size_t ranks = 1 + data_hash(turn) % MOST_RANKS;
                    const cutting how = (cutting)(data_hash(turn + 5) % CUTTINGS);
                    const bool queued = turn % 3 == 0;
                    const uint64_t seed = turn;
                    char *values = make_values(&spec, 1, count, kind, ++turn);
                    wf_description want, got;
                    wf_field parts[MOST_RANKS], *fields[MOST_RANKS];
                    for (size_t r = 0; r < ranks; r++) {
                        const size_t begin = begin_of(how, r, ranks, count, seed);
                        const size_t end = begin_of(how, r + 1, ranks, count, seed);
                        parts[r] = with_result_bytes((wf_field){.spec = spec,
                                                                .describes = 1,
                                                                .in = values + begin * bytes,
                                                                .count = end > begin ? end - begin : 0,
                                                                .result = &got});
                        fields[r] = &parts[r];
                    }
                    require(wf_describe(context, &described, values, count, &want));
                    wf_message_size size;
                    joined all = join_ranks(fields, 1, ranks, queued, &size);
                    read_results(fields[0], 1, ranks, queued, &size, &all);
                    free_joined(&all);
                    const bool is_float = number_is_float(spec.type);
                    /* NaN are told apart by nobody. */
                    const bool same_sum =
                        is_float && isnan(want.sum.f64) ? isnan(got.sum.f64) : got.sum.u64 == want.sum.u64;
                    const bool same_ends =
                        (is_float && isnan(want.min.f64) ? isnan(got.min.f64) : got.min.u64 == want.min.u64) &&
                        (is_float && isnan(want.max.f64) ? isnan(got.max.f64) : got.max.u64 == want.max.u64);
                    /* A few roundings of what is as large as the type's numbers, for each part that is joined. */
                    const double off = is_float ? 0 : ldexp(8 * MOST_RANKS, (int)(8 * bytes) - 53);
                    const bool same_mean =
                        isnan(want.mean) ? isnan(got.mean) : got.mean == want.mean || fabs(got.mean - want.mean) <= off;
                    /* Its own rounding, of some thousand terms; any bits reach so far that f64's range is left. */
                    const bool same_variance =
                        (is_float && (kind == 1 || kind == 2)) ||
                        (isnan(want.variance) ? isnan(got.variance)
                                              : fabs(got.variance - want.variance) <= 1e-11 * want.variance);
                    if (got.count != want.count || !same_sum || !same_ends || got.argmin != want.argmin ||
                        got.argmax != want.argmax || !same_mean || !same_variance)
                        fail_msg("describe %s, nan %d, n %zu, data %zu, %zu ranks, cut %d, %s: count %" PRIu64
                                 " %" PRIu64 " sum %a %a min %d max %d argmin %" PRIu64 " %" PRIu64 " argmax %" PRIu64
                                 " %" PRIu64 " mean %a %a variance %a %a",
                                 wf_type_name(spec.type), nan, count, kind, ranks, (int)how,
                                 queued ? "queued" : "awaited", got.count, want.count, got.sum.f64, want.sum.f64,
                                 same_ends, same_ends, got.argmin, want.argmin, got.argmax, want.argmax, got.mean,
                                 want.mean, got.variance, want.variance);
                    free(values);
                }
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
        cmocka_unit_test(test_nothing_is_half_done),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_wide_mean),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_joined_states),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_every_reduction),
        cmocka_unit_test(test_mean_of_equals),
        cmocka_unit_test(test_large_means),
        cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_one_part),
        cmocka_unit_test(test_means_that_lack),
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
