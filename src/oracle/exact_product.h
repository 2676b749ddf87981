/* A product of doubles in the widest type there is, beyond whose range an exponent of its own reaches.
 *
 * Factors of at least 1 and those below are multiplied apart. No product of some of the factors is larger than the one,
 * or smaller than the other. So they show whether a partial product can leave a type's range, in whatever order.
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
/* The factors of another product as well; it has some, so that no more products are merged than factors are added. */
void exact_product_merge(exact_product *product, const exact_product *next);

/* The product: off by less than exact_product_error times itself; 0 and infinity beyond the range of long double. NaN
 * if a factor is NaN, or one is 0 and one infinite. */
long double exact_product_value(const exact_product *product);
double exact_product_error(const exact_product *product);
/* Bounds of the magnitude of every product of some of the finite factors other than 0, as near as the value is. */
long double exact_product_largest(const exact_product *product);
long double exact_product_smallest(const exact_product *product);

#endif
