// Operators: how two elements fold into one, and the identity that changes nothing.
#ifndef WAVEFOLD_OPERATORS_HPP
#define WAVEFOLD_OPERATORS_HPP

#include "gpu.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace wf {

// Sums and products of integers wrap; as signed, C++ leaves overflow undefined.
template <class T>
__device__ __forceinline__ auto as_wrapping(T number) {
    if constexpr (std::is_integral_v<T>)
        return std::make_unsigned_t<T>(number);
    else
        return number;
}

template <class T>
__device__ __forceinline__ T add(T a, T b) {
    return T(as_wrapping(a) + as_wrapping(b));
}

template <class T>
__device__ __forceinline__ T multiply(T a, T b) {
    return T(as_wrapping(a) * as_wrapping(b));
}

template <class T>
struct sum {
    static __device__ __forceinline__ T identity() { return T(0); }
    __device__ __forceinline__ T operator()(T a, T b) const { return add(a, b); }
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

// ---- Operators that are associative but do not commute: the left operand comes first in the array ------------------

// (a b; c d)
template <class T>
struct matrix {
    T a, b, c, d;
};

template <class T>
struct matmul {
    static __device__ __forceinline__ matrix<T> identity() { return {T(1), T(0), T(0), T(1)}; }
    __device__ __forceinline__ matrix<T> operator()(const matrix<T> &l, const matrix<T> &r) const {
        return {add(multiply(l.a, r.a), multiply(l.b, r.c)), add(multiply(l.a, r.b), multiply(l.b, r.d)),
                add(multiply(l.c, r.a), multiply(l.d, r.c)), add(multiply(l.c, r.b), multiply(l.d, r.d))};
    }
};

// x -> a x + b
template <class T>
struct affine_map {
    T a, b;
};

template <class T>
struct affine {
    static __device__ __forceinline__ affine_map<T> identity() { return {T(1), T(0)}; }
    __device__ __forceinline__ affine_map<T> operator()(const affine_map<T> &first, const affine_map<T> &then) const {
        return {multiply(then.a, first.a), add(multiply(then.a, first.b), then.b)};
    }
};

} // namespace wf
#endif
