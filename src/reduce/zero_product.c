#include "zero_product.h"

#include "algebra.h"
#include "run_plan.h"
#include "widened.h"

#include <math.h>
#include <string.h>

bool wf_may_lose_a_zero(const wf_reduce_plan *plan) {
    return plan->spec.op == WF_PRODUCT && wf_type_is_float(plan->spec.type);
}

static bool is_nan(const wf_reduce_plan *plan, const wf_result *product) {
    return isnan(wf_number_to_double(plan->accumulator, wf_number_at(plan->accumulator, product, 0)));
}

/* Integer types of the float's size: the reductions below read the floats as integers. */
typedef struct bit_types {
    wf_type with_sign, without_sign;
} bit_types;

static bit_types bit_types_of(wf_type type) {
    switch (wf_type_size(type)) {
    case 2:
        return (bit_types){WF_I16, WF_U16};
    case 4:
        return (bit_types){WF_I32, WF_U32};
    default:
        return (bit_types){WF_I64, WF_U64};
    }
}

static wf_status reduce_bits(wf_context *context, wf_type type, wf_op op, const void *in, size_t count,
                             wf_result *result) {
    const wf_reduce_spec spec = {.type = type, .op = op};
    wf_reduce_plan plan;
    const wf_status status = wf_reduce_plan_of(&spec, &plan);
    return status == WF_OK ? wf_run_plan(context, &plan, in, count, result) : status;
}

/* Properties of the elements, found from their bits. */
typedef struct bits_found {
    bool has_zero, all_finite, is_negative;
} bits_found;

/* Ordered as unsigned integers, +0 comes first and negative NaN and infinity last; as signed ones, -0 comes first and
 * positive NaN and infinity last. */
static wf_status look_at_bits(wf_context *context, wf_type type, const void *in, size_t count, bits_found *found) {
    const bit_types as = bit_types_of(type);
    const unsigned sign_at = 8 * (unsigned)wf_type_size(type) - 1;
    const uint64_t sign = UINT64_C(1) << sign_at, infinity = wf_infinity_bits(type);
    wf_result with_sign, without_sign, parity;
    wf_status status = reduce_bits(context, as.with_sign, WF_MINMAX, in, count, &with_sign);
    if (status == WF_OK)
        status = reduce_bits(context, as.without_sign, WF_MINMAX, in, count, &without_sign);
    if (status == WF_OK)
        status = reduce_bits(context, as.without_sign, WF_XOR, in, count, &parity);
    if (status != WF_OK)
        return status;
    const int64_t least = wf_number_at(as.with_sign, &with_sign, 0).i64;
    const int64_t largest_positive = wf_number_at(as.with_sign, &with_sign, 1).i64;
    const uint64_t largest_negative = wf_number_at(as.without_sign, &without_sign, 1).u64;
    const bool has_minus_zero = least == (int64_t)(UINT64_MAX << sign_at);
    const bool has_plus_zero = wf_number_at(as.without_sign, &without_sign, 0).u64 == 0;
    *found = (bits_found){.has_zero = has_minus_zero || has_plus_zero,
                          .all_finite = largest_positive < (int64_t)infinity && largest_negative < (sign | infinity),
                          .is_negative = (wf_number_at(as.without_sign, &parity, 0).u64 & sign) != 0};
    return WF_OK;
}

static void put_zero(const wf_reduce_plan *plan, bool is_negative, wf_result *product) {
    const double wide = is_negative ? -0.0 : 0.0;
    const float narrow = (float)wide;
    if (plan->accumulator == WF_F64)
        memcpy(product, &wide, sizeof wide);
    else
        memcpy(product, &narrow, sizeof narrow);
}

wf_status wf_reduce_product(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count,
                            void *result) {
    wf_result product;
    bits_found found;
    wf_status status = wf_run_plan(context, plan, in, count, &product);
    if (status != WF_OK)
        return status;
    if (is_nan(plan, &product)) {
        status = look_at_bits(context, plan->spec.type, in, count, &found);
        if (status != WF_OK)
            return status;
        if (found.all_finite && found.has_zero)
            put_zero(plan, found.is_negative, &product);
    }
    memcpy(result, &product, plan->result_bytes);
    return WF_OK;
}
