// The element types of a user's arrays, for the judge of results (verdict/).
#ifndef WAVEFOLD_HOST_TRY_ELEMENT_TYPES_HPP
#define WAVEFOLD_HOST_TRY_ELEMENT_TYPES_HPP

#include <cstddef>

namespace wf::tried {

// words/narrow_floats.hpp
template <class Format>
struct narrow_float;
struct half_format;
struct bfloat_format;

// Those of verdict::element_type, in its order, and types that are not judged.
enum class element_kind { f16, bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, other };

template <class T>
constexpr element_kind integer_kind() {
    constexpr bool is_signed = T(-1) < T(0);
    return sizeof(T) == 1   ? is_signed ? element_kind::i8 : element_kind::u8
           : sizeof(T) == 2 ? is_signed ? element_kind::i16 : element_kind::u16
           : sizeof(T) == 4 ? is_signed ? element_kind::i32 : element_kind::u32
           : sizeof(T) == 8 ? is_signed ? element_kind::i64 : element_kind::u64
                            : element_kind::other;
}

template <class T>
constexpr element_kind kind_of = element_kind::other;
template <>
inline constexpr element_kind kind_of<float> = element_kind::f32;
template <>
inline constexpr element_kind kind_of<double> = element_kind::f64;
template <>
inline constexpr element_kind kind_of<narrow_float<half_format>> = element_kind::f16;
template <>
inline constexpr element_kind kind_of<narrow_float<bfloat_format>> = element_kind::bf16;
#define WF_TRY_INTEGER(type)                                                                                           \
    template <>                                                                                                        \
    inline constexpr element_kind kind_of<type> = integer_kind<type>();
WF_TRY_INTEGER(char)
WF_TRY_INTEGER(signed char)
WF_TRY_INTEGER(unsigned char)
WF_TRY_INTEGER(short)
WF_TRY_INTEGER(unsigned short)
WF_TRY_INTEGER(int)
WF_TRY_INTEGER(unsigned)
WF_TRY_INTEGER(long)
WF_TRY_INTEGER(unsigned long)
WF_TRY_INTEGER(long long)
WF_TRY_INTEGER(unsigned long long)
#undef WF_TRY_INTEGER

// 0 of void and of types without a definition.
template <class T>
constexpr size_t bytes_of() {
    if constexpr (requires { sizeof(T); })
        return sizeof(T);
    else
        return 0;
}

} // namespace wf::tried
#endif
