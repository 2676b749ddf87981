// Every commutative operator on every type: how an element is made into what is folded (lift), how two of those fold,
// and what becomes of the fold in the end (finish). What is folded has whole registers of 4 bytes.
//
// The identity need not survive alone: an array of no elements never gets here.
#ifndef WAVEFOLD_WIDE_OPS_HPP
#define WAVEFOLD_WIDE_OPS_HPP

#include "ops.hpp"

#include <cstring>

namespace wf {

// ---- Types that C++ lacks: 16 bits of float -------------------------------------------------------------------------

struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};

template <class T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

template <class To, class From>
__device__ __forceinline__ To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To same;
    memcpy(&same, &value, sizeof same);
    return same;
}

// Numbers as another type that holds them all.
template <class To, class From>
__device__ __forceinline__ To widen(From value) {
    return static_cast<To>(value);
}

// Exact. The exponent's bias grows from 15 to 127 by a multiplication, which also makes subnormals normal; infinities
// and NaN then have the exponent 143, which must become 255.
template <class To>
__device__ __forceinline__ To widen(f16 value) {
    const uint32_t magnitude = uint32_t(value.bits & 0x7fffu) << 13;
    uint32_t bits = bits_as<uint32_t>(bits_as<float>(magnitude) * 0x1p112f);
    if (magnitude >= 0x0f800000u)
        bits |= 0x7f800000u;
    return static_cast<To>(bits_as<float>(bits | uint32_t(value.bits & 0x8000u) << 16));
}

template <class To>
__device__ __forceinline__ To widen(bf16 value) {
    return static_cast<To>(bits_as<float>(uint32_t(value.bits) << 16));
}

// ---- Sum, product, mean ---------------------------------------------------------------------------------------------

template <class Element, class Accumulator>
struct adds : sum<Accumulator> {
    using element = Element;
    using result = Accumulator;
    static __device__ __forceinline__ Accumulator lift(Element value, size_t) { return widen<Accumulator>(value); }
    static __device__ __forceinline__ result finish(Accumulator total, size_t) { return total; }
};

template <class Element, class Accumulator>
struct multiplies : adds<Element, Accumulator> {
    static __device__ __forceinline__ Accumulator identity() { return Accumulator(1); }
    __device__ __forceinline__ Accumulator operator()(Accumulator a, Accumulator b) const { return multiply(a, b); }
};

template <class Element, class Accumulator>
struct averages : adds<Element, Accumulator> {
    using result = std::conditional_t<std::is_integral_v<Accumulator>, double, Accumulator>;
    static __device__ __forceinline__ result finish(Accumulator total, size_t count) {
        return result(double(total) / double(count));
    }
};

// ---- Bits -----------------------------------------------------------------------------------------------------------

// Element: unsigned, as signs do not matter.
template <class Element>
struct folds_bits {
    using element = Element;
    using value = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    using result = Element;
    static __device__ __forceinline__ value identity() { return 0; }
    static __device__ __forceinline__ value lift(Element bits, size_t) { return bits; }
    static __device__ __forceinline__ result finish(value total, size_t) { return result(total); }
};

template <class Element>
struct bits_and : folds_bits<Element> {
    using value = typename folds_bits<Element>::value;
    static __device__ __forceinline__ value identity() { return ~value(0); }
    __device__ __forceinline__ value operator()(value a, value b) const { return a & b; }
};

template <class Element>
struct bits_or : folds_bits<Element> {
    using value = typename folds_bits<Element>::value;
    __device__ __forceinline__ value operator()(value a, value b) const { return a | b; }
};

template <class Element>
struct bits_xor : folds_bits<Element> {
    using value = typename folds_bits<Element>::value;
    __device__ __forceinline__ value operator()(value a, value b) const { return a ^ b; }
};

// ---- Extremes -------------------------------------------------------------------------------------------------------

// An element's rank is an integer that grows with it, so that extremes of every type are extremes of integers. Floats of
// one sign are ordered as their bits are; -0 ranks right below +0. Every NaN gets the one rank that the caller says, an
// end of the range, and what comes back from there is a NaN.
template <class T>
struct ranks {
    using bits = std::conditional_t<sizeof(T) == 8, int64_t, std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
    using rank = std::conditional_t<std::is_integral_v<T>, std::conditional_t<(sizeof(T) < 4), int32_t, T>,
                                    std::conditional_t<sizeof(T) == 8, int64_t, int32_t>>;
    static constexpr rank least =
        is_float<T> ? rank(std::numeric_limits<bits>::min()) : std::numeric_limits<rank>::min();
    static constexpr rank most =
        is_float<T> ? rank(std::numeric_limits<bits>::max()) : std::numeric_limits<rank>::max();

    static __device__ __forceinline__ rank of(T value, rank of_nan) {
        if constexpr (is_float<T>) {
            constexpr bits infinity = std::is_same_v<T, f16>    ? bits(0x7c00)
                                      : std::is_same_v<T, bf16> ? bits(0x7f80)
                                      : sizeof(T) == 4          ? bits(0x7f800000)
                                                                : bits(0x7ff0000000000000);
            const rank stored = bits_as<bits>(value);
            return (stored & most) > infinity ? of_nan : stored ^ (stored < 0 ? most : 0);
        } else {
            return rank(value);
        }
    }
    static __device__ __forceinline__ T back(rank value) {
        if constexpr (is_float<T>)
            return bits_as<T>(bits(value ^ (value < 0 ? most : 0)));
        else
            return T(value);
    }
};

// Ignore: whether NaN are passed over, by ranking last instead of first.
template <class Element, bool Ignore>
struct least {
    using element = Element;
    using result = Element;
    using rank = typename ranks<Element>::rank;
    static __device__ __forceinline__ rank identity() { return ranks<Element>::most; }
    static __device__ __forceinline__ rank lift(Element value, size_t) {
        return ranks<Element>::of(value, Ignore ? ranks<Element>::most : ranks<Element>::least);
    }
    static __device__ __forceinline__ result finish(rank value, size_t) { return ranks<Element>::back(value); }
    __device__ __forceinline__ rank operator()(rank a, rank b) const { return a < b ? a : b; }
};

template <class Element, bool Ignore>
struct most {
    using element = Element;
    using result = Element;
    using rank = typename ranks<Element>::rank;
    static __device__ __forceinline__ rank identity() { return ranks<Element>::least; }
    static __device__ __forceinline__ rank lift(Element value, size_t) {
        return ranks<Element>::of(value, Ignore ? ranks<Element>::least : ranks<Element>::most);
    }
    static __device__ __forceinline__ result finish(rank value, size_t) { return ranks<Element>::back(value); }
    __device__ __forceinline__ rank operator()(rank a, rank b) const { return a > b ? a : b; }
};

template <class Element, bool Ignore>
struct extremes {
    using low = least<Element, Ignore>;
    using high = most<Element, Ignore>;
    using rank = typename low::rank;
    struct pair {
        rank lowest, highest;
    };
    using element = Element;
    struct result {
        Element lowest, highest;
    };
    static __device__ __forceinline__ pair identity() { return {low::identity(), high::identity()}; }
    static __device__ __forceinline__ pair lift(Element value, size_t i) {
        return {low::lift(value, i), high::lift(value, i)};
    }
    static __device__ __forceinline__ result finish(const pair &value, size_t count) {
        return {low::finish(value.lowest, count), high::finish(value.highest, count)};
    }
    __device__ __forceinline__ pair operator()(const pair &a, const pair &b) const {
        return {low()(a.lowest, b.lowest), high()(a.highest, b.highest)};
    }
};

// Which: least or most. The lower index wins among equals, so the order of folding does not matter.
template <class Which>
struct first_of {
    using element = typename Which::element;
    using rank = typename Which::rank;
    struct place {
        uint64_t rank_bits; // 8 bytes also where the rank has 4: no padding, which would be moved about uninitialised
        uint64_t index;
    };
    struct result {
        uint64_t value_bits, index;
    };
    static constexpr uint64_t nowhere = ~uint64_t(0);

    static __device__ __forceinline__ place identity() { return {bits_of(Which::identity()), nowhere}; }
    static __device__ __forceinline__ place lift(element value, size_t i) {
        const rank of_value = Which::lift(value, i);
        return {bits_of(of_value), is_passed_over(of_value) ? nowhere : uint64_t(i)};
    }
    static __device__ __forceinline__ result finish(const place &found, size_t count) {
        const element value = Which::finish(rank(found.rank_bits), count);
        result finished = {0, found.index};
        memcpy(&finished.value_bits, &value, sizeof value);
        return finished;
    }
    __device__ __forceinline__ place operator()(const place &a, const place &b) const {
        const bool equal = a.rank_bits == b.rank_bits;
        const bool take_a =
            equal ? a.index < b.index : Which()(rank(a.rank_bits), rank(b.rank_bits)) == rank(a.rank_bits);
        return {take_a ? a.rank_bits : b.rank_bits, take_a ? a.index : b.index}; // values, not addresses, are chosen
    }

  private:
    static __device__ __forceinline__ uint64_t bits_of(rank value) { return uint64_t(value); }
    // A NaN that is passed over ranks as the identity does, and no number does. Among integers the identity is a number.
    static __device__ __forceinline__ bool is_passed_over(rank value) {
        return is_float<element> && value == Which::identity();
    }
};

} // namespace wf
#endif
