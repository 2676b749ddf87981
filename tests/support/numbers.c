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

/* Of a type, as its name says; most of the tests' time would go into asking the library. */
static size_t size_of(wf_type type) {
    switch (type) {
    case WF_I8:
    case WF_U8:
        return 1;
    case WF_F16:
    case WF_BF16:
    case WF_I16:
    case WF_U16:
        return 2;
    case WF_F32:
    case WF_I32:
    case WF_U32:
        return 4;
    default:
        return 8;
    }
}

/* Calls of memcpy whose sizes the compiler knows become one instruction. */
uint64_t number_bits(wf_type type, const void *array, size_t i) {
    const size_t size = size_of(type);
    const char *const at = (const char *)array + i * size;
    uint8_t of_1;
    uint16_t of_2;
    uint32_t of_4;
    uint64_t of_8;
    switch (size) {
    case 1:
        return memcpy(&of_1, at, 1), of_1;
    case 2:
        return memcpy(&of_2, at, 2), of_2;
    case 4:
        return memcpy(&of_4, at, 4), of_4;
    default:
        return memcpy(&of_8, at, 8), of_8;
    }
}

uint64_t number_integer(wf_type type, const void *array, size_t i) {
    const unsigned unused = 64 - 8 * (unsigned)size_of(type);
    const uint64_t bits = number_bits(type, array, i) << unused;
    return is_signed(type) ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

static double with_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double number_float(wf_type type, const void *array, size_t i) {
    if (type == WF_F64)
        return ((const double *)array)[i];
    if (type == WF_F32) /* the compiler's own */
        return (double)((const float *)array)[i];
    /* A format's fields, moved to where a binary64 has them. */
    const format of = format_of(type);
    const uint64_t bits = number_bits(type, array, i);
    const int fraction_bits = of.precision - 1;
    const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    const uint64_t exponent = (bits >> fraction_bits) & ((UINT64_C(1) << of.exponent_bits) - 1);
    double magnitude;
    if (exponent == (UINT64_C(1) << of.exponent_bits) - 1)
        magnitude = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = (double)fraction * with_bits((uint64_t)(1023 + 1 - bias_of(of) - fraction_bits) << 52);
    else
        magnitude = with_bits((exponent + 1023 - (uint64_t)bias_of(of)) << 52 | fraction << (52 - fraction_bits));
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
    if (number_is_float(type)) {
        const double a = number_float(type, array, i), b = number_float(type, array, j);
        return a < b || (a == b && signbit(a) && !signbit(b));
    }
    const uint64_t a = number_integer(type, array, i), b = number_integer(type, array, j);
    return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

void number_put_integer(wf_type type, void *array, size_t i, uint64_t value) {
    const size_t size = size_of(type);
    char *const at = (char *)array + i * size;
    switch (size) { /* of the lowest bytes, as this project's processors store numbers */
    case 1:
        memcpy(at, &value, 1);
        break;
    case 2:
        memcpy(at, &value, 2);
        break;
    case 4:
        memcpy(at, &value, 4);
        break;
    default:
        memcpy(at, &value, 8);
    }
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
    const unsigned bits = 8 * (unsigned)size_of(type);
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    if (of.precision != 0) {
        const uint64_t infinity = ((UINT64_C(1) << of.exponent_bits) - 1) << (of.precision - 1);
        return largest ? infinity : infinity | sign;
    }
    if (is_signed(type))
        return largest ? sign - 1 : sign;
    return largest ? sign | (sign - 1) : 0;
}
