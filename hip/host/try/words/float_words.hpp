// Arithmetic of floats: operations with a rounding of their own, conversions, and the fast functions. These round as
// the C library does here, better than a GPU's.
#ifndef WAVEFOLD_HOST_TRY_WORDS_FLOAT_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_FLOAT_WORDS_HPP

#include "place.hpp"

#include <math.h>

namespace wf::tried {

// to nearest, to zero, up, down; as the ends of the words' names.
enum class rounding { rn, rz, ru, rd };
enum class operation { add, sub, mul, div, sqrt, fma };
// a and b, and c of fma. Never contracted into another operation.
float computed(operation what, rounding to, float a, float b = 0, float c = 0);
double computed(operation what, rounding to, double a, double b = 0, double c = 0);
float narrowed(rounding to, double number);
// A whole number, as the C library's rint() in that direction; to_int() clamps to the type's range, and takes NaN to 0.
double whole(rounding to, double number);
template <class Int>
Int to_int(double number) {
    constexpr bool is_signed = Int(-1) < Int(0);
    constexpr Int most = is_signed ? Int(~(Int(1) << (sizeof(Int) * 8 - 1))) : Int(-1), least = Int(~most);
    return number != number                               ? Int(0)
           : number >= double(most)                       ? most
           : number <= double(is_signed ? least : Int(0)) ? (is_signed ? least : Int(0))
                                                          : Int(number);
}
// Of a number of 64 bits, which a double may not hold.
float from_int(rounding to, long long number);
float from_int(rounding to, unsigned long long number);
double double_from_int(rounding to, long long number);
double double_from_int(rounding to, unsigned long long number);

} // namespace wf::tried

#define WF_TRY_ROUNDED(end)                                                                                            \
    inline float __fadd_##end(float a, float b) {                                                                      \
        return wf::tried::computed(wf::tried::operation::add, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline float __fsub_##end(float a, float b) {                                                                      \
        return wf::tried::computed(wf::tried::operation::sub, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline float __fmul_##end(float a, float b) {                                                                      \
        return wf::tried::computed(wf::tried::operation::mul, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline float __fdiv_##end(float a, float b) {                                                                      \
        return wf::tried::computed(wf::tried::operation::div, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline float __frcp_##end(float a) {                                                                               \
        return wf::tried::computed(wf::tried::operation::div, wf::tried::rounding::end, 1.0f, a);                      \
    }                                                                                                                  \
    inline float __fsqrt_##end(float a) {                                                                              \
        return wf::tried::computed(wf::tried::operation::sqrt, wf::tried::rounding::end, a);                           \
    }                                                                                                                  \
    inline float __fmaf_##end(float a, float b, float c) {                                                             \
        return wf::tried::computed(wf::tried::operation::fma, wf::tried::rounding::end, a, b, c);                      \
    }                                                                                                                  \
    inline double __dadd_##end(double a, double b) {                                                                   \
        return wf::tried::computed(wf::tried::operation::add, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline double __dsub_##end(double a, double b) {                                                                   \
        return wf::tried::computed(wf::tried::operation::sub, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline double __dmul_##end(double a, double b) {                                                                   \
        return wf::tried::computed(wf::tried::operation::mul, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline double __ddiv_##end(double a, double b) {                                                                   \
        return wf::tried::computed(wf::tried::operation::div, wf::tried::rounding::end, a, b);                         \
    }                                                                                                                  \
    inline double __drcp_##end(double a) {                                                                             \
        return wf::tried::computed(wf::tried::operation::div, wf::tried::rounding::end, 1.0, a);                       \
    }                                                                                                                  \
    inline double __dsqrt_##end(double a) {                                                                            \
        return wf::tried::computed(wf::tried::operation::sqrt, wf::tried::rounding::end, a);                           \
    }                                                                                                                  \
    inline double __fma_##end(double a, double b, double c) {                                                          \
        return wf::tried::computed(wf::tried::operation::fma, wf::tried::rounding::end, a, b, c);                      \
    }                                                                                                                  \
    inline float __double2float_##end(double a) {                                                                      \
        return wf::tried::narrowed(wf::tried::rounding::end, a);                                                       \
    }                                                                                                                  \
    inline float __int2float_##end(int a) {                                                                            \
        return wf::tried::narrowed(wf::tried::rounding::end, a);                                                       \
    }                                                                                                                  \
    inline float __uint2float_##end(unsigned a) {                                                                      \
        return wf::tried::narrowed(wf::tried::rounding::end, a);                                                       \
    }                                                                                                                  \
    inline float __ll2float_##end(long long a) {                                                                       \
        return wf::tried::from_int(wf::tried::rounding::end, a);                                                       \
    }                                                                                                                  \
    inline float __ull2float_##end(unsigned long long a) {                                                             \
        return wf::tried::from_int(wf::tried::rounding::end, a);                                                       \
    }                                                                                                                  \
    inline double __ll2double_##end(long long a) {                                                                     \
        return wf::tried::double_from_int(wf::tried::rounding::end, a);                                                \
    }                                                                                                                  \
    inline double __ull2double_##end(unsigned long long a) {                                                           \
        return wf::tried::double_from_int(wf::tried::rounding::end, a);                                                \
    }                                                                                                                  \
    WF_TRY_TO_INT(float, float, end)                                                                                   \
    WF_TRY_TO_INT(double, double, end)
#define WF_TRY_TO_INT(name, type, end)                                                                                 \
    inline int __##name##2int_##end(type a) {                                                                          \
        return wf::tried::to_int<int>(wf::tried::whole(wf::tried::rounding::end, a));                                  \
    }                                                                                                                  \
    inline unsigned __##name##2uint_##end(type a) {                                                                    \
        return wf::tried::to_int<unsigned>(wf::tried::whole(wf::tried::rounding::end, a));                             \
    }                                                                                                                  \
    inline long long __##name##2ll_##end(type a) {                                                                     \
        return wf::tried::to_int<long long>(wf::tried::whole(wf::tried::rounding::end, a));                            \
    }                                                                                                                  \
    inline unsigned long long __##name##2ull_##end(type a) {                                                           \
        return wf::tried::to_int<unsigned long long>(wf::tried::whole(wf::tried::rounding::end, a));                   \
    }
WF_TRY_ROUNDED(rn)
WF_TRY_ROUNDED(rz)
WF_TRY_ROUNDED(ru)
WF_TRY_ROUNDED(rd)
#undef WF_TRY_TO_INT
#undef WF_TRY_ROUNDED

inline double __int2double_rn(int a) {
    return a;
}
inline double __uint2double_rn(unsigned a) {
    return a;
}

inline float rsqrtf(float x) {
    return float(1 / sqrt(double(x)));
}
inline double rsqrt(double x) {
    return 1 / sqrt(x);
}
inline float rsqrt(float x) {
    return rsqrtf(x);
}
inline float __frsqrt_rn(float x) {
    return rsqrtf(x);
}
inline float rcbrtf(float x) {
    return float(1 / cbrt(double(x)));
}
inline float rhypotf(float x, float y) {
    return float(1 / hypot(double(x), double(y)));
}
inline float norm3df(float a, float b, float c) {
    return float(sqrt(double(a) * double(a) + double(b) * double(b) + double(c) * double(c)));
}
inline float norm4df(float a, float b, float c, float d) {
    return float(sqrt(double(a) * double(a) + double(b) * double(b) + double(c) * double(c) + double(d) * double(d)));
}
inline float sinpif(float x) {
    return float(sin(M_PI * fmod(double(x), 2)));
}
inline float cospif(float x) {
    return float(cos(M_PI * fmod(double(x), 2)));
}
inline float normcdff(float x) {
    return float(erfc(-double(x) * M_SQRT1_2) / 2);
}

inline float __saturatef(float x) {
    return x > 0 ? x < 1 ? x : 1 : 0; // NaN: 0
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float fdividef(float a, float b) {
    return a / b;
}
inline float __expf(float x) {
    return expf(x);
}
inline float __exp10f(float x) {
    return exp10f(x);
}
inline float __logf(float x) {
    return logf(x);
}
inline float __log2f(float x) {
    return log2f(x);
}
inline float __log10f(float x) {
    return log10f(x);
}
inline float __powf(float x, float y) {
    return powf(x, y);
}
inline float __sinf(float x) {
    return sinf(x);
}
inline float __cosf(float x) {
    return cosf(x);
}
inline float __tanf(float x) {
    return tanf(x);
}
inline float __tanhf(float x) {
    return tanhf(x);
}
inline void __sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}

#endif
