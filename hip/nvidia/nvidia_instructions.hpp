// instructions.hpp on NVIDIA.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_INSTRUCTIONS_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_INSTRUCTIONS_HPP

#include <type_traits>

namespace wf {

__device__ __forceinline__ float f16_to_f32(uint16_t bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

__device__ __forceinline__ int leading_zeros(uint64_t word) {
    return __clzll(static_cast<long long>(word));
}

template <class Byte>
__device__ __forceinline__ int32_t add_bytes(uint32_t bytes, int32_t total) {
    if constexpr (std::is_signed_v<Byte>)
        return __dp4a(int(bytes), 0x01010101, total);
    else
        return int32_t(__dp4a(bytes, 0x01010101u, uint32_t(total)));
}
__device__ __forceinline__ uint32_t add_squares_of_bytes(uint32_t bytes, uint32_t total) {
    return __dp4a(bytes, bytes, total);
}
__device__ __forceinline__ void add_product(uint32_t a, uint32_t b, uint32_t (&total)[3]) {
    asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
        "addc.u32 %2, %2, 0;"
        : "+&r"(total[0]), "+&r"(total[1]), "+&r"(total[2])
        : "r"(a), "r"(b));
}

template <class T>
__device__ __forceinline__ void opaque(T &) {}

// By an instruction that says how it rounds: of another ptxas may make one with the addition behind it, whatever stands
// between.
__device__ __forceinline__ double product_rounded(double a, double b) {
    return __dmul_rn(a, b);
}
__device__ __forceinline__ float product_rounded(float a, float b) {
    return __fmul_rn(a, b);
}
// In a word that registers have.
template <class Word>
__device__ __forceinline__ void compute_anew(Word &word) {
    std::conditional_t<sizeof(Word) == 8, uint64_t, uint32_t> held = word;
    if constexpr (sizeof held == 8)
        asm volatile("" : "+l"(held));
    else
        asm volatile("" : "+r"(held));
    word = Word(held);
}

__device__ __forceinline__ void compute_barrier(double &number) {
    asm volatile("" : "+d"(number));
}
__device__ __forceinline__ void compute_first(double &number, unsigned &index) {
    asm("" : "+d"(number), "+r"(index));
}

// From compute capability 9 on, minima and maxima of pairs are one instruction.
__device__ __forceinline__ uint32_t larger_of_pairs(uint32_t a, uint32_t b) {
    return __vmaxu2(a, b);
}
__device__ __forceinline__ uint32_t smaller_of_pairs(uint32_t a, uint32_t b) {
    return __vminu2(a, b);
}
__device__ __forceinline__ uint32_t one_less_of_pairs(uint32_t a) {
    return __vsub2(a, 0x00010001u);
}

__device__ __forceinline__ double add_down(double a, double b) {
    return __dadd_rd(a, b);
}
__device__ __forceinline__ double add_up(double a, double b) {
    return __dadd_ru(a, b);
}
__device__ __forceinline__ uint32_t add_zero_times_halves(uint32_t word, uint32_t halves) {
    uint32_t sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(word), "r"(0u), "r"(halves));
    return sum;
}

} // namespace wf

#endif
