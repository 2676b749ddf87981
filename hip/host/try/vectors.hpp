// float4 and its kind, as HIP and CUDA have them: two or four numbers that lie aligned, and that one access moves.
// Compilers take a struct's copies apart, into one for each number. So these copies are functions of
// libwavefold-try.so, which tell of one access each (vectors.cpp).
#ifndef WAVEFOLD_HOST_TRY_VECTORS_HPP
#define WAVEFOLD_HOST_TRY_VECTORS_HPP

namespace wf::tried {

// What stands here is not the kernel's: compilers tell nothing of it. (plain_words.hpp takes it back.)
#define WF_TRY_UNTOLD __attribute__((no_sanitize("thread")))

template <class T>
struct alignas(2 * sizeof(T)) vector2 {
    T x, y;
    vector2() = default; // says nothing of the numbers, as on GPUs
    WF_TRY_UNTOLD constexpr vector2(T first, T second = {}) : x(first), y(second) {}
    vector2(const vector2 &from);
    vector2 &operator=(const vector2 &from);
};

template <class T>
struct alignas(4 * sizeof(T)) vector4 {
    T x, y, z, w;
    vector4() = default;
    WF_TRY_UNTOLD constexpr vector4(T first, T second = {}, T third = {}, T fourth = {})
        : x(first), y(second), z(third), w(fourth) {}
    vector4(const vector4 &from);
    vector4 &operator=(const vector4 &from);
};

} // namespace wf::tried

using float2 = wf::tried::vector2<float>;
using float4 = wf::tried::vector4<float>;
using int2 = wf::tried::vector2<int>;
using int4 = wf::tried::vector4<int>;
using uint2 = wf::tried::vector2<unsigned>;
using uint4 = wf::tried::vector4<unsigned>;
using double2 = wf::tried::vector2<double>;

#define WF_TRY_MAKE2(type, number)                                                                                     \
    inline type make_##type(number x, number y) {                                                                      \
        return type(x, y);                                                                                             \
    }
#define WF_TRY_MAKE4(type, number)                                                                                     \
    inline type make_##type(number x, number y, number z, number w) {                                                  \
        return type(x, y, z, w);                                                                                       \
    }
WF_TRY_MAKE2(float2, float)
WF_TRY_MAKE4(float4, float)
WF_TRY_MAKE2(int2, int)
WF_TRY_MAKE4(int4, int)
WF_TRY_MAKE2(uint2, unsigned)
WF_TRY_MAKE4(uint4, unsigned)
WF_TRY_MAKE2(double2, double)
#undef WF_TRY_MAKE2
#undef WF_TRY_MAKE4

#endif
