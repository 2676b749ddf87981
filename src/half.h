/* Conversions of the two 16-bit floats, for which C and C++ have no types: exact to binary32; from it rounded to
 * nearest even, where NaN become the quiet one without sign and payload. Kernels use an instruction to convert to
 * binary32 if there is one (GPUs, F16C). */
#ifndef WAVEFOLD_HALF_H
#define WAVEFOLD_HALF_H

#include <stdint.h>
#include <string.h>

/* The functions' specifiers; device code defines others. */
#ifndef WF_HALF_FUNCTION
#define WF_HALF_FUNCTION static inline
#endif

WF_HALF_FUNCTION float wf_float_of_bits(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* bfloat16: the upper half of a binary32. */
WF_HALF_FUNCTION float wf_bf16_value(uint16_t bits) {
    return wf_float_of_bits((uint32_t)bits << 16);
}

/* binary16: the exponent's bias changes from 15 to 127; the exponent of infinities and NaN from 31 to 255. Subnormals
 * are converted as integers in units of the last place: no intermediate is a subnormal binary32, which a CPU may flush
 * to 0. */
WF_HALF_FUNCTION float wf_f16_value(uint16_t bits) {
    const uint32_t magnitude = bits & 0x7fffu, sign = (uint32_t)(bits & 0x8000u) << 16;
    const float small = (float)(int32_t)magnitude * 0x1p-24f;
    uint32_t small_bits;
    memcpy(&small_bits, &small, sizeof small_bits);
    const uint32_t normal_bits = (magnitude << 13) + (magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u);
    return wf_float_of_bits((magnitude < 0x0400u ? small_bits : normal_bits) | sign);
}

WF_HALF_FUNCTION uint32_t wf_bits_of_float(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

WF_HALF_FUNCTION uint16_t wf_bf16_nearest(float number) {
    const uint32_t bits = wf_bits_of_float(number);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fc0;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* Subnormal results are rounded by an addition: one unit in the last place of numbers from 0.5 on is 2^-24, theirs. */
WF_HALF_FUNCTION uint16_t wf_f16_nearest(float number) {
    const uint32_t bits = wf_bits_of_float(number), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u)
        return 0x7e00;
    if (magnitude >= 0x477ff000u) /* 65520: halfway to what would be 2^16 */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) /* 2^-14 */
        return (uint16_t)(sign | (wf_bits_of_float(wf_float_of_bits(magnitude) + 0.5f) - 0x3f000000u));
    return (uint16_t)(sign | (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13);
}

#endif
