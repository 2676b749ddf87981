#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool type_is_float(wf_type type) {
    return type == WF_F32 || type == WF_F64;
}

double value_to_double(wf_type type, value v) {
    switch (type) {
    case WF_F32:
        return (double)v.f32;
    case WF_F64:
        return v.f64;
    case WF_I32:
        return (double)v.i32;
    default:
        return (double)v.i64;
    }
}

bool value_is_nan(wf_type type, value v) {
    return type_is_float(type) && isnan(value_to_double(type, v));
}

bool value_same_bits(wf_type type, value a, value b) {
    return memcmp(&a, &b, wf_type_size(type)) == 0;
}

/* Floats of one sign are ordered as their bits are, read as integers. */
static int64_t position(wf_type type, value v) {
    if (type == WF_F32) {
        int64_t magnitude = v.i32 & INT32_MAX;
        return v.i32 < 0 ? -magnitude : magnitude;
    }
    int64_t magnitude = v.i64 & INT64_MAX;
    return v.i64 < 0 ? -magnitude : magnitude;
}

uint64_t value_ulps(wf_type type, value a, value b) {
    int64_t from = position(type, a), to = position(type, b);
    return from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
}

static void format(wf_type type, value v, int digits, char text[VALUE_TEXT]) {
    if (value_is_nan(type, v))
        snprintf(text, VALUE_TEXT, "nan"); /* printf would show a sign, which means nothing */
    else if (type_is_float(type))
        snprintf(text, VALUE_TEXT, "%.*g", digits, value_to_double(type, v));
    else
        snprintf(text, VALUE_TEXT, "%" PRId64, type == WF_I32 ? (int64_t)v.i32 : v.i64);
}

void value_format(wf_type type, value v, char text[VALUE_TEXT]) {
    format(type, v, 17, text);
}

void value_format_short(wf_type type, value v, char text[VALUE_TEXT]) {
    format(type, v, type == WF_F32 ? 9 : 12, text);
}

void value_format_hex(wf_type type, value v, char text[VALUE_TEXT]) {
    if (value_is_nan(type, v))
        snprintf(text, VALUE_TEXT, "nan");
    else if (type_is_float(type))
        snprintf(text, VALUE_TEXT, "%a", value_to_double(type, v));
    else if (type == WF_I32)
        snprintf(text, VALUE_TEXT, "0x%08" PRIx32, (uint32_t)v.i32);
    else
        snprintf(text, VALUE_TEXT, "0x%016" PRIx64, (uint64_t)v.i64);
}
