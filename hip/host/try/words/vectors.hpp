// The vector types of CUDA and HIP: char1 to ulonglong4, float4 and double4, with their make_ functions. They have no
// operators, as in CUDA; for HIP see vector_operators.hpp.
//
// Vectors of two and of four lie aligned, and one access moves each (up to 16 bytes). Compilers take a struct's copies
// apart, into one for each number. So these copies are functions of libwavefold-try.so, which record one access each.
#ifndef WAVEFOLD_HOST_TRY_WORDS_VECTORS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_VECTORS_HPP

#include "place.hpp"

namespace wf::tried {

constexpr size_t aligned_vector(size_t bytes) {
    return bytes < 16 ? bytes : 16;
}

template <class T>
struct vector1 {
    T x;
};

template <class T>
struct alignas(aligned_vector(2 * sizeof(T))) vector2 {
    T x, y;
    vector2() = default; // leaves the numbers unset, as on GPUs
    WF_TRY_UNRECORDED constexpr vector2(T first, T second = {}) : x(first), y(second) {}
    vector2(const vector2 &from);
    vector2 &operator=(const vector2 &from);
};

template <class T>
struct vector3 {
    T x, y, z;
};

template <class T>
struct alignas(aligned_vector(4 * sizeof(T))) vector4 {
    T x, y, z, w;
    vector4() = default;
    WF_TRY_UNRECORDED constexpr vector4(T first, T second = {}, T third = {}, T fourth = {})
        : x(first), y(second), z(third), w(fourth) {}
    vector4(const vector4 &from);
    vector4 &operator=(const vector4 &from);
};

} // namespace wf::tried

// name: of the type without its count.
#define WF_TRY_VECTORS(each)                                                                                           \
    each(char, signed char) each(uchar, unsigned char) each(short, short) each(ushort, unsigned short) each(int, int)  \
        each(uint, unsigned) each(long, long) each(ulong, unsigned long) each(longlong, long long)                     \
            each(ulonglong, unsigned long long) each(float, float) each(double, double)
#define WF_TRY_VECTOR(name, number)                                                                                    \
    using name##1 = wf::tried::vector1<number>;                                                                        \
    using name##2 = wf::tried::vector2<number>;                                                                        \
    using name##3 = wf::tried::vector3<number>;                                                                        \
    using name##4 = wf::tried::vector4<number>;                                                                        \
    inline name##1 make_##name##1(number x) {                                                                          \
        return {x};                                                                                                    \
    }                                                                                                                  \
    inline name##2 make_##name##2(number x, number y) {                                                                \
        return name##2(x, y);                                                                                          \
    }                                                                                                                  \
    inline name##3 make_##name##3(number x, number y, number z) {                                                      \
        return {x, y, z};                                                                                              \
    }                                                                                                                  \
    inline name##4 make_##name##4(number x, number y, number z, number w) {                                            \
        return name##4(x, y, z, w);                                                                                    \
    }
WF_TRY_VECTORS(WF_TRY_VECTOR)
#undef WF_TRY_VECTOR

#endif
