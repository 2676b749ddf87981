// wide: an integer of 128 bits, by words of 64.
#ifndef WAVEFOLD_REDUCE_EXACT_WIDE_INTEGER_HPP
#define WAVEFOLD_REDUCE_EXACT_WIDE_INTEGER_HPP

#include "../../gpu.hpp"

#include <cmath>
#include <cstdint>

namespace wf {

// 128 bits, in two's complement where there is a sign. (Not __int128: for RDNA clang 19 crashes on wave-uniform ones.)
struct wide {
    uint64_t low, high;
};
__device__ __forceinline__ wide operator+(const wide &a, const wide &b) {
    const uint64_t low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}
__device__ __forceinline__ wide operator-(const wide &a) {
    return {uint64_t(0) - a.low, ~a.high + (a.low == 0 ? 1u : 0u)};
}
__device__ __forceinline__ bool is_negative(const wide &a) {
    return a.high >> 63 != 0;
}
__device__ __forceinline__ wide magnitude_of(const wide &a) {
    return is_negative(a) ? -a : a;
}
// shift: 0 to 127.
__device__ __forceinline__ wide shifted(uint64_t word, int shift) {
    const uint64_t to = word << (shift & 63), over = word >> 1 >> (63 - (shift & 63));
    return shift < 64 ? wide{to, over} : wide{0, to};
}
__device__ __forceinline__ wide shifted(const wide &by, int shift) {
    const wide low = shifted(by.low, shift), high = shifted(by.high, shift);
    return {low.low, low.high | high.low};
}
__device__ __forceinline__ wide widened(int64_t word) {
    return {uint64_t(word), uint64_t(word >> 63)};
}
__device__ __forceinline__ wide product(uint64_t a, uint64_t b) {
    const uint64_t a_low = uint32_t(a), a_high = a >> 32, b_low = uint32_t(b), b_high = b >> 32;
    return wide{a_low * b_low, a_high * b_high} + shifted(a_low * b_high, 32) + shifted(a_high * b_low, 32);
}
// Rounds once or twice.
__device__ __forceinline__ double double_of(const wide &a) {
    const wide magnitude = magnitude_of(a);
    const double rounded = std::fma(double(magnitude.high), 0x1p64, double(magnitude.low));
    return is_negative(a) ? -rounded : rounded;
}
__device__ __forceinline__ bool is_zero(const wide &a) {
    return (a.low | a.high) == 0;
}

} // namespace wf
#endif
