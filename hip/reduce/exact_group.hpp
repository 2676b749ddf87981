// group_sum(): the sum of a group of floats in f64, and whether it is exact.
//
// A double holds the sum of a few floats unless their exponents lie far apart. Two ways find out, without a branch:
//   rounding   each sum is made twice, rounded down and rounded up. They are equal only if no addition was rounded.
//              Waves of 32 lanes do that (rounds_both_ways): NVIDIA's instructions have the mode of rounding in them.
//   exponents  of the largest and the least magnitude: AMD would have to change the mode of the whole wave.
// Proofs: docs/exact.md, "On a GPU".
#ifndef WAVEFOLD_REDUCE_EXACT_GROUP_HPP
#define WAVEFOLD_REDUCE_EXACT_GROUP_HPP

#include "exact_value.hpp"

namespace wf {

// Whether a group of so many elements always adds up to an integer below 2^53, and if not, how far their exponents may
// lie apart for that.
template <class Element, unsigned Terms>
struct group_layout {
    using layout = float_layout<Element>;
    static constexpr int log2_terms = Terms <= 8 ? 3 : Terms <= 16 ? 4 : 5;
    static_assert(Terms <= 32, "log2_terms is no less than that of the terms");
    static constexpr int most_apart = 53 - layout::digits - log2_terms;
    static constexpr bool always_fits = (1 << layout::exponent_bits) - 3 <= most_apart;
};

template <unsigned Width>
constexpr bool rounds_both_ways = Width == 32;

// Whether group_sum() says when it has added a pack, whose registers then are free. (f16 took 1 to 4 % longer so.)
template <unsigned Width, class Element>
constexpr bool group_gives_back = rounds_both_ways<Width> && !std::is_same_v<Element, f16>;

// Numbers added up, rounded down and rounded up; where sums always fit, as they come.
template <bool AlwaysFits>
class bounded_sum {
  public:
    __device__ __forceinline__ void add(double x) {
        lower_ = is_empty_ ? x : AlwaysFits ? lower_ + x : add_down(lower_, x);
        upper_ = is_empty_ ? x : AlwaysFits ? 0 : add_up(upper_, x);
        is_empty_ = false;
    }
    // Another, times a power of two.
    __device__ __forceinline__ void join(const bounded_sum &other, double power) {
        lower_ = AlwaysFits ? lower_ + other.lower_ * power : add_down(lower_, other.lower_ * power);
        upper_ = AlwaysFits ? 0 : add_up(upper_, other.upper_ * power);
        compute_barrier(lower_); // while the elements are in registers
        compute_barrier(upper_);
    }
    __device__ __forceinline__ double sum() const { return lower_; }
    // Has the lower sum, as far as it is there, computed before what the index is used for.
    __device__ __forceinline__ void compute_before(unsigned &index) { compute_first(lower_, index); }
    __device__ __forceinline__ bool is_exact() const { return AlwaysFits || lower_ == upper_; }

  private:
    double lower_ = 0, upper_ = 0;
    bool is_empty_ = true; // the compiler knows
};

// Whether all floats of some words are finite, the upper halves' if there are two: others times 0 are no zeros.
template <class Element>
class finite_probe {
  public:
    __device__ __forceinline__ void take(uint32_t word) {
        if constexpr (is_f16)
            halves_ = add_zero_times_halves(word, halves_);
        else
            floats_ += bits_as<float>(word) * 0.0f; // what stands below a bf16 makes no number of an infinity
    }
    __device__ __forceinline__ bool all_finite() const { return is_f16 ? (halves_ & 0x7fff7fffu) == 0 : floats_ == 0; }

  private:
    static constexpr bool is_f16 = std::is_same_v<Element, f16>;
    uint32_t halves_ = 0;
    float floats_ = 0;
};

template <class Element, unsigned Packs, class Listener, class Added>
__device__ __forceinline__ double sum_by_rounding(const element_pack<Element> (&packs)[Packs],
                                                  typename float_layout<Element>::bits keep, bool &is_exact,
                                                  Listener &listener, const Added &added) {
    using layout = float_layout<Element>;
    using bits = typename layout::bits;
    constexpr bool in_pairs = sizeof(Element) == 2;
    // A float's bits, down by the difference of the exponents' widths, are a double's: the same value times a power of
    // two. Every other element becomes one so: the unit that converts is a quarter as fast, and its results are waited
    // for. Infinities and NaN would be numbers, too.
    constexpr int down = 11 - layout::exponent_bits, bias = (1 << (layout::exponent_bits - 1)) - 1;
    constexpr uint32_t sign = 1u << 31;
    const uint32_t kept = uint32_t(keep) << (32 - 8 * sizeof(bits)), moved = (kept & sign) | (kept & ~sign) >> down;
    const auto power = bits_as<double>(uint64_t(2 * 1023 - bias) << 52);
    bounded_sum<group_layout<Element, Packs * element_pack<Element>::size>::always_fits> converted, shifted;
    finite_probe<Element> probe;
#pragma unroll
    for (unsigned p = 0; p < Packs; p++) {
#pragma unroll
        for (unsigned w = 0; w < 4; w++) {
            const uint32_t word = packs[p].words[w];
            if (in_pairs || w % 2 == 0) {
                const uint32_t high = uint32_t(int32_t(word) >> down) & moved, low = in_pairs ? 0 : word << (32 - down);
                const auto element = bits_as<double>(uint64_t(high) << 32 | low);
                shifted.add(element);
                listener.hear_scaled(element, power);
                probe.take(word);
            }
            if (in_pairs || w % 2 != 0) {
                const auto element = widen<double>(bits_as<Element>(bits(word & keep)));
                converted.add(element);
                listener.hear(element);
            }
        }
        if constexpr (group_gives_back<32, Element>)
            added(p, converted);
    }
    converted.join(shifted, power);
    is_exact = converted.is_exact() && probe.all_finite();
    return converted.sum();
}

// The largest magnitude of some floats, and the least of those that are not 0, from words of one float or of two.
template <unsigned Bytes>
class magnitude_range {
  public:
    __device__ __forceinline__ void take(uint32_t word) {
        if constexpr (Bytes == 4) {
            const uint32_t magnitude = word << 1;
            most_ = magnitude > most_ ? magnitude : most_;
            least_ = magnitude - 1 < least_ ? magnitude - 1 : least_; // zeros wrap
        } else {
            const uint32_t magnitudes = word & 0x7fff7fffu;
            most_ = larger_of_pairs(most_, magnitudes);
            least_ = smaller_of_pairs(least_, one_less_of_pairs(magnitudes));
        }
    }
    // At the least: one less may be of the exponent below.
    __device__ __forceinline__ int exponents_apart(int exponent_bits) const {
        if constexpr (Bytes == 4)
            return int(most_ >> (32 - exponent_bits)) - int(least_ >> (32 - exponent_bits));
        const uint32_t most = larger_of_pairs(most_, most_ >> 16) & 0xffffu;
        const uint32_t least = smaller_of_pairs(least_, least_ >> 16) & 0xffffu;
        return int(most >> (15 - exponent_bits)) - int(least >> (15 - exponent_bits));
    }

  private:
    uint32_t most_ = 0, least_ = ~0u;
};

template <class Element, unsigned Packs>
__device__ __forceinline__ double sum_by_exponents(const element_pack<Element> (&packs)[Packs],
                                                   typename float_layout<Element>::bits keep_bits, bool &is_exact) {
    using group = group_layout<Element, Packs * element_pack<Element>::size>;
    magnitude_range<sizeof(Element)> range;
    double sums[4] = {-0.0, -0.0, -0.0, -0.0}; // which adds nothing to any number
#pragma unroll
    for (unsigned p = 0; p < Packs; p++)
#pragma unroll
        for (unsigned w = 0; w < 4; w++) {
            const auto keep = uint32_t(keep_bits);
            const uint32_t word = packs[p].words[w] & (sizeof(Element) == 4 ? keep : keep << 16 | keep);
            if constexpr (!group::always_fits)
                range.take(word);
            if constexpr (sizeof(Element) == 4) {
                sums[w] += widen<double>(bits_as<Element>(word));
            } else {
                sums[w % 2] += widen<double>(bits_as<Element>(uint16_t(word)));
                sums[w % 2 + 2] += widen<double>(bits_as<Element>(uint16_t(word >> 16)));
            }
        }
    is_exact = group::always_fits || range.exponents_apart(float_layout<Element>::exponent_bits) <= group::most_apart;
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Whether the listener is told each element as a double: hear(x), or hear_scaled(x, power) of x times the power. Where
// an element is not finite it hears some number.
template <unsigned Width>
constexpr bool group_tells_elements = rounds_both_ways<Width>;

// keep: the bits of an element that count. Where elements are not finite, the sum is not, or is_exact becomes false.
// added(p, sum): called once pack p has been added to the sum, if the group_gives_back.
template <unsigned Width, class Element, unsigned Packs, class Listener, class Added>
__device__ __forceinline__ double group_sum(const element_pack<Element> (&packs)[Packs],
                                            typename float_layout<Element>::bits keep, bool &is_exact,
                                            Listener &listener, const Added &added) {
    if constexpr (group_tells_elements<Width>)
        return sum_by_rounding(packs, keep, is_exact, listener, added);
    else
        return sum_by_exponents(packs, keep, is_exact);
}
template <unsigned Width, class Element, unsigned Packs, class Listener>
__device__ __forceinline__ double group_sum(const element_pack<Element> (&packs)[Packs],
                                            typename float_layout<Element>::bits keep, bool &is_exact,
                                            Listener &listener) {
    return group_sum<Width>(packs, keep, is_exact, listener, [](unsigned, const auto &) {});
}

} // namespace wf
#endif
