// What reductions of two arrays fold. Each has, of axis_folds.hpp's functions, identity, op(a, b) and finish, and
//
//   element, second           of the first and of the second array
//   prepared()                the same operator, with what it reads from device memory
//   take(total, x, y, i, step) takes a few elements of both arrays; x[k] has the index i + k * step in its row
//   term(x, y)                of operators that may be lost: what an element adds
#ifndef WAVEFOLD_AXES_PAIR_FOLDS_HPP
#define WAVEFOLD_AXES_PAIR_FOLDS_HPP

#include "axes_arguments.hpp"

#include "exact/norm_scale.h"

#include <cmath>

namespace wf {

// A sum and the number of its terms.
struct counted_pair : wf_sum_pair {
    uint64_t count;
};

// Sums as pair_sum makes them. Terms are products of floats. With IsMask they are the elements, magnitudes or squares
// that count; for means also integers, as doubles.
template <class Element, bool IsMask>
struct float_pairs {
    using element = Element;
    using second = std::conditional_t<IsMask, uint8_t, Element>;
    using value = std::conditional_t<IsMask, counted_pair, wf_sum_pair>;
    using bits = unsigned_of_size<sizeof(Element)>;
    static constexpr unsigned parts = 1;
    bits kept;          // bits of an element that count: all, or all but the sign
    uint32_t is_signed; // of integers
    uint32_t squares;   // IsMask
    uint32_t averages;
    wf_float_format to;
    uint32_t is_norm;
    wf_float_format norm_to;
    array_view<const double> extremes; // of the elements of a norm of f64; else empty
    double scale;                      // of them

    static __device__ __forceinline__ value identity() {
        if constexpr (IsMask)
            return {{-0.0, 0}, 0};
        else
            return {-0.0, 0};
    }
    static __device__ __forceinline__ bool is_lost(const wf_sum_pair &total) { return pair_is_lost(total); }
    __device__ __forceinline__ int exponent() const {
        return extremes.size() == 0 ? 0 : wf_norm_exponent(extremes[0], extremes[1]);
    }
    __device__ __forceinline__ float_pairs prepared() const {
        float_pairs made = *this;
        made.scale = wf_power_of_two(-exponent());
        return made;
    }
    __device__ __forceinline__ double number(Element x) const {
        if constexpr (std::is_integral_v<Element>)
            return is_signed != 0 ? double(std::make_signed_t<Element>(x)) : double(x);
        else
            return double(widen<std::conditional_t<sizeof(Element) == 8, double, float>>(x));
    }
    // An element that does not count adds -0, which changes no sum.
    __device__ __forceinline__ double term(Element x, second y) const {
        double made, factor;
        if constexpr (IsMask) {
            made = number(bits_as<Element>(bits(bits_as<bits>(x) & kept)));
            factor = squares != 0 ? made : 1;
        } else {
            made = number(x);
            factor = number(y);
            if constexpr (sizeof(Element) == 8) {
                made *= scale;
                factor *= scale;
            }
        }
        made = product_rounded(made, factor);
        if constexpr (IsMask)
            made = y != 0 ? made : -0.0;
        return made;
    }
    template <unsigned Count>
    __device__ __forceinline__ void take(value &total, const Element (&x)[Count], const second (&y)[Count], uint64_t,
                                         uint64_t) const {
        double terms[Count];
#pragma unroll
        for (unsigned k = 0; k < Count; k++) {
            terms[k] = term(x[k], y[k]);
            if constexpr (IsMask)
                total.count += y[k] != 0 ? 1 : 0;
        }
        if constexpr (sizeof(Element) < 8 && Count > 1) {
            bool exact = true;
            const auto add_two = [&](double a, double b) { return add_checked(a, b, exact); };
            const double few = fold_tree<Count>(add_two, [&](unsigned k) { return terms[k]; });
            const double sum = add_checked(total.sum, few, exact);
            if (exact) {
                total.sum = sum;
                return;
            }
        }
#pragma unroll
        for (unsigned k = 0; k < Count; k++)
            add_term(total, terms[k]);
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        if constexpr (IsMask)
            return {joined_pairs(a, b), a.count + b.count};
        else
            return joined_pairs(a, b);
    }
    __device__ __forceinline__ result_parts finish(const value &total, uint64_t count) const {
        return rounded(wf_round_pair(&total, count, averages != 0, to));
    }
    // The result, from the bits of the sum.
    __device__ __forceinline__ result_parts rounded(uint64_t sum) const {
        if (is_norm == 0)
            return {{sum, 0}};
        const double root = std::sqrt(bits_as<double>(sum)) * wf_power_of_two(exponent());
        if (!(root - root == 0))
            return {{wf_infinity_of(norm_to) | (root != root ? uint64_t(1) << (norm_to.digits - 2) : 0), 0}};
        const wf_sum_pair pair = {root, 0};
        return {{wf_round_pair(&pair, 1, false, norm_to), 0}};
    }
};
template <class Element, bool IsMask>
constexpr bool may_be_lost<float_pairs<Element, IsMask>> = true;

template <class Element>
__device__ __forceinline__ uint64_t counted_length(const float_pairs<Element, true> &, const counted_pair &total,
                                                   uint64_t) {
    return total.count;
}
template <class Element>
__device__ __forceinline__ counted_pair lost_value(const float_pairs<Element, true> &, uint64_t count) {
    return {{0, not_a_number()}, count};
}

template <class Element, bool IsMask>
__device__ __forceinline__ result_parts finish_rounded(const float_pairs<Element, IsMask> &op, uint64_t sum) {
    return op.rounded(sum);
}

// Sums of products of integers, which wrap.
template <class Element>
struct integer_pairs {
    using element = Element;
    using second = Element;
    using value = uint64_t;
    static constexpr unsigned parts = 1;
    Element turn; // the sign bit of numbers with a sign

    static __device__ __forceinline__ value identity() { return 0; }
    __device__ __forceinline__ integer_pairs prepared() const { return *this; }
    __device__ __forceinline__ uint64_t number(Element x) const { return uint64_t(Element(x ^ turn)) - turn; }
    template <unsigned Count>
    __device__ __forceinline__ void take(value &total, const Element (&x)[Count], const Element (&y)[Count], uint64_t,
                                         uint64_t) const {
        total += fold_tree<Count>(sum<uint64_t>(), [&](unsigned k) { return number(x[k]) * number(y[k]); });
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return a + b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const { return {{total, 0}}; }
};

} // namespace wf
#endif
