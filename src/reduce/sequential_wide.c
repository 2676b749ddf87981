/* Any reduction of the table on the host, one element after the other. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* A binary16's value: 1 bit of sign, 5 of exponent (bias 15), 10 of fraction. */
static double f16_value(uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f;
    const double fraction = bits & 0x3ff;
    const double magnitude = exponent == 0x1f ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                             : exponent == 0  ? fraction * 0x1p-24
                                              : ldexp(fraction + 0x1p10, exponent - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

static double bf16_value(uint16_t bits) {
    const uint32_t widened = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &widened, sizeof value);
    return (double)value;
}

static double float_at(wf_type type, const void *values, size_t i) {
    switch (type) {
    case WF_F16:
        return f16_value(((const uint16_t *)values)[i]);
    case WF_BF16:
        return bf16_value(((const uint16_t *)values)[i]);
    case WF_F32:
        return (double)((const float *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

/* Widened to 64 bits, with its sign. */
static uint64_t integer_at(wf_type type, const void *values, size_t i) {
    switch (type) {
#define INTEGER_AT(ENUM, ctype)                                                                                        \
    case WF_##ENUM:                                                                                                    \
        return (uint64_t)((const ctype *)values)[i];
        INTEGER_AT(I8, int8_t)
        INTEGER_AT(I16, int16_t)
        INTEGER_AT(I32, int32_t)
        INTEGER_AT(I64, int64_t)
        INTEGER_AT(U8, uint8_t)
        INTEGER_AT(U16, uint16_t)
        INTEGER_AT(U32, uint32_t)
    default:
        return ((const uint64_t *)values)[i];
#undef INTEGER_AT
    }
}

wf_number wf_number_of(wf_type type, const void *number) {
    if (wf_type_is_float(type))
        return (wf_number){.f64 = float_at(type, number, 0)};
    return (wf_number){.u64 = integer_at(type, number, 0)};
}

static double element_value(wf_type type, const void *values, size_t i) {
    if (wf_type_is_float(type))
        return float_at(type, values, i);
    const uint64_t integer = integer_at(type, values, i);
    return wf_type_is_signed(type) ? (double)(int64_t)integer : (double)integer;
}

/* The low bytes of 64 bits: this library is for little-endian machines, as its GPUs are. */
static void put(wf_type type, void *result, uint64_t bits) {
    memcpy(result, &bits, wf_type_size(type));
}

/* ---- Sum, product, mean ---- */

static uint64_t fold_integers(const wf_reduce_spec *what, const void *values, size_t count) {
    uint64_t total = what->op == WF_PRODUCT;
    for (size_t i = 0; i < count; i++) {
        const uint64_t element = integer_at(what->type, values, i);
        total = what->op == WF_PRODUCT ? total * element : total + element;
    }
    return total;
}

static float fold_f32(const wf_reduce_spec *what, const void *values, size_t count) {
    float total = what->op == WF_PRODUCT ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const float element = (float)element_value(what->type, values, i);
        total = what->op == WF_PRODUCT ? total * element : total + element;
    }
    return total;
}

static double fold_f64(const wf_reduce_spec *what, const void *values, size_t count) {
    double total = what->op == WF_PRODUCT ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const double element = element_value(what->type, values, i);
        total = what->op == WF_PRODUCT ? total * element : total + element;
    }
    return total;
}

static void accumulate(const wf_reduce_spec *what, wf_type accumulator, const void *values, size_t count,
                       void *result) {
    if (accumulator == WF_F32) {
        float total = fold_f32(what, values, count);
        if (what->op == WF_MEAN)
            total = (float)((double)total / (double)count);
        memcpy(result, &total, sizeof total);
    } else if (accumulator == WF_F64) {
        double total = fold_f64(what, values, count);
        if (what->op == WF_MEAN)
            total /= (double)count;
        memcpy(result, &total, sizeof total);
    } else {
        const uint64_t total = fold_integers(what, values, count);
        const double mean = (wf_type_is_signed(accumulator) ? (double)(int64_t)total : (double)total) / (double)count;
        if (what->op == WF_MEAN)
            memcpy(result, &mean, sizeof mean);
        else
            put(accumulator, result, total);
    }
}

/* ---- Bits ---- */

static void fold_bits(const wf_reduce_spec *what, const void *values, size_t count, void *result) {
    uint64_t total = what->op == WF_AND ? UINT64_MAX : 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t element = integer_at(what->type, values, i);
        total = what->op == WF_AND ? total & element : what->op == WF_OR ? total | element : total ^ element;
    }
    put(what->type, result, total);
}

/* ---- Extremes ---- */

/* A number that grows with the element; -0 is less than +0. */
static uint64_t rank_of(wf_type type, const void *values, size_t i) {
    const uint64_t sign = UINT64_C(1) << 63;
    if (!wf_type_is_float(type))
        return integer_at(type, values, i) ^ (wf_type_is_signed(type) ? sign : 0);
    const double value = float_at(type, values, i);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static bool is_nan(wf_type type, const void *values, size_t i) {
    return wf_type_is_float(type) && isnan(float_at(type, values, i));
}

#define NOWHERE SIZE_MAX

/* Where the first of the least (want_least) or largest elements stands, or the first NaN if those propagate. */
static size_t find_extreme(const wf_reduce_spec *what, bool want_least, const void *values, size_t count) {
    size_t found = NOWHERE;
    uint64_t found_rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_nan(what->type, values, i)) {
            if (what->nan == WF_NAN_PROPAGATE)
                return i;
            continue;
        }
        const uint64_t rank = rank_of(what->type, values, i);
        if (found == NOWHERE || (want_least ? rank < found_rank : rank > found_rank)) {
            found = i;
            found_rank = rank;
        }
    }
    return found;
}

/* The largest (for min) or least value of the type; NaN where NaN are passed over, since then NaN is what changes nothing.
 */
static uint64_t extreme_identity(const wf_reduce_spec *what, bool want_least) {
    static const struct {
        uint64_t largest, least, nan;
    } of[] = {
        [WF_F32] = {0x7f800000, 0xff800000, 0x7fc00000},
        [WF_F64] = {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000},
        [WF_F16] = {0x7c00, 0xfc00, 0x7e00},
        [WF_BF16] = {0x7f80, 0xff80, 0x7fc0},
        [WF_I8] = {INT8_MAX, 0x80, 0},
        [WF_I16] = {INT16_MAX, 0x8000, 0},
        [WF_I32] = {INT32_MAX, 0x80000000, 0},
        [WF_I64] = {INT64_MAX, 0x8000000000000000, 0},
        [WF_U8] = {UINT8_MAX, 0, 0},
        [WF_U16] = {UINT16_MAX, 0, 0},
        [WF_U32] = {UINT32_MAX, 0, 0},
        [WF_U64] = {UINT64_MAX, 0, 0},
    };
    if (what->nan == WF_NAN_IGNORE && wf_type_is_float(what->type))
        return of[what->type].nan;
    return want_least ? of[what->type].largest : of[what->type].least;
}

static uint64_t put_extreme(const wf_reduce_spec *what, bool want_least, const void *values, size_t count,
                            void *result) {
    const size_t size = wf_type_size(what->type);
    const size_t at = find_extreme(what, want_least, values, count);
    if (at == NOWHERE) {
        put(what->type, result, extreme_identity(what, want_least));
        return UINT64_MAX;
    }
    memcpy(result, (const char *)values + at * size, size);
    return at;
}

/* ---- All of them ---- */

static void put_one(wf_type type, void *number) {
    const float f32 = 1;
    const double f64 = 1;
    const int32_t i32 = 1;
    memcpy(number,
           type == WF_F32   ? (const void *)&f32
           : type == WF_F64 ? (const void *)&f64
                            : &i32,
           wf_type_size(type));
}

void wf_fold_all(const wf_reduce_spec *what, const wf_reduction_info *info, const void *values, size_t count,
                 wf_result *result) {
    *result = (wf_result){{0}};
    switch (what->op) {
    case WF_SUM:
    case WF_PRODUCT:
    case WF_MEAN:
        if (wf_fold_group(what, info) == WF_FOLDS_CORE)
            wf_fold(what->type, what->op, result, values, count); /* 0 is the identity */
        else
            accumulate(what, info->accumulator, values, count, result);
        break;
    case WF_AND:
    case WF_OR:
    case WF_XOR:
        fold_bits(what, values, count, result);
        break;
    case WF_MINMAX:
        put_extreme(what, true, values, count, result);
        put_extreme(what, false, values, count, (char *)result + wf_type_size(what->type));
        break;
    case WF_ARGMIN:
    case WF_ARGMAX:
        result->words[1] = put_extreme(what, what->op == WF_ARGMIN, values, count, result);
        break;
    case WF_MIN:
    case WF_MAX:
        if (wf_fold_group(what, info) != WF_FOLDS_CORE) {
            put_extreme(what, what->op == WF_MIN, values, count, result);
            break;
        }
        put(what->type, result, extreme_identity(what, what->op == WF_MIN));
        wf_fold(what->type, what->op, result, values, count);
        break;
    case WF_MATMUL:
    case WF_AFFINE:
        put_one(what->type, result); /* x -> 1 x + 0, or the matrix (1 0; 0 1) */
        if (what->op == WF_MATMUL)
            put_one(what->type, (char *)result + 3 * wf_type_size(what->type));
        wf_fold(what->type, what->op, result, values, count);
        break;
    case WF_OP_COUNT:
        break;
    }
}
