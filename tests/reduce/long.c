/* Descriptions of floats that are long for the device: its kernel for those looks at places only where a wave finds an
 * extreme beyond its own so far. So extremes come early, late, in every group, twice, as zeros of either sign, and
 * among what is not finite. Against plain loops, and for sums and means the bits of wf_reduce's. */
#include "data.h"
#include "numbers.h"
#include "reduce_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const wf_type float_types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

typedef enum shape {
    NOISE,
    FALLING,
    RISING,
    EQUAL,
    ZEROS,          /* +0, and -0 in two places */
    NEGATIVE_ZEROS, /* -0, and +0 in two places */
    NO_SIGNS,       /* many +0, the rest above, and -0 in two places */
    TWICE,          /* noise, and each extreme in two places */
    WITH_NAN,
    WITH_INFINITIES,
    ALMOST_ALL_NAN, /* but for a number in two places */
    ALL_NAN,
    ENDS,       /* above 0, each extreme at an end alone */
    ENDS_BELOW, /* below 0 */
    SPREAD,     /* every other number is too small for an exact sum's window that has the others */
    BELOW,      /* all below 0 */
    LEADS,      /* each extreme where a wave's first lane has it first of its pack, alone among equal ones */
    SHAPES
} shape;
static const char *const shape_names[] = {
    "noise",           "falling",        "rising", "equal", "zeros",        "-0",     "no signs", "twice", "with NaN",
    "with infinities", "almost all NaN", "NaN",    "ends",  "ends below 0", "spread", "below 0",  "leads"};

/* An index about that one, of the first element of a pack that a wave's first lane takes: waves take 512 bytes at once
 * from the first pack on, before which so many bytes of the array stand. */
static size_t lead_about(size_t i, size_t element, size_t before_packs) {
    return (i * element / 512 * 512 + before_packs) / element;
}

static double value_at(shape of, size_t i, size_t n, size_t element, size_t before_packs) {
    const bool is_first = i == n / 3 + 5, is_second = i == n - n / 7, is_special = is_first || is_second;
    const double noise = (double)(int64_t)data_hash(i * 2 + 1) * 0x1p-63;
    const double step = (double)(i * 1000 / n); /* f16 and bf16 have fewer */
    switch (of) {
    case FALLING:
        return 500 - step;
    case RISING:
        return step - 500;
    case EQUAL:
        return 1.5;
    case ZEROS:
        return is_special ? -0.0 : 0.0;
    case NEGATIVE_ZEROS:
        return is_special ? 0.0 : -0.0;
    case NO_SIGNS:
        return is_special ? -0.0 : noise > 0 ? noise : 0;
    case TWICE:
        return is_special ? -2 : i == n / 2 || i == n - 1 ? 2 : noise;
    case WITH_NAN:
        return is_special ? (double)NAN : noise;
    case WITH_INFINITIES:
        return is_first ? -(double)INFINITY : is_second || i == n / 2 ? (double)INFINITY : noise;
    case ALMOST_ALL_NAN:
        return is_special ? 3 : (double)NAN;
    case ALL_NAN:
        return (double)NAN;
    case ENDS:
    case ENDS_BELOW:
        return (of == ENDS ? 1 : -1) * (i == 0 ? 8 : i == n - 1 ? 0.5 : 2 + noise);
    case SPREAD:
        return i % 2 == 0 ? noise : noise * 1e-35;
    case BELOW:
        return noise - 2;
    case LEADS:
        return i == lead_about(n / 3, element, before_packs)   ? 1
               : i == lead_about(n / 2, element, before_packs) ? 2
                                                               : 1.5;
    default:
        return noise;
    }
}

/* Where the extreme stands; without NaN, or at the first one. */
static uint64_t place_of(wf_nan nan, bool largest, const double *numbers, size_t n) {
    uint64_t best = UINT64_MAX;
    double extreme = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = numbers[i];
        if (isnan(x)) {
            if (nan == WF_NAN_PROPAGATE)
                return i;
        } else if (best == UINT64_MAX || (largest ? x > extreme : x < extreme) ||
                   (x == extreme && signbit(x) != signbit(extreme) && (signbit(x) != 0) != largest)) {
            best = i;
            extreme = x;
        }
    }
    return best;
}

/* By wf_reduce, which folds no description: of n numbers. */
static double reduced(wf_type type, wf_op op, const void *numbers, size_t n) {
    const wf_reduce_spec spec = {.type = type, .op = op, .accumulator = WF_ACCUMULATE_F64};
    double result;
    require(wf_reduce(context, &spec, numbers, n, &result, bytes_of_result(&spec)));
    return result;
}

/* Moves what is no NaN to the front, and says how many there are. */
static size_t keep_numbers(wf_type type, void *values, double *numbers, size_t n) {
    const size_t size = wf_type_size(type);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(numbers[i])) {
            memmove((char *)values + size * kept, (const char *)values + size * i, size);
            numbers[kept++] = numbers[i];
        }
    return kept;
}

static void check_same(wf_type type, shape of, const char *spec, double got, double expected) {
    if (isnan(expected) ? !isnan(got) : memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%s, %s: %s %.17g, expected %.17g", wf_type_name(type), shape_names[of], spec, got, expected);
}

/* numbers: the values. Both lose their NaN if those are ignored. */
static void check(wf_type type, wf_nan nan, shape of, void *values, double *numbers, size_t n,
                  const wf_description *got) {
    const uint64_t least = place_of(nan, false, numbers, n), largest = place_of(nan, true, numbers, n);
    if (got->argmin != least || got->argmax != largest)
        fail_msg("%s, %s: extremes at %llu and %llu, expected at %llu and %llu", wf_type_name(type), shape_names[of],
                 (unsigned long long)got->argmin, (unsigned long long)got->argmax, (unsigned long long)least,
                 (unsigned long long)largest);
    if (least != UINT64_MAX && !isnan(numbers[least])) {
        check_same(type, of, "least", got->min.f64, numbers[least]);
        check_same(type, of, "largest", got->max.f64, numbers[largest]);
    }
    const size_t counted = nan == WF_NAN_IGNORE ? keep_numbers(type, values, numbers, n) : n;
    assert_true(got->count == counted);
    check_same(type, of, "sum", got->sum.f64, reduced(type, WF_SUM, values, counted));
    check_same(type, of, "mean", got->mean, reduced(type, WF_MEAN, values, counted));

    long double squares = 0;
    for (size_t i = 0; i < counted; i++) {
        const long double apart = (long double)numbers[i] - (long double)got->mean;
        squares += apart * apart;
    }
    const long double variance = squares / (long double)counted;
    /* A rounding for each addition; of these shapes the squares about the pivot are less than 16 times as large. */
    const long double bound = 16 * (long double)(n + 8) * 0x1p-53L * variance;
    if (!isfinite(variance) ? isfinite(got->variance) : !(fabsl((long double)got->variance - variance) <= bound))
        fail_msg("%s, %s: variance %.17g, expected %.20Lg", wf_type_name(type), shape_names[of], got->variance,
                 variance);
}

void test_long_descriptions(void **state) {
    (void)state;
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    /* All threads of three tiles, or of two for each of up to 144 processors, take so much in a round. The few tiles of
     * a test may have it in two parts. */
    const bool is_host = strcmp(info.backend, "host") == 0;
    const size_t tiles = is_host ? 2 * 3 : 288, in_round = tiles * 256 * 64;
    for (size_t t = 0; t < COUNT(float_types); t++) {
        const wf_type type = float_types[t];
        const size_t element = wf_type_size(type), rounds = element == 2 ? 4 : 8; /* rounds_of_long */
        /* A wave's last round ends in its fourth packs: 128 are a round of its own. */
        const size_t most = (rounds * in_round + in_round / 3 + 110 * 16) / element + 4, size = most * element;
        void *const values = malloc(size), *allocated;
        double *const numbers = malloc(most * sizeof *numbers);
        assert_non_null(values);
        assert_non_null(numbers);
        require(wf_malloc(context, &allocated, size + element));
        void *const there = (char *)allocated + element; /* so some elements stand before the first pack */
        const size_t before_packs = 16 - (uintptr_t)there % 16;
        for (int turn = 0; turn < 2 * SHAPES; turn++) {
            const int of = turn / 2;
            const size_t n = turn % 2 == 0 ? most : 1000; /* of which parts are what one tile takes at once */
            for (size_t i = 0; i < n; i++) {
                number_put_float(type, values, i, value_at((shape)of, i, n, element, before_packs));
                numbers[i] = number_float(type, values, i);
            }
            require(wf_copy_to_device(context, there, values, n * element));
            const bool has_nan = of == WITH_NAN || of == ALMOST_ALL_NAN || of == ALL_NAN;
            for (int nan = WF_NAN_PROPAGATE; nan <= (has_nan ? WF_NAN_IGNORE : WF_NAN_PROPAGATE); nan++) {
                const wf_describe_spec spec = {.type = type, .nan = (wf_nan)nan};
                wf_description got;
                require(wf_describe(context, &spec, there, n, &got));
                check(type, (wf_nan)nan, (shape)of, values, numbers, n, &got);
            }
        }
        wf_free(context, allocated);
        free(numbers);
        free(values);
    }
}
