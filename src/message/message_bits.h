/* Arithmetic on numbers of any type, given as bits. C, C++ and device code. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_BITS_H
#define WAVEFOLD_MESSAGE_MESSAGE_BITS_H

#include "exact/round_sum.h"

WF_EXACT_FUNCTION uint64_t wf_bits_mask(int bytes) {
    return UINT64_MAX >> (64 - 8 * bytes);
}
/* Number i of contiguous numbers. */
WF_EXACT_FUNCTION uint64_t wf_bits_at(const uint64_t *words, int bytes, int i) {
    return words[i * bytes / 8] >> 8 * (i * bytes % 8) & wf_bits_mask(bytes);
}
WF_EXACT_FUNCTION void wf_put_bits(void *result, int bytes, int i, uint64_t bits) {
    if (bytes == 8)
        ((uint64_t *)result)[i] = bits;
    else if (bytes == 4)
        ((uint32_t *)result)[i] = (uint32_t)bits;
    else if (bytes == 2)
        ((uint16_t *)result)[i] = (uint16_t)bits;
    else
        ((uint8_t *)result)[i] = (uint8_t)bits;
}

/* Reinterprets bits as another type. Device code has no fast memcpy for this. */
typedef union wf_word {
    uint64_t u64;
    double f64;
    uint32_t u32;
    float f32;
} wf_word;

WF_EXACT_FUNCTION double wf_double_of(uint64_t bits) {
    wf_word word;
    word.u64 = bits;
    return word.f64;
}
WF_EXACT_FUNCTION uint64_t wf_bits_of(double number) {
    wf_word word;
    word.f64 = number;
    return word.u64;
}
/* Floats of 4 or 8 bytes. */
WF_EXACT_FUNCTION double wf_float_value(int bytes, uint64_t bits) {
    wf_word word;
    word.u64 = bits;
    return bytes == 4 ? (double)word.f32 : word.f64;
}
WF_EXACT_FUNCTION uint64_t wf_float_bits(int bytes, double number) {
    wf_word word;
    word.u64 = 0;
    if (bytes == 4)
        word.f32 = (float)number;
    else
        word.f64 = number;
    return word.u64;
}

/* a + b and a b, of floats of 4 or 8 bytes or of integers, which wrap. Binary32 is computed in double, yet rounded
 * once: the product fits a double, and the second rounding of the sum changes nothing (Figueroa 1995, "When is double
 * rounding innocuous?"). */
WF_EXACT_FUNCTION uint64_t wf_add_bits(int number, int bytes, uint64_t a, uint64_t b) {
    if (number != WF_KIND_FLOAT)
        return a + b;
    return wf_float_bits(bytes, wf_float_value(bytes, a) + wf_float_value(bytes, b));
}
WF_EXACT_FUNCTION uint64_t wf_multiply_bits(int number, int bytes, uint64_t a, uint64_t b) {
    if (number != WF_KIND_FLOAT)
        return a * b;
    return wf_float_bits(bytes, wf_float_value(bytes, a) * wf_float_value(bytes, b));
}

#endif
