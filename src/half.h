/* Exact conversion of the two 16-bit floats, for which C and C++ have no types. Kernels use an instruction for it if
 * there is one (GPUs, F16C). */
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

#endif
