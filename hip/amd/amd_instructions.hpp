// instructions.hpp on AMD.
#ifndef WAVEFOLD_AMD_AMD_INSTRUCTIONS_HPP
#define WAVEFOLD_AMD_AMD_INSTRUCTIONS_HPP

namespace wf {

__device__ __forceinline__ float f16_to_f32(uint16_t bits) {
    _Float16 value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return static_cast<float>(value);
}

__device__ __forceinline__ int leading_zeros(uint64_t word) {
    return __clzll(static_cast<long long>(word));
}

// AMD's compilers add byte by byte.
template <class Byte>
__device__ __forceinline__ int32_t add_bytes(uint32_t bytes, int32_t total) {
    return add_each_byte<Byte>(bytes, total);
}
__device__ __forceinline__ uint32_t add_squares_of_bytes(uint32_t bytes, uint32_t total) {
    return add_square_of_each_byte(bytes, total);
}
__device__ __forceinline__ void add_product(uint32_t a, uint32_t b, uint32_t (&total)[3]) {
    add_product_in_words(a, b, total);
}

// Else the compilers reorder a long chain of integer sums such that all of its operands are unpacked before the first
// two are added, each in a register.
template <class T>
__device__ __forceinline__ void opaque(T &value) {
#if defined(__HIP_DEVICE_COMPILE__)
    asm("" : "+v"(value));
#else
    (void)value;
#endif
}

__device__ __forceinline__ double product_rounded(double a, double b) {
#pragma clang fp contract(off)
    return a * b;
}
__device__ __forceinline__ float product_rounded(float a, float b) {
#pragma clang fp contract(off)
    return a * b;
}
// In a word that registers have.
template <class Word>
__device__ __forceinline__ void compute_anew(Word &word) {
    std::conditional_t<sizeof(Word) == 8, uint64_t, uint32_t> held = word;
#if defined(__HIP_DEVICE_COMPILE__)
    asm volatile("" : "+v"(held));
#endif
    word = Word(held);
}

__device__ __forceinline__ void compute_barrier(double &) {} // barriers of AMD's compilers are none for arithmetic
__device__ __forceinline__ void compute_first(double &, unsigned &) {} // AMD's waves of 32 lanes take integers

__device__ __forceinline__ uint32_t larger_of_pairs(uint32_t a, uint32_t b) {
    return larger_of_each(a, b);
}
__device__ __forceinline__ uint32_t smaller_of_pairs(uint32_t a, uint32_t b) {
    return smaller_of_each(a, b);
}
__device__ __forceinline__ uint32_t one_less_of_pairs(uint32_t a) {
    return one_less_of_each(a);
}

__device__ __forceinline__ double add_down(double a, double b) {
    return add_rounded<false>(a, b);
}
__device__ __forceinline__ double add_up(double a, double b) {
    return add_rounded<true>(a, b);
}
__device__ __forceinline__ uint32_t add_zero_times_halves(uint32_t word, uint32_t halves) {
    return add_zero_times_each(word, halves);
}

} // namespace wf

#endif
