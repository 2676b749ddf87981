#include "exact_data.h"

#include "data.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

uint64_t random_state;

uint64_t draw(void) {
    return data_hash(random_state++);
}
uint64_t draw_below(uint64_t n) {
    return draw() % n;
}

uint64_t element_of(big_format format, bool negative, int64_t exponent, uint64_t fraction) {
    const int64_t most = (INT64_C(1) << format.exponent_bits) - 2;
    const uint64_t kept = exponent < 0 ? 0 : exponent > most ? (uint64_t)most : (uint64_t)exponent;
    return (((uint64_t)negative << format.exponent_bits | kept) << (format.digits - 1)) +
           fraction % (UINT64_C(1) << (format.digits - 1));
}

const char *const kind_names[KINDS] = {"uniform",      "normal",   "all-bits",     "all-finite", "pairs",
                                       "nearly-pairs", "huge-one", "subnormal",    "zeros",      "-zeros",
                                       "infinite",     "nans",     "powers",       "neighbours", "ties",
                                       "largest",      "growing",  "few-outliers", "long-carry", "precise"};

/* Of (-4, 4), bell-shaped, with that many digits at the most. */
static uint64_t bell_shaped(big_format format, int digits) {
    const int64_t one = (INT64_C(1) << (format.exponent_bits - 1)) - 1;
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int64_t)(draw() >> 14) - (INT64_C(1) << 49);
    const bool negative = sum < 0;
    uint64_t magnitude = (uint64_t)(negative ? -sum : sum);
    int64_t exponent = one + 3;
    if (magnitude == 0)
        return 0;
    while (magnitude >> 52 == 0) { /* f64's 53 digits */
        magnitude *= 2;
        exponent--;
    }
    if (digits < format.digits)
        magnitude &= ~UINT64_C(0) << (53 - digits);
    return element_of(format, negative, exponent,
                      magnitude >> (53 - format.digits) & ((UINT64_C(1) << (format.digits - 1)) - 1));
}

/* Those of f64 have one digit, for no better reason than that golden lines were written so. PRECISE has all. */
static uint64_t ordinary(big_format format) {
    return bell_shaped(format, format.digits == 53 ? 1 : format.digits);
}

uint64_t make_element(big_format format, kind of, size_t i, size_t n) {
    const int64_t most = (INT64_C(1) << format.exponent_bits) - 2, one = most / 2;
    const bool sign = draw() & 1;
    const uint64_t fraction = draw(), width = (uint64_t)(format.digits + format.exponent_bits);
    const uint64_t minus_zero = UINT64_C(1) << (width - 1), infinity = (uint64_t)(most + 1) << (format.digits - 1);
    static uint64_t last;
    static int64_t base, gap;
    if (i == 0) {
        base = (int64_t)draw_below((uint64_t)most + 1);
        static const int64_t ends[] = {8, 13, 16, 25, 29, 36, 38, 39, 40, 52, 64, 68, 81, 84, 92, 128};
        gap = ends[draw_below(COUNT(ends))] + (int64_t)draw_below(3) - 1;
        last = 0;
    }
    switch (of) {
    case UNIFORM:
        return element_of(format, false, one - 1 - __builtin_clzll(draw() | 1), fraction);
    case NORMAL:
        return ordinary(format);
    case ALL_BITS:
        return draw() >> (64 - width);
    case ALL_FINITE:
        return element_of(format, sign, (int64_t)draw_below((uint64_t)most + 1), fraction);
    case PAIRS:
        last = i % 2 == 0 ? element_of(format, sign, (int64_t)draw_below((uint64_t)most + 1), fraction)
                          : last ^ minus_zero;
        return last;
    case NEARLY_PAIRS:
        last = i % 2 == 0 ? element_of(format, sign, (int64_t)draw_below((uint64_t)most + 1), fraction)
                          : (last ^ minus_zero) ^ (draw_below(4) == 0);
        return last;
    case HUGE_ONE:
        return element_of(format, sign, i == n / 2 ? most : (int64_t)draw_below(3), fraction);
    case SUBNORMAL:
        return element_of(format, sign, draw_below(16) == 0, fraction);
    case ZEROS:
        return sign ? minus_zero : 0;
    case MINUS_ZEROS:
        return minus_zero;
    case INFINITE:
        return i == n / 3 ? infinity | (base % 2 != 0 ? minus_zero : 0) : ordinary(format);
    case NANS:
        return draw_below(n) < 2 ? infinity | (draw() & 1 ? minus_zero : 0) | (draw() & 1) : ordinary(format);
    case POWERS:
        return element_of(format, sign, (int64_t)draw_below((uint64_t)most + 1), 0);
    case NEIGHBOURS:
        return element_of(format, sign, base + (draw() & 1 ? gap : 0),
                          draw() & 1   ? fraction
                          : draw() & 1 ? 0
                                       : ~UINT64_C(0));
    case TIES:
        return i == 0 ? element_of(format, false, one, fraction)
                      : element_of(format, draw_below(4) == 0, one - format.digits + (int64_t)draw_below(2), 0);
    case LARGEST:
        return draw_below(3) == 0 ? element_of(format, sign, most - format.digits + (int64_t)draw_below(2), 0)
                                  : infinity - 1 + (sign ? minus_zero : 0);
    case GROWING:
        return element_of(format, sign, (int64_t)(i * (uint64_t)(most + 1) / n), fraction);
    case FEW_OUTLIERS:
        return draw_below(100) == 0 ? element_of(format, sign, (int64_t)draw_below((uint64_t)most + 1), fraction)
                                    : ordinary(format);
    case LONG_CARRY:
        return i % 2 == 0 ? element_of(format, base % 2 != 0, base, ~UINT64_C(0))
                          : (base % 2 != 0 ? minus_zero : 0) | 1;
    case PRECISE:
        return bell_shaped(format, format.digits);
    case KINDS:
        break;
    }
    return 0;
}

void put_element(unsigned char *at, size_t size, size_t i, uint64_t bits) {
    memcpy(at + i * size, &bits, size);
}
uint64_t element_at(const unsigned char *at, size_t size, size_t i) {
    uint64_t bits = 0;
    memcpy(&bits, at + i * size, size);
    return bits;
}
