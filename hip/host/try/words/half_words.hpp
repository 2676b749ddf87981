// The words of cuda_fp16.h and hip/hip_fp16.h.
#ifndef WAVEFOLD_HOST_TRY_WORDS_HALF_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_HALF_WORDS_HPP

#include "narrow_floats.hpp"

using __half = wf::tried::narrow_float<wf::tried::half_format>;
using __half2 = wf::tried::narrow_pair<wf::tried::half_format>;
using half = __half;
using half2 = __half2;

// one, two: the words' names of the type and of its pair.
#define WF_TRY_CONVERSIONS(type, one, two)                                                                             \
    inline type __float2##one(float a) {                                                                               \
        return type(a);                                                                                                \
    }                                                                                                                  \
    inline type __double2##one(double a) {                                                                             \
        return type(a);                                                                                                \
    }                                                                                                                  \
    WF_TRY_ROUNDED_CONVERSIONS(type, one, rn)                                                                          \
    WF_TRY_ROUNDED_CONVERSIONS(type, one, rz)                                                                          \
    WF_TRY_ROUNDED_CONVERSIONS(type, one, ru)                                                                          \
    WF_TRY_ROUNDED_CONVERSIONS(type, one, rd)                                                                          \
    WF_TRY_INLINE float __##one##2float(type a) {                                                                      \
        return float(a);                                                                                               \
    }                                                                                                                  \
    inline type##2 __float2##one##2_rn(float a) {                                                                      \
        return {type(a), type(a)};                                                                                     \
    }                                                                                                                  \
    inline type##2 __floats2##one##2_rn(float a, float b) {                                                            \
        return {type(a), type(b)};                                                                                     \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __float22##one##2_rn(float2 a) {                                                             \
        return {type(a.x), type(a.y)};                                                                                 \
    }                                                                                                                  \
    WF_TRY_INLINE float2 __##one##22float2(type##2 a) {                                                                \
        return {float(a.x), float(a.y)};                                                                               \
    }                                                                                                                  \
    WF_TRY_INLINE float __low2float(type##2 a) {                                                                       \
        return float(a.x);                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE float __high2float(type##2 a) {                                                                      \
        return float(a.y);                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE type __low2##two(type##2 a) {                                                                        \
        return a.x;                                                                                                    \
    }                                                                                                                  \
    WF_TRY_INLINE type __high2##two(type##2 a) {                                                                       \
        return a.y;                                                                                                    \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __low2##two##2(type##2 a) {                                                                  \
        return {a.x, a.x};                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __high2##two##2(type##2 a) {                                                                 \
        return {a.y, a.y};                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __lowhigh2highlow(type##2 a) {                                                               \
        return {a.y, a.x};                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __lows2##one##2(type##2 a, type##2 b) {                                                      \
        return {a.x, b.x};                                                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE type##2 __highs2##one##2(type##2 a, type##2 b) {                                                     \
        return {a.y, b.y};                                                                                             \
    }                                                                                                                  \
    inline type __ushort_as_##one(unsigned short bits) {                                                               \
        return type::of_bits(bits);                                                                                    \
    }                                                                                                                  \
    inline type __short_as_##one(short bits) {                                                                         \
        return type::of_bits(uint16_t(bits));                                                                          \
    }                                                                                                                  \
    WF_TRY_INLINE unsigned short __##one##_as_ushort(type a) {                                                         \
        return a.bits;                                                                                                 \
    }                                                                                                                  \
    WF_TRY_INLINE short __##one##_as_short(type a) {                                                                   \
        return short(a.bits);                                                                                          \
    }
#define WF_TRY_ROUNDED_CONVERSIONS(type, one, end)                                                                     \
    inline type __float2##one##_##end(float a) {                                                                       \
        return type::rounded(double(a), wf::tried::rounding::end);                                                     \
    }                                                                                                                  \
    inline type __int2##one##_##end(int a) {                                                                           \
        return type::rounded(a, wf::tried::rounding::end);                                                             \
    }                                                                                                                  \
    inline type __uint2##one##_##end(unsigned a) {                                                                     \
        return type::rounded(a, wf::tried::rounding::end);                                                             \
    }                                                                                                                  \
    WF_TRY_INLINE int __##one##2int_##end(type a) {                                                                    \
        return wf::tried::to_int<int>(wf::tried::whole(wf::tried::rounding::end, double(float(a))));                   \
    }                                                                                                                  \
    WF_TRY_INLINE unsigned __##one##2uint_##end(type a) {                                                              \
        return wf::tried::to_int<unsigned>(wf::tried::whole(wf::tried::rounding::end, double(float(a))));              \
    }
WF_TRY_CONVERSIONS(__half, half, half)

WF_TRY_INLINE half2 __halves2half2(half a, half b) {
    return {a, b};
}
WF_TRY_INLINE half2 __half2half2(half a) {
    return {a, a};
}
WF_TRY_INLINE half2 make_half2(half a, half b) {
    return {a, b};
}

#endif
