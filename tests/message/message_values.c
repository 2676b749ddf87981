#include "message_values.h"
#include "data.h"
#include "numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

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

bool multiplies(wf_op op) {
    return op == WF_PRODUCT || op == WF_MATMUL || op == WF_AFFINE;
}

/* Of folds that multiply: none is 0, loses bits of an integer, or is the identity, so that each counts, however many
 * there are. Products stay near 1; maps and matrices of floats are whole, and so is what comes of them. */
static void put_factor(const wf_reduce_spec *spec, void *values, size_t i, size_t scalar, uint64_t seed) {
    const uint64_t h = data_hash(seed * 1000003 + i);
    const double sign = h % 2 == 0 ? 1 : -1;
    const bool is_matrix = spec->op == WF_MATMUL, is_one = scalar == 0 || (is_matrix && scalar == 3);
    if (!number_is_float(spec->type))
        number_put_integer(spec->type, values, i, is_one ? h | 3 : is_matrix && scalar == 1 ? h & ~UINT64_C(1) : h);
    else if (spec->op == WF_PRODUCT)
        number_put_float(spec->type, values, i, sign * exp2((double)(int64_t)data_hash(h) * 0x1p-63));
    else if (is_matrix)
        number_put_float(spec->type, values, i, is_one ? 0 : sign);
    else
        number_put_float(spec->type, values, i, scalar == 0 ? sign : sign * (double)(h / 2 % 3 + 1));
}

/* Whose sum is exact in any order, and so are their squares'. */
static void make_coarse(wf_type type, void *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        number_put_float(type, values, i, trunc(number_float(type, values, i) * 32) / 32);
}

void *make_values(const wf_reduce_spec *spec, size_t scalars, size_t count, size_t kind, uint64_t seed) {
    const size_t bytes = wf_type_size(spec->type);
    void *values = calloc(count * scalars + 1, bytes);
    assert_non_null(values);
    for (size_t i = 0; i < count * scalars; i++)
        if (multiplies(spec->op))
            put_factor(spec, values, i, i % scalars, seed);
        else
            put_number(spec->type, values, i, kind, seed);
    wf_reduction_info info;
    if (!multiplies(spec->op) && kind == 0 && wf_reduction_get_info(spec, &info) == WF_OK &&
        number_is_float(spec->type) && is_rounded_often(spec, &info))
        make_coarse(spec->type, values, count);
    return values;
}

bool is_rounded_often(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    if (number_is_float(spec->type) && info->accuracy == WF_ACCURACY_EXACT)
        return false;
    switch (spec->op) {
    case WF_SUM:
    case WF_ASUM:
    case WF_SUMSQ:
    case WF_PRODUCT:
    case WF_MATMUL:
    case WF_AFFINE:
        return number_is_float(spec->type);
    case WF_MEAN:
        return number_is_float(spec->type) || wf_type_size(spec->type) == 8;
    default:
        return false;
    }
}

static bool same_value(const wf_reduction_info *info, const void *got, const void *want, size_t i) {
    const wf_type type = info->result_type;
    if (number_is_float(type) && number_is_nan(type, want, i))
        return number_is_nan(type, got, i);
    return number_bits(type, got, i) == number_bits(type, want, i);
}

bool same_result(const wf_reduction_info *info, const uint64_t *got, const uint64_t *want) {
    for (size_t i = 0; i < info->result_values; i++)
        if (!same_value(info, got, want, i))
            return false;
    return !info->has_index || got[1] == want[1];
}

bool is_close(const wf_reduce_spec *spec, const wf_reduction_info *info, const uint64_t *got, const uint64_t *want,
              size_t count) {
    const double u = ldexp(1, -number_precision(info->result_type));
    const bool is_float = number_is_float(spec->type);
    for (size_t i = 0; i < info->result_values; i++) {
        const double g = number_float(info->result_type, got, i), w = number_float(info->result_type, want, i);
        const double bound = spec->op == WF_PRODUCT            ? 4 * (double)(count + 16) * u * fabs(w)
                             : spec->op == WF_MEAN && is_float ? 16 * u
                             : spec->op == WF_MEAN             ? 12 * (double)(count + 16) * u * 0x1p64
                                                               : 0;
        if (isnan(w) ? !isnan(g) : w != g && !(fabs(g - w) <= bound))
            return false;
    }
    return true;
}
