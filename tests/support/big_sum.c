#include "big_sum.h"
#include <wavefold_sum.h>

big_format big_format_of(wf_type type) {
    switch ((int)type) {
    case WF_F32:
        return (big_format){24, 8};
    case WF_F64:
        return (big_format){53, 11};
    case WF_F16:
        return (big_format){11, 5};
    default:
        return (big_format){8, 8}; /* bf16 */
    }
}

void big_sum_add(big_sum *sum, wf_type type, big_term term, uint64_t bits) {
    const big_format format = big_format_of(type);
    const uint64_t hidden = UINT64_C(1) << (format.digits - 1), most = (UINT64_C(1) << format.exponent_bits) - 1;
    const uint64_t exponent = bits / hidden & most, fraction = bits % hidden;
    bool negative = (bits / hidden / (most + 1)) % 2 != 0;
    sum->count++;
    if (term != BIG_ELEMENT)
        negative = false;
    if (!(negative && exponent == 0 && fraction == 0))
        sum->others = true;
    if (exponent == most) {
        if (fraction != 0)
            sum->nans++;
        else
            sum->infinities[negative]++;
        return;
    }
    /* value = whole 2^(position - 1074) */
    uint64_t whole = exponent == 0 ? fraction : fraction + hidden;
    const int unit = (exponent == 0 ? 1 : (int)exponent) - (int)(most / 2) - (format.digits - 1);
    int position = unit + 1074;
    if (term == BIG_SQUARE) {
        whole *= whole;
        position = 2 * unit + 1074;
    }
    for (; whole != 0; whole &= whole - 1) /* bit by bit, from the lowest */
        sum->bit[position + __builtin_ctzll(whole)] += negative ? -1 : 1;
}

/* Two's complement: every bit 0 or 1, but the last, which keeps the sign. */
void big_sum_finish(big_sum *sum) {
    for (int i = 0; i + 1 < BIG_BITS; i++) {
        const int64_t odd = sum->bit[i] % 2 != 0;
        sum->bit[i + 1] += (sum->bit[i] - odd) / 2;
        sum->bit[i] = odd;
    }
}

wf_sum_state big_sum_state(const big_sum *sum) {
    wf_sum_state state = {.version = 1,
                          .merged = 1,
                          .count = sum->count,
                          .nans = sum->nans,
                          .positive_infinities = sum->infinities[0],
                          .negative_infinities = sum->infinities[1],
                          .others = sum->others};
    for (int i = 0; i < BIG_BITS; i++)
        state.limb[i / 32] += sum->bit[i] * ((int64_t)1 << i % 32);
    return state;
}

/* Rounds digits, the first of which is worth 2^top; more: something follows them. */
static uint64_t round_digits(const signed char *digits, int count, int top, bool more, big_format format) {
    const int bias = (1 << (format.exponent_bits - 1)) - 1, least = 1 - bias - (format.digits - 1);
    const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1);
    int first = 0;
    while (first < count && digits[first] == 0)
        first++;
    if (first == count)
        return 0;
    top -= first;
    int last = top - format.digits + 1; /* what the last digit that stays is worth */
    if (last < least)
        last = least;
    uint64_t kept = 0;
    for (int worth = top; worth >= last; worth--)
        kept = 2 * kept + (first + top - worth < count ? (uint64_t)digits[first + top - worth] : 0);
    const int next = first + top - last + 1; /* the first digit that goes */
    const bool half = next >= 0 && next < count && next >= first && digits[next] != 0;
    bool below = more;
    for (int i = next + 1 > first ? next + 1 : first; i < count; i++)
        below = below || digits[i] != 0;
    if (half && (below || kept % 2 != 0))
        kept++;
    if (kept == UINT64_C(1) << format.digits) {
        kept /= 2;
        last++;
    }
    if (kept < UINT64_C(1) << (format.digits - 1))
        return kept; /* subnormal */
    const int exponent = last + format.digits - 1 + bias;
    if (exponent >= (1 << format.exponent_bits) - 1)
        return infinity;
    return (uint64_t)(exponent - 1) * (UINT64_C(1) << (format.digits - 1)) + kept;
}

uint64_t big_sum_rounded(const big_sum *sum, bool mean, wf_type type) {
    const big_format format = big_format_of(type);
    const uint64_t sign = UINT64_C(1) << (format.digits - 1 + format.exponent_bits);
    const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1);
    if (sum->nans != 0 || (sum->infinities[0] != 0 && sum->infinities[1] != 0) || (mean && sum->count == 0))
        return infinity + (UINT64_C(1) << (format.digits - 2));
    if (sum->infinities[0] != 0 || sum->infinities[1] != 0)
        return infinity + (sum->infinities[1] != 0 ? sign : 0);
    if (sum->count != 0 && !sum->others)
        return sign;
    /* The magnitude, from the top; and as many digits of the quotient behind the point as decide every rounding. */
    enum { MORE = 80 };
    signed char digits[BIG_BITS + MORE] = {0};
    const bool negative = sum->bit[BIG_BITS - 1] < 0;
    int64_t bit[BIG_BITS];
    int64_t carried = 0;
    for (int i = 0; i < BIG_BITS; i++) {
        carried += negative ? -sum->bit[i] : sum->bit[i];
        bit[i] = carried % 2 != 0;
        carried = (carried - bit[i]) / 2;
    }
    const uint64_t divisor = mean ? (uint64_t)sum->count : 1; /* below 2^63, so twice the remainder fits */
    uint64_t remainder = 0;
    bool any = false;
    for (int i = 0; i < BIG_BITS + MORE; i++) {
        remainder = 2 * remainder + (i < BIG_BITS ? (uint64_t)bit[BIG_BITS - 1 - i] : 0);
        digits[i] = remainder >= divisor;
        if (digits[i])
            remainder -= divisor;
        any = any || bit[i < BIG_BITS ? i : 0] != 0;
    }
    const uint64_t magnitude = round_digits(digits, BIG_BITS + MORE, BIG_BITS - 1 - 1074, remainder != 0, format);
    return negative && any ? magnitude + sign : magnitude;
}
