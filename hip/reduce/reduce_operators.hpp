// Every commutative operator on every type: how an element is made into what is folded (lift), how two of those fold,
// and what becomes of the fold in the end (finish). What is folded has whole registers of 4 bytes.
//
// Operators that differ in a detail are one with a parameter, which a kernel gets when it is launched: each instance of
// the kernel is compiled for every target.
// The identity need not survive alone: an array of no elements never gets here.
#ifndef WAVEFOLD_REDUCE_REDUCE_OPERATORS_HPP
#define WAVEFOLD_REDUCE_REDUCE_OPERATORS_HPP

#include "../float_format.hpp"
#include "../instructions.hpp"
#include "../operators.hpp"

#include "algebra.h"

#include <cstring>

namespace wf {

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

// Exact.
template <class To>
__device__ __forceinline__ To widen(f16 value) {
    return static_cast<To>(f16_to_f32(value.bits));
}

template <class To>
__device__ __forceinline__ To widen(bf16 value) {
    return static_cast<To>(wf_bf16_value(value.bits));
}

// Of floats.
template <class Element>
__device__ __forceinline__ bool is_nan(Element value) {
    const auto wide = widen<std::conditional_t<sizeof(Element) == 8, double, float>>(value);
    return wide != wide;
}

// ---- Sum, product, mean ---------------------------------------------------------------------------------------------

// Unsigned for integers. Of floats it costs nothing: instructions take operands without their sign.
template <class T>
__device__ __forceinline__ auto magnitude_of(T value) {
    using std::fabs;
    if constexpr (std::is_floating_point_v<T>)
        return fabs(value);
    else if constexpr (std::is_unsigned_v<T>)
        return value;
    else
        return value < 0 ? -as_wrapping(value) : as_wrapping(value);
}

// What is added of each element (src/algebra.h).
template <wf_term Term, class T>
__device__ __forceinline__ T term_of(T value) {
    const auto x = as_wrapping(value), magnitude = magnitude_of(value);
    static_cast<void>(x), static_cast<void>(magnitude);
#define WF_TERM_IF(ENUM, expression)                                                                                   \
    if constexpr (Term == WF_TERM_##ENUM)                                                                              \
        return T(expression);
    WF_TERM_MAP(WF_TERM_IF)
#undef WF_TERM_IF
}

template <class Element, class Accumulator, wf_term Term = WF_TERM_ELEMENT>
struct adds : sum<Accumulator> {
    using element = Element;
    // The mean of integers is a double, and has the sum's place.
    using result =
        std::conditional_t<std::is_integral_v<Accumulator> && sizeof(Accumulator) == 8, uint64_t, Accumulator>;
    unsigned averages =
        0; // not 0: the mean. No bool: from a kernel's parameters, clang 19 took that through scratch memory

    __device__ __forceinline__ Accumulator lift(Element value, unsigned) const {
        return term_of<Term>(widen<Accumulator>(value));
    }
    template <class Words, class T>
    __device__ __forceinline__ auto of_wave(const Words &words, T total) const
        -> std::enable_if_t<std::is_same_v<T, Accumulator> && std::is_integral_v<T>, T> {
        return T(words.sum(as_wrapping(total)));
    }
    __device__ __forceinline__ result finish(Accumulator total, size_t count) const {
        if constexpr (!std::is_integral_v<Accumulator>)
            return __builtin_expect(averages != 0, 0) ? Accumulator(double(total) / double(count)) : total;
        else if constexpr (sizeof(Accumulator) == 8)
            return __builtin_expect(averages != 0, 0) ? bits_as<uint64_t>(double(total) / double(count))
                                                      : uint64_t(total);
        else
            return total;
    }
};

template <class Element, class Accumulator>
struct multiplies {
    using element = Element;
    using result = Accumulator;
    static __device__ __forceinline__ Accumulator identity() { return Accumulator(1); }
    __device__ __forceinline__ Accumulator lift(Element value, unsigned) const { return widen<Accumulator>(value); }
    __device__ __forceinline__ Accumulator operator()(Accumulator a, Accumulator b) const { return multiply(a, b); }
    __device__ __forceinline__ result finish(Accumulator total, size_t) const { return total; }
};

// ---- Bits -----------------------------------------------------------------------------------------------------------

// Element: unsigned, as signs do not matter. flip: all ones makes "or" of what is folded "and" of what it was.
template <class Element>
struct bits_or {
    using element = Element;
    using result = Element;
    using bits = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    bits flip = 0;

    static __device__ __forceinline__ bits identity() { return 0; }
    __device__ __forceinline__ bits lift(Element value, unsigned) const { return value ^ flip; }
    __device__ __forceinline__ bits operator()(bits a, bits b) const { return a | b; }
    __device__ __forceinline__ result finish(bits total, size_t) const { return result(total ^ flip); }
};

template <class Element>
struct bits_xor {
    using element = Element;
    using result = Element;
    using bits = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    static __device__ __forceinline__ bits identity() { return 0; }
    __device__ __forceinline__ bits lift(Element value, unsigned) const { return value; }
    __device__ __forceinline__ bits operator()(bits a, bits b) const { return a ^ b; }
    __device__ __forceinline__ result finish(bits total, size_t) const { return result(total); }
};

// ---- Extremes -------------------------------------------------------------------------------------------------------

// An element's rank is an integer that grows with it, so that extremes of every type are extremes of integers. Floats
// of one sign are ordered as their bits are; -0 ranks right below +0. Every NaN gets the one rank that the caller says,
// an end of the range, and what comes back from there is a NaN.
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
            constexpr auto infinity = bits(float_format<T>::infinity);
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

// The least element. flip: all ones turns ranks round, which makes it the largest. With the sign bit of each element in
// a word turned besides, numbers with a sign are ordered by the unsigned type (turned_signs, launch.hpp). nan:
// the rank of NaN, once turned: the least, so that they propagate, or the largest, so that they are passed over.
template <class Element>
struct extreme {
    using element = Element;
    using result = Element;
    using rank = typename ranks<Element>::rank;
    rank flip = 0;
    rank nan = ranks<Element>::least;

    static __device__ __forceinline__ rank identity() { return ranks<Element>::most; }
    __device__ __forceinline__ rank lift(Element value, unsigned) const {
        return rank(ranks<Element>::of(value, rank(nan ^ flip)) ^ flip);
    }
    __device__ __forceinline__ rank operator()(rank a, rank b) const { return a < b ? a : b; }
    template <class Words>
    __device__ __forceinline__ rank of_wave(const Words &words, rank least) const {
        using bits = std::make_unsigned_t<rank>;
        constexpr bits sign = std::is_signed_v<rank> ? bits(1) << (8 * sizeof(bits) - 1) : bits(0);
        const auto turned = bits(~(bits(least) ^ sign)); // the least is the largest
        if constexpr (sizeof(bits) == 8) {
            uint32_t of_rank[] = {uint32_t(turned >> 32), uint32_t(turned)};
            words.largest(of_rank);
            return rank(bits(~(bits(of_rank[0]) << 32 | of_rank[1])) ^ sign);
        } else {
            uint32_t of_rank[] = {turned};
            words.largest(of_rank);
            return rank(bits(~of_rank[0]) ^ sign);
        }
    }
    __device__ __forceinline__ result finish(rank value, size_t) const {
        return ranks<Element>::back(rank(value ^ flip));
    }
};

// The least and the largest.
template <class Element>
struct extremes {
    using element = Element;
    using rank = typename extreme<Element>::rank;
    struct pair {
        rank lowest, highest;
    };
    struct result {
        Element lowest, highest;
    };
    extreme<Element> low, high;

    static __device__ __forceinline__ pair identity() {
        return {extreme<Element>::identity(), extreme<Element>::identity()};
    }
    __device__ __forceinline__ pair lift(Element value, unsigned item) const {
        return {low.lift(value, item), high.lift(value, item)};
    }
    __device__ __forceinline__ pair operator()(const pair &a, const pair &b) const {
        return {low(a.lowest, b.lowest), high(a.highest, b.highest)};
    }
    template <class Words>
    __device__ __forceinline__ pair of_wave(const Words &words, const pair &mine) const {
        return {low.of_wave(words, mine.lowest), high.of_wave(words, mine.highest)};
    }
    __device__ __forceinline__ result finish(const pair &value, size_t count) const {
        return {low.finish(value.lowest, count), high.finish(value.highest, count)};
    }
};

// The extreme, and where it stands first: the lower index wins among equals, so the order of folding does not matter.
template <class Element>
struct first_extreme {
    using element = Element;
    using rank = typename extreme<Element>::rank;
    using bits = std::make_unsigned_t<rank>;
    // What tiles fold: the rank, with its sign turned so that its bits are ordered alike, and below it which item of a
    // packed_array has it (packed_array.hpp). In words: nothing lies between them.
    struct value {
        uint32_t words[1 + sizeof(rank) / sizeof(uint32_t)];
    };
    // What launches fold.
    struct found {
        uint64_t rank_bits; // 8 bytes also where the rank has 4: no padding, which would be moved about uninitialised
        uint64_t index;
    };
    struct result {
        uint64_t value_bits, index;
    };
    static constexpr unsigned no_item = ~0u;
    static constexpr uint64_t nowhere = ~uint64_t(0);
    extreme<Element> which;

    static __device__ __forceinline__ value identity() { return value_of(extreme<Element>::identity(), no_item); }
    static __device__ __forceinline__ value value_of(rank of, unsigned item) {
        const auto ordered = bits(bits(of) ^ sign);
        value made = {{item, uint32_t(ordered)}};
        if constexpr (sizeof ordered == 8)
            made.words[2] = uint32_t(ordered >> 32);
        return made;
    }
    static __device__ __forceinline__ rank rank_of(const value &of) { return rank(ordered_rank(of) ^ sign); }
    static __device__ __forceinline__ unsigned item_of(const value &of) { return of.words[0]; }
    __device__ __forceinline__ value lift(Element from, unsigned item) const {
        const rank of_element = which.lift(from, item);
        // Among floats, none but a NaN that is passed over ranks as the identity does.
        const bool passed_over = is_float<Element> && of_element == extreme<Element>::identity();
        return value_of(of_element, passed_over ? no_item : item);
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        bool take_a;
        if constexpr (sizeof(rank) == 8) { // no branches: each step of a wave waits for this one
            const bool less = ordered_rank(a) < ordered_rank(b), equal = ordered_rank(a) == ordered_rank(b);
            take_a = less | (equal & (item_of(a) < item_of(b)));
        } else {
            take_a = bits_as<uint64_t>(a) < bits_as<uint64_t>(b); // the item in the lower half
        }
        value least = b;
#pragma unroll
        for (unsigned k = 0; k < sizeof least.words / sizeof *least.words; k++)
            least.words[k] = take_a ? a.words[k] : b.words[k]; // values, not addresses, are chosen
        return least;
    }
    template <class Words>
    __device__ __forceinline__ value of_wave(const Words &words, const value &mine) const {
        constexpr unsigned count = sizeof mine.words / sizeof *mine.words;
        uint32_t turned[count]; // the least is the largest
#pragma unroll
        for (unsigned k = 0; k < count; k++)
            turned[k] = ~mine.words[count - 1 - k];
        words.largest(turned);
        value least;
#pragma unroll
        for (unsigned k = 0; k < count; k++)
            least.words[k] = ~turned[count - 1 - k];
        return least;
    }
    __device__ __forceinline__ found operator()(const found &a, const found &b) const {
        const bool equal = a.rank_bits == b.rank_bits;
        const bool take_a = equal ? a.index < b.index : rank(a.rank_bits) < rank(b.rank_bits);
        return {take_a ? a.rank_bits : b.rank_bits, take_a ? a.index : b.index};
    }
    __device__ __forceinline__ result finish(const found &total, size_t count) const {
        const Element of_rank = which.finish(rank(total.rank_bits), count);
        result finished = {0, total.index};
        memcpy(&finished.value_bits, &of_rank, sizeof of_rank);
        return finished;
    }

  private:
    static constexpr bits sign = std::is_signed_v<rank> ? bits(1) << (8 * sizeof(bits) - 1) : bits(0);
    static __device__ __forceinline__ bits ordered_rank(const value &of) {
        if constexpr (sizeof(rank) == 8)
            return bits(of.words[2]) << 32 | of.words[1];
        else
            return of.words[1];
    }
};

} // namespace wf
#endif
