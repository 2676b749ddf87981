// The types of kernels, as the table of types (src/algebra.h) describes them.
//
//   kernel_type<Type, CType>::type   the type that stands for a wf_type in kernels
//   float_format<T>                  the format of a float; a type that is no float of the table does not compile
#ifndef WAVEFOLD_FLOAT_FORMAT_HPP
#define WAVEFOLD_FLOAT_FORMAT_HPP

#include "half_floats.hpp"

#include "algebra.h"

namespace wf {

// The type of WF_TYPE_MAP, except for floats that C has no type for.
template <wf_type Type, class CType>
struct kernel_type {
    using type = CType;
};
template <>
struct kernel_type<WF_F16, uint16_t> {
    using type = f16;
};
template <>
struct kernel_type<WF_BF16, uint16_t> {
    using type = bf16;
};

template <class T>
struct facts_of_kernel_type; // of the types below alone

template <wf_type Type>
struct facts_of_type;
#define WF_FACTS_OF_TYPE(ENUM, kind_, digits_, exponent_, accumulator_)                                                \
    template <>                                                                                                        \
    struct facts_of_type<WF_##ENUM> {                                                                                  \
        static constexpr wf_kind kind = WF_KIND_##kind_;                                                               \
        static constexpr int digits = digits_, exponent_bits = exponent_;                                              \
    };
WF_TYPE_FACTS(WF_FACTS_OF_TYPE)
#undef WF_FACTS_OF_TYPE
#define WF_FACTS_OF_KERNEL_TYPE(ENUM, name, ctype)                                                                     \
    template <>                                                                                                        \
    struct facts_of_kernel_type<kernel_type<WF_##ENUM, ctype>::type> : facts_of_type<WF_##ENUM> {};
WF_TYPE_MAP(WF_FACTS_OF_KERNEL_TYPE)
#undef WF_FACTS_OF_KERNEL_TYPE

// Unsigned integers of the size of a float.
template <unsigned Bytes>
struct unsigned_of_bytes;
template <>
struct unsigned_of_bytes<2> {
    using type = uint16_t;
};
template <>
struct unsigned_of_bytes<4> {
    using type = uint32_t;
};
template <>
struct unsigned_of_bytes<8> {
    using type = uint64_t;
};

template <class T>
struct float_format {
    using facts = facts_of_kernel_type<T>;
    using bits = typename unsigned_of_bytes<sizeof(T)>::type;
    static constexpr int digits = facts::digits; // with the hidden one
    static constexpr int exponent_bits = facts::exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr unsigned most_exponent = (1u << exponent_bits) - 1; // of infinities and NaN
    static constexpr bits sign = bits(bits(1) << (digits - 1 + exponent_bits));
    // The table has IEEE 754's layouts alone: the largest exponent means infinity or NaN.
    static constexpr bool has_infinity = true;
    static constexpr bits infinity = bits(bits(most_exponent) << (digits - 1));
    static_assert(facts::kind == WF_KIND_FLOAT, "integers have no such format");
    static_assert(digits + exponent_bits == int(8 * sizeof(T)),
                  "a sign, an exponent, and digits without the hidden one");

    // The exponent's bits, as they are stored.
    static constexpr unsigned exponent_of(bits stored) { return unsigned(stored >> (digits - 1)) & most_exponent; }
};

} // namespace wf
#endif
