// From requests of scans to operators.
#ifndef WAVEFOLD_SCAN_VISIT_SCAN_HPP
#define WAVEFOLD_SCAN_VISIT_SCAN_HPP

#include "scan_flagged.hpp"

#include "visit.hpp"

#include <cstring>

namespace wf {

// The initial value, of the accumulator's type; min's and max's are elements.
template <class Op>
typename Op::value initial_of(const wf_scan_request &what, const Op &) {
    typename Op::value initial = Op::identity();
    if (what.has_initial != 0)
        std::memcpy(&initial, what.initial, sizeof initial);
    return initial;
}
template <class Element>
auto initial_of(const wf_scan_request &what, const scan_extremes<Element> &op) {
    Element initial;
    std::memcpy(&initial, what.initial, sizeof initial);
    return what.has_initial != 0 ? op.load(initial, 0) : op.identity();
}
template <class Element>
scan_indexed initial_of(const wf_scan_request &what, const scan_first_extremes<Element> &op) {
    Element initial;
    std::memcpy(&initial, what.initial, sizeof initial);
    return what.has_initial != 0 ? scan_indexed{op.load(initial, 0).value, ~uint64_t(0)} : op.identity();
}

// The operator for segments; flags as in scan_flagged.
template <class Op, class Flags>
scan_flagged<Op, Flags> flagged_of(const wf_scan_request &what, const Op &op, const Flags &flags) {
    return {op, flags, initial_of(what, op), what.length - 1, what.reverse};
}

// Calls visit with the operator of a request; false if there is none. T: of the elements.
template <class T, class Visit>
bool visit_scan_numbers(const wf_scan_request &what, const Visit &visit) {
    const auto sum_or_product = [&](auto sums, auto products) {
        if (what.op == WF_SUM)
            visit(sums);
        else
            visit(products);
        return true;
    };
    if constexpr (std::is_integral_v<T>) {
        using element = std::make_unsigned_t<T>;
        const auto turn = element(std::is_signed_v<T> ? element(1) << (8 * sizeof(T) - 1) : 0);
        if constexpr (sizeof(T) == 4)
            if (wf_bytes_of_type(what.accumulator) == 4)
                return sum_or_product(scan_integers<element, uint32_t, false>{0},
                                      scan_integers<element, uint32_t, true>{0});
        return sum_or_product(scan_integers<element, uint64_t, false>{sizeof(T) == 8 ? element(0) : turn},
                              scan_integers<element, uint64_t, true>{sizeof(T) == 8 ? element(0) : turn});
    } else if constexpr (sizeof(T) == 8) {
        return sum_or_product(scan_floats<T, double, false>(), scan_floats<T, double, true>());
    } else {
        if constexpr (sizeof(T) == 4)
            if (wf_bytes_of_type(what.accumulator) == 8)
                return sum_or_product(scan_floats<T, double, false>(), scan_floats<T, double, true>());
        return sum_or_product(scan_floats<T, float, false>(), scan_floats<T, float, true>());
    }
}

template <class T, class Visit>
bool visit_scan_op(const wf_scan_request &what, const Visit &visit) {
    using bits = std::conditional_t<
        sizeof(T) == 1, uint8_t,
        std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    constexpr bool has_ordered = std::is_floating_point_v<T> || std::is_same_v<T, int32_t>;
    using number = std::conditional_t<std::is_floating_point_v<T>, T, uint32_t>;
    switch (what.op) {
    case WF_SUM:
    case WF_PRODUCT:
        return visit_scan_numbers<T>(what, visit);
    case WF_MIN:
    case WF_MAX:
        visit(scan_extremes<bits>{rank_rule_of<bits>(what.type, what.nan, what.op == WF_MAX)});
        return true;
    case WF_ARGMIN:
    case WF_ARGMAX:
        visit(scan_first_extremes<bits>{rank_rule_of<bits>(what.type, what.nan, what.op == WF_ARGMAX),
                                        what.reverse != 0 ? what.length - 1 : 0, what.reverse != 0 ? ~uint64_t(0) : 1});
        return true;
    case WF_MATMUL:
        if constexpr (has_ordered)
            visit(scan_ordered<matrix<number>, matmul<number>>{what.reverse});
        return has_ordered;
    case WF_AFFINE:
        if constexpr (has_ordered)
            visit(scan_ordered<affine_map<number>, affine<number>>{what.reverse});
        return has_ordered;
    default:
        return false;
    }
}

template <class Visit>
bool visit_scan(const wf_scan_request &what, const Visit &visit) {
    return visit_type<bool>(what.type, [&](auto tag) {
        using type = typename decltype(tag)::type;
        if constexpr (is_built_type<type>)
            return visit_scan_op<type>(what, visit);
        else
            return false;
    });
}

} // namespace wf
#endif
