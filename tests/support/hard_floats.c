#include "hard_floats.h"

#include "big_sum.h"

#include <string.h>

/* A type's floats, as their bits. */
typedef struct floats {
    big_format format;
    int bias;
    uint64_t sign, infinity;
} floats;

static floats floats_of(wf_type type) {
    const big_format format = big_format_of(type);
    const int width = format.digits + format.exponent_bits;
    return (floats){.format = format,
                    .bias = (1 << (format.exponent_bits - 1)) - 1,
                    .sign = UINT64_C(1) << (width - 1),
                    .infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1)};
}

/* 2^exponent, which the type has; subnormal, if need be. */
static uint64_t power(floats of, int exponent) {
    const int least = 1 - of.bias;
    return exponent >= least ? (uint64_t)(exponent + of.bias) << (of.format.digits - 1)
                             : UINT64_C(1) << (exponent - least + of.format.digits - 1);
}

static uint64_t random_bits(size_t i) { /* splitmix64 */
    uint64_t x = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t random_finite(floats of, size_t i) {
    const uint64_t bits = random_bits(i) & (of.sign | (of.sign - 1)), top = of.sign >> 1;
    return (bits & of.infinity) == of.infinity ? bits ^ top : bits;
}

/* Of every exponent but the 20 largest, so that 2^16 of them do not overflow. */
static uint64_t random_float(floats of, size_t i) {
    const uint64_t bits = random_finite(of, i), unit = UINT64_C(1) << (of.format.digits - 1);
    const uint64_t exponents = of.infinity / unit - 20;
    return (bits & ~of.infinity) | (bits & of.infinity) / unit % exponents * unit;
}

static uint64_t largest(floats of, size_t i) {
    return (of.infinity - 1) | (i == 2 ? of.sign : 0);
}
static uint64_t tie(floats of, size_t i) {
    return i == 0 ? power(of, 0) : power(of, -of.format.digits);
}
static uint64_t above_tie(floats of, size_t i) {
    return i < 2 ? tie(of, i) : 1;
}
static uint64_t edge(floats of, size_t i) {
    return i == 0 ? of.infinity - 1 : power(of, of.bias - of.format.digits);
}
static uint64_t below_edge(floats of, size_t i) {
    return i < 2 ? edge(of, i) : of.sign | 1;
}
/* x and -x far apart, and one between the halves that has no other. */
static uint64_t pairs(floats of, size_t i) {
    const size_t half = HARD_MOST / 2;
    return i < half ? random_finite(of, i) : i == half ? 3 : random_finite(of, HARD_MOST - 1 - i) ^ of.sign;
}
static uint64_t nearly_pairs(floats of, size_t i) {
    return i % 2 == 0 ? random_finite(of, i) : random_finite(of, i - 1) ^ of.sign ^ (random_bits(i) >> 63);
}
/* Tiny ones that come to one place of the huge one, each 2^-20 of it. */
static uint64_t huge_and_tiny(floats of, size_t i) {
    return i == HARD_MOST / 3 ? power(of, of.bias) : power(of, of.bias - of.format.digits + 1 - 20);
}
static uint64_t subnormals(floats of, size_t i) {
    return random_bits(i) & (of.sign | ((UINT64_C(1) << (of.format.digits - 1)) - 1));
}
static uint64_t minus_zeros(floats of, size_t i) {
    (void)i;
    return of.sign;
}
static uint64_t infinities(floats of, size_t i) {
    return i == 100 ? of.infinity : i == 900 ? of.infinity | of.sign : power(of, 0);
}
static uint64_t not_a_number(floats of, size_t i) {
    return i == 500 ? of.sign | of.infinity | 1 : power(of, 0);
}
/* 1 - 1/2 + 1/3 - ..., each rounded towards 0: near ln 2. */
static uint64_t harmonic(floats of, size_t i) {
    const double quotient = 1 / (double)(i + 1);
    uint64_t bits;
    memcpy(&bits, &quotient, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1023;
    const uint64_t fraction = (bits & ((UINT64_C(1) << 52) - 1)) >> (53 - of.format.digits);
    return (i % 2 != 0 ? of.sign : 0) | (power(of, exponent) + fraction);
}

static const struct {
    const char *name;
    size_t count;
    uint64_t (*element)(floats of, size_t i);
} inputs[HARD_INPUTS] = {
    {"MAX, MAX, -MAX", 3, largest},
    {"1, half its last place", 2, tie},
    {"1, half its last place, the least float", 3, above_tie},
    {"MAX, half its last place", 2, edge},
    {"MAX, half its last place, minus the least float", 3, below_edge},
    {"2^19 pairs x, -x over all exponents, and 3 of the least float", HARD_MOST, pairs},
    {"the largest power of two among 2^20 tiny ones", HARD_MOST, huge_and_tiny},
    {"2^19 pairs x, -x but for the last place, over all exponents", HARD_MOST - 1, nearly_pairs},
    {"2^16 random floats of all exponents but the 20 largest", 1 << 16, random_float},
    {"2^16 random subnormals", 1 << 16, subnormals},
    {"1 - 1/2 + 1/3 - ... - 1/2^14", 1 << 14, harmonic},
    {"1000 times -0", 1000, minus_zeros},
    {"1000, of which one is infinity and one -infinity", 1000, infinities},
    {"1000, of which one is NaN, with a sign and a payload", 1000, not_a_number},
};

const char *hard_name(size_t input) {
    return inputs[input].name;
}
size_t hard_count(size_t input) {
    return inputs[input].count;
}
void hard_put(size_t input, wf_type type, size_t i, void *at) {
    const uint64_t bits = inputs[input].element(floats_of(type), i);
    memcpy(at, &bits, wf_type_size(type));
}
