// instructions.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP

namespace wf {

inline float f16_to_f32(uint16_t bits) {
    return wf_f16_value(bits);
}

inline int leading_zeros(uint64_t word) {
    return __builtin_clzll(word);
}

template <class Byte>
int32_t add_bytes(uint32_t bytes, int32_t total) {
    return add_each_byte<Byte>(bytes, total);
}
inline uint32_t add_squares_of_bytes(uint32_t bytes, uint32_t total) {
    return add_square_of_each_byte(bytes, total);
}
inline void add_product(uint32_t a, uint32_t b, uint32_t (&total)[3]) {
    add_product_in_words(a, b, total);
}

template <class T>
void opaque(T &) {}

template <class Word>
void compute_anew(Word &) {}
inline void compute_barrier(double &) {}
inline double product_rounded(double a, double b) {
    volatile double product = a * b;
    return product;
}
inline float product_rounded(float a, float b) {
    volatile float product = a * b;
    return product;
}
inline void compute_first(double &, unsigned &) {}

inline uint32_t larger_of_pairs(uint32_t a, uint32_t b) {
    return larger_of_each(a, b);
}
inline uint32_t smaller_of_pairs(uint32_t a, uint32_t b) {
    return smaller_of_each(a, b);
}
inline uint32_t one_less_of_pairs(uint32_t a) {
    return one_less_of_each(a);
}

inline double add_down(double a, double b) {
    return add_rounded<false>(a, b);
}
inline double add_up(double a, double b) {
    return add_rounded<true>(a, b);
}
inline uint32_t add_zero_times_halves(uint32_t word, uint32_t halves) {
    return add_zero_times_each(word, halves);
}

} // namespace wf

#endif
