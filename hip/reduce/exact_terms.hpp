// exact_terms: a thread's part of an exact sum, which takes packs; and window_base().
#ifndef WAVEFOLD_REDUCE_EXACT_TERMS_HPP
#define WAVEFOLD_REDUCE_EXACT_TERMS_HPP

#include "exact_columns.hpp"
#include "packed_array.hpp"

#include "../operators.hpp"

namespace wf {

// Whether a group of so many elements always adds up to an integer below 2^53, and if not, how far their exponents may
// lie apart for that.
template <class Element, unsigned Terms>
struct group_layout {
    using layout = float_layout<Element>;
    static constexpr int log2_terms = Terms <= 8 ? 3 : Terms <= 16 ? 4 : 5;
    static_assert(Terms <= 32, "log2_terms is no less than that of the terms");
    static constexpr int most_apart = 53 - layout::digits - log2_terms;
    static constexpr bool always_fits = (1 << layout::exponent_bits) - 4 <= most_apart;
};

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

// A window for doubles: two of 44 and of 51 bits. A number is added to one and a half times the power of two of which
// the last place is the upper window's; what that rounds off is added to such a number of the lower window. So the bits
// of the two sums are integers in the windows' units, but for those of the constants (Demmel and Hida, Collange et al.:
// docs/exact.md).
class double_window {
  public:
    // Numbers that are held end so many bits above the base.
    static constexpr int end = 93;
    static constexpr unsigned most_numbers = 4095; // each adds up to 2^51 to the sum of 64 bits

    // base: the position of the lower window's unit.
    explicit __device__ __forceinline__ double_window(int base)
        : upper_(constant(base + upper_unit)), lower_(constant(base)) {}

    // flags becomes other than 0 in its upper 12 bits, or rest other than 0, if x is not held exactly.
    __device__ __forceinline__ void add(double x, uint32_t &flags, uint32_t &rest) {
        const double t = x + upper_, r = x - (t - upper_);
        const double u = r + lower_, v = (u - lower_) - r; // +0 for -0, too
        const auto t_bits = bits_as<uint64_t>(t), v_bits = bits_as<uint64_t>(v);
        upper_sum_ += t_bits;
        lower_sum_ += bits_as<uint64_t>(u);
        flags |= uint32_t(t_bits >> 32) ^ uint32_t(bits_as<uint64_t>(upper_) >> 32);
        rest |= uint32_t(v_bits >> 32) | uint32_t(v_bits);
    }
    static __device__ __forceinline__ bool fits(uint32_t flags, uint32_t rest) { return (flags >> 20 | rest) == 0; }
    // What the numbers since the last call come to, in units of the base.
    __device__ __forceinline__ wide take(unsigned count) {
        const auto upper = int64_t(upper_sum_ - count * bits_as<uint64_t>(upper_));
        const auto lower = int64_t(lower_sum_ - count * bits_as<uint64_t>(lower_));
        upper_sum_ = lower_sum_ = 0;
        return wide{uint64_t(upper) << upper_unit, uint64_t(upper >> (64 - upper_unit))} + widened(lower);
    }

  private:
    static constexpr int upper_unit = end - 51;
    // 1.5 2^(52 + WF_SUM_UNIT + position)
    static __device__ __forceinline__ double constant(int position) {
        return bits_as<double>(uint64_t(52 + WF_SUM_UNIT + 1023 + position) << 52 | uint64_t(1) << 51);
    }
    double upper_, lower_;
    uint64_t upper_sum_ = 0, lower_sum_ = 0;
};
static_assert(double_window::end <= window_end, "the sum of all threads stays below 2^127");

// InF64: doubles go to a window of doubles; others are added in f64, a group at a time, whose sum does. A group is one
// sum of integers below 2^53, so exact, while its exponents lie close enough together. Else: elements go to a window of
// integers. What does not fit goes to the tile's columns, by the group, or by the pack.
template <class Element, bool Squares, bool InF64>
class exact_terms {
  public:
    using layout = term_layout<Element, Squares>;
    using bits = typename layout::bits;
    using columns = exact_columns<layout>;
    static constexpr unsigned in_pack = element_pack<Element>::size;
    static constexpr bool in_f64 = InF64;

    // keep: the bits of an element that count; the sign does not where magnitudes are added.
    __device__ __forceinline__ exact_terms(const columns &misfits, bits keep, int base)
        : columns_(misfits), keep_(keep), base_(base), window_(base) {}

    // All lanes of a wave take part.
    template <unsigned Width, unsigned Packs>
    __device__ __forceinline__ void add_packs(const tiled_index &tidx, const element_pack<Element> (&packs)[Packs]) {
        unsigned left = 0; // bit p: pack p
        if constexpr (InF64) {
            left = add_group(packs) ? 0 : (1u << Packs) - 1;
        } else {
#pragma unroll
            for (unsigned p = 0; p < Packs; p++)
                left |= add_pack(packs[p]) ? 0 : 1u << p;
        }
        if (__builtin_expect(ballot<Width>(tidx, left != 0) != 0, 0))
            columns_.template add_in_turn<Width, Packs * in_pack>(
                tidx, left != 0, [&](unsigned column) { add_to_column(packs, left, column); });
    }
    __device__ __forceinline__ exact_value value() {
        take_window();
        return exact_value_of(total_, flags_);
    }

  private:
    // The exponents of f64's subnormals and of what is not finite are in no window (window_base()).
    static constexpr bool window_misses_ends = layout::digits == 53;
    static constexpr bits minus_zero = bits(bits(1) << (8 * sizeof(bits) - 1));

    __device__ __forceinline__ void take_window() {
        if constexpr (InF64)
            total_ = total_ + window_.take(count_);
        count_ = 0;
    }

    // All of them, or none: false.
    __device__ __forceinline__ bool add_pack(const element_pack<Element> &pack) {
        constexpr auto reach = unsigned(window_end - layout::digits);
        wide sum = {0, 0};
        uint32_t misfits = 0, others = 0;
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        // AMD's scalar registers hold the conditions.
        [[maybe_unused]] constexpr unsigned at_a_time = Squares ? 1 : 2;
#pragma unroll at_a_time
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = take_element(halves) & keep_;
            unsigned exponent = unsigned(element >> (float_layout<Element>::digits - 1)) & layout::most_exponent;
            const bool is_zero = bits(element << 1) == 0;
            uint64_t significand = (element & (layout::hidden - 1)) | layout::hidden;
            if constexpr (!window_misses_ends) {
                misfits |= exponent == layout::most_exponent ? 1u : 0u;
                if (exponent == 0) { // subnormals end where the least normal numbers do
                    significand ^= layout::hidden;
                    exponent = 1;
                }
            }
            const int shift = layout::position_of(int(exponent)) - base_;
            misfits |= unsigned(shift) > reach && !is_zero ? 1u : 0u;
            others |= element == minus_zero ? 0u : exact_others;
            if constexpr (Squares)
                significand *= significand;
            const wide term = shifted(is_zero ? 0 : significand, shift & 127);
            sum = sum + (!Squares && (element & minus_zero) != 0 ? -term : term);
        }
        const bool fits = misfits == 0;
        total_ = total_ + (fits ? sum : wide{0, 0});
        flags_ |= fits ? others : 0u;
        return fits;
    }

    template <unsigned Packs>
    __device__ __forceinline__ bool add_group(const element_pack<Element> (&packs)[Packs]) {
        constexpr unsigned numbers = sizeof(Element) == 8 ? Packs * in_pack : 1;
        if (__builtin_expect(count_ > double_window::most_numbers - numbers, 0))
            take_window();
        double_window next = window_;
        uint32_t flags = 0, rest = 0;
        bool fits = true, others = true;
        if constexpr (sizeof(Element) == 8) {
            uint64_t any = 0;
#pragma unroll
            for (const element_pack<Element> &pack : packs)
#pragma unroll
                for (unsigned k = 0; k < in_pack; k++) {
                    const uint64_t element = bits_as<uint64_t>(pack[k]) & keep_;
                    any |= element ^ minus_zero;
                    next.add(bits_as<double>(element), flags, rest);
                }
            others = any != 0;
        } else {
            const double sum = add_in_f64(packs, fits);
            next.add(sum, flags, rest);
            if (fits && sum == 0)
                others = any_other_than_minus_zero(packs);
        }
        if (!fits || !double_window::fits(flags, rest))
            return false;
        window_ = next;
        flags_ |= others ? exact_others : 0u;
        count_ += numbers;
        return true;
    }

    // The group's sum; fits becomes false if that is not exact. A sum that is not finite does not fit a window.
    template <unsigned Packs>
    __device__ __forceinline__ double add_in_f64(const element_pack<Element> (&packs)[Packs], bool &fits) const {
        using group = group_layout<Element, Packs * in_pack>;
        magnitude_range<sizeof(Element)> range;
        double sums[4] = {0, 0, 0, 0};
#pragma unroll
        for (unsigned p = 0; p < Packs; p++)
#pragma unroll
            for (unsigned w = 0; w < 4; w++) {
                const auto keep = uint32_t(keep_);
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
        if constexpr (!group::always_fits)
            fits = range.exponents_apart(float_layout<Element>::exponent_bits) <= group::most_apart;
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    template <unsigned Packs>
    __device__ __forceinline__ bool any_other_than_minus_zero(const element_pack<Element> (&packs)[Packs]) const {
        bits any = 0;
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (unsigned k = 0; k < in_pack; k++)
                any |= bits((bits_as<bits>(pack[k]) & keep_) ^ minus_zero);
        return any != 0;
    }

    // The packs of which left says so.
    template <unsigned Packs>
    __device__ __forceinline__ void add_to_column(const element_pack<Element> (&packs)[Packs], unsigned left,
                                                  unsigned column) {
        element_pack<Element> next[Packs]; // the first is next: an index would put them into memory
#pragma unroll
        for (unsigned p = 0; p < Packs; p++)
            next[p] = packs[p];
#pragma unroll 1
        for (; left != 0; left >>= 1) {
            if ((left & 1) != 0)
                add_pack_to_column(next[0], column);
#pragma unroll
            for (unsigned p = 0; p + 1 < Packs; p++)
                next[p] = next[p + 1];
        }
        flags_ |= exact_spilled;
    }
    __device__ __forceinline__ void add_pack_to_column(const element_pack<Element> &pack, unsigned column) {
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        [[maybe_unused]] constexpr unsigned at_a_time = in_pack < 4 ? in_pack : 4;
#pragma unroll at_a_time
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = take_element(halves) & keep_;
            flags_ |= element == minus_zero ? 0u : exact_others;
            columns_.add_term(column, element);
        }
    }
    // The first element; the others move up.
    static __device__ __forceinline__ bits take_element(uint64_t (&halves)[2]) {
        constexpr unsigned step = 8 * sizeof(Element);
        const auto first = bits(halves[0]);
        if constexpr (step == 64)
            halves[0] = halves[1];
        else
            halves[0] = halves[0] >> step | halves[1] << (64 - step);
        halves[1] >>= step % 64;
        return first;
    }


    columns columns_;
    bits keep_;
    int base_;
    double_window window_; // without InF64 not used
    unsigned count_ = 0;   // of numbers in it
    wide total_ = {0, 0};
    uint32_t flags_ = 0;
};

// Where the window lies: the largest of some elements a few bits below its top, for what they add up to. A guess: what
// does not fit is slower, not wrong. A window that holds every element of the type needs none.
template <class Terms, class Element, bool Aligned>
__device__ __forceinline__ int window_base(const packed_array<Element, Aligned> &source) {
    using layout = typename Terms::layout;
    using bits = typename layout::bits;
    constexpr int end = Terms::in_f64 ? double_window::end : window_end, guard = 10;
    if constexpr (layout::position_of(layout::most_exponent) + layout::digits + guard - end <= layout::position_of(1))
        return layout::position_of(1);
    // Magnitudes, of 8 bytes the upper half.
    uint32_t largest = 0;
    const auto look_at = [&](uint32_t word) {
        if constexpr (sizeof(bits) == 2)
            largest = larger_of_pairs(largest, word & 0x7fff7fffu);
        else
            largest = (word & 0x7fffffffu) > largest ? word & 0x7fffffffu : largest;
    };
    if (source.packs() > 0) {
        element_pack<Element> packs[4];
#pragma unroll
        for (unsigned quarter = 0; quarter < 4; quarter++)
            packs[quarter] = source.load(source.packs() / 4 * quarter, 0);
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (const auto word : pack.words)
                look_at(uint32_t(word >> (8 * (sizeof word - 4))));
    } else if (source.edges() > 0) {
        look_at(uint32_t(bits_as<bits>(source.read(source.index_of_edge(0))) >> (sizeof(bits) == 8 ? 32 : 0)));
    }
    if constexpr (sizeof(bits) == 2)
        largest = larger_of_pairs(largest, largest >> 16) & 0xffffu;
    constexpr int below = (sizeof(bits) == 8 ? 32 : int(8 * sizeof(bits))) - 1 - float_layout<Element>::exponent_bits;
    const unsigned exponent = largest >> below;
    // Of zeros, and of what makes the sum infinite or NaN, any will do.
    const bool is_usual = exponent != 0 && exponent != layout::most_exponent;
    const int base = layout::position_of(is_usual ? int(exponent) : layout::bias) + layout::digits + guard - end;
    // So that the constants of a window of doubles are doubles, and no exponent of infinity is in another.
    constexpr int most_base = 1900;
    return base < 0 ? 0 : base < most_base ? base : most_base;
}

} // namespace wf
#endif
