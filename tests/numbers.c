#include "numbers.h"

#include <math.h>
#include <string.h>

/* What IEEE 754 says of the formats; bf16 is the upper half of a binary32. */
typedef struct format {
    int precision, exponent_bits;
} format;

static format format_of(wf_type type) {
    switch (type) {
    case WF_F16:
        return (format){11, 5};
    case WF_BF16:
        return (format){8, 8};
    case WF_F32:
        return (format){24, 8};
    case WF_F64:
        return (format){53, 11};
    default:
        return (format){0, 0};
    }
}

static int bias_of(format of) {
    return (1 << (of.exponent_bits - 1)) - 1;
}

bool number_is_float(wf_type type) {
    return format_of(type).precision != 0;
}

int number_precision(wf_type type) {
    return format_of(type).precision;
}

double number_smallest(wf_type type) {
    const format of = format_of(type);
    return ldexp(1, 1 - bias_of(of) - (of.precision - 1));
}

static bool is_signed(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}

uint64_t number_bits(wf_type type, const void *array, size_t i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + i * wf_type_size(type), wf_type_size(type));
    return bits;
}

uint64_t number_integer(wf_type type, const void *array, size_t i) {
    const unsigned unused = 64 - 8 * (unsigned)wf_type_size(type);
    const uint64_t bits = number_bits(type, array, i) << unused;
    return is_signed(type) ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

double number_float(wf_type type, const void *array, size_t i) {
    if (type == WF_F64)
        return ((const double *)array)[i];
    if (type == WF_F32) /* the compiler's own; most of the tests' time would go into taking it apart */
        return (double)((const float *)array)[i];
    const format of = format_of(type);
    const uint64_t bits = number_bits(type, array, i);
    const int fraction_bits = of.precision - 1;
    const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    const int exponent = (int)(bits >> fraction_bits) & ((1 << of.exponent_bits) - 1);
    double magnitude;
    if (exponent == (1 << of.exponent_bits) - 1)
        magnitude = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = ldexp((double)fraction, 1 - bias_of(of) - fraction_bits);
    else
        magnitude = ldexp((double)(fraction | UINT64_C(1) << fraction_bits), exponent - bias_of(of) - fraction_bits);
    return bits >> (fraction_bits + of.exponent_bits) ? -magnitude : magnitude;
}

long double number_value(wf_type type, const void *array, size_t i) {
    if (number_is_float(type))
        return (long double)number_float(type, array, i);
    const uint64_t integer = number_integer(type, array, i);
    return is_signed(type) ? (long double)(int64_t)integer : (long double)integer;
}

bool number_is_nan(wf_type type, const void *array, size_t i) {
    return number_is_float(type) && isnan(number_float(type, array, i));
}

bool number_less(wf_type type, const void *array, size_t i, size_t j) {
    const long double a = number_value(type, array, i), b = number_value(type, array, j);
    return a < b || (a == b && number_is_float(type) && signbit(a) && !signbit(b));
}

void number_put_integer(wf_type type, void *array, size_t i, uint64_t value) {
    memcpy((char *)array + i * wf_type_size(type), &value, wf_type_size(type));
}

void number_put_float(wf_type type, void *array, size_t i, double value) {
    if (type == WF_F64) {
        ((double *)array)[i] = value;
    } else if (type == WF_F32) {
        ((float *)array)[i] = (float)value;
    } else {
        const format of = format_of(type);
        const int fraction_bits = of.precision - 1;
        uint64_t bits = 0;
        int exponent;
        const double significand = frexp(fabs(value), &exponent); /* in [0.5, 1) */
        const int least = 2 - bias_of(of);                        /* exponent of the smallest normal number */
        if (isnan(value)) {
            bits = (UINT64_C(1) << (of.exponent_bits + 1)) - 1;
            bits <<= fraction_bits - 1;
        } else if (isinf(value)) {
            bits = ((UINT64_C(1) << of.exponent_bits) - 1) << fraction_bits;
        } else if (value != 0) {
            /* The bits of neighbouring numbers are neighbouring integers, across exponents too. */
            const int shift = exponent < least ? exponent - least : 0;
            bits = (uint64_t)round(ldexp(significand, of.precision + shift));
            if (shift == 0)
                bits += (uint64_t)(exponent - least) << fraction_bits;
        }
        if (signbit(value))
            bits |= UINT64_C(1) << (fraction_bits + of.exponent_bits);
        number_put_integer(type, array, i, bits);
    }
}

uint64_t number_extreme(wf_type type, bool largest) {
    const format of = format_of(type);
    const unsigned bits = 8 * (unsigned)wf_type_size(type);
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    if (of.precision != 0) {
        const uint64_t infinity = ((UINT64_C(1) << of.exponent_bits) - 1) << (of.precision - 1);
        return largest ? infinity : infinity | sign;
    }
    if (is_signed(type))
        return largest ? sign - 1 : sign;
    return largest ? sign | (sign - 1) : 0;
}
