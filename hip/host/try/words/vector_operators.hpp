// The operators of HIP's vector types, for files that include HIP: element by element, also with one number. They work
// on copies, so that each vector moves in one access.
#ifndef WAVEFOLD_HOST_TRY_WORDS_VECTOR_OPERATORS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_VECTOR_OPERATORS_HPP

#include "vectors.hpp"

#include <type_traits>

namespace wf::tried {

#define WF_TRY_ALWAYS __attribute__((always_inline)) inline
#define WF_TRY_OF_NUMBERS                                                                                              \
    template <class T>                                                                                                 \
    requires std::is_arithmetic_v<T> WF_TRY_ALWAYS
#define WF_TRY_OPERATOR_OF(vector, sign, ...)                                                                          \
    WF_TRY_OF_NUMBERS vector<T> operator sign(vector<T> a, vector<T> b) {                                              \
        return {__VA_ARGS__};                                                                                          \
    }                                                                                                                  \
    WF_TRY_OF_NUMBERS vector<T> operator sign(vector<T> a, std::type_identity_t<T> number) {                           \
        const vector<T> b = all_of<vector<T>>(number);                                                                 \
        return {__VA_ARGS__};                                                                                          \
    }                                                                                                                  \
    WF_TRY_OF_NUMBERS vector<T> operator sign(std::type_identity_t<T> number, vector<T> b) {                           \
        const vector<T> a = all_of<vector<T>>(number);                                                                 \
        return {__VA_ARGS__};                                                                                          \
    }                                                                                                                  \
    WF_TRY_OF_NUMBERS vector<T> &operator sign##=(vector<T> &a, vector<T> b) {                                         \
        return a = a sign b;                                                                                           \
    }                                                                                                                  \
    WF_TRY_OF_NUMBERS vector<T> &operator sign##=(vector<T> &a, std::type_identity_t<T> number) {                      \
        return a = a sign number;                                                                                      \
    }
#define WF_TRY_OPERATOR(sign)                                                                                          \
    WF_TRY_OPERATOR_OF(vector1, sign, T(a.x sign b.x))                                                                 \
    WF_TRY_OPERATOR_OF(vector2, sign, T(a.x sign b.x), T(a.y sign b.y))                                                \
    WF_TRY_OPERATOR_OF(vector3, sign, T(a.x sign b.x), T(a.y sign b.y), T(a.z sign b.z))                               \
    WF_TRY_OPERATOR_OF(vector4, sign, T(a.x sign b.x), T(a.y sign b.y), T(a.z sign b.z), T(a.w sign b.w))

template <class Vector>
WF_TRY_ALWAYS Vector all_of(decltype(Vector::x) number) {
    if constexpr (requires(Vector of) { of.w; })
        return {number, number, number, number};
    else if constexpr (requires(Vector of) { of.z; })
        return {number, number, number};
    else if constexpr (requires(Vector of) { of.y; })
        return {number, number};
    else
        return {number};
}

WF_TRY_OPERATOR(+)
WF_TRY_OPERATOR(-)
WF_TRY_OPERATOR(*)
WF_TRY_OPERATOR(/)
#undef WF_TRY_OPERATOR
#undef WF_TRY_OPERATOR_OF

WF_TRY_OF_NUMBERS vector2<T> operator-(vector2<T> a) {
    return {T(-a.x), T(-a.y)};
}
WF_TRY_OF_NUMBERS vector3<T> operator-(vector3<T> a) {
    return {T(-a.x), T(-a.y), T(-a.z)};
}
WF_TRY_OF_NUMBERS vector4<T> operator-(vector4<T> a) {
    return {T(-a.x), T(-a.y), T(-a.z), T(-a.w)};
}
WF_TRY_OF_NUMBERS bool operator==(vector2<T> a, vector2<T> b) {
    return a.x == b.x && a.y == b.y;
}
WF_TRY_OF_NUMBERS bool operator==(vector3<T> a, vector3<T> b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
WF_TRY_OF_NUMBERS bool operator==(vector4<T> a, vector4<T> b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

} // namespace wf::tried

#endif
