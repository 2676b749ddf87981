// group_sum(): a thread's sum of a group of floats in f64, and whether it is exact.
//
// A double holds the sum of a few floats unless their exponents lie far apart. Two methods check that without a branch:
//   rounding   computes each sum twice, rounded down and rounded up: they are equal only if no addition was rounded.
//   For
//              waves of 32 lanes (rounds_both_ways), as NVIDIA's instructions contain the rounding mode.
//   exponents  compares the largest and the least magnitude: on AMD the rounding mode belongs to the whole wave.
// Proofs: docs/exact.md, "On a GPU".
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_GROUP_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_GROUP_SUM_HPP

#include "../packed_array.hpp"
#include "exact_value.hpp"

namespace wf {

// always_fits: every group of that many terms adds up to an integer below 2^53 units. Otherwise it does if its
// exponents differ by most_apart at most.
template <class Element, unsigned Terms>
struct group_layout {
    using layout = float_format<Element>;
    static constexpr int log2_terms = Terms <= 8 ? 3 : Terms <= 16 ? 4 : 5;
    static_assert(Terms <= 32, "2^log2_terms must not be less than the terms");
    static constexpr int most_apart = 53 - layout::digits - log2_terms;
    static constexpr bool always_fits = (1 << layout::exponent_bits) - 3 <= most_apart;
};

template <unsigned Width>
constexpr bool rounds_both_ways = Width == 32;

// True if group_sum() reports each pack that it has added, whose registers then are free. (f16 took 1 to 4 % longer.)
template <unsigned Width, class Element>
constexpr bool group_gives_back = rounds_both_ways<Width> && !std::is_same_v<Element, f16>;

// A sum rounded down and a sum rounded up; if sums always fit, one sum.
template <bool AlwaysFits>
class bounded_sum {
  public:
    __device__ __forceinline__ void add(double x) {
        lower_ = is_empty_ ? x : AlwaysFits ? lower_ + x : add_down(lower_, x);
        upper_ = is_empty_ ? x : AlwaysFits ? 0 : add_up(upper_, x);
        is_empty_ = false;
    }
    // Adds another one times a power of two.
    __device__ __forceinline__ void join(const bounded_sum &other, double power) {
        lower_ = AlwaysFits ? lower_ + other.lower_ * power : add_down(lower_, other.lower_ * power);
        upper_ = AlwaysFits ? 0 : add_up(upper_, other.upper_ * power);
        compute_barrier(lower_); // while the elements are in registers
        compute_barrier(upper_);
    }
    __device__ __forceinline__ double sum() const { return lower_; }
    // Optimisation barrier: the lower sum so far is computed before the index is used.
    __device__ __forceinline__ void compute_before(unsigned &index) { compute_first(lower_, index); }
    __device__ __forceinline__ bool is_exact() const { return AlwaysFits || lower_ == upper_; }

  private:
    double lower_ = 0, upper_ = 0;
    bool is_empty_ = true; // a constant once loops are unrolled
};

// Checks that the floats of some words are finite, of two 16-bit floats the upper one: infinity and NaN times 0 are
// NaN.
template <class Element>
class finite_probe {
  public:
    __device__ __forceinline__ void take(uint32_t word) {
        if constexpr (is_f16)
            halves_ = add_zero_times_halves(word, halves_);
        else
            floats_ += bits_as<float>(word) * 0.0f; // the bf16 below keeps an infinity from being a number
    }
    __device__ __forceinline__ bool all_finite() const { return is_f16 ? (halves_ & 0x7fff7fffu) == 0 : floats_ == 0; }

  private:
    static constexpr bool is_f16 = std::is_same_v<Element, f16>;
    uint32_t halves_ = 0;
    float floats_ = 0;
};

template <class Element, unsigned Packs, class Listener, class Added>
__device__ __forceinline__ double sum_by_rounding(const element_pack<Element> (&packs)[Packs],
                                                  typename float_format<Element>::bits keep, bool &is_exact,
                                                  Listener &listener, const Added &added) {
    using format = float_format<Element>;
    using bits = typename format::bits;
    constexpr bool in_pairs = sizeof(Element) == 2;
    // A float's bits, shifted right by the difference of the exponents' widths, are the bits of a double: the same
    // value times a power of two. Half of the elements are converted by that shift, as the conversion instruction has a
    // quarter of the throughput. Infinities and NaN would become numbers: finite_probe checks for them.
    constexpr int down = float_format<double>::exponent_bits - format::exponent_bits;
    constexpr uint32_t sign = 1u << 31;
    const uint32_t kept = uint32_t(keep) << (32 - 8 * sizeof(bits)), moved = (kept & sign) | (kept & ~sign) >> down;
    const auto power = bits_as<double>(uint64_t(2 * float_format<double>::bias - format::bias) << 52);
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
                listener.add_scaled_element(element, power);
                probe.take(word);
            }
            if (in_pairs || w % 2 != 0) {
                const auto element = widen<double>(bits_as<Element>(bits(word & keep)));
                converted.add(element);
                listener.add_element(element);
            }
        }
        if constexpr (group_gives_back<32, Element>)
            added(p, converted);
    }
    converted.join(shifted, power);
    is_exact = converted.is_exact() && probe.all_finite();
    return converted.sum();
}

// The largest magnitude of some floats, and the least that is not 0; a word holds one float or two.
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
    // Never too small: the least magnitude is kept less 1, which may have the exponent below.
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
                                                   typename float_format<Element>::bits keep_bits, bool &is_exact) {
    using group = group_layout<Element, Packs * element_pack<Element>::size>;
    magnitude_range<sizeof(Element)> range;
    double sums[4] = {-0.0, -0.0, -0.0, -0.0}; // -0 changes no number
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
    is_exact = group::always_fits || range.exponents_apart(float_format<Element>::exponent_bits) <= group::most_apart;
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// True if the listener gets each element as a double, by add_element(x), or by add_scaled_element(x, power) as x times
// the power. It gets some number for an element that is not finite.
template <unsigned Width>
constexpr bool group_passes_elements = rounds_both_ways<Width>;

// keep: the bits of an element that count. If an element is not finite, the sum is not, or is_exact becomes false.
// added(p, sum): called once pack p has been added to the sum, if group_gives_back.
template <unsigned Width, class Element, unsigned Packs, class Listener, class Added>
__device__ __forceinline__ double group_sum(const element_pack<Element> (&packs)[Packs],
                                            typename float_format<Element>::bits keep, bool &is_exact,
                                            Listener &listener, const Added &added) {
    if constexpr (group_passes_elements<Width>)
        return sum_by_rounding(packs, keep, is_exact, listener, added);
    else
        return sum_by_exponents(packs, keep, is_exact);
}
template <unsigned Width, class Element, unsigned Packs, class Listener>
__device__ __forceinline__ double group_sum(const element_pack<Element> (&packs)[Packs],
                                            typename float_format<Element>::bits keep, bool &is_exact,
                                            Listener &listener) {
    return group_sum<Width>(packs, keep, is_exact, listener, [](unsigned, const auto &) {});
}

} // namespace wf
#endif
