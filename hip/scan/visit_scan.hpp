// From requests of scans to operators.
#ifndef WAVEFOLD_SCAN_VISIT_SCAN_HPP
#define WAVEFOLD_SCAN_VISIT_SCAN_HPP

#include "scan_flagged.hpp"

#include "visit.hpp"

#include <cstring>

namespace wf {

inline scan_initial initial_of(const wf_scan_request &what) {
    scan_initial initial = {what.has_initial, {}};
    static_assert(sizeof initial.words <= sizeof what.initial, "requests have all of it");
    std::memcpy(initial.words, what.initial, sizeof initial.words);
    return initial;
}

// The operator for segments; flags as in scan_flagged.
template <class Op, class Flags>
scan_flagged<Op, Flags> flagged_of(const wf_scan_request &what, const Op &op, const Flags &flags) {
    return {op, flags, initial_of(what), what.length - 1, what.reverse};
}

// The operator of a request, of a kind that visit_scan() found.
template <class Element, class Value, bool Multiplies>
scan_integers<Element, Value, Multiplies> scan_op_of(const wf_scan_request &what,
                                                     type_tag<scan_integers<Element, Value, Multiplies>>) {
    const bool turns = wf_type_is_signed(what.type) && sizeof(Element) < sizeof(Value);
    return {turns ? Element(Element(1) << (8 * sizeof(Element) - 1)) : Element(0)};
}
template <class Element, class Value, bool Multiplies>
scan_floats<Element, Value, Multiplies> scan_op_of(const wf_scan_request &,
                                                   type_tag<scan_floats<Element, Value, Multiplies>>) {
    return {};
}
template <class Element>
scan_extremes<Element> scan_op_of(const wf_scan_request &what, type_tag<scan_extremes<Element>>) {
    return {rank_rule_of<Element>(what.type, what.nan, what.op == WF_MAX)};
}
template <class Element>
scan_first_extremes<Element> scan_op_of(const wf_scan_request &what, type_tag<scan_first_extremes<Element>>) {
    const bool reverse = what.reverse != 0;
    return {rank_rule_of<Element>(what.type, what.nan, what.op == WF_ARGMAX), reverse ? what.length - 1 : 0,
            reverse ? ~uint64_t(0) : 1};
}
template <class Map, class Named>
scan_ordered<Map, Named> scan_op_of(const wf_scan_request &what, type_tag<scan_ordered<Map, Named>>) {
    return {what.reverse};
}

// Calls visit with the type_tag of a request's operator; a Result made of nothing if there is none. T: of the elements.
template <class T, class Result, class Visit>
Result visit_scan_numbers(const wf_scan_request &what, const Visit &visit) {
    const bool is_sum = what.op == WF_SUM, is_short = wf_bytes_of_type(what.accumulator) == 4;
    if constexpr (std::is_integral_v<T>) {
        using element = std::make_unsigned_t<T>;
        if constexpr (sizeof(T) == 4)
            if (is_short)
                return is_sum ? visit(type_tag<scan_integers<element, uint32_t, false>>())
                              : visit(type_tag<scan_integers<element, uint32_t, true>>());
        return is_sum ? visit(type_tag<scan_integers<element, uint64_t, false>>())
                      : visit(type_tag<scan_integers<element, uint64_t, true>>());
    } else {
        if constexpr (sizeof(T) < 8)
            if (is_short)
                return is_sum ? visit(type_tag<scan_floats<T, float, false>>())
                              : visit(type_tag<scan_floats<T, float, true>>());
        if constexpr (sizeof(T) >= 4)
            return is_sum ? visit(type_tag<scan_floats<T, double, false>>())
                          : visit(type_tag<scan_floats<T, double, true>>());
    }
    return Result();
}

template <class T, class Result, class Visit>
Result visit_scan_op(const wf_scan_request &what, const Visit &visit) {
    using bits = std::conditional_t<
        sizeof(T) == 1, uint8_t,
        std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    using number = std::conditional_t<std::is_floating_point_v<T>, T, uint32_t>;
    switch (what.op) {
    case WF_SUM:
    case WF_PRODUCT:
        return visit_scan_numbers<T, Result>(what, visit);
    case WF_MIN:
    case WF_MAX:
        return visit(type_tag<scan_extremes<bits>>());
    case WF_ARGMIN:
    case WF_ARGMAX:
        return visit(type_tag<scan_first_extremes<bits>>());
    case WF_MATMUL:
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, int32_t>)
            return visit(type_tag<scan_ordered<matrix<number>, matmul<number>>>());
        break;
    case WF_AFFINE:
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, int32_t>)
            return visit(type_tag<scan_ordered<affine_map<number>, affine<number>>>());
        break;
    default:
        break;
    }
    return Result();
}

template <class Result, class Visit>
Result visit_scan(const wf_scan_request &what, const Visit &visit) {
    return visit_type<Result>(what.type, [&](auto tag) -> Result {
        using type = typename decltype(tag)::type;
        if constexpr (is_built_type<type>)
            return visit_scan_op<type, Result>(what, visit);
        else
            return Result();
    });
}

} // namespace wf
#endif
