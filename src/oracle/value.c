#include "value.h"

#include "round_half.h"
#include "widened.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With a size that the compiler knows, a copy is a single instruction. */
static void copy_number(wf_type type, void *to, const void *from) {
    switch (type) {
#define COPY_NUMBER(ENUM, name, ctype)                                                                                 \
    case WF_##ENUM:                                                                                                    \
        memcpy(to, from, sizeof(ctype));                                                                               \
        break;
        WF_TYPE_MAP(COPY_NUMBER)
#undef COPY_NUMBER
    case WF_TYPE_COUNT:
        break;
    }
}

static size_t size_of(wf_type type) {
    static const size_t sizes[] = {
#define SIZE_OF(ENUM, name, ctype) [WF_##ENUM] = sizeof(ctype),
        WF_TYPE_MAP(SIZE_OF)
#undef SIZE_OF
    };
    return sizes[type];
}

value value_at(wf_type type, const void *numbers, size_t i) {
    value v = {.u64 = 0};
    copy_number(type, &v, (const char *)numbers + i * size_of(type));
    return v;
}

void value_put(wf_type type, void *numbers, size_t i, value v) {
    copy_number(type, (char *)numbers + i * size_of(type), &v);
}

value value_of_double(wf_type type, double x) {
    value v = {.u64 = 0};
    switch (type) {
    case WF_F32:
        v.f32 = (float)x;
        break;
    case WF_F64:
        v.f64 = x;
        break;
    case WF_F16:
    case WF_BF16:
        v.u16 = half_bits(type, x);
        break;
    case WF_I8:
    case WF_I16:
    case WF_I32:
    case WF_I64:
    case WF_U8:
    case WF_U16:
    case WF_U32:
    case WF_U64:
    case WF_TYPE_COUNT:
        break;
    }
    return v;
}

/* Takes the low bytes: the library supports only little-endian machines. */
value value_of_bits(wf_type type, uint64_t bits) {
    value v = {.u64 = 0};
    copy_number(type, &v, &bits);
    return v;
}

uint64_t value_to_bits(wf_type type, value v) {
    return wf_type_is_float(type) ? 0 : wf_number_at(type, &v, 0).u64;
}

double value_to_double(wf_type type, value v) {
    return wf_number_to_double(type, wf_number_at(type, &v, 0));
}

bool value_is_nan(wf_type type, value v) {
    return wf_type_is_float(type) && isnan(value_to_double(type, v));
}

bool value_same_bits(wf_type type, value a, value b) {
    return memcmp(&a, &b, size_of(type)) == 0;
}

/* The rank of a float: floats of one sign have the order of their bits as integers. */
static int64_t position(wf_type type, value v) {
    size_t size = size_of(type);
    uint64_t bits = size == 8 ? v.u64 : size == 4 ? v.u32 : v.u16;
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    int64_t magnitude = (int64_t)(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
}

uint64_t value_ulps(wf_type type, value a, value b) {
    int64_t from = position(type, a), to = position(type, b);
    return from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
}

static void format(wf_type type, value v, int digits, char text[VALUE_TEXT]) {
    if (value_is_nan(type, v))
        snprintf(text, VALUE_TEXT, "nan"); /* printf would print a sign, which has no meaning */
    else if (wf_type_is_float(type))
        snprintf(text, VALUE_TEXT, "%.*g", digits, value_to_double(type, v));
    else if (wf_type_is_signed(type))
        snprintf(text, VALUE_TEXT, "%" PRId64, (int64_t)value_to_bits(type, v));
    else
        snprintf(text, VALUE_TEXT, "%" PRIu64, value_to_bits(type, v));
}

void value_format(wf_type type, value v, char text[VALUE_TEXT]) {
    format(type, v, 17, text);
}

void value_format_short(wf_type type, value v, char text[VALUE_TEXT]) {
    format(type, v, type == WF_F64 ? 12 : type == WF_F32 ? 9 : 5, text);
}

void value_format_brief(wf_type type, value v, char text[VALUE_TEXT]) {
    format(type, v, size_of(type) == 2 ? 5 : 6, text);
}

/* Many programs read an f32 through a double, which rounds twice: 7.038531e-26 then becomes another f32. */
static bool reads_as(wf_type type, value v, const char *text) {
    const value through_double = value_of_double(type, strtod(text, NULL));
    return value_same_bits(type, through_double, v) &&
           (type != WF_F32 || value_same_bits(type, (value){.f32 = strtof(text, NULL)}, v));
}

void value_format_shortest(wf_type type, value v, char text[VALUE_TEXT]) {
    enum { MOST_DIGITS = 17, LEAST_EXPONENT = -4, MOST_EXPONENT = 15 };
    double x = wf_type_is_float(type) ? value_to_double(type, v) : 0;
    format(type, v, MOST_DIGITS, text);
    if (!wf_type_is_float(type) || !isfinite(x))
        return;
    int digits = 0;
    do
        snprintf(text, VALUE_TEXT, "%.*e", digits++, x); /* one digit stands before the point */
    while (digits < MOST_DIGITS && !reads_as(type, v, text));
    int exponent = atoi(strchr(text, 'e') + 1), decimals = digits - 1 - exponent;
    if (exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT)
        snprintf(text, VALUE_TEXT, "%.*f", decimals > 0 ? decimals : 0, x);
}

void value_format_hex(wf_type type, value v, char text[VALUE_TEXT]) {
    size_t size = size_of(type);
    if (value_is_nan(type, v))
        snprintf(text, VALUE_TEXT, "nan");
    else if (wf_type_is_float(type))
        snprintf(text, VALUE_TEXT, "%a", value_to_double(type, v));
    else
        snprintf(text, VALUE_TEXT, "0x%0*" PRIx64, (int)(2 * size),
                 value_to_bits(type, v) & (UINT64_MAX >> (64 - 8 * size)));
}
