/* wf_scan and wf_scan_axes, of every type and operator, on one device, bit for bit.
 *
 * usage: test_scan_order [DEVICE [PATTERN]]
 *        DEVICE: what wf_context_create takes (default: host:64). PATTERN: which tests (default: all).
 *
 * What results should be comes from the order that src/scan/request.h tells in words, written down here a second time:
 * an element's result is looked up from the largest parts before it to the smallest. Integers and extremes are compared
 * with a plain loop, which has no order to agree with. */
#include <wavefold.h>
#include <wavefold_scan.h>

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "half.h"
#include "require.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static wf_context *context;

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 4 };

/* What is combined: integers modulo 2^64, f32 or f64; of matmul four, of affine two. */
typedef struct value {
    uint64_t u[MOST_NUMBERS];
    float f[MOST_NUMBERS];
    double d[MOST_NUMBERS];
} value;

typedef struct scanned {
    wf_scan_spec spec;
    wf_reduction_info info;
    size_t numbers;       /* of an element */
    size_t element_bytes; /* of a number of it */
} scanned;

static bool is_float_type(wf_type type) {
    return type == WF_F16 || type == WF_BF16 || type == WF_F32 || type == WF_F64;
}

static bool is_signed_type(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}

static uint64_t bits_at(const void *of, size_t bytes, size_t i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)of + i * bytes, bytes);
    return bits;
}

static double double_of_bits(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void put(value *into, size_t k, wf_type type, uint64_t bits) {
    const size_t bytes = wf_type_size(type);
    into->u[k] = bits;
    if (is_signed_type(type) && bytes < 8 && (bits >> (8 * bytes - 1) & 1) != 0)
        into->u[k] |= ~UINT64_C(0) << 8 * bytes;
    if (type == WF_F64) {
        into->d[k] = double_of_bits(bits);
    } else if (is_float_type(type)) {
        into->f[k] = type == WF_F16    ? wf_f16_value((uint16_t)bits)
                     : type == WF_BF16 ? wf_bf16_value((uint16_t)bits)
                                       : wf_float_of_bits((uint32_t)bits);
        into->d[k] = (double)into->f[k];
    }
}

/* a comes first in the scan. */
#define COMBINE(kind, c, a, b, op, is_swapped)                                                                         \
    do {                                                                                                               \
        const kind *const l = (is_swapped) ? (b) : (a), *const r = (is_swapped) ? (a) : (b);                           \
        if ((op) == WF_SUM) {                                                                                          \
            (c)[0] = (a)[0] + (b)[0];                                                                                  \
        } else if ((op) == WF_PRODUCT) {                                                                               \
            (c)[0] = (a)[0] * (b)[0];                                                                                  \
        } else if ((op) == WF_AFFINE) {                                                                                \
            const kind p = r[0] * l[1];                                                                                \
            (c)[0] = r[0] * l[0];                                                                                      \
            (c)[1] = p + r[1];                                                                                         \
        } else {                                                                                                       \
            for (size_t i = 0; i < 4; i++) {                                                                           \
                const kind p = l[i / 2 * 2] * r[i % 2], q = l[i / 2 * 2 + 1] * r[2 + i % 2];                           \
                (c)[i] = p + q;                                                                                        \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

static value combine(const scanned *of, value a, value b) {
    const wf_op op = of->spec.reduce.op;
    const bool swaps = of->spec.reverse != 0;
    value c = {{0}, {0}, {0}};
    COMBINE(uint64_t, c.u, a.u, b.u, op, swaps);
    COMBINE(float, c.f, a.f, b.f, op, swaps);
    COMBINE(double, c.d, a.d, b.d, op, swaps);
    return c;
}

static value identity_of(wf_op op) {
    if (op == WF_SUM)
        return (value){{0}, {-0.0f}, {-0.0}};
    if (op == WF_MATMUL)
        return (value){{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    return (value){{1}, {1}, {1}};
}

/* ---- The order --------------------------------------------------------------------------------------------------- */

/* Elements of each part, from the smallest to the largest. */
typedef struct parts {
    size_t pack, lane_row, team, tile, group, span;
} parts;

static parts parts_of(size_t element, size_t folded) {
    const size_t by_elements = 16 / element, by_values = 64 / folded;
    size_t pack = by_elements < by_values ? by_elements : by_values;
    pack = pack == 0 ? 1 : pack;
    const size_t rows = 128 / (pack * folded);
    parts made = {.pack = pack, .lane_row = 32 * pack};
    made.team = made.lane_row * (rows < 4 ? rows : 4);
    made.tile = 8 * made.team;
    made.group = 32 * made.tile;
    made.span = 32 * made.group;
    return made;
}

typedef struct row {
    const scanned *of;
    parts cut;
    const value *elements;
    size_t count;
    value *totals[6]; /* of each whole part that lies in the row: packs, lane rows, teams, tiles, groups, spans */
} row;

static value fold_neighbours(const row *in, const value *from, size_t count, value start) {
    for (size_t i = 0; i < count; i++)
        start = combine(in->of, start, from[i]);
    return start;
}

static value pack_up_to(const row *in, size_t i) {
    size_t first = i / in->cut.pack * in->cut.pack;
    value so_far = in->elements[first];
    while (first++ < i)
        so_far = combine(in->of, so_far, in->elements[first]);
    return so_far;
}

/* What pack j of the row has after the first steps of Sklansky's tree. */
static value after_steps(const row *in, size_t j, size_t steps) {
    value mine = in->totals[0][j];
    for (size_t s = 0; s < steps; s++)
        if ((j >> s & 1) != 0)
            mine = combine(in->of, after_steps(in, ((j >> s) << s) - 1, s), mine);
    return mine;
}

static void add_up(row *in) {
    const size_t sizes[] = {in->cut.pack, in->cut.lane_row, in->cut.team, in->cut.tile, in->cut.group, in->cut.span};
    for (size_t level = 0; level < COUNT_OF(sizes); level++) {
        const size_t whole = in->count / sizes[level], each = level == 0 ? 1 : sizes[level] / sizes[level - 1];
        in->totals[level] = malloc((whole + 1) * sizeof(value));
        assert_non_null(in->totals[level]);
        for (size_t i = 0; i < whole; i++)
            in->totals[level][i] = level == 0   ? pack_up_to(in, (i + 1) * sizes[0] - 1)
                                   : level == 1 ? after_steps(in, 32 * i + 31, 5)
                                                : fold_neighbours(in, in->totals[level - 1] + i * each, each,
                                                                  identity_of(in->of->spec.reduce.op));
    }
}

static value parts_before(const row *in, size_t level, size_t i, size_t size, size_t in_size, value start) {
    const size_t first = in_size == 0 ? 0 : i / in_size * in_size;
    return fold_neighbours(in, in->totals[level] + first / size, (i - first) / size, start);
}

static value before_pack(const row *in, size_t i, value initial) {
    const value none = identity_of(in->of->spec.reduce.op);
    const parts cut = in->cut;
    value all = parts_before(in, 5, i, cut.span, 0, initial);
    all = combine(in->of, all, parts_before(in, 4, i, cut.group, cut.span, none));
    all = combine(in->of, all, parts_before(in, 3, i, cut.tile, cut.group, none));
    all = combine(in->of, all, parts_before(in, 2, i, cut.team, cut.tile, none));
    const size_t pack = i / cut.pack;
    const value packs = pack % 32 == 0 ? none : after_steps(in, pack - 1, 5);
    return combine(in->of, all, combine(in->of, parts_before(in, 1, i, cut.lane_row, cut.team, none), packs));
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static uint32_t plain_f32(float x) {
    return x == x ? wf_bits_of_float(x) : 0x7fc00000u;
}

static uint64_t bits_of_double(double x) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (x == x)
        memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t bits_of_result(const scanned *of, const value *x, size_t k) {
    const wf_type type = of->info.result_type, folded = of->info.accumulator;
    const float f = folded == WF_F64 ? (float)x->d[k] : x->f[k];
    const size_t bytes = wf_type_size(type);
    switch (type) {
    case WF_F64:
        return bits_of_double(x->d[k]);
    case WF_F32:
        return plain_f32(f);
    case WF_F16:
        return wf_f16_nearest(f);
    case WF_BF16:
        return wf_bf16_nearest(f);
    default:
        return bytes == 8 ? x->u[k] : x->u[k] & ~(~UINT64_C(0) << 8 * bytes);
    }
}

static value initial_of(const scanned *of) {
    value initial = identity_of(of->spec.reduce.op);
    if (of->spec.exclusive != 0 && of->spec.reduce.op == WF_SUM)
        initial = (value){{0}, {0}, {0}}; /* the sum of nothing is +0 */
    const wf_type type = of->numbers > 1 ? of->spec.reduce.type : of->info.accumulator;
    if (of->spec.initial != NULL)
        for (size_t k = 0; k < of->numbers; k++)
            put(&initial, k, type, bits_at(of->spec.initial, wf_type_size(type), k));
    return initial;
}

/* Expected results of sums, products, matmul and affine. */
static void expect_folds(const scanned *of, const void *in, size_t count, unsigned char *expected) {
    const wf_type folded = of->numbers > 1 ? of->spec.reduce.type : of->info.accumulator;
    const size_t value_bytes = wf_type_size(folded) * of->numbers;
    value *const elements = malloc((count + 1) * sizeof *elements);
    assert_non_null(elements);
    for (size_t i = 0; i < count; i++) {
        const size_t from = of->spec.reverse != 0 ? count - 1 - i : i;
        elements[i] = (value){{0}, {0}, {0}};
        for (size_t k = 0; k < of->numbers; k++)
            put(&elements[i], k, of->spec.reduce.type, bits_at(in, of->element_bytes, from * of->numbers + k));
    }
    row all = {of, parts_of(of->element_bytes * of->numbers, value_bytes), elements, count, {NULL}};
    add_up(&all);
    const value initial = initial_of(of);
    const size_t number_bytes = of->info.result_bytes / of->numbers;
    value before = initial;
    for (size_t i = 0; i < count; i++) {
        if (i % all.cut.pack == 0)
            before = before_pack(&all, i, initial);
        value result = before;
        if (of->spec.exclusive == 0)
            result = combine(of, before, pack_up_to(&all, i));
        else if (i % all.cut.pack != 0)
            result = combine(of, before, pack_up_to(&all, i - 1));
        const size_t at = of->spec.reverse != 0 ? count - 1 - i : i;
        for (size_t k = 0; k < of->numbers; k++) {
            const uint64_t bits = bits_of_result(of, &result, k);
            memcpy(expected + (at * of->numbers + k) * number_bytes, &bits, number_bytes);
        }
    }
    for (size_t level = 0; level < COUNT_OF(all.totals); level++)
        free(all.totals[level]);
    free(elements);
}

/* Grows with the number; -0 is less than +0. */
static uint64_t rank_of(wf_type type, uint64_t bits) {
    const size_t width = 8 * wf_type_size(type);
    const uint64_t sign = UINT64_C(1) << (width - 1), all = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
    if (is_float_type(type))
        return (bits & sign) != 0 ? ~bits & all : bits | sign;
    return is_signed_type(type) ? bits ^ sign : bits;
}

static uint64_t infinity_of(wf_type type) {
    return type == WF_F16 ? 0x7c00 : type == WF_BF16 ? 0x7f80 : type == WF_F32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
}

static bool is_nan(wf_type type, uint64_t bits) {
    const size_t width = 8 * wf_type_size(type);
    return is_float_type(type) && (bits & ((UINT64_C(1) << (width - 1)) - 1)) > infinity_of(type);
}

static uint64_t plain_nan(wf_type type) {
    return type == WF_F16 ? 0x7e00 : type == WF_BF16 ? 0x7fc0 : type == WF_F32 ? 0x7fc00000 : UINT64_C(0xfff) << 51;
}

/* The result of min or max for no elements. */
static uint64_t extreme_of_none(wf_type type, bool largest, wf_nan nan) {
    const size_t width = 8 * wf_type_size(type);
    const uint64_t sign = UINT64_C(1) << (width - 1), all = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
    if (is_float_type(type))
        return nan == WF_NAN_IGNORE ? plain_nan(type) : largest ? infinity_of(type) | sign : infinity_of(type);
    if (is_signed_type(type))
        return largest ? sign : all ^ sign;
    return largest ? 0 : all;
}

static void expect_extremes(const scanned *of, const void *in, size_t count, unsigned char *expected) {
    const wf_reduce_spec reduce = of->spec.reduce;
    const wf_type type = reduce.type;
    const bool largest = reduce.op == WF_MAX || reduce.op == WF_ARGMAX;
    uint64_t best = extreme_of_none(type, largest, reduce.nan), index = UINT64_MAX;
    if (of->spec.initial != NULL)
        best = bits_at(of->spec.initial, of->element_bytes, 0);
    bool is_none = of->spec.initial == NULL && of->spec.exclusive == 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = of->spec.reverse != 0 ? count - 1 - i : i;
        unsigned char *const to = expected + at * of->info.result_bytes;
        if (of->spec.exclusive != 0) {
            memset(to, 0, of->info.result_bytes);
            memcpy(to, &best, of->element_bytes);
            if (of->info.has_index != 0)
                memcpy(to + 8, &index, 8);
        }
        const uint64_t bits = bits_at(in, of->element_bytes, at);
        const uint64_t rank = rank_of(type, bits), rank_of_best = rank_of(type, best);
        const bool is_better = largest ? rank > rank_of_best : rank < rank_of_best;
        bool takes;
        if (is_nan(type, bits))
            takes = reduce.nan == WF_NAN_PROPAGATE && (!is_nan(type, best) || is_none || of->spec.reverse != 0);
        else if (is_nan(type, best) && !is_none)
            takes = reduce.nan == WF_NAN_IGNORE;
        else
            takes = is_none || is_better || (rank == rank_of_best && (of->spec.reverse != 0 || index == UINT64_MAX));
        if (takes) {
            best = is_nan(type, bits) ? plain_nan(type) : bits;
            index = at;
            is_none = false;
        }
        if (of->spec.exclusive == 0) {
            memset(to, 0, of->info.result_bytes);
            memcpy(to, &best, of->element_bytes);
            if (of->info.has_index != 0)
                memcpy(to + 8, &index, 8);
        }
    }
}

static bool is_extreme(wf_op op) {
    return op == WF_MIN || op == WF_MAX || op == WF_ARGMIN || op == WF_ARGMAX;
}

static unsigned char *expected_of(const scanned *of, const void *in, size_t count) {
    unsigned char *const expected = malloc(count * of->info.result_bytes + 1);
    assert_non_null(expected);
    if (is_extreme(of->spec.reduce.op))
        expect_extremes(of, in, count, expected);
    else
        expect_folds(of, in, count, expected);
    return expected;
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252u;

static uint64_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x9e3779b97f4a7c15);
}

/* Numbers around 1 of either sign, so that sums round and products stay finite. */
static uint64_t usual_bits(wf_type type, bool is_near_one) {
    const double number =
        (is_near_one ? 1 + ldexp((double)(random_bits() >> 40), -30) : ldexp((double)(random_bits() >> 40), -22)) *
        ((random_bits() & 1) != 0 ? 1 : -1);
    const float f = (float)number;
    switch (type) {
    case WF_F64:
        return bits_of_double(number);
    case WF_F32:
        return wf_bits_of_float(f);
    case WF_F16:
        return wf_f16_nearest(f);
    case WF_BF16:
        return wf_bf16_nearest(f);
    default:
        return random_bits();
    }
}

static uint64_t special_bits(wf_type type, bool with_nan) {
    const uint64_t sign = UINT64_C(1) << (8 * wf_type_size(type) - 1), infinity = infinity_of(type);
    const uint64_t specials[] = {
        0, sign, 1, sign | 1, infinity, infinity | sign, infinity - 1, plain_nan(type), plain_nan(type) | sign | 1};
    return specials[random_bits() % (with_nan ? 9 : 4)];
}

enum { USUAL, SIGNED_ZEROS, SPECIALS, KINDS };

static void *make_data(const scanned *of, size_t count, int kind) {
    const wf_type type = of->spec.reduce.type;
    const bool near_one = of->spec.reduce.op != WF_SUM && !is_extreme(of->spec.reduce.op);
    unsigned char *const made = malloc(count * of->numbers * of->element_bytes + 1);
    assert_non_null(made);
    for (size_t i = 0; i < count * of->numbers; i++) {
        uint64_t bits = usual_bits(type, near_one);
        if (is_float_type(type) && kind == SIGNED_ZEROS)
            bits = special_bits(type, false);
        else if (is_float_type(type) && kind == SPECIALS && random_bits() % 64 == 0)
            bits = special_bits(type, random_bits() % 8 == 0);
        else if (!is_float_type(type) && kind == SIGNED_ZEROS)
            bits &= 3; /* many that are equal */
        if (of->numbers > 1 && is_float_type(type))
            bits = (bits & 1) != 0 ? usual_bits(type, true) : usual_bits(type, false);
        memcpy(made + i * of->element_bytes, &bits, of->element_bytes);
    }
    return made;
}

static bool scanned_of(wf_scan_spec spec, scanned *made) {
    *made = (scanned){.spec = spec};
    if (wf_scan_get_info(&spec, &made->info) != WF_OK)
        return false;
    made->element_bytes = wf_type_size(spec.reduce.type);
    made->numbers = spec.reduce.op == WF_MATMUL ? 4 : spec.reduce.op == WF_AFFINE ? 2 : 1;
    return true;
}

static void fail_at(const scanned *of, const unsigned char *got, const unsigned char *expected, size_t count,
                    const char *how) {
    const size_t bytes = of->info.result_bytes;
    for (size_t i = 0; i < count; i++)
        if (memcmp(got + i * bytes, expected + i * bytes, bytes) != 0)
            fail_msg("%s of %s, n %zu%s%s%s%s: result %zu is %016" PRIx64 ", not %016" PRIx64,
                     wf_op_name(of->spec.reduce.op), wf_type_name(of->spec.reduce.type), count,
                     of->spec.exclusive != 0 ? ", exclusive" : "", of->spec.reverse != 0 ? ", reverse" : "",
                     of->spec.as_elements != 0 ? ", as elements" : "", how, i,
                     bits_at(got, bytes < 8 ? bytes : 8, bytes < 8 ? i : i * bytes / 8),
                     bits_at(expected, bytes < 8 ? bytes : 8, bytes < 8 ? i : i * bytes / 8));
}

/* ---- wf_scan ----------------------------------------------------------------------------------------------------- */

enum { FENCE = 64, FENCE_BYTE = 0x5a };

/* offset: elements by which both arrays lie behind an aligned address. */
static void check_array(const scanned *of, const void *in, const unsigned char *expected, size_t count, size_t offset,
                        bool in_place) {
    const size_t element = of->element_bytes * of->numbers, bytes = count * element;
    const size_t result_bytes = count * of->info.result_bytes;
    const size_t shift = FENCE + offset * of->element_bytes,
                 result_shift = FENCE + offset * (of->info.has_index != 0 ? 8 : of->info.result_bytes);
    unsigned char *there, *result, *around = malloc(result_shift + result_bytes + FENCE);
    assert_non_null(around);
    require(wf_malloc(context, (void **)&there, shift + bytes + FENCE));
    require(wf_malloc(context, (void **)&result, result_shift + result_bytes + FENCE));
    memset(around, FENCE_BYTE, result_shift + result_bytes + FENCE);
    require(wf_copy_to_device(context, result, around, result_shift + result_bytes + FENCE));
    require(wf_copy_to_device(context, there + shift, in, bytes));
    if (in_place) {
        require(wf_scan(context, &of->spec, there + shift, count, there + shift));
        require(wf_copy_to_host(context, around + result_shift, there + shift, bytes));
    } else {
        require(wf_scan(context, &of->spec, there + shift, count, result + result_shift));
        require(wf_copy_to_host(context, around, result, result_shift + result_bytes + FENCE));
        for (size_t i = 0; i < FENCE; i++) {
            assert_int_equal(around[i], FENCE_BYTE);
            assert_int_equal(around[result_shift + result_bytes + i], FENCE_BYTE);
        }
    }
    if (memcmp(around + result_shift, expected, result_bytes) != 0)
        fail_at(of, around + result_shift, expected, count, in_place ? ", in place" : "");
    wf_free(context, there);
    wf_free(context, result);
    free(around);
}

static void check_count(const scanned *of, size_t count, int kind, size_t offset) {
    void *const in = make_data(of, count, kind);
    unsigned char *const expected = expected_of(of, in, count);
    const bool may_be_in_place = of->info.result_bytes == of->element_bytes * of->numbers;
    check_array(of, in, expected, count, offset, may_be_in_place && (count + offset) % 2 == 1);
    free(in);
    free(expected);
}

/* Around packs, lane rows, tiles of every type, and several of each. */
static const size_t counts[] = {1,    2,    3,    4,    5,    8,    15,   16,   17,    31,   33,   63,
                                64,   65,   127,  128,  129,  255,  257,  511,  512,   513,  1023, 1024,
                                1025, 2047, 2049, 4095, 4096, 4097, 8191, 8193, 12289, 20011};

static void check_spec(wf_scan_spec spec, size_t first_count, size_t every) {
    scanned of;
    static size_t turn;
    if (!scanned_of(spec, &of))
        fail_msg("%s of %s: %s", wf_op_name(spec.reduce.op), wf_type_name(spec.reduce.type), wf_last_error());
    check_array(&of, NULL, NULL, 0, 0, false);
    for (size_t c = first_count % every; c < COUNT_OF(counts); c += every, turn++)
        check_count(&of, counts[c], (int)(turn % KINDS), turn % 5 == 0 ? turn / 5 % 4 : 0);
}

static void test_sums(void **unused) {
    (void)unused;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (uint32_t how = 0; how < 8; how++)
            check_spec((wf_scan_spec){.reduce = {.type = (wf_type)type, .op = how % 3 == 2 ? WF_PRODUCT : WF_SUM},
                                      .exclusive = how & 1,
                                      .reverse = how >> 1 & 1,
                                      .as_elements = how >> 2},
                       how, 8);
}

static void test_accumulators(void **unused) {
    (void)unused;
    static const wf_reduce_spec named[] = {{.type = WF_F32, .accumulator = WF_ACCUMULATE_F64},
                                           {.type = WF_I32, .accumulator = WF_ACCUMULATE_I64},
                                           {.type = WF_U32, .accumulator = WF_ACCUMULATE_U64},
                                           {.type = WF_F16, .accumulator = WF_ACCUMULATE_F32}};
    for (size_t i = 0; i < COUNT_OF(named); i++)
        for (uint32_t narrow = 0; narrow < 2; narrow++)
            check_spec((wf_scan_spec){.reduce = named[i], .as_elements = narrow}, i + narrow, 4);
}

static void test_extremes(void **unused) {
    (void)unused;
    static const wf_op ops[] = {WF_MIN, WF_MAX, WF_ARGMIN, WF_ARGMAX};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (uint32_t how = 0; how < 8; how++)
            for (size_t op = 0; op < COUNT_OF(ops); op++)
                check_spec((wf_scan_spec){.reduce = {.type = (wf_type)type, .op = ops[op], .nan = (wf_nan)(how >> 2)},
                                          .exclusive = how & 1,
                                          .reverse = how >> 1 & 1},
                           how * 3 + op, 16);
}

static void test_ordered(void **unused) {
    (void)unused;
    static const wf_type types[] = {WF_F32, WF_F64, WF_I32};
    for (size_t type = 0; type < COUNT_OF(types); type++)
        for (uint32_t how = 0; how < 4; how++)
            for (size_t op = 0; op < 2; op++)
                check_spec((wf_scan_spec){.reduce = {.type = types[type], .op = op != 0 ? WF_MATMUL : WF_AFFINE},
                                          .exclusive = how & 1,
                                          .reverse = how >> 1},
                           how + op, 8);
}

static void test_initial(void **unused) {
    (void)unused;
    const float f = 3.25f;
    const int64_t i = -77;
    const int16_t least = -3;
    const double map[2] = {0.5, -2};
    for (uint32_t how = 0; how < 4; how++) {
        const uint32_t exclusive = how & 1, reverse = how >> 1;
        check_spec((wf_scan_spec){.exclusive = exclusive, .reverse = reverse, .initial = &f}, how, 8);
        check_spec((wf_scan_spec){{.type = WF_BF16}, exclusive, reverse, 1, {0}, &f}, how, 8);
        check_spec((wf_scan_spec){{.type = WF_I8}, exclusive, reverse, 0, {0}, &i}, how, 8);
        check_spec((wf_scan_spec){{.type = WF_I16, .op = WF_MAX}, exclusive, reverse, 0, {0}, &least}, how, 8);
        check_spec((wf_scan_spec){{.type = WF_F64, .op = WF_AFFINE}, exclusive, reverse, 0, {0}, map}, how, 8);
    }
}

/* More than a group of tiles, and more than a span of f64. */
static void test_many_tiles(void **unused) {
    (void)unused;
    scanned of;
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F32}}, &of));
    check_count(&of, 3 * 32 * 4096 + 4097, USUAL, 0);
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F64}, .exclusive = 1}, &of));
    check_count(&of, 32 * 32 * 2048 + 70 * 2048 + 5, USUAL, 0);
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F64, .op = WF_MATMUL}, .reverse = 1}, &of));
    check_count(&of, 40 * 1024 + 1, USUAL, 0);
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F32}}, &of)); /* fewer words than before */
    check_count(&of, 50001, USUAL, 1);
    check_count(&of, 3 * 32 * 4096 + 4097, USUAL, 0);
}

/* ---- wf_scan_axes ------------------------------------------------------------------------------------------------ */

/* Compares each row with wf_scan's expected results. counts: of 3 dimensions. */
static void check_shape(const scanned *of, const uint64_t *shape, uint32_t along, int layout) {
    wf_axes axes = {.dimensions = 3, .reduced = 1u << along, .counts = {shape[0], shape[1], shape[2]}};
    const int64_t padded = (int64_t)shape[2] + 3;
    int64_t strides[3] = {(int64_t)(shape[1] * shape[2]), (int64_t)shape[2], 1};
    int64_t results[3] = {strides[0], strides[1], 1};
    if (layout == 1) { /* Fortran's order, and padded results */
        memcpy(strides, (const int64_t[]){1, (int64_t)shape[0], (int64_t)(shape[0] * shape[1])}, sizeof strides);
        memcpy(results, (const int64_t[]){(int64_t)shape[1] * padded, padded, 1}, sizeof results);
    } else if (layout == 2) { /* backwards along the last dimension, each row of the middle one the same */
        memcpy(strides, (const int64_t[]){(int64_t)shape[2], 0, -1}, sizeof strides);
    }
    axes.has_strides = axes.has_result_strides = layout != 0;
    memcpy(axes.strides, strides, sizeof strides);
    memcpy(axes.result_strides, results, sizeof results);
    const size_t element = of->element_bytes * of->numbers, of_result = of->info.result_bytes;
    const size_t count = (size_t)(shape[0] * shape[1] * shape[2]),
                 room = (size_t)(shape[0] * shape[1]) * (size_t)padded;
    void *const in = make_data(of, count, USUAL);
    unsigned char *there, *result, *got = malloc(room * of_result + 1);
    assert_non_null(got);
    require(wf_malloc(context, (void **)&there, count * element));
    require(wf_malloc(context, (void **)&result, room * of_result));
    require(wf_copy_to_device(context, there, in, count * element));
    const size_t start = layout == 2 ? (size_t)shape[2] - 1 : 0;
    require(wf_scan_axes(context, &of->spec, &axes, there + start * element, result));
    require(wf_copy_to_host(context, got, result, room * of_result));
    const size_t length = (size_t)shape[along], one = (along + 1) % 3, other = (along + 2) % 3;
    unsigned char *const row_in = malloc(length * element + 1), *const row_got = malloc(length * of_result + 1);
    assert_non_null(row_in);
    assert_non_null(row_got);
    for (size_t i = 0; i < shape[one]; i++)
        for (size_t j = 0; j < shape[other]; j++) {
            const int64_t from = (int64_t)i * strides[one] + (int64_t)j * strides[other] + (int64_t)start;
            const int64_t to = (int64_t)i * results[one] + (int64_t)j * results[other];
            for (size_t k = 0; k < length; k++) {
                memcpy(row_in + k * element, (const char *)in + (from + (int64_t)k * strides[along]) * (int64_t)element,
                       element);
                memcpy(row_got + k * of_result, got + (to + (int64_t)k * results[along]) * (int64_t)of_result,
                       of_result);
            }
            unsigned char *const expected = expected_of(of, row_in, length);
            if (memcmp(row_got, expected, length * of_result) != 0)
                fail_at(of, row_got, expected, length,
                        layout == 0   ? ", a row"
                        : layout == 1 ? ", a column"
                                      : ", backwards");
            free(expected);
        }
    wf_free(context, there);
    wf_free(context, result);
    free(in);
    free(got);
    free(row_in);
    free(row_got);
}

/* Rows whose tiles have four sections: rows of more than four sections for each multiprocessor. The last tile has one
 * to four, and its last section is whole, short, or one element. */
static void test_long_rows(void **unused) {
    (void)unused;
    static const struct {
        wf_reduce_spec reduce;
        size_t section;
        uint32_t exclusive, reverse;
    } rows[] = {{{.type = WF_F32}, 4096, 0, 0},
                {{.type = WF_F64}, 2048, 1, 1},
                {{.type = WF_I32, .accumulator = WF_ACCUMULATE_I32}, 4096, 1, 0},
                {{.type = WF_U64, .op = WF_MAX}, 2048, 0, 1},
                {{.type = WF_F32, .op = WF_AFFINE}, 2048, 0, 0}};
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    const size_t most = info.multiprocessors > 8 ? 2 : 8; /* long rows take seconds */
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t k = 0; k < most; k++) {
            scanned of;
            assert_true(scanned_of(
                (wf_scan_spec){.reduce = rows[r].reduce, .exclusive = rows[r].exclusive, .reverse = rows[r].reverse},
                &of));
            const size_t more = most == 8 ? k : (5 * r + 3 * k) % 8;
            const size_t sections = 4 * (size_t)info.multiprocessors + more;
            const size_t rest = more % 3 == 0 ? 1 : more % 3 == 1 ? 777 : rows[r].section;
            check_count(&of, sections * rows[r].section + rest, (int)(more % KINDS), more % 4);
        }
}

static void test_axes(void **unused) {
    (void)unused;
    static const wf_scan_spec specs[] = {{.reduce = {.type = WF_F32}},
                                         {.reduce = {.type = WF_F64, .op = WF_PRODUCT}, .exclusive = 1},
                                         {.reduce = {.type = WF_I16}, .reverse = 1},
                                         {.reduce = {.type = WF_F16}, .as_elements = 1},
                                         {.reduce = {.type = WF_U8, .op = WF_ARGMAX}, .reverse = 1},
                                         {.reduce = {.type = WF_F32, .op = WF_MATMUL}}};
    static const uint64_t shapes[][3] = {{1, 1, 1},   {2, 3, 1},    {3, 2, 3},   {5, 7, 4},    {9, 3, 33}, {70, 2, 17},
                                         {2, 2, 700}, {1, 3, 5000}, {300, 2, 9}, {4100, 1, 3}, {2, 130, 5}};
    for (size_t s = 0; s < COUNT_OF(specs); s++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (uint32_t along = 0; along < 3; along++) {
                scanned of;
                assert_true(scanned_of(specs[s], &of));
                check_shape(&of, shapes[i], along, (int)((s + i + along) % 3));
            }
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* Of integers and extremes, whose segments are scans by themselves; and of floats whose sums are exact. */
static void check_segments(const scanned *of, size_t count, size_t every, bool by_flags, uint32_t offset_bytes) {
    const size_t element = of->element_bytes * of->numbers, of_result = of->info.result_bytes;
    unsigned char *const in = make_data(of, count, USUAL), *const flags = calloc(count + 1, 1);
    unsigned char *const expected = malloc(count * of_result + 1), *const got = malloc(count * of_result + 1);
    uint64_t *const begins = malloc((2 * count + 1) * sizeof *begins);
    uint32_t *const short_begins = malloc((2 * count + 1) * sizeof *short_begins);
    assert_true(flags != NULL && expected != NULL && got != NULL && begins != NULL && short_begins != NULL);
    if (of->spec.reduce.type == WF_F32 && !is_extreme(of->spec.reduce.op))
        for (size_t i = 0; i < count; i++)
            ((float *)(void *)in)[i] = (float)(int)(random_bits() % 2001) - 1000; /* whose sums f32 holds */
    size_t segments = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1 + random_bits() % (2 * every);
        end = end < count ? end : count;
        if (first != 0 || count % 2 == 0) { /* else elements before the first */
            flags[first] = 1;
            begins[segments++] = first;
            if (first % 3 == 0)
                begins[segments++] = first; /* an empty one */
        }
        unsigned char *const part = expected_of(of, in + first * element, end - first);
        if (of->info.has_index != 0)
            for (size_t i = 0; i < end - first; i++) {
                uint64_t index;
                memcpy(&index, part + i * of_result + 8, 8);
                index += index == UINT64_MAX ? 0 : first;
                memcpy(part + i * of_result + 8, &index, 8);
            }
        memcpy(expected + first * of_result, part, (end - first) * of_result);
        free(part);
    }
    begins[segments] = count; /* that of a list of one offset more begins nothing */
    for (size_t i = 0; i <= segments; i++)
        short_begins[i] = (uint32_t)begins[i];
    unsigned char *there, *result, *told;
    require(wf_malloc(context, (void **)&there, count * element));
    require(wf_malloc(context, (void **)&result, count * of_result));
    require(wf_malloc(context, (void **)&told, (2 * count + 1) * sizeof *begins));
    require(wf_copy_to_device(context, there, in, count * element));
    if (by_flags) {
        require(wf_copy_to_device(context, told, flags, count));
        require(wf_scan_flagged(context, &of->spec, told, there, count, result));
    } else {
        const wf_segments all = {.count = segments + 1, .offset_bytes = offset_bytes, .begins = told};
        require(wf_copy_to_device(context, told, offset_bytes == 8 ? (const void *)begins : short_begins,
                                  (segments + 1) * offset_bytes));
        require(wf_scan_segments(context, &of->spec, &all, there, count, result));
    }
    require(wf_copy_to_host(context, got, result, count * of_result));
    if (memcmp(got, expected, count * of_result) != 0)
        fail_at(of, got, expected, count, by_flags ? ", flagged" : ", segments");
    wf_free(context, there);
    wf_free(context, result);
    wf_free(context, told);
    free(in);
    free(flags);
    free(expected);
    free(got);
    free(begins);
    free(short_begins);
}

static void test_segments(void **unused) {
    (void)unused;
    static const wf_reduce_spec folds[] = {{.type = WF_F32},
                                           {.type = WF_I8},
                                           {.type = WF_U64, .op = WF_PRODUCT},
                                           {.type = WF_F64, .op = WF_MIN},
                                           {.type = WF_F16, .op = WF_ARGMAX},
                                           {.type = WF_I32, .op = WF_MATMUL},
                                           {.type = WF_I32, .op = WF_AFFINE}};
    static const size_t lengths[][2] = {{4, 1}, {33, 2}, {1000, 7}, {5003, 300}, {20011, 5000}, {20000, 20000}};
    for (size_t f = 0; f < COUNT_OF(folds); f++)
        for (uint32_t how = 0; how < 4; how++)
            for (size_t l = 0; l < COUNT_OF(lengths); l++) {
                scanned of;
                assert_true(
                    scanned_of((wf_scan_spec){.reduce = folds[f], .exclusive = how & 1, .reverse = how >> 1}, &of));
                check_segments(&of, lengths[l][0], lengths[l][1], (l + how) % 3 == 0, l % 2 == 0 ? 8 : 4);
            }
}

/* Where every element is a segment of its own, each result is the initial value and that element. */
static void test_flags_everywhere(void **unused) {
    (void)unused;
    scanned of;
    const double initial = 0.1;
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F64}, .initial = &initial}, &of));
    enum { COUNT = 3001 };
    double *const in = make_data(&of, COUNT, USUAL), got[COUNT];
    unsigned char ones[COUNT];
    memset(ones, 1, sizeof ones);
    void *there, *flags;
    require(wf_malloc(context, &there, sizeof got));
    require(wf_malloc(context, &flags, sizeof ones));
    require(wf_copy_to_device(context, there, in, sizeof got));
    require(wf_copy_to_device(context, flags, ones, sizeof ones));
    require(wf_scan_flagged(context, &of.spec, flags, there, COUNT, there));
    require(wf_copy_to_host(context, got, there, sizeof got));
    for (size_t i = 0; i < COUNT; i++)
        assert_true(got[i] == initial + in[i]);
    wf_free(context, there);
    wf_free(context, flags);
    free(in);
}

/* ---- Golden bits ------------------------------------------------------------------------------------------------- */

/* Of results (Fowler, Noll and Vo's). */
static uint64_t hash_of(const unsigned char *bytes, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of_scan(const scanned *of, size_t count) {
    const size_t bytes = count * of->element_bytes * of->numbers, result_bytes = count * of->info.result_bytes;
    state = 88172645463325252u + count;
    void *const in = make_data(of, count, USUAL), *there, *result;
    unsigned char *const got = malloc(result_bytes);
    assert_non_null(got);
    require(wf_malloc(context, &there, bytes));
    require(wf_malloc(context, &result, result_bytes));
    require(wf_copy_to_device(context, there, in, bytes));
    require(wf_scan(context, &of->spec, there, count, result));
    require(wf_copy_to_host(context, got, result, result_bytes));
    const uint64_t hash = hash_of(got, result_bytes);
    wf_free(context, there);
    wf_free(context, result);
    free(in);
    free(got);
    return hash;
}

/* Lines of TYPE OPERATOR COUNT HASH: the same on every device, and in every version from 0.3 on. */
static void test_golden_bits(void **unused) {
    (void)unused;
    FILE *const file = fopen(GOLDEN, "r");
    assert_non_null(file);
    int type, op, lines = 0;
    unsigned long count;
    uint64_t hash;
    for (; fscanf(file, "%d %d %lu %" SCNx64 " ", &type, &op, &count, &hash) == 4; lines++) {
        scanned of;
        assert_true(scanned_of((wf_scan_spec){.reduce = {.type = (wf_type)type, .op = (wf_op)op}}, &of));
        const uint64_t got = hash_of_scan(&of, count);
        if (got != hash)
            fail_msg("%s of %s, n %lu: the bits' hash is %016" PRIx64 ", not %016" PRIx64, wf_op_name((wf_op)op),
                     wf_type_name((wf_type)type), count, got, hash);
    }
    assert_true(feof(file) && lines == 16);
    (void)fclose(file);
}

/* Rows of several tiles, on whose words no launch before may have left anything. */
static void test_many_rows_of_tiles(void **unused) {
    (void)unused;
    scanned of;
    assert_true(scanned_of((wf_scan_spec){.reduce = {.type = WF_F32}}, &of));
    for (size_t i = 0; i < 12; i++) {
        const uint64_t shape[3] = {1 + i % 3, 2 + i % 5, 4097 + 1000 * i};
        check_shape(&of, shape, 2, 0);
        check_count(&of, 4097 + 5000 * i, USUAL, 0);
    }
}

static void test_no_elements(void **unused) {
    (void)unused;
    const wf_axes empty = {.dimensions = 2, .reduced = 2, .counts = {3, 0}},
                  none = {.dimensions = 2, .reduced = 2, .counts = {0, 3}};
    require(wf_scan_axes(context, &(wf_scan_spec){.exclusive = 1}, &empty, NULL, NULL));
    require(wf_scan_axes(context, &(wf_scan_spec){.exclusive = 0}, &none, NULL, NULL));
    require(wf_scan(context, &(wf_scan_spec){.reverse = 1}, NULL, 0, NULL));
}

static void test_refused_overlaps(void **unused) {
    (void)unused;
    float *x;
    require(wf_malloc(context, (void **)&x, 16 * sizeof *x));
    float *const result = x + 8;
    const wf_scan_spec spec = {.exclusive = 0};
    const wf_segments segments = {.count = 1, .offset_bytes = 4, .begins = result + 3};
    refuses(wf_scan_segments(context, &spec, &segments, x, 4, result), WF_INVALID_ARGUMENT, "'begins' and 'result'");
    refuses(wf_scan_flagged(context, &spec, (const uint8_t *)result, x, 4, result), WF_INVALID_ARGUMENT,
            "'flags' and 'result' overlap");
    refuses(wf_scan(context, &spec, x, 4, x + 1), WF_INVALID_ARGUMENT, "same address");
    wf_free(context, x);
}

static void test_refused(void **unused) {
    (void)unused;
    float x[4] = {0}, y[8];
    const wf_axes two = {.dimensions = 2, .reduced = 3, .counts = {2, 2}};
    wf_axes overlapping = {
        .dimensions = 2, .reduced = 2, .has_result_strides = 1, .counts = {2, 2}, .result_strides = {1, 1}};
    refuses(wf_scan_axes(context, &(wf_scan_spec){.exclusive = 0}, &two, x, y), WF_INVALID_ARGUMENT, "goes along one");
    refuses(wf_scan_axes(context, &(wf_scan_spec){.exclusive = 0}, &overlapping, x, y), WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = {.op = WF_MEAN}}, x, 4, y), WF_UNSUPPORTED, "no scan by mean");
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = {.accuracy = WF_ACCURACY_EXACT}}, x, 4, y), WF_UNSUPPORTED,
            "exact");
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = {.type = WF_I8, .accumulator = WF_ACCUMULATE_I32}}, x, 4, y),
            WF_UNSUPPORTED, "64 bits");
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = {.op = WF_ARGMAX}, .initial = x}, x, 2, y), WF_UNSUPPORTED,
            "initial");
    refuses(wf_scan(context, &(wf_scan_spec){.reduce = {.op = WF_MAX}, .as_elements = 1}, x, 4, y), WF_UNSUPPORTED,
            "as_elements");
    refuses(wf_scan(context, &(wf_scan_spec){.reserved = {1}}, x, 4, y), WF_INVALID_ARGUMENT, "reserved");
    refuses(wf_scan(context, &(wf_scan_spec){.exclusive = 1}, NULL, 4, y), WF_INVALID_ARGUMENT,
            "'in' must not be NULL");
}

int main(int count, char **arguments) {
    if (wf_context_create(&context, count > 1 ? arguments[1] : "host:64") != WF_OK) {
        fprintf(stderr, "test_scan_order: %s\n", wf_last_error());
        return 1;
    }
    if (count > 2)
        cmocka_set_test_filter(arguments[2]);
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums),
                                              cmocka_unit_test(test_accumulators),
                                              cmocka_unit_test(test_extremes),
                                              cmocka_unit_test(test_ordered),
                                              cmocka_unit_test(test_initial),
                                              cmocka_unit_test(test_many_tiles),
                                              cmocka_unit_test(test_long_rows),
                                              cmocka_unit_test(test_axes),
                                              cmocka_unit_test(test_segments),
                                              cmocka_unit_test(test_flags_everywhere),
                                              cmocka_unit_test(test_many_rows_of_tiles),
                                              cmocka_unit_test(test_golden_bits),
                                              cmocka_unit_test(test_no_elements),
                                              cmocka_unit_test(test_refused_overlaps),
                                              cmocka_unit_test(test_refused)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
