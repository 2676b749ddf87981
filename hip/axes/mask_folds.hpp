// What reductions under a mask fold, as pair_folds.hpp says: elements count where the mask's byte is not 0. Sums of
// floats and means are float_pairs. A row in which nothing counts has the result for no elements.
#ifndef WAVEFOLD_AXES_MASK_FOLDS_HPP
#define WAVEFOLD_AXES_MASK_FOLDS_HPP

#include "axes_arguments.hpp"

namespace wf {

// Sums, products and bits of integers by one kernel: which one is a parameter.
enum class mask_fold : uint32_t { sum, magnitude, square, product, bit_and, bit_or, bit_xor };

// The value is 0 for no elements: products turn its lowest bit, and "and" is "or" of inverted bits.
template <class Element>
struct masked_integers {
    using element = Element;
    using second = uint8_t;
    using value = uint64_t;
    static constexpr unsigned parts = 1;
    Element turn; // the sign bit of numbers with a sign
    mask_fold fold;

    static __device__ __forceinline__ value identity() { return 0; }
    __device__ __forceinline__ masked_integers prepared() const { return *this; }
    __device__ __forceinline__ value lift(Element x) const {
        const uint64_t number = uint64_t(Element(x ^ turn)) - turn;
        switch (fold) {
        case mask_fold::magnitude:
            return turn != 0 && number >> 63 != 0 ? 0 - number : number;
        case mask_fold::square:
            return number * number;
        case mask_fold::product:
            return number ^ 1;
        case mask_fold::bit_and:
            return ~number;
        default:
            return number;
        }
    }
    template <unsigned Count>
    __device__ __forceinline__ void take(value &total, const Element (&x)[Count], const uint8_t (&y)[Count], uint64_t,
                                         uint64_t) const {
#pragma unroll
        for (unsigned k = 0; k < Count; k++)
            total = (*this)(total, y[k] != 0 ? lift(x[k]) : 0);
    }
    __device__ __forceinline__ value operator()(value a, value b) const {
        switch (fold) {
        case mask_fold::product:
            return ((a ^ 1) * (b ^ 1)) ^ 1;
        case mask_fold::bit_and:
        case mask_fold::bit_or:
            return a | b;
        case mask_fold::bit_xor:
            return a ^ b;
        default:
            return a + b;
        }
    }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const {
        return {{fold == mask_fold::product ? total ^ 1 : fold == mask_fold::bit_and ? ~total : total, 0}};
    }
};

// Products of floats in f64, rounded into the accumulator in the end.
template <class Element>
struct masked_product {
    using element = Element;
    using value = double;
    static constexpr unsigned parts = 1;
    uint32_t is_f32; // the accumulator is

    static __device__ __forceinline__ value identity() { return 1; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        using number = std::conditional_t<sizeof(Element) == 8, double, float>;
        total *= fold_tree<Count>(*this, [&](unsigned k) { return double(widen<number>(x[k])); });
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return a * b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const {
        return {{is_f32 != 0 ? bits_as<uint32_t>(float(total)) : bits_as<uint64_t>(total), 0}};
    }
};

// Whether a value is that of no elements, or has the same result.
template <class Element>
__device__ __forceinline__ bool is_of_none(const axis_extreme<Element> &, typename axis_extreme<Element>::value total) {
    return total == 0;
}
template <class Element>
__device__ __forceinline__ bool is_of_none(const axis_extremes<Element> &,
                                           const typename axis_extremes<Element>::value &total) {
    return total.least == 0 && total.most == 0;
}
template <class Element>
__device__ __forceinline__ bool is_of_none(const axis_first_extreme<Element> &,
                                           const typename axis_first_extreme<Element>::value &total) {
    return total.index == axis_first_extreme<Element>::nowhere;
}
template <class Element>
__device__ __forceinline__ bool is_of_none(const masked_product<Element> &, double) {
    return false; // 1 is both
}

// An operator of one array, for the elements that count.
template <class Op>
struct masked {
    using element = typename Op::element;
    using second = uint8_t;
    using value = typename Op::value;
    static constexpr unsigned parts = Op::parts;
    Op op;
    result_parts of_none;

    static __device__ __forceinline__ value identity() { return Op::identity(); }
    __device__ __forceinline__ masked prepared() const { return *this; }
    template <unsigned Count>
    __device__ __forceinline__ void take(value &total, const element (&x)[Count], const uint8_t (&y)[Count],
                                         uint64_t index, uint64_t step) const {
#pragma unroll
        for (unsigned k = 0; k < Count; k++)
            if (y[k] != 0) {
                const element one[] = {x[k]};
                op.add(total, one, index + k * step, 1);
            }
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return op(a, b);
    }
    __device__ __forceinline__ result_parts finish(const value &total, uint64_t length) const {
        return is_of_none(op, total) ? of_none : op.finish(total, length);
    }
};

} // namespace wf
#endif
