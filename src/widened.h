/* Exact conversion of a number of any type to a wf_number. */
#ifndef WAVEFOLD_WIDENED_H
#define WAVEFOLD_WIDENED_H

#include "algebra.h"
#include "half.h"

/* The number at index i of an array. */
static inline wf_number wf_number_at(wf_type type, const void *values, size_t i) {
    wf_number number = {.u64 = 0};
    switch (type) {
    case WF_F32:
        number.f64 = (double)((const float *)values)[i];
        break;
    case WF_F64:
        number.f64 = ((const double *)values)[i];
        break;
    case WF_F16:
        number.f64 = (double)wf_f16_value(((const uint16_t *)values)[i]);
        break;
    case WF_BF16:
        number.f64 = (double)wf_bf16_value(((const uint16_t *)values)[i]);
        break;
    case WF_I8:
        number.i64 = ((const int8_t *)values)[i];
        break;
    case WF_I16:
        number.i64 = ((const int16_t *)values)[i];
        break;
    case WF_I32:
        number.i64 = ((const int32_t *)values)[i];
        break;
    case WF_I64:
        number.i64 = ((const int64_t *)values)[i];
        break;
    case WF_U8:
        number.u64 = ((const uint8_t *)values)[i];
        break;
    case WF_U16:
        number.u64 = ((const uint16_t *)values)[i];
        break;
    case WF_U32:
        number.u64 = ((const uint32_t *)values)[i];
        break;
    case WF_U64:
        number.u64 = ((const uint64_t *)values)[i];
        break;
    case WF_TYPE_COUNT:
        break;
    }
    return number;
}

/* Integers beyond 2^53 are rounded. */
static inline double wf_number_to_double(wf_type type, wf_number number) {
    switch (wf_kind_of(type)) {
    case WF_KIND_SIGNED:
        return (double)number.i64;
    case WF_KIND_UNSIGNED:
        return (double)number.u64;
    case WF_KIND_FLOAT:
        break;
    }
    return number.f64;
}

#endif
