/* Descriptions: of every type and shape of data, of hard ones, and of floats about the window of their exact sum.
 * Against plain loops and exact sums. */
#include "big_sum.h"
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

typedef enum shape {
    NOISE,
    FAR_NOISE,
    CONSTANT,
    TREND,
    WITH_NAN,
    ALL_NAN,
    WITH_INFINITY,
    ZEROS,
    EXTREMES,
    SPREAD, /* of floats every other is too small for an exact sum's window that has the others */
    SHAPES
} shape;
static const char *const shape_names[] = {"noise",   "far noise",     "constant",     "trend",    "with NaN",
                                          "all NaN", "with infinity", "signed zeros", "extremes", "spread"};

double uniform(size_t i, uint64_t seed) {
    return (double)(int64_t)data_hash(seed ^ (i * 2 + 1)) * 0x1p-63;
}

static bool is_signed(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}

/* A large mean with little around it. */
static double far_mean(wf_type type) {
    switch (type) {
    case WF_F64:
    case WF_I32:
    case WF_U32:
        return 1e8;
    case WF_I64:
    case WF_U64:
        return 0x1p60;
    case WF_I8:
    case WF_U8:
        return 100;
    default:
        return 1000;
    }
}

static void put_shape(wf_type type, shape of, void *values, size_t i, size_t count, uint64_t seed) {
    const bool is_float = number_is_float(type);
    const double scale = is_float ? 1 : wf_type_size(type) == 1 ? 50 : 1000;
    const size_t special = count ? data_hash(seed) % count : 0;
    double value = uniform(i, seed) * scale;
    if (!is_signed(type) && !is_float)
        value = fabs(value);
    if (of == FAR_NOISE && (type == WF_I64 || type == WF_U64)) { /* an f64 has too few bits */
        number_put_integer(type, values, i, (UINT64_C(1) << 60) + data_hash(seed ^ i) % 1000);
        return;
    }
    switch (of) {
    case FAR_NOISE:
        value = far_mean(type) + value / (wf_type_size(type) == 1 ? 10 : 1);
        break;
    case CONSTANT:
        value = is_float ? 0.1 : 7;
        break;
    case TREND:
        value = (double)(i % (wf_type_size(type) == 1 ? 127 : 2003)) / (is_float ? 7 : 1);
        break;
    case WITH_NAN:
        if (is_float && (i == special || i % 257 == 5))
            value = (double)NAN;
        break;
    case ALL_NAN:
        if (is_float)
            value = (double)NAN;
        break;
    case WITH_INFINITY:
        if (is_float && i == special)
            value = seed % 2 ? (double)INFINITY : -(double)INFINITY;
        break;
    case ZEROS:
        value = is_float && i != special ? -0.0 : 0.0;
        break;
    case EXTREMES: /* half of all numbers of the type apart */
        if (!is_float) {
            number_put_integer(type, values, i, number_extreme(type, data_hash(seed ^ i) & 1));
            return;
        }
        value *= type == WF_F16 ? 60000 : type == WF_F64 ? 1e140 : 1e30;
        break;
    case SPREAD:
        value *= is_float && i % 2 != 0 ? 1e-35 : 1;
        break;
    default:
        break;
    }
    if (is_float)
        number_put_float(type, values, i, value);
    else
        number_put_integer(type, values, i, (uint64_t)(int64_t)value);
}

static double as_double(wf_number number) {
    return number.f64;
}

/* u times a number of operations: those of a chunk's longest lane (2048 for bytes, in the narrowest registers), of what
 * fills no register, and of every join: of up to 257 pieces and their chunks, some 5 operations each. */
static long double relative_error(wf_type type, size_t count) {
    const size_t chunk = 16 * 1024 / wf_type_size(type);
    const long double operations = (long double)chunk / 8 + 32 + 5 * ((long double)(count / chunk) + 257);
    return operations * 0x1p-53L;
}

static void check_floats(wf_type type, const char *name, size_t count, const char *spec, double got,
                         long double expected, long double bound) {
    const long double error = fabsl((long double)got - expected);
    if (!(error <= bound))
        fail_msg("%s, %s, n %zu: %s: expected %.20Lg, got %.17g: error %Lg, bound %Lg", wf_type_name(type), name, count,
                 spec, expected, got, error, bound);
}

/* Sum and mean to the bit; NaN is canonical. The sum of no elements is +0. */
static const size_t most_described_exactly = 5000;
static void check_exact_moments(const wf_describe_spec *spec, const char *name, const void *values, size_t count,
                                const wf_description *got) {
    static big_sum exact;
    memset(&exact, 0, sizeof exact);
    const size_t bytes = wf_type_size(spec->type);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)values + i * bytes, bytes); /* the low bytes */
        if (spec->nan == WF_NAN_PROPAGATE || !number_is_nan(spec->type, values, i))
            big_sum_add(&exact, spec->type, BIG_ELEMENT, bits);
    }
    big_sum_finish(&exact);
    const uint64_t sum = big_sum_rounded(&exact, false, WF_F64), mean = big_sum_rounded(&exact, true, WF_F64);
    uint64_t mean_got;
    memcpy(&mean_got, &got->mean, sizeof mean_got);
    if (got->sum.u64 != sum || (exact.count != 0 ? mean_got != mean : !isnan(got->mean)))
        fail_msg("%s, %s, n %zu: sum %#llx and mean %#llx, exactly %#llx and %#llx", wf_type_name(spec->type), name,
                 count, (unsigned long long)got->sum.u64, (unsigned long long)mean_got, (unsigned long long)sum,
                 (unsigned long long)mean);
}

static void check_description(const wf_describe_spec *spec, const char *name, const void *values, size_t count,
                              const wf_description *got) {
    const wf_type type = spec->type;
    const bool is_float = number_is_float(type);
    /* The extremes are wf_reduce's, which is tested by itself. */
    const wf_reduce_spec argmin = {.type = type, .op = WF_ARGMIN, .nan = spec->nan};
    const wf_reduce_spec argmax = {.type = type, .op = WF_ARGMAX, .nan = spec->nan};
    uint64_t least[2], most[2];
    require(wf_reduce(context, &argmin, values, count, least, bytes_of_result(&argmin)));
    require(wf_reduce(context, &argmax, values, count, most, bytes_of_result(&argmax)));
    assert_true(got->argmin == least[1]);
    assert_true(got->argmax == most[1]);
    if (is_float) {
        const double low = number_float(type, least, 0), high = number_float(type, most, 0);
        assert_true(isnan(low) ? isnan(got->min.f64) : memcmp(&low, &got->min, 8) == 0);
        assert_true(isnan(high) ? isnan(got->max.f64) : memcmp(&high, &got->max, 8) == 0);
    } else {
        assert_true(got->min.u64 == number_integer(type, least, 0));
        assert_true(got->max.u64 == number_integer(type, most, 0));
    }

    if (is_float && count <= most_described_exactly)
        check_exact_moments(spec, name, values, count, got);

    size_t counted = 0;
    bool has_nan = false, has_infinity = false;
    uint64_t whole = 0;
    long double sum = 0, magnitude = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (number_is_nan(type, values, i)) {
            has_nan = true;
            continue;
        }
        const long double value = number_value(type, values, i);
        has_infinity = has_infinity || isinf(value);
        counted++;
        sum += value;
        magnitude += fabsl(value);
        largest = fmaxl(largest, fabsl(value));
        if (!is_float)
            whole += number_integer(type, values, i);
    }
    if (has_nan && spec->nan == WF_NAN_PROPAGATE) {
        assert_true(got->count == count);
        assert_true(isnan(as_double(got->sum)) && isnan(got->mean) && isnan(got->variance));
        return;
    }
    if (got->count != counted)
        fail_msg("%s, %s, n %zu: count %llu", wf_type_name(type), name, count, (unsigned long long)got->count);
    if (counted == 0) {
        assert_true(got->sum.u64 == 0);
        assert_true(isnan(got->mean) && isnan(got->variance));
        return;
    }
    if (has_infinity) {
        assert_true(as_double(got->sum) == (double)sum);
        assert_true(got->mean == (double)sum);
        assert_true(isnan(got->variance) || isinf(got->variance));
        return;
    }
    const long double mean = sum / (long double)counted;
    long double squares = 0;
    for (size_t i = 0; i < count; i++)
        if (!number_is_nan(type, values, i)) {
            const long double distance = number_value(type, values, i) - mean;
            squares += distance * distance;
        }
    const long double variance = squares / (long double)counted, relative = relative_error(type, count);
    if (is_float)
        check_floats(type, name, count, "sum", as_double(got->sum), sum, relative * magnitude);
    else if (got->sum.u64 != whole)
        fail_msg("%s, %s, n %zu: sum %#llx, expected %#llx", wf_type_name(type), name, count,
                 (unsigned long long)got->sum.u64, (unsigned long long)whole);
    /* The means of chunks are joined, each within `off` of the truth; so far the squares may be off their centre. */
    const long double off = relative * largest;
    check_floats(type, name, count, "mean", got->mean, mean, off);
    check_floats(type, name, count, "variance", got->variance, variance,
                 4 * relative * variance + 2 * sqrtl(variance) * off + off * off);
}

void test_description(void **state) {
    const wf_describe_spec *spec = *state;
    /* 133120: of f64 65 tiles of 16 KiB, of f32 33: all lanes of a wave join as many, and lane 0 one more. */
    static const size_t lengths[] = {0,    1,    2,    3,    8,     33,    255,    256,    257,
                                     1000, 4095, 4097, 8200, 16385, 65537, 133120, 400003, 1300021};
    enum { LONG = 60000 };
    const data_share of_long = {share.every < 4 ? share.every : 4, share.first};
    size_t turn = 0;
    for (int of = 0; of < SHAPES; of++) {
        if (spec->nan == WF_NAN_IGNORE && of != NOISE && of != WITH_NAN && of != ALL_NAN)
            continue;
        /* The last length is for pieces of several chunks. */
        for (size_t l = 0; l < COUNT(lengths) - (of > FAR_NOISE || wf_type_size(spec->type) < 4); l++) {
            const size_t count = lengths[l], bytes = wf_type_size(spec->type), offset = turn++ * 7 % 64;
            if ((count > LARGE / 2 && !data_takes(share, (size_t)of + (size_t)spec->type)) ||
                (count > LONG && !data_takes(of_long, (size_t)of + (size_t)spec->type)))
                continue;
            char *memory = malloc(count * bytes + 64);
            assert_non_null(memory);
            void *aligned = malloc(count * bytes + 1);
            assert_non_null(aligned);
            for (size_t i = 0; i < count; i++)
                put_shape(spec->type, (shape)of, aligned, i, count, 3 + l);
            memcpy(memory + offset, aligned, count * bytes);
            wf_description got;
            require(wf_describe(context, spec, memory + offset, count, &got));
            check_description(spec, shape_names[of], aligned, count, &got);
            free(aligned);
            free(memory);
        }
    }
}

/* Where a pivot that is badly chosen, or that lies outside of the exact sum's window, loses the variance. */
static double variance_of(wf_type type, wf_nan nan, const void *values, size_t count) {
    wf_description got;
    require(wf_describe(context, &(wf_describe_spec){.type = type, .nan = nan}, values, count, &got));
    return got.variance;
}

void test_hard_descriptions(void **state) {
    (void)state;
    enum { COUNT_OF_ALL = 6000, EVERY = 37, MOSTLY_ZEROS = 2400 };
    static double few[COUNT_OF_ALL], large[100];
    static _Alignas(64) float cancelling[MOSTLY_ZEROS];
    /* Far from 0, and most of it NaN, also where it begins, ends and is looked at. */
    long double sum = 0, squares = 0;
    size_t counted = 0;
    uint32_t noise = 1;
    for (size_t i = 0; i < COUNT_OF_ALL; i++) {
        noise = noise * 1664525 + 1013904223;
        few[i] = i % EVERY == 5 ? 1e8 + noise * 0x1p-32 : (double)NAN;
        sum += i % EVERY == 5 ? few[i] : 0;
        counted += i % EVERY == 5;
    }
    const long double mean = sum / (long double)counted;
    for (size_t i = 5; i < COUNT_OF_ALL; i += EVERY)
        squares += (few[i] - mean) * (few[i] - mean);
    const double apart = (double)(squares / (long double)counted);
    /* By kernels: a pivot among them is off the mean by 1 at the most, which makes the squares 13 times as large; their
     * distances are exact, and each of `counted` additions rounds. */
    const double off = 13 * ((double)counted + 8) * 0x1p-53 * apart;
    if (!(fabs(variance_of(WF_F64, WF_NAN_IGNORE, few, COUNT_OF_ALL) - apart) <= off))
        fail_msg("variance %g of few numbers, expected %g", variance_of(WF_F64, WF_NAN_IGNORE, few, COUNT_OF_ALL),
                 apart);
    /* Large ones that cancel, between zeros. */
    for (size_t i = 0; i < MOSTLY_ZEROS; i++)
        cancelling[i] = i % 100 == 0 ? 0x1p120f : i % 100 == 2 ? -0x1p120f : 0;
    const double far = 2 * 0x1p240 / 100;
    if (!(fabs(variance_of(WF_F32, WF_NAN_PROPAGATE, cancelling, MOSTLY_ZEROS) - far) <= 1e-12 * far))
        fail_msg("variance %g of what cancels, expected %g",
                 variance_of(WF_F32, WF_NAN_PROPAGATE, cancelling, MOSTLY_ZEROS), far);
    /* Squares that f64 does not hold. */
    for (size_t i = 0; i < COUNT(large); i++)
        large[i] = i % 2 == 0 ? 1e160 : -1e160;
    assert_true(isinf(variance_of(WF_F64, WF_NAN_PROPAGATE, large, COUNT(large))));
    /* Whose sums, or distances from the first, f64 does not hold either. */
    static const double beyond[][3] = {{1e308, 1e308, -1e308}, {1.5e308, 1.5e308, 1e308}, {-1.7e308, 1.7e308, 1.7e308}};
    for (size_t i = 0; i < COUNT(beyond); i++)
        if (!isinf(variance_of(WF_F64, WF_NAN_PROPAGATE, beyond[i], 3)))
            fail_msg("variance %g of three large ones, %zu", variance_of(WF_F64, WF_NAN_PROPAGATE, beyond[i], 3), i);
    enum { IN_CHUNKS = 1 << 14 };
    static double chunks[IN_CHUNKS];
    for (size_t i = 0; i < IN_CHUNKS; i++)
        chunks[i] = i / 2048 % 2 == 0 ? 1.7e308 : -1.7e308;
    wf_description of_chunks;
    require(wf_describe(context, &(wf_describe_spec){.type = WF_F64}, chunks, IN_CHUNKS, &of_chunks));
    assert_true(of_chunks.mean == 0 && isinf(of_chunks.variance));
    for (size_t i = 0; i < IN_CHUNKS; i++)
        chunks[i] = 0.1 * 0x1p700; /* whose sum is rounded */
    if (variance_of(WF_F64, WF_NAN_PROPAGATE, chunks, IN_CHUNKS) != 0)
        fail_msg("variance %g of equal ones", variance_of(WF_F64, WF_NAN_PROPAGATE, chunks, IN_CHUNKS));
    /* In the last places of a large mean: its halves lie two of them apart. */
    for (size_t i = 0; i < IN_CHUNKS; i++)
        chunks[i] = i < IN_CHUNKS / 2 + 100 ? 1e16 : 1e16 + 4;
    const double part = 0.5 + 100.0 / (double)IN_CHUNKS, close = 16 * part * (1 - part);
    if (!(fabs(variance_of(WF_F64, WF_NAN_PROPAGATE, chunks, IN_CHUNKS) - close) <= 1e-11 * close))
        fail_msg("variance %.17g beside a large mean, expected %.17g",
                 variance_of(WF_F64, WF_NAN_PROPAGATE, chunks, IN_CHUNKS), close);
    /* One among NaN, which is looked at or not, and of which the square is too large. */
    for (size_t i = 0; i < COUNT_OF_ALL; i++)
        few[i] = (double)NAN;
    for (size_t i = 0; i < 8; i++) {
        few[i] = -1e300;
        if (variance_of(WF_F64, WF_NAN_IGNORE, few, COUNT_OF_ALL) != 0)
            fail_msg("variance %g of one number, at %zu", variance_of(WF_F64, WF_NAN_IGNORE, few, COUNT_OF_ALL), i);
        few[i] = (double)NAN;
    }
}

/* The elements among which kernels look for a pivot: in each round one for each lane, until one is finite. */
enum { ROUNDS = 64 };
static size_t looked_at(size_t lane, size_t round, size_t lanes, size_t count) {
    return count * (lane * ROUNDS + round) / (ROUNDS * lanes);
}

static size_t lanes_of_wave(void) {
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    return info.wave_width;
}

/* By a pivot that is as far from most of them as the mean is from 0, the variance would be off by thousands of times as
 * many roundings. */
static void check_variance(const char *name, size_t which, const double *values, size_t count) {
    long double sum = 0, squares = 0;
    size_t counted = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            counted++;
        }
    const long double mean = sum / (long double)counted;
    for (size_t i = 0; i < count; i++)
        squares += isnan(values[i]) ? 0 : (values[i] - mean) * (values[i] - mean);
    const double expected = (double)(squares / (long double)counted);
    const double got = variance_of(WF_F64, WF_NAN_IGNORE, values, count);
    if (!(fabs(got - expected) <= 100 * 0x1p-53 * expected))
        fail_msg("%s, %zu: variance %.17g, expected %.17g", name, which, got, expected);
}

static void check_pivots(size_t count, size_t lanes) {
    enum { MOST = 6000 };
    static double values[MOST];
    assert_true(count <= MOST);
    /* One that is looked at, far above or below the others. */
    const size_t places[] = {0, count / 2, looked_at(lanes - 1, 0, lanes, count)};
    for (size_t k = 0; k < 2 * COUNT(places); k++) {
        for (size_t i = 0; i < count; i++)
            values[i] = 1e8 + uniform(i, k);
        values[places[k / 2]] = k % 2 == 0 ? 0 : 2e8;
        check_variance("one far from others", k, values, count);
    }
    /* Among NaN, in one round alone; also numbers of whose exponent the lower bits are all ones. */
    static const size_t rounds[] = {0, 1, 2, 31, ROUNDS - 1};
    for (size_t k = 0; k < 2 * COUNT(rounds); k++) {
        for (size_t i = 0; i < count; i++)
            values[i] = (double)NAN;
        for (size_t lane = 0; lane < lanes; lane++)
            values[looked_at(lane, rounds[k / 2], lanes, count)] =
                k % 2 == 0 ? 1e8 + uniform(lane, k) : 1.75 + 1e-6 * uniform(lane, k);
        check_variance("in one round", rounds[k / 2], values, count);
    }
}

void test_describe_by_a_pivot(void **state) {
    (void)state;
    const size_t lanes = lanes_of_wave();
    check_pivots(2000, lanes); /* which one tile takes at once */
    check_pivots(6000, lanes);
    /* Where none is looked at the squares are about 0; rounded, those of equal numbers may come to less than they. */
    enum { EVERY = 2, COUNT_OF_ALL = EVERY * ROUNDS * 64 };
    static double values[COUNT_OF_ALL];
    for (size_t i = 0; i < COUNT_OF_ALL; i++)
        values[i] = (double)NAN;
    for (uint64_t k = 0; k < 16; k++) {
        const double number = 1 + fabs(uniform(k, 1));
        values[1] = values[COUNT_OF_ALL / 2 + 1] = values[COUNT_OF_ALL - 1] = number;
        const double variance = variance_of(WF_F64, WF_NAN_IGNORE, values, COUNT_OF_ALL);
        if (!(variance >= 0 && variance <= 16 * 0x1p-53 * number * number))
            fail_msg("variance %g of three that are %.17g", variance, number);
    }
}

/* -0 alone come to -0. */
void test_describe_minus_zeros(void **state) {
    (void)state;
    static float zeros[5000];
    static const size_t counts[] = {1, 4, 33, 1000, COUNT(zeros)};
    for (size_t i = 0; i < COUNT(zeros); i++)
        zeros[i] = -0.0F;
    for (size_t k = 0; k < COUNT(counts); k++) {
        wf_description got;
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, zeros, counts[k], &got));
        assert_true(got.sum.f64 == 0 && signbit(got.sum.f64) && got.mean == 0 && signbit(got.mean));
    }
}

/* Where an exact sum's window lies is told by what stands first in its packs: by zeros there, between these bits. */
enum { WINDOW_BEGIN = -84, WINDOW_END = 9 };

/* Groups of floats that cancel, in the exact sum's window, above it, and below: the pivot is one of them. */
void test_describe_outside_the_window(void **state) {
    (void)state;
    enum { COUNT_OF_ALL = 1003, GROUPS = COUNT_OF_ALL / 4 };
    static _Alignas(64) float values[COUNT_OF_ALL];
    static const float group[] = {0, 1, -2, 1};
    const double expected = 6.0 * (double)GROUPS / (double)COUNT_OF_ALL;
    for (int exponent = -149; exponent <= 126; exponent++) {
        for (size_t i = 0; i < 4 * GROUPS; i++)
            values[i] = ldexpf(exponent % 2 == 0 ? group[i % 4] : -group[i % 4], exponent);
        const double variance = ldexp(variance_of(WF_F32, WF_NAN_PROPAGATE, values, COUNT_OF_ALL), -2 * exponent);
        if (!(fabs(variance - expected) <= 1e-12 * expected))
            fail_msg("variance %.17g of groups that cancel, of 2^%d, expected %.17g", variance, exponent, expected);
    }
}

static void check_moments(const char *name, const double *values, size_t count) {
    const wf_describe_spec spec = {.type = WF_F64};
    wf_description got;
    require(wf_describe(context, &spec, values, count, &got));
    check_exact_moments(&spec, name, values, count, &got);
}

/* Sums that end at each bit of the window, some of them with a bit far below. */
void test_describe_in_the_window(void **state) {
    (void)state;
    enum { MOST = 11, OF_EACH = 6 };
    static _Alignas(64) double values[MOST];
    static const double fractions[] = {1, 1.375, 1.75};
    for (int exponent = WINDOW_BEGIN; exponent < WINDOW_END; exponent++)
        for (size_t k = 0; k < OF_EACH; k++) {
            const uint64_t hash = data_hash((uint64_t)(exponent - WINDOW_BEGIN) * OF_EACH + k);
            const double fraction = k < COUNT(fractions) ? fractions[k] : 1 + (double)(hash >> 12) * 0x1p-52;
            memset(values, 0, sizeof values);
            values[1] = ldexp(k % 2 == 0 ? fraction : -fraction, exponent);
            values[3] = k % 3 == 0 ? ldexp(1, exponent - 64 > WINDOW_BEGIN ? exponent - 64 : WINDOW_BEGIN) : 0;
            check_moments("in the window", values, 4 + hash % (MOST - 3));
        }
}

/* A mean between the f64 of so many places and the next one, or beside that. In halves of a last place, 2^exponent, the
 * sum is below 2^64. If it leads, the window lies by it. */
static void check_mean_between(uint64_t lower, size_t count, int exponent, bool leads, int beside) {
    enum { MOST = 1200, LOW_BITS = 12 };
    static _Alignas(64) double values[MOST];
    const uint64_t sum = (2 * lower + 1) * count, low = sum % (1 << LOW_BITS);
    const double sign = lower / 2 % 2 == 0 ? 1 : -1;
    memset(values, 0, sizeof values);
    values[leads ? 0 : 1] = sign * ldexp((double)(sum - low), exponent);
    values[3] = sign * ldexp((double)low, exponent);
    values[5] = beside * ldexp(1, exponent - 20);
    check_moments("between two", values, count);
}

void test_describe_means_between_two(void **state) {
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        const uint64_t hash = data_hash(i), lower = UINT64_C(1) << 52 | hash >> 12;
        const int beside = i % 2 == 0 ? 0 : i % 4 == 1 ? 1 : -1;
        check_mean_between(lower, 6 + hash % 10, -50, false, beside);
        check_mean_between(lower, 6 + hash % 10, 200, true, beside);
    }
    /* Half of the distance to the lower one is lost where the sum is rounded. */
    for (size_t count = 1025; count < 1199; count += 2) {
        uint64_t lower = UINT64_C(1) << 52;
        while ((2 * lower + 1) * count % (1 << 11) != (count / 2 | 1))
            lower++;
        check_mean_between(lower, count, -56, false, 0);
    }
}

/* Numbers a last place apart: a pivot that is off by one, or a sum of distances, shows. */
void test_describe_neighbours(void **state) {
    (void)state;
    static const int exponents[] = {-300, 0, 300};
    for (size_t i = 0; i < 2 * COUNT(exponents); i++) {
        const int exponent = exponents[i / 2];
        const double place = ldexp(1, exponent - 52), sign = i % 2 == 0 ? 1 : -1;
        const double a = sign * (ldexp(1, exponent) + place), b = sign * (ldexp(1, exponent) + 2 * place);
        const double between[] = {a, b, a, b}, beside[] = {a, b, a, b, b};
        const double of_between = variance_of(WF_F64, WF_NAN_PROPAGATE, between, COUNT(between)) / (place * place);
        const double of_beside = variance_of(WF_F64, WF_NAN_PROPAGATE, beside, COUNT(beside)) / (place * place);
        if (of_between != 0.25 || !(fabs(of_beside - 0.24) < 1e-15))
            fail_msg("variances %.17g and %.17g of neighbours of %g, expected 0.25 and 0.24", of_between, of_beside,
                     sign * ldexp(1, exponent));
    }
    enum { COUNT_OF_FLOATS = 300 };
    static float floats[COUNT_OF_FLOATS];
    for (size_t i = 0; i < COUNT_OF_FLOATS; i++)
        floats[i] = 0x1p24f - 1 - (float)(i % 2);
    const double variance = variance_of(WF_F32, WF_NAN_PROPAGATE, floats, COUNT_OF_FLOATS);
    if (!(fabs(variance - 0.25) < 1e-12))
        fail_msg("variance %.17g of neighbours of 2^24, expected 0.25", variance);
    /* The squares of their distances are less than any double, but not the square of their sum. */
    enum { COUNT_OF_TINY = 100 };
    static double tiny[COUNT_OF_TINY];
    for (size_t i = 0; i < 100; i++) {
        for (size_t k = 0; k < COUNT_OF_TINY; k++)
            tiny[k] = ldexp(1 + (double)i / 101, -486);
        tiny[i] += ldexp(1, -486 - 52);
        const double of_tiny = variance_of(WF_F64, WF_NAN_PROPAGATE, tiny, COUNT_OF_TINY);
        if (!(of_tiny == 0))
            fail_msg("variance %.17g of neighbours of 2^-486, expected 0", of_tiny);
    }
}

/* Of as many elements as a tile's threads take at once, the last one is behind them if the first is no pack's. */
static void check_an_edge_behind(wf_type type) {
    enum { LEAST = 256, MOST = 4096 };
    static _Alignas(64) char memory[(1 + MOST) * sizeof(double)];
    const wf_describe_spec spec = {.type = type};
    void *const values = memory + wf_type_size(type);
    for (size_t count = LEAST; count <= MOST; count *= 2)
        for (int has_misfit = 0; has_misfit < 2; has_misfit++) {
            for (size_t i = 0; i < count; i++)
                number_put_float(type, values, i, (double)(i + 1));
            if (has_misfit)
                number_put_float(type, values, count / 2, type == WF_F64 ? 1e-300 : 1e-30);
            wf_description got;
            require(wf_describe(context, &spec, values, count, &got));
            check_description(&spec, "with an edge behind", values, count, &got);
            const wf_reduce_spec in_f64 = {.type = type, .op = WF_SUM, .accumulator = WF_ACCUMULATE_F64};
            double sum;
            require(wf_reduce(context, &in_f64, values, count, &sum, bytes_of_result(&in_f64)));
            assert_true(sum == got.sum.f64);
        }
}

void test_describe_an_edge_behind(void **state) {
    (void)state;
    check_an_edge_behind(WF_F64);
    check_an_edge_behind(WF_F32);
}

/* One tile takes all at once, but for a thread whose first packs do not fit a double; so all is taken again, and the
 * second packs by other threads. Of two that are alike among these the first one counts. */
void test_describe_what_is_taken_again(void **state) {
    (void)state;
    enum { IN_PACK = 4, COUNT_OF_ALL = 1750 * IN_PACK, MISFIT = 128 * IN_PACK };
    enum { FIRST = 1056 * IN_PACK + 1, SECOND = 1280 * IN_PACK + 1 };
    static _Alignas(64) float values[COUNT_OF_ALL];
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t i = 0; i < COUNT_OF_ALL; i++)
            values[i] = 1;
        values[MISFIT] = 1e-35F;
        values[FIRST] = values[SECOND] = (float)(2 * sign);
        wf_description got;
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, values, COUNT_OF_ALL, &got));
        const uint64_t place = sign < 0 ? got.argmin : got.argmax;
        if (place != FIRST)
            fail_msg("%d stands first at %d, not at %llu", 2 * sign, FIRST, (unsigned long long)place);
    }
}
