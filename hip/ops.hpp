// Operators: how two elements fold into one, and the identity that changes nothing.
#ifndef WAVEFOLD_OPS_HPP
#define WAVEFOLD_OPS_HPP

#include "gpu.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace wf {

template <class T>
struct sum {
    static __device__ __forceinline__ T identity() { return T(0); }
    __device__ __forceinline__ T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) { // sums of integers wrap; as signed, C++ leaves overflow undefined
            using bits = std::make_unsigned_t<T>;
            return T(bits(a) + bits(b));
        } else {
            return a + b;
        }
    }
};

// What IEEE 754-2019's minimum and maximum say where the elements do not differ by value: NaN wins, and -0 < +0.
template <class T>
__device__ __forceinline__ T unordered_or_equal(T a, T b, bool want_negative_zero) {
    if constexpr (std::is_integral_v<T>) {
        return a;
    } else {
        if (a != a || b != b)
            return a + b;
        using std::signbit;
        return signbit(a) == want_negative_zero ? a : b;
    }
}

template <class T>
struct min {
    static __device__ __forceinline__ T identity() {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? limits::infinity() : limits::max();
    }
    __device__ __forceinline__ T operator()(T a, T b) const {
        return a < b ? a : b < a ? b : unordered_or_equal(a, b, true);
    }
};

template <class T>
struct max {
    static __device__ __forceinline__ T identity() {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? -limits::infinity() : limits::lowest();
    }
    __device__ __forceinline__ T operator()(T a, T b) const {
        return a > b ? a : b > a ? b : unordered_or_equal(a, b, false);
    }
};

} // namespace wf
#endif
