/* Arithmetic on sizes and counts. */
#ifndef WAVEFOLD_WHOLE_NUMBERS_H
#define WAVEFOLD_WHOLE_NUMBERS_H

#include <stdint.h>

static inline uint64_t wf_ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}
static inline uint64_t wf_smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t wf_magnitude_of_stride(int64_t stride) {
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}
static inline uint64_t wf_log2(uint64_t n) { /* rounded down; wf_log2(0) is 0 */
    uint64_t steps = 0;
    while (n >>= 1)
        steps++;
    return steps;
}

#endif
