#include "exact_product.h"

#include <float.h>
#include <math.h>

static const scaled_number one = {0.5L, 1};

void exact_product_begin(exact_product *product) {
    *product = (exact_product){.large = one, .small = one};
}

static void multiply(scaled_number *by, scaled_number factor) {
    by->number *= factor.number;
    by->exponent += factor.exponent;
    if (by->number < 0.5L) { /* it is at least a quarter */
        by->number *= 2;
        by->exponent--;
    }
}

static scaled_number scaled(double number) {
    int exponent;
    long double fraction = (long double)frexp(number, &exponent);
    return (scaled_number){fraction, exponent};
}

void exact_product_add(exact_product *product, const double *factors, size_t count) {
    product->factors += count;
    for (size_t i = 0; i < count; i++) {
        double magnitude = fabs(factors[i]);
        product->negative ^= signbit(factors[i]) != 0;
        if (isnan(magnitude))
            product->nan = true;
        else if (isinf(magnitude))
            product->infinite = true;
        else if (magnitude == 0)
            product->zero = true;
        else
            multiply(magnitude < 1 ? &product->small : &product->large, scaled(magnitude));
    }
}

void exact_product_merge(exact_product *product, const exact_product *next) {
    multiply(&product->large, next->large);
    multiply(&product->small, next->small);
    product->factors += next->factors;
    product->negative ^= next->negative;
    product->zero |= next->zero;
    product->infinite |= next->infinite;
    product->nan |= next->nan;
}

static long double plain(long double number, int64_t exponent) {
    enum { FAR = 1 << 16 }; /* beyond every type's range */
    return ldexpl(number, exponent > FAR ? FAR : exponent < -FAR ? -FAR : (int)exponent);
}

long double exact_product_value(const exact_product *product) {
    long double magnitude =
        plain(product->large.number * product->small.number, product->large.exponent + product->small.exponent);
    if (product->nan || (product->zero && product->infinite))
        return NAN;
    if (product->zero || product->infinite)
        magnitude = product->zero ? 0 : INFINITY;
    return product->negative ? -magnitude : magnitude;
}

/* One rounding, of half an epsilon, for each factor and each merged product. */
double exact_product_error(const exact_product *product) {
    return expm1((double)(product->factors + 1) * (double)LDBL_EPSILON);
}

long double exact_product_largest(const exact_product *product) {
    return plain(product->large.number, product->large.exponent);
}

long double exact_product_smallest(const exact_product *product) {
    return plain(product->small.number, product->small.exponent);
}
