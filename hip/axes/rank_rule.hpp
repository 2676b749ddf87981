// Ranks of elements by their bits: unsigned integers that grow towards the wanted extreme. One rule, which a kernel
// gets when it is launched, does integers with and without a sign, and floats: each type would need kernels of its own.
#ifndef WAVEFOLD_AXES_RANK_RULE_HPP
#define WAVEFOLD_AXES_RANK_RULE_HPP

#include "../float_format.hpp"
#include "../instructions.hpp"

#include "algebra.h"

namespace wf {

// Element: unsigned, with the element's bits. NaN have one rank: the largest if they propagate, the least if they are
// skipped.
template <class Element>
struct rank_rule {
    using rank = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    static constexpr rank all = rank(Element(~Element(0))), sign = all ^ (all >> 1);
    static constexpr bool may_be_float = sizeof(Element) > 1;

    rank turn = 0;       // of numbers with a sign: the sign bit, so that their bits are ordered as unsigned ones
    rank spread = 0;     // of floats: all bits but the sign, which turn round where the sign is set
    rank flip = 0;       // all ones for the least element
    rank infinity = all; // of floats: a magnitude above it is NaN's
    rank magnitude = 0;  // of floats: all bits but the sign
    rank of_nan = 0;
    rank quiet_nan = 0;

    __device__ __forceinline__ rank of(Element bits) const {
        const rank x = bits;
        if constexpr (!may_be_float) {
            return x ^ (turn ^ flip);
        } else {
            const rank negative = rank(0) - (x >> (8 * sizeof(Element) - 1));
            const rank plain = x ^ (turn ^ flip) ^ (negative & spread);
            return (x & magnitude) > infinity ? of_nan : plain;
        }
    }
    __device__ __forceinline__ Element back(rank of_element) const {
        const rank plain = of_element ^ flip;
        const rank as_float = (plain & sign) != 0 ? plain ^ sign : plain ^ all;
        const rank number = spread != 0 ? as_float : plain ^ turn;
        const bool is_nan = spread != 0 && (of_element == all || of_element == 0);
        return Element(is_nan ? quiet_nan : number);
    }
    // Of two elements of 16 bits in a word, or of the even or the odd bytes of one: the ranks, unless one is NaN.
    __device__ __forceinline__ uint32_t of_pair(uint32_t word) const {
        const uint32_t negative = word >> 15 & 0x00010001u;
        return word ^ (turn ^ flip) * 0x00010001u ^ negative * spread;
    }
    __device__ __forceinline__ uint32_t of_even_bytes(uint32_t word) const {
        return (word ^ (turn ^ flip) * 0x01010101u) & 0x00ff00ffu;
    }
    __device__ __forceinline__ uint32_t of_odd_bytes(uint32_t word) const { return of_even_bytes(word >> 8); }
    __device__ __forceinline__ bool is_nan_in_pair(uint32_t magnitudes) const {
        return (magnitudes >> 16) > infinity || (magnitudes & 0xffffu) > infinity;
    }
    // Whether the least rank is that of a skipped NaN alone.
    __device__ __forceinline__ bool is_float() const { return spread != 0; }
};

template <class Element>
rank_rule<Element> rank_rule_of(wf_type type, wf_nan nan, bool largest) {
    using rule = rank_rule<Element>;
    rule made;
    made.flip = largest ? 0 : rule::all;
    if (wf_type_is_float(type)) {
        made.turn = rule::sign;
        made.spread = made.magnitude = rule::all ^ rule::sign;
        made.infinity = typename rule::rank(wf_infinity_bits(type));
        made.of_nan = nan == WF_NAN_IGNORE ? 0 : rule::all;
        made.quiet_nan = typename rule::rank(wf_nan_bits(type));
    } else if (wf_type_is_signed(type)) {
        made.turn = rule::sign;
    }
    return made;
}

} // namespace wf
#endif
