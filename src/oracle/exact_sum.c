#include "exact_sum.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    UNIT_EXPONENT = -1074, /* the value of bit 0, as a power of two */
    /* Each term adds less than 2^32 to a limb, and a limb is below 2^32 after carrying, so carries can wait for 2^31
     * terms. Carrying more often has no measurable cost. */
    TERMS_BETWEEN_CARRIES = 1 << 20
};

typedef uint64_t limbs[EXACT_LIMBS];

static void carry(limbs limb) {
    uint64_t carried = 0;
    for (size_t i = 0; i < EXACT_LIMBS; i++) {
        carried += limb[i];
        limb[i] = carried & UINT32_MAX;
        carried >>= 32;
    }
}

static void add_term(exact_sum *sum, double term) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    size_t sign = bits >> 63;
    uint64_t exponent = bits >> 52 & 0x7ff;
    uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
    if (bits != UINT64_C(1) << 63)
        sum->any_other_than_minus_zero = true;
    if (exponent == 0x7ff) {
        if (significand != 0)
            sum->nan = true;
        else
            sum->infinite[sign] = true;
        return;
    }
    /* Subnormals have no hidden bit, and the exponent of the smallest normal numbers. */
    if (exponent != 0) {
        significand |= UINT64_C(1) << 52;
        exponent--;
    }
    uint64_t *limb = sum->limb[sign] + exponent / 32;
    unsigned shift = exponent % 32;
    uint64_t low = significand << shift;
    limb[0] += low & UINT32_MAX;
    limb[1] += low >> 32;
    limb[2] += significand >> 32 >> (32 - shift); /* in two steps: a shift by 64 is undefined */
}

static void carry_both(exact_sum *sum) {
    carry(sum->limb[0]);
    carry(sum->limb[1]);
}

void exact_sum_add(exact_sum *sum, const double *terms, size_t count) {
    sum->any_term |= count > 0;
    for (size_t i = 0; i < count; i++) {
        add_term(sum, terms[i]);
        if ((i + 1) % TERMS_BETWEEN_CARRIES == 0)
            carry_both(sum);
    }
    carry_both(sum);
}

void exact_sum_merge(exact_sum *sum, const exact_sum *next) {
    for (size_t sign = 0; sign < 2; sign++) {
        for (size_t i = 0; i < EXACT_LIMBS; i++)
            sum->limb[sign][i] += next->limb[sign][i];
        sum->infinite[sign] |= next->infinite[sign];
    }
    sum->nan |= next->nan;
    sum->any_term |= next->any_term;
    sum->any_other_than_minus_zero |= next->any_other_than_minus_zero;
    carry_both(sum);
}

/* difference becomes |a - b|; returns true if a < b. All limbs are carried. */
static bool subtract(const limbs a, const limbs b, limbs difference) {
    size_t top = EXACT_LIMBS;
    while (top > 0 && a[top - 1] == b[top - 1])
        top--;
    bool negative = top > 0 && a[top - 1] < b[top - 1];
    const uint64_t *larger = negative ? b : a, *smaller = negative ? a : b;
    uint64_t borrow = 0;
    for (size_t i = 0; i < EXACT_LIMBS; i++) {
        uint64_t digit = larger[i] - smaller[i] - borrow;
        difference[i] = digit & UINT32_MAX;
        borrow = digit >> 63;
    }
    return negative;
}

static bool bit_at(const limbs limb, size_t position) {
    return limb[position / 32] >> position % 32 & 1;
}

/* The position of the highest bit that is set, plus 1. */
static size_t length(const limbs limb) {
    size_t bits = (size_t)EXACT_LIMBS * 32;
    while (bits > 0 && !bit_at(limb, bits - 1))
        bits--;
    return bits;
}

static bool any_below(const limbs limb, size_t position) {
    for (size_t i = 0; i < position / 32; i++)
        if (limb[i] != 0)
            return true;
    return (limb[position / 32] & ((UINT64_C(1) << position % 32) - 1)) != 0;
}

typedef enum rounding { TO_NEAREST_EVEN, UP } rounding;

/* Rounds the carried integer, in units of 2^unit, once to a floating-point number of `precision` bits, none of which is
 * below bit `lowest` (subnormals have fewer bits). */
static long double round_limbs(const limbs limb, int unit, size_t precision, size_t lowest, rounding direction) {
    size_t end = length(limb);
    size_t last = end > lowest + precision ? end - precision : lowest;
    uint64_t kept = 0;
    for (size_t position = end; position > last; position--)
        kept = kept << 1 | bit_at(limb, position - 1);
    if (direction == UP)
        kept += any_below(limb, last);
    else if (last > 0 && bit_at(limb, last - 1))
        kept += any_below(limb, last - 1) || (kept & 1) != 0;
    /* Exact: kept is at most 2^precision, and last is no lower than the smallest subnormal. */
    return ldexpl((long double)kept, (int)last + unit);
}

/* Bits after a quotient's whole part: its next bit, and a sticky bit. */
enum { QUOTIENT_BITS = 2 };

/* Divides the carried integer by a divisor below 2^63, bit by bit from the top. The quotient is in units of
 * 2^-QUOTIENT_BITS. */
static void divide(limbs limb, uint64_t divisor) {
    uint64_t rest = 0;
    limbs quotient = {0};
    for (size_t position = (size_t)EXACT_LIMBS * 32 + QUOTIENT_BITS; position-- > 0;) {
        rest = rest << 1 | (position >= QUOTIENT_BITS && bit_at(limb, position - QUOTIENT_BITS));
        if (rest < divisor)
            continue;
        rest -= divisor; /* no sum is so large that the bit lies beyond the limbs */
        quotient[position / 32] |= UINT64_C(1) << position % 32;
    }
    quotient[0] |= rest != 0;
    memcpy(limb, quotient, sizeof quotient);
}

/* The sum divided by divisor, rounded once. */
static double rounded_quotient(const exact_sum *sum, uint64_t divisor, size_t precision, size_t lowest) {
    limbs difference;
    int below = 0;
    if (sum->nan || (sum->infinite[0] && sum->infinite[1]))
        return NAN;
    if (sum->infinite[0] || sum->infinite[1])
        return sum->infinite[0] ? INFINITY : -INFINITY;
    if (sum->any_term && !sum->any_other_than_minus_zero)
        return -0.0;
    bool negative = subtract(sum->limb[0], sum->limb[1], difference);
    if (divisor != 1) {
        divide(difference, divisor);
        below = QUOTIENT_BITS;
    }
    double magnitude =
        (double)round_limbs(difference, UNIT_EXPONENT - below, precision, lowest + (size_t)below, TO_NEAREST_EVEN);
    return negative ? -magnitude : magnitude;
}

double exact_sum_f64(const exact_sum *sum) {
    return exact_mean_f64(sum, 1);
}

float exact_sum_f32(const exact_sum *sum) {
    return exact_mean_f32(sum, 1);
}

double exact_mean_f64(const exact_sum *sum, uint64_t count) {
    return rounded_quotient(sum, count, DBL_MANT_DIG, 0);
}

float exact_mean_f32(const exact_sum *sum, uint64_t count) {
    /* The smallest subnormal float is 2^-149. A quotient rounded to 24 bits is a float, or at least 2^128. */
    double rounded = rounded_quotient(sum, count, FLT_MANT_DIG, (size_t)(-149 - UNIT_EXPONENT));
    if (fabs(rounded) > (double)FLT_MAX)
        return rounded > 0 ? INFINITY : -INFINITY;
    return (float)rounded;
}

long double exact_sum_magnitudes(const exact_sum *sum) {
    limbs total;
    for (size_t i = 0; i < EXACT_LIMBS; i++)
        total[i] = sum->limb[0][i] + sum->limb[1][i];
    carry(total);
    return round_limbs(total, UNIT_EXPONENT, DBL_MANT_DIG, 0, UP);
}

double exact_sum_distance(const exact_sum *sum, double x) {
    return exact_sum_distance_product(sum, x, 1);
}

double exact_sum_distance_product(const exact_sum *sum, double x, double y) {
    exact_sum rest = *sum;
    limbs difference;
    const int parts = isfinite(x * y) ? 1 : 2;
    const double factor = y / parts, product = x * factor;
    for (int i = 0; i < parts; i++) {
        add_term(&rest, -product);
        add_term(&rest, -fma(x, factor, -product)); /* the product's rounding error */
    }
    carry_both(&rest);
    (void)subtract(rest.limb[0], rest.limb[1], difference);
    return (double)round_limbs(difference, UNIT_EXPONENT, DBL_MANT_DIG, 0, TO_NEAREST_EVEN);
}
