/* A product of doubles in long double, with a separate exponent that never overflows.
 *
 * Factors of at least 1 and factors below 1 are multiplied separately. The two products bound every partial product, in
 * any order, and so show whether one can leave a type's range.
 */
#ifndef WAVEFOLD_ORACLE_EXACT_PRODUCT_H
#define WAVEFOLD_ORACLE_EXACT_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scaled_number { /* number·2^exponent; number is in [1/2, 1) */
    long double number;
    int64_t exponent;
} scaled_number;

typedef struct exact_product {
    scaled_number large, small; /* of the magnitudes of finite factors other than 0 */
    uint64_t factors;
    bool negative, zero, infinite, nan;
} exact_product;

void exact_product_begin(exact_product *product);
void exact_product_add(exact_product *product, const double *factors, size_t count);
/* Multiplies by the factors of next, which must have at least one: exact_product_error counts on at most one merge per
 * factor. */
void exact_product_merge(exact_product *product, const exact_product *next);

/* The product, with a relative error below exact_product_error; 0 or infinity beyond the range of long double. NaN if a
 * factor is NaN, or if one is 0 and one infinite. */
long double exact_product_value(const exact_product *product);
double exact_product_error(const exact_product *product);
/* Bounds of the magnitude of every partial product of the finite factors other than 0, with the same relative error. */
long double exact_product_largest(const exact_product *product);
long double exact_product_smallest(const exact_product *product);

#endif
