// From values of wf_type to C++ types, for the host code that chooses kernels.
#ifndef WAVEFOLD_VISIT_HPP
#define WAVEFOLD_VISIT_HPP

#include "float_format.hpp"
#include "operators.hpp"

#include <type_traits>

namespace wf {

template <class T>
struct type_tag {
    using type = T;
};

// visit(type_tag<T>()), T for the type; a value outside the enumeration gives a Result made of nothing.
template <class Result, class Visit>
Result visit_type(wf_type type, const Visit &visit) {
    switch (type) {
#define WF_VISIT_TYPE(ENUM, name, ctype)                                                                               \
    case WF_##ENUM:                                                                                                    \
        return visit(type_tag<typename kernel_type<WF_##ENUM, ctype>::type>());
        WF_TYPE_MAP(WF_VISIT_TYPE)
#undef WF_VISIT_TYPE
    case WF_TYPE_COUNT:
        break;
    }
    return Result();
}

// Whether this build has kernels of the type: all have, but for the device watched and builds with sanitizers, which
// take few so that they compile in seconds.
template <class T>
#if defined(WF_SANITIZER_KERNELS)
constexpr bool is_built_type = std::is_same_v<T, float>;
#elif defined(WF_WATCHED)
constexpr bool is_built_type =
    std::is_same_v<T, float> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> || std::is_same_v<T, uint32_t>;
#else
constexpr bool is_built_type = true;
#endif

// Whether kernels of single elements have this type: scans, and the ladder.
template <class T>
constexpr bool is_core_type =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;

// Calls visit(type_tag<T>(), type_tag<Op>()) for a core operator, and for an ordered one, whose T is the element.
template <class T, class Result, class Visit>
Result visit_element_op(wf_op op, const Visit &visit) {
    switch (op) {
    case WF_SUM:
        return visit(type_tag<T>(), type_tag<sum<T>>());
    case WF_MIN:
        return visit(type_tag<T>(), type_tag<min<T>>());
    case WF_MAX:
        return visit(type_tag<T>(), type_tag<max<T>>());
    case WF_MATMUL:
        if constexpr (!std::is_same_v<T, int64_t>)
            return visit(type_tag<matrix<T>>(), type_tag<matmul<T>>());
        break;
    case WF_AFFINE:
        if constexpr (!std::is_same_v<T, int64_t>)
            return visit(type_tag<affine_map<T>>(), type_tag<affine<T>>());
        break;
    default:
        break;
    }
    return Result();
}

} // namespace wf
#endif
