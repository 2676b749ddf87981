// Whole numbers: their bits, products and shifts, and min and max of any numbers.
#ifndef WAVEFOLD_HOST_TRY_WORDS_NUMBER_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_NUMBER_WORDS_HPP

#include "place.hpp"

#include <type_traits>

// Of two types, as GPUs have them; by value, so that what is compared is read in the kernel's own line. Of a NaN and a
// number, the number, as fminf.
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using both = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<both>)
        return both(b) < both(a) || a != a ? both(b) : both(a);
    else
        return both(b) < both(a) ? both(b) : both(a);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using both = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<both>)
        return both(a) < both(b) || a != a ? both(b) : both(a);
    else
        return both(a) < both(b) ? both(b) : both(a);
}
inline unsigned umin(unsigned a, unsigned b) {
    return min(a, b);
}
inline unsigned umax(unsigned a, unsigned b) {
    return max(a, b);
}
inline long long llmin(long long a, long long b) {
    return min(a, b);
}
inline long long llmax(long long a, long long b) {
    return max(a, b);
}
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}

// ---- Bits -----------------------------------------------------------------------------------------------------------

inline int __popc(unsigned word) {
    return __builtin_popcount(word);
}
inline int __popcll(unsigned long long word) {
    return __builtin_popcountll(word);
}
inline int __ffs(unsigned word) {
    return __builtin_ffs(int(word));
}
inline int __ffsll(unsigned long long word) {
    return __builtin_ffsll((long long)word);
}
// Of 0, the number of bits.
inline int __clz(int word) {
    return word == 0 ? 32 : __builtin_clz(unsigned(word));
}
inline int __clzll(long long word) {
    return word == 0 ? 64 : __builtin_clzll((unsigned long long)word);
}
inline unsigned long long __brevll(unsigned long long word) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; i++)
        reversed |= (word >> i & 1) << (63 - i);
    return reversed;
}
inline unsigned __brev(unsigned word) {
    return unsigned(__brevll(word) >> 32);
}
// The 64 bits high:low, shifted; c: by 32 at most, else modulo 32.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return unsigned(((uint64_t(high) << 32 | low) << (by & 31)) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return unsigned((uint64_t(high) << 32 | low) >> (by & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
// Four of the eight bytes of b:a, each by four bits of the selector, of which the highest one repeats the sign.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned select = selector >> 4 * i & 15;
        const unsigned byte = unsigned((uint64_t(b) << 32 | a) >> 8 * (select & 7)) & 255;
        result |= (select < 8 ? byte : byte >= 128 ? 255u : 0u) << 8 * i;
    }
    return result;
}

// ---- Products and means --------------------------------------------------------------------------------------------

// Of the low 24 bits of each.
inline int __mul24(int a, int b) {
    return int(unsigned(int(unsigned(a) << 8) >> 8) * unsigned(int(unsigned(b) << 8) >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
inline int __mulhi(int a, int b) {
    return int((long long)a * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return unsigned(uint64_t(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return (long long)(__extension__(__int128) a * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(__extension__(unsigned __int128) a * b >> 64);
}
inline unsigned __sad(int a, int b, unsigned c) {
    return c + (a < b ? unsigned(b) - unsigned(a) : unsigned(a) - unsigned(b));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return c + (a < b ? b - a : a - b);
}
inline int __hadd(int a, int b) {
    return int(((long long)a + b) >> 1);
}
inline int __rhadd(int a, int b) {
    return int(((long long)a + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return unsigned((uint64_t(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return unsigned((uint64_t(a) + b + 1) >> 1);
}
// The products of four bytes each, added.
inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 32; i += 8)
        c += int((signed char)(a >> i)) * int((signed char)(b >> i));
    return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}

// ---- Bits as another type -----------------------------------------------------------------------------------------

inline int __float_as_int(float number) {
    return __builtin_bit_cast(int, number);
}
inline unsigned __float_as_uint(float number) {
    return __builtin_bit_cast(unsigned, number);
}
inline float __int_as_float(int bits) {
    return __builtin_bit_cast(float, bits);
}
inline float __uint_as_float(unsigned bits) {
    return __builtin_bit_cast(float, bits);
}
inline long long __double_as_longlong(double number) {
    return __builtin_bit_cast(long long, number);
}
inline double __longlong_as_double(long long bits) {
    return __builtin_bit_cast(double, bits);
}
inline int __double2hiint(double number) {
    return int(__double_as_longlong(number) >> 32);
}
inline int __double2loint(double number) {
    return int(__double_as_longlong(number));
}
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)(uint64_t(unsigned(high)) << 32 | unsigned(low)));
}

#endif
