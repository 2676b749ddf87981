/* The result for no elements: the table's identity (algebra.h) as bits. */
#include "algebra.h"
#include "sequential.h"

#include <string.h>

/* The largest value of a signed integer has all its value bits set. */
static uint64_t largest_bits(wf_type type) {
    return wf_type_is_float(type) ? wf_infinity_bits(type) : UINT64_MAX >> (64 - wf_facts_of_type(type).digits);
}

static uint64_t least_bits(wf_type type) {
    switch (wf_kind_of(type)) {
    case WF_KIND_FLOAT:
        return wf_infinity_bits(type) | UINT64_C(1) << (8 * wf_type_size(type) - 1);
    case WF_KIND_SIGNED:
        return UINT64_MAX << wf_facts_of_type(type).digits;
    case WF_KIND_UNSIGNED:
        break;
    }
    return 0;
}

static uint64_t one_bits(wf_type type) {
    const wf_type_facts facts = wf_facts_of_type(type);
    return facts.kind == WF_KIND_FLOAT ? ((UINT64_C(1) << (facts.exponent_bits - 1)) - 1) << (facts.digits - 1) : 1;
}

/* Stores the low bytes: the library supports only little-endian machines. */
static void put(wf_type type, wf_result *result, size_t i, uint64_t bits) {
    const size_t size = wf_type_size(type);
    memcpy((char *)result + i * size, &bits, size);
}

/* If NaN is ignored, NaN itself is the identity. */
static void put_extreme(const wf_reduce_spec *spec, wf_result *result, size_t i, uint64_t bits) {
    const bool is_nan = spec->nan == WF_NAN_IGNORE && wf_type_is_float(spec->type);
    put(spec->type, result, i, is_nan ? wf_nan_bits(spec->type) : bits);
}

void wf_put_identity(const wf_reduce_spec *spec, const wf_reduction_info *info, wf_result *result) {
    const wf_op_facts facts = wf_facts_of_op(spec->op);
    *result = (wf_result){{0}};
    switch (facts.identity) {
    case WF_IDENTITY_ZERO:
        break;
    case WF_IDENTITY_UNIT:
        put(info->result_type, result, 0, one_bits(info->result_type));
        if (facts.values == 4) /* the second 1 on a matrix's diagonal */
            put(info->result_type, result, 3, one_bits(info->result_type));
        break;
    case WF_IDENTITY_ALL_BITS:
        put(info->result_type, result, 0, UINT64_MAX);
        break;
    case WF_IDENTITY_LARGEST:
        put_extreme(spec, result, 0, largest_bits(spec->type));
        break;
    case WF_IDENTITY_LEAST:
        put_extreme(spec, result, 0, least_bits(spec->type));
        break;
    case WF_IDENTITY_LARGEST_LEAST:
        put_extreme(spec, result, 0, largest_bits(spec->type));
        put_extreme(spec, result, 1, least_bits(spec->type));
        break;
    case WF_IDENTITY_NAN:
        put(info->result_type, result, 0, wf_nan_bits(info->result_type));
        break;
    }
    if (facts.has_index)
        result->words[1] = UINT64_MAX;
}
