// What scans fold. Each operator has
//
//   element, value    what is read; what is folded
//   wide, narrow      a result as the accumulator has it, or rounded or wrapped to the element's type
//   identity()        changes no bit of another value, but for operators that do not commute (wavefold.h)
//   load(x, place)    the value of the element at that place of the scan, counted from its first
//   op(a, b)          folds two values, of which a comes first
//   as_wide(value), as_narrow(value)
//
// Types that differ in a detail share an operator, which gets the difference as a parameter when it is launched.
#ifndef WAVEFOLD_SCAN_SCAN_OPERATORS_HPP
#define WAVEFOLD_SCAN_SCAN_OPERATORS_HPP

#include "../axes/rank_rule.hpp"
#include "../reduce/reduce_operators.hpp"

#include "scan/request.h"

namespace wf {

constexpr unsigned scan_lanes = WF_SCAN_LANES, scan_teams = WF_SCAN_TEAMS, scan_group = WF_SCAN_GROUP;

// How a row is cut: see scan/request.h.
template <class Op>
struct scan_cut {
    static constexpr unsigned pack =
        WF_SCAN_PACK(unsigned(sizeof(typename Op::element)), unsigned(sizeof(typename Op::value)));
    static constexpr unsigned lane_rows =
        WF_SCAN_LANE_ROWS(unsigned(sizeof(typename Op::element)), unsigned(sizeof(typename Op::value)));
    static constexpr unsigned lane_row = scan_lanes * pack, team = lane_rows * lane_row, section = scan_teams * team;
    // Of a tile, where rows are long.
    static constexpr unsigned most_sections =
        WF_SCAN_SECTIONS(unsigned(sizeof(typename Op::element)), unsigned(sizeof(typename Op::value)));
};

// Sums and products of integers, by their bits: those with a sign are widened by a turn of the sign bit.
template <class Element, class Value, bool Multiplies>
struct scan_integers {
    using element = Element;
    using value = Value;
    using wide = Value;
    using narrow = Element;
    Element turn;

    static __device__ __forceinline__ value identity() { return Multiplies ? 1 : 0; }
    __device__ __forceinline__ value load(element x, uint64_t) const {
        if constexpr (sizeof(Element) == sizeof(Value))
            return x;
        else
            return Value(Value(Element(x ^ turn)) - Value(turn));
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return Multiplies ? a * b : a + b; }
    static __device__ __forceinline__ wide as_wide(value x) { return x; }
    static __device__ __forceinline__ narrow as_narrow(value x) { return narrow(x); }
};

// One NaN for all: processors differ in which one they make.
template <class T>
__device__ __forceinline__ T with_plain_nan(T x) {
    using bits = typename float_format<T>::bits;
    constexpr bits quiet = float_format<T>::infinity | bits(1) << (float_format<T>::digits - 2);
    return x == x ? x : bits_as<T>(quiet);
}

__device__ __forceinline__ f16 rounded_to(f16, float x) {
    return {wf_f16_nearest(x)};
}
__device__ __forceinline__ bf16 rounded_to(bf16, float x) {
    return {wf_bf16_nearest(x)};
}
template <class T>
__device__ __forceinline__ T rounded_to(T, T x) {
    return x;
}
__device__ __forceinline__ float rounded_to(float, double x) {
    return with_plain_nan(float(x));
}

// Sums and products of floats. The identity of sums is -0: +0 would change its sign.
template <class Element, class Value, bool Multiplies>
struct scan_floats {
    using element = Element;
    using value = Value;
    using wide = Value;
    using narrow = Element;

    static __device__ __forceinline__ value identity() { return Multiplies ? Value(1) : -Value(0); }
    static __device__ __forceinline__ value load(element x, uint64_t) { return widen<Value>(x); }
    __device__ __forceinline__ value operator()(value a, value b) const { return Multiplies ? a * b : a + b; }
    static __device__ __forceinline__ wide as_wide(value x) { return with_plain_nan(x); }
    static __device__ __forceinline__ narrow as_narrow(value x) { return rounded_to(narrow(), with_plain_nan(x)); }
};

// Min and max by ranks.
template <class Element>
struct scan_extremes {
    using element = Element;
    using value = typename rank_rule<Element>::rank;
    using wide = Element;
    using narrow = Element;
    rank_rule<Element> rule;

    static __device__ __forceinline__ value identity() { return 0; }
    __device__ __forceinline__ value load(element x, uint64_t) const { return rule.of(x); }
    __device__ __forceinline__ value operator()(value a, value b) const { return a > b ? a : b; }
    __device__ __forceinline__ wide as_wide(value x) const { return rule.back(x); }
    __device__ __forceinline__ narrow as_narrow(value x) const { return rule.back(x); }
};

// wf_indexed_TYPE: the value's bits, which are behind it where it is shorter, are 0.
struct scan_indexed {
    uint64_t value, index;
};

// Argmin and argmax.
template <class Element>
struct scan_first_extremes {
    using element = Element;
    using value = scan_indexed; // the rank, and the index
    using wide = scan_indexed;
    using narrow = scan_indexed;
    rank_rule<Element> rule;
    uint64_t origin, step; // an element's index from its place in the scan; the step back is ~0

    static __device__ __forceinline__ value identity() { return {0, ~uint64_t(0)}; }
    __device__ __forceinline__ value load(element x, uint64_t place) const {
        const uint64_t rank = rule.of(x);
        return {rank, rank != 0 || !rule.is_float() ? origin + place * step : ~uint64_t(0)};
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        const bool take_a = a.value > b.value || (a.value == b.value && a.index < b.index);
        return {take_a ? a.value : b.value, take_a ? a.index : b.index};
    }
    __device__ __forceinline__ wide as_wide(const value &x) const {
        return {rule.back(typename rank_rule<Element>::rank(x.value)), x.index};
    }
    __device__ __forceinline__ narrow as_narrow(const value &x) const { return as_wide(x); }
};

// Matmul and affine of floats, and of integers as uint32_t. Products are rounded before they are added, everywhere.
template <class T>
__device__ __forceinline__ T sum_of_products(T a, T b, T c, T d) {
    return product_rounded(a, b) + product_rounded(c, d);
}
__device__ __forceinline__ matrix<float> with_plain_nans(const matrix<float> &m) {
    return {with_plain_nan(m.a), with_plain_nan(m.b), with_plain_nan(m.c), with_plain_nan(m.d)};
}
__device__ __forceinline__ matrix<double> with_plain_nans(const matrix<double> &m) {
    return {with_plain_nan(m.a), with_plain_nan(m.b), with_plain_nan(m.c), with_plain_nan(m.d)};
}
__device__ __forceinline__ affine_map<float> with_plain_nans(const affine_map<float> &m) {
    return {with_plain_nan(m.a), with_plain_nan(m.b)};
}
__device__ __forceinline__ affine_map<double> with_plain_nans(const affine_map<double> &m) {
    return {with_plain_nan(m.a), with_plain_nan(m.b)};
}
template <class Map>
__device__ __forceinline__ Map with_plain_nans(const Map &m) {
    return m;
}

template <class T>
__device__ __forceinline__ matrix<T> first_then(const matrix<T> &l, const matrix<T> &r) {
    return {sum_of_products(l.a, r.a, l.b, r.c), sum_of_products(l.a, r.b, l.b, r.d),
            sum_of_products(l.c, r.a, l.d, r.c), sum_of_products(l.c, r.b, l.d, r.d)};
}
template <class T>
__device__ __forceinline__ affine_map<T> first_then(const affine_map<T> &first, const affine_map<T> &then) {
    return {product_rounded(then.a, first.a), product_rounded(then.a, first.b) + then.b};
}

// is_swapped: the scan goes from the last element to the first, and what comes later in it stands earlier in the row.
template <class Map, class Named>
struct scan_ordered {
    using element = Map;
    using value = Map;
    using wide = Map;
    using narrow = Map;
    uint32_t is_swapped;

    static __device__ __forceinline__ value identity() { return Named::identity(); }
    static __device__ __forceinline__ value load(const element &x, uint64_t) { return x; }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return is_swapped != 0 ? first_then(b, a) : first_then(a, b);
    }
    static __device__ __forceinline__ wide as_wide(const value &x) { return with_plain_nans(x); }
    static __device__ __forceinline__ narrow as_narrow(const value &x) { return with_plain_nans(x); }
};

// What comes before a scan's first element: of the accumulator's type; min's and max's are elements. As words, since
// operators are for kernels: on a GPU the host cannot call them.
struct scan_initial {
    uint32_t is_there;
    uint64_t words[4];
};

template <class Op>
__device__ __forceinline__ typename Op::value initial_value(const Op &, const scan_initial &initial) {
    typename Op::value value = Op::identity();
    if (initial.is_there != 0)
        memcpy(&value, initial.words, sizeof value);
    return value;
}
template <class Element>
__device__ __forceinline__ auto initial_value(const scan_extremes<Element> &op, const scan_initial &initial) {
    return initial.is_there != 0 ? op.load(Element(initial.words[0]), 0) : op.identity();
}
template <class Element>
__device__ __forceinline__ scan_indexed initial_value(const scan_first_extremes<Element> &op,
                                                      const scan_initial &initial) {
    scan_indexed value = op.identity();
    if (initial.is_there != 0)
        value.value = op.load(Element(initial.words[0]), 0).value;
    return value;
}

} // namespace wf
#endif
