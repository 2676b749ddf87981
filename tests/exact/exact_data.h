/* Data for exact sums: floats of any format, made of their parts, in kinds that are hard to add.
 *
 * golden/exact.txt has sums of these that never change. So the generators never change, either; new kinds go to the
 * end. */
#ifndef WAVEFOLD_TESTS_EXACT_DATA_H
#define WAVEFOLD_TESTS_EXACT_DATA_H

#include "big_sum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern uint64_t random_state; /* of the next draw; a test that sets it draws the same again */
uint64_t draw(void);
uint64_t draw_below(uint64_t n);

/* The bits of a float of the format. exponent: as it is stored, or the nearest there is; fraction: its lowest bits. */
uint64_t element_of(big_format format, bool negative, int64_t exponent, uint64_t fraction);

typedef enum kind {
    UNIFORM,      /* in [0, 1), of equal steps */
    NORMAL,       /* sums of uniforms: bell-shaped */
    ALL_BITS,     /* any bits, NaN and infinities among them */
    ALL_FINITE,   /* any finite */
    PAIRS,        /* x and -x */
    NEARLY_PAIRS, /* x and -x but for the last place */
    HUGE_ONE,     /* one large among tiny ones */
    SUBNORMAL,    /* below the normal numbers */
    ZEROS,        /* of both signs */
    MINUS_ZEROS,  /* nothing but -0 */
    INFINITE,     /* among ordinary ones, of one sign */
    NANS,         /* NaN or infinities of both signs among ordinary ones */
    POWERS,       /* of two, of any exponent */
    NEIGHBOURS,   /* two exponents, so far apart as some window or group ends, or one more or less */
    TIES,         /* 1, and halves of its last place */
    LARGEST,      /* the largest, of both signs, and what rounds it up */
    GROWING,      /* from the least exponent to the largest */
    FEW_OUTLIERS, /* normal, with one of any exponent here and there */
    LONG_CARRY,   /* all ones, and one in the last place, of alternate signs */
    PRECISE,      /* bell-shaped, with all digits */
    KINDS
} kind;

extern const char *const kind_names[KINDS];

/* Element i of n, for i from 0 on. */
uint64_t make_element(big_format format, kind of, size_t i, size_t n);

/* Elements of size bytes at any address. */
void put_element(unsigned char *at, size_t size, size_t i, uint64_t bits);
uint64_t element_at(const unsigned char *at, size_t size, size_t i);

#endif
