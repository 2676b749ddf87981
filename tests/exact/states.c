/* States of exact sums: what is none, how often they merge, their bytes, their means. */
#include "data.h"
#include "exact_tests.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_sum.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void expect_refused(wf_status status, const char *word) {
    assert_int_equal(status, WF_INVALID_ARGUMENT);
    if (strstr(wf_last_error(), word) == NULL)
        fail_msg("'%s' does not say '%s'", wf_last_error(), word);
}

void test_broken_states(void **state) {
    (void)state;
    wf_sum_state good, bad;
    wf_sum_state_init(&good);
    float result = 5;
    require(wf_sum_state_round(&good, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)));
    assert_true(result == 0);
    static const struct {
        size_t number; /* of the state's 75 */
        int64_t value;
        const char *word;
    } breaks[] = {{0, 2, "version"},
                  {0, 0, "version"},
                  {1, 0, "it counts 0 states"},
                  {1, -1, "it counts -1 states"},
                  {2, -1, "counts"},
                  {3, 5, "counts 5 terms of 0"},
                  {3, -5, "counts -5 terms of 0"},
                  {4, 6, "counts 6 terms of 0"},
                  {4, -6, "counts -6 terms of 0"},
                  {5, 7, "counts 7 terms of 0"},
                  {5, -7, "counts -7 terms of 0"},
                  {6, 8, "counts 8 terms of 0"},
                  {6, -8, "counts -8 terms of 0"},
                  {7, 1, "limb 0"},
                  {9, -1, "limb 2"},
                  {74, INT64_MIN, "limb 67"},
                  {74, INT64_C(1) << 32, "limb 67"}};
    for (size_t i = 0; i < COUNT(breaks); i++) {
        bad = good;
        ((int64_t *)(void *)&bad)[breaks[i].number] = breaks[i].value;
        const wf_sum_state before = bad;
        expect_refused(wf_sum_state_round(&bad, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)), breaks[i].word);
        expect_refused(wf_sum_state_merge(&bad, &good), breaks[i].word);
        expect_refused(wf_sum_state_merge(&good, &bad), breaks[i].word);
        expect_refused(wf_sum_state_normalise(&bad), breaks[i].word);
        const wf_reduce_spec sum = {.type = WF_F32};
        const float one = 1;
        expect_refused(wf_sum_state_accumulate(context, &sum, &one, 1, &bad), breaks[i].word);
        assert_memory_equal(&bad, &before, sizeof bad);
    }
    /* No number has a flaw alone; but normalised it would be no state any more. */
    bad = (wf_sum_state){.version = INT32_MAX, .merged = INT32_MAX, .count = 1, .others = 1};
    bad.limb[WF_SUM_LIMBS - 1] = INT32_MAX;
    expect_refused(wf_sum_state_round(&bad, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)),
                   "exceed every sum of doubles");
    expect_refused(wf_sum_state_normalise(&bad), "exceed every sum of doubles");
    bad.limb[WF_SUM_LIMBS - 1] = 0;
    bad.limb[WF_SUM_LIMBS - 2] = ((int64_t)INT32_MAX << 32) - 1;
    expect_refused(wf_sum_state_merge(&good, &bad), "exceed every sum of doubles");
    /* Two that pass, and make none that does. */
    bad = (wf_sum_state){.version = 1, .merged = 1, .count = 1, .others = 1};
    bad.limb[WF_SUM_LIMBS - 1] = INT64_C(1) << 18;
    const wf_sum_state large = bad;
    require(wf_sum_state_normalise(&bad));
    expect_refused(wf_sum_state_merge(&bad, &large), "exceed every sum of doubles");
    assert_memory_equal(&bad, &large, sizeof bad);
    /* Zeros, as a caller may start with, are no state: the message names what makes one. */
    bad = (wf_sum_state){0};
    expect_refused(wf_sum_state_round(&bad, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)),
                   "start with wf_sum_state_init");
    expect_refused(wf_sum_state_merge(&good, &bad), "'other' is no state of a sum");
    expect_refused(wf_sum_state_round(&good, WF_MAX, WF_F32, &result, wf_type_size(WF_F32)), "WF_MEAN");
    expect_refused(wf_sum_state_round(&good, WF_SUM, WF_I32, &result, wf_type_size(WF_I32)), "f16");
    expect_refused(wf_sum_state_round(NULL, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)), "NULL");
    expect_refused(wf_sum_state_round(&good, WF_SUM, WF_F32, NULL, 0), "'result' must not be NULL");
    const wf_reduce_spec whole = {.type = WF_F32};
    wf_sum_state *const askew = (wf_sum_state *)(void *)((char *)&bad + 4);
    expect_refused(wf_sum_state_accumulate(context, &whole, NULL, 0, NULL), "'state' must not be NULL");
    expect_refused(wf_sum_state_accumulate_async(context, &whole, NULL, 0, NULL, NULL), "'state' must not be NULL");
    expect_refused(wf_sum_state_accumulate_async(context, &whole, NULL, 0, askew, NULL),
                   "'state' must be aligned to 8");
    const wf_reduce_spec minimum = {.type = WF_F32, .op = WF_MIN}, squares = {.type = WF_F64, .op = WF_SUMSQ};
    assert_int_equal(wf_sum_state_accumulate(context, &minimum, NULL, 0, &good), WF_UNSUPPORTED);
    assert_non_null(strstr(wf_last_error(), "min of f32 has no state"));
    assert_int_equal(wf_sum_state_accumulate(context, &squares, NULL, 0, &good), WF_UNSUPPORTED);
    assert_non_null(strstr(wf_last_error(), "sumsq of f64 has no state"));
    const wf_reduce_spec none = {.type = WF_F32, .op = WF_XOR};
    assert_int_equal(wf_sum_state_accumulate(context, &none, NULL, 0, &good), WF_UNSUPPORTED);
    assert_non_null(strstr(wf_last_error(), "xor of f32"));
}

/* Of so many states that were added up: all limbs but the last are the same. */
static wf_sum_state even_state(int64_t merged, int64_t limb, int64_t last) {
    wf_sum_state state = {.version = merged, .merged = merged, .count = 1, .others = 1};
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++)
        state.limb[i] = limb;
    state.limb[WF_SUM_LIMBS - 1] = last;
    return state;
}

/* The last states that pass, and the first that do not: each limb's own bound, and the last one's behind the carries
 * that come from all below it. */
void test_bounds_of_states(void **state) {
    (void)state;
    const int64_t full = UINT32_MAX, most = INT64_C(1) << 18;
    float result;
    const wf_sum_state good[] = {even_state(1, 0, most), even_state(1, 0, -most - 1), even_state(1, full, most),
                                 even_state(2, 0, most), even_state(2, 0, -most - 1)};
    for (size_t i = 0; i < COUNT(good); i++)
        require(wf_sum_state_round(&good[i], WF_SUM, WF_F32, &result, wf_type_size(WF_F32)));
    wf_sum_state lowest = even_state(2, full, most), highest = even_state(2, 0, most);
    lowest.limb[0] = full + 1; /* which all others pass on */
    highest.limb[WF_SUM_LIMBS - 2] = full + 1;
    const struct {
        wf_sum_state state;
        const char *word;
    } bad[] = {{even_state(1, 0, most + 1), "limb 67"},   {even_state(1, 0, -most - 2), "limb 67"},
               {even_state(1, full + 1, 0), "limb 0 is"}, {even_state(2, 0, most + 1), "exceed every sum of doubles"},
               {even_state(2, 0, -most - 2), "exceed"},   {lowest, "exceed every sum of doubles"},
               {highest, "exceed every sum of doubles"}};
    for (size_t i = 0; i < COUNT(bad); i++)
        expect_refused(wf_sum_state_round(&bad[i].state, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)), bad[i].word);

    /* As many as can be merged stay as they are; with more, both are normalised first. */
    wf_sum_state many = even_state(INT32_MAX - 1, 0, 0), one = even_state(1, 0, 3);
    require(wf_sum_state_merge(&many, &one));
    assert_int_equal(many.merged, INT32_MAX);
    const wf_sum_state most_merged = many;
    require(wf_sum_state_merge(&many, &most_merged));
    assert_int_equal(many.merged, 2);
    assert_int_equal(many.version, 2);
    assert_int_equal(many.others, 2);
    many = even_state(1, 0, 0);
    many.count = INT64_MAX - 1;
    require(wf_sum_state_merge(&many, &one));
    assert_true(many.count == INT64_MAX);
    expect_refused(wf_sum_state_merge(&many, &one), "up to 2^63 - 1");
    const wf_reduce_spec sum = {.type = WF_F32};
    expect_refused(wf_sum_state_accumulate(context, &sum, &result, 1, &many),
                   "1 and 9223372036854775807 terms are too many for one state: it holds up to 2^63 - 1");

    /* Two that pass, as does what they come to; but no states have such last limbs, which the carries make up for. */
    const int64_t twice = (INT64_C(2) << 32) - 1;
    wf_sum_state low = even_state(2, twice, -most - 2);
    const wf_sum_state before = low, below = even_state(2, twice, -3);
    require(wf_sum_state_round(&low, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)));
    require(wf_sum_state_round(&below, WF_SUM, WF_F32, &result, wf_type_size(WF_F32)));
    expect_refused(wf_sum_state_merge(&low, &below), "exceed every sum of doubles");
    assert_memory_equal(&low, &before, sizeof low);
    wf_sum_state largest = even_state(1, full, most);
    const float term = 1;
    expect_refused(wf_sum_state_accumulate(context, &sum, &term, 1, &largest), "the merged state is no state of a sum");
}

/* What is written is normalised, and the same on every machine. */
void test_bytes_of_states(void **state) {
    (void)state;
    static const double terms[] = {1e300, -3.5, 0x1p-1074, INFINITY, NAN, 0x1.fffffffffffffp52};
    const wf_reduce_spec sum = {.type = WF_F64};
    wf_sum_state written, read;
    unsigned char bytes[WF_SUM_STATE_BYTES], other[WF_SUM_STATE_BYTES];
    wf_sum_state_init(&written);
    wf_sum_state_init(&read);
    require(wf_sum_state_accumulate(context, &sum, terms, COUNT(terms), &written));
    require(wf_sum_state_merge(&written, &written));
    require(wf_sum_state_write(&written, bytes));
    require(wf_sum_state_normalise(&written));
    const int64_t *const numbers = (const int64_t *)(const void *)&written;
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], (unsigned char)((uint64_t)numbers[i / 8] >> 8 * (i % 8)));
    require(wf_sum_state_read(&read, bytes));
    assert_memory_equal(&read, &written, sizeof read);

    memcpy(other, bytes, sizeof other);
    other[0] = 2; /* the version */
    expect_refused(wf_sum_state_read(&read, other), "'bytes' is no state of a sum");
    expect_refused(wf_sum_state_read(&read, other), "states is 2");
    assert_memory_equal(&read, &written, sizeof read);
    expect_refused(wf_sum_state_read(NULL, bytes), "'state' must not be NULL");
    expect_refused(wf_sum_state_read(&read, NULL), "'bytes' must not be NULL");
    expect_refused(wf_sum_state_write(&read, NULL), "'bytes' must not be NULL");
    expect_refused(wf_sum_state_write(NULL, bytes), "'state' must not be NULL");
    assert_memory_equal(&read, &written, sizeof read);
}

/* Queued, on states that were merged, once or as often as can be, that count what is not finite, on what is none, on
 * such that have room for as many elements or for one less, and on what comes to more than any sum, at once or with
 * what is added, or would without that. What lies behind the state stays as it is. */
void test_added_states(void **state) {
    (void)state;
    static const float numbers[] = {-0.0F, -5, 1, 2, 3, NAN};
    static const float special[] = {NAN, INFINITY, -INFINITY, NAN, INFINITY, NAN}; /* of each another number */
    const wf_reduce_spec sum = {.type = WF_F32};
    struct {
        wf_sum_state state;
        int64_t behind;
    } * there, here;
    wf_sum_state empty;
    float *in;
    require(wf_malloc(context, (void **)&there, sizeof *there));
    require(wf_malloc(context, (void **)&in, sizeof numbers));
    require(wf_copy_to_device(context, in, numbers, sizeof numbers));
    wf_sum_state_init(&empty);
    enum {
        ONCE,
        MERGED,
        MERGED_OFTEN,
        JUST_AS_MANY,
        NEARLY_TOO_LARGE,
        NOT_FINITE,
        BROKEN_LIMB,
        BROKEN_VERSION,
        MERGED_NEVER,
        MERGED_TOO_OFTEN,
        TOO_MANY,
        TOO_LARGE,
        TOO_LARGE_CARRIED,
        KINDS_OF_STATES
    };
    for (int of = 0; of < KINDS_OF_STATES; of++)
        for (size_t n = 1; n <= COUNT(numbers); n++) {
            wf_sum_state before = empty;
            require(wf_sum_state_accumulate(context, &sum, in, 2 + (size_t)of % 3, &before));
            if (of == NOT_FINITE)
                require(wf_sum_state_accumulate(context, &sum, special, COUNT(special), &before));
            if (of == MERGED)
                require(wf_sum_state_merge(&before, &before));
            if (of == MERGED_OFTEN) {
                before.merged = before.version = INT32_MAX;
                before.limb[40] = before.limb[41] = ((int64_t)INT32_MAX << 32) - 1;
            }
            if (of == BROKEN_LIMB)
                before.limb[40] = -7;
            if (of == BROKEN_VERSION)
                before.version = 2;
            if (of == MERGED_NEVER || of == MERGED_TOO_OFTEN)
                before.merged = before.version = of == MERGED_NEVER ? INT64_MIN : INT64_MAX;
            if (of == TOO_LARGE) {
                before.merged = before.version = 2;
                before.limb[WF_SUM_LIMBS - 1] = (INT64_C(1) << 18) + 1;
            }
            if (of == NEARLY_TOO_LARGE) {
                for (int i = 33; i < WF_SUM_LIMBS - 1; i++) /* 1 is in limb 33 */
                    before.limb[i] = UINT32_MAX;
                before.limb[WF_SUM_LIMBS - 1] = INT64_C(1) << 18;
            }
            if (of == TOO_LARGE_CARRIED) {
                before.merged = before.version = 2;
                memset(before.limb, 0, sizeof before.limb);
                before.limb[WF_SUM_LIMBS - 2] = INT64_C(1) << 32;
                before.limb[WF_SUM_LIMBS - 1] = INT64_C(1) << 18;
            }
            if (of == TOO_MANY || of == JUST_AS_MANY)
                before.count = INT64_MAX - (int64_t)n + (of == TOO_MANY);
            here.state = before;
            here.behind = 12345;
            require(wf_copy_to_device(context, there, &here, sizeof here));
            require(wf_sum_state_accumulate_async(context, &sum, in, n, &there->state, NULL));
            require(wf_copy_to_host(context, &here, there, sizeof here));
            assert_true(here.behind == 12345);
            if (of == MERGED_OFTEN)
                require(wf_sum_state_normalise(&before));
            if (of < BROKEN_LIMB && (of != NEARLY_TOO_LARGE || n < 5)) /* of the first five -5 is outweighed */
                require(wf_sum_state_accumulate(context, &sum, in, n, &before));
            assert_memory_equal(&here.state, &before, sizeof before);
        }
    wf_free(context, in);
    wf_free(context, there);
}

/* As often as a state may be merged, and once more: by adding the state to itself. */
void test_headroom(void **state) {
    (void)state;
    const double largest[] = {1.7976931348623157e308, -4.9406564584124654e-324};
    const wf_reduce_spec sum = {.type = WF_F64};
    wf_sum_state one, many;
    wf_sum_state_init(&one);
    require(wf_sum_state_accumulate(context, &sum, largest, 2, &one));
    many = one;
    for (int doubling = 0; doubling < 61; doubling++) /* 2^61 states: the last limb is not 0 any more */
        require(wf_sum_state_merge(&many, &many));
    assert_int_equal(many.count, INT64_C(2) << 61);
    double mean = 0;
    require(wf_sum_state_round(&many, WF_MEAN, WF_F64, &mean, wf_type_size(WF_F64)));
    assert_true(mean == largest[0] / 2);
}

__extension__ typedef unsigned __int128 wide_word;

/* sum / count to nearest even, by a division that the compiler has. sum: at least 2^63. */
static double rounded_quotient(uint64_t sum, uint64_t count) {
    const int up = 63;
    const wide_word dividend = (wide_word)sum << up;
    wide_word quotient = dividend / count;
    bool has_rest = dividend % count != 0;
    int exponent = -up;
    for (; quotient >> 54 != 0; quotient >>= 1, exponent++)
        has_rest = has_rest || (quotient & 1) != 0;
    const bool up_a_digit = (quotient & 1) != 0 && (has_rest || (quotient & 2) != 0);
    return ldexp((double)(uint64_t)((quotient >> 1) + up_a_digit), exponent + 1);
}

/* 2^exponent (sum + below 2^-64) / count, as the library says. Where the sum's top bit is set, its word has so many
 * zeros above it, up to 31: then the sum lies in five words. */
static double mean_of_state(wide_word sum, int zeros, uint64_t below, uint64_t count, int *exponent) {
    enum { WORD = 33 };
    *exponent = 32 * (WORD + 1) - zeros - 1074;
    wf_sum_state many;
    wf_sum_state_init(&many);
    many.count = (int64_t)count;
    many.others = 1;
    many.limb[WORD - 1] = (int64_t)(uint32_t)(below >> zeros);
    many.limb[WORD] = (int64_t)(uint32_t)(sum << (32 - zeros) | below >> 32 >> zeros);
    for (int i = 0; i < 4; i++)
        many.limb[WORD + 1 + i] = (int64_t)(uint32_t)(sum >> 32 * i >> zeros);
    double mean = 0;
    require(wf_sum_state_round(&many, WF_MEAN, WF_F64, &mean, wf_type_size(WF_F64)));
    return mean;
}

/* Means of more elements than 32 bits count, as states of many ranks have: the divisor has two digits. */
void test_means_of_many(void **state) {
    (void)state;
    int exponent;
    for (uint64_t round = 0; round < 20000; round++) {
        const int bits = 33 + (int)(round % 30);
        const uint64_t count = (round % 7 == 0 ? UINT64_MAX : data_hash(2 * round)) >> (64 - bits) |
                               (round % 5 == 0 ? UINT32_MAX : 1) | UINT64_C(1) << (bits - 1);
        const uint64_t sum = (round % 3 == 0 ? ~data_hash(round) >> 40 : data_hash(2 * round + 1)) | UINT64_C(1) << 63;
        const double mean = mean_of_state(sum, 0, 0, count, &exponent);
        const double want = ldexp(rounded_quotient(sum, count), exponent);
        if (mean != want)
            fail_msg("%" PRIu64 " / %" PRIu64 ": %a, expected %a", sum, count, mean, want);

        /* The middle of two numbers; and the least bit of 128 more, or what lies below it, or nothing; or, of all ones
         * below it, a little less than the middle. */
        const uint64_t middle = data_hash(3 * round) >> 10 | UINT64_C(1) << 53 | 1;
        const bool is_more = round % 2 != 0, is_less = round % 4 == 2;
        const int zeros = (int)(round / 4 % 32);
        wide_word product = (wide_word)middle * count;
        int up = 0;
        for (; product >> 127 == 0; up++)
            product <<= 1;
        const bool is_far = round % 3 == 0; /* what is more lies below the five words */
        const uint64_t below = is_less ? UINT64_MAX : is_more && is_far ? UINT64_C(1) << zeros : 0;
        const wide_word near = is_less ? product - 1 : product | (is_more && !is_far);
        const double got = mean_of_state(near, zeros, below, count, &exponent);
        const uint64_t half = middle >> 1, rounded = half + (is_more || (!is_less && half % 2 != 0));
        if (got != ldexp((double)rounded, 1 + up + exponent))
            fail_msg("the middle %#" PRIx64 ", %s, of %" PRIu64 ", below %d zeros: %a", middle,
                     is_more   ? "and more"
                     : is_less ? "nearly"
                               : "alone",
                     count, zeros, got);
    }
}
