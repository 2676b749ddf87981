#include "half.h"

#include <math.h>
#include <stdbool.h>

/* Sign, exponent and fraction, from the highest bit down, as IEEE 754 lays out every binary format. */
typedef struct layout {
    int fraction_bits, exponent_bits;
} layout;

static const layout f16 = {10, 5}, bf16 = {7, 8};

static int bias(layout l) {
    return (1 << (l.exponent_bits - 1)) - 1;
}

static double value_of(layout l, uint16_t bits) {
    int fraction = bits & ((1 << l.fraction_bits) - 1);
    int exponent = bits >> l.fraction_bits & ((1 << l.exponent_bits) - 1);
    double magnitude;
    if (exponent == (1 << l.exponent_bits) - 1)
        magnitude = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0) /* no hidden bit, and the exponent of the smallest normal numbers */
        magnitude = ldexp(fraction, 1 - bias(l) - l.fraction_bits);
    else
        magnitude = ldexp(fraction + (1 << l.fraction_bits), exponent - bias(l) - l.fraction_bits);
    return bits >> 15 ? -magnitude : magnitude;
}

static uint16_t bits_of(layout l, double x) {
    int exponent, infinite = (1 << l.exponent_bits) - 1;
    int sign = signbit(x) ? 1 << 15 : 0;
    if (isnan(x))
        return (uint16_t)(sign | infinite << l.fraction_bits | 1 << (l.fraction_bits - 1));
    if (isinf(x))
        return (uint16_t)(sign | infinite << l.fraction_bits);
    (void)frexp(x, &exponent); /* |x| is in [2^(exponent - 1), 2^exponent) */
    if (x == 0 || exponent < 2 - bias(l))
        exponent = 2 - bias(l);
    /* In units of the last place. Rounding up to the next power of two carries into the exponent's field, and from the
     * last exponent to infinity, as it should. */
    double units = rint(ldexp(fabs(x), l.fraction_bits + 1 - exponent));
    if (exponent - 1 + bias(l) >= infinite)
        return (uint16_t)(sign | infinite << l.fraction_bits);
    return (uint16_t)(sign | (((exponent - 2 + bias(l)) << l.fraction_bits) + (int)units));
}

double f16_value(uint16_t bits) {
    return value_of(f16, bits);
}

double bf16_value(uint16_t bits) {
    return value_of(bf16, bits);
}

uint16_t f16_bits(double x) {
    return bits_of(f16, x);
}

uint16_t bf16_bits(double x) {
    return bits_of(bf16, x);
}
