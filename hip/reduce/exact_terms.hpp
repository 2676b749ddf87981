// exact_terms: a thread's part of an exact sum, which takes packs; and window_sample: where its window lies.
#ifndef WAVEFOLD_REDUCE_EXACT_TERMS_HPP
#define WAVEFOLD_REDUCE_EXACT_TERMS_HPP

#include "exact_columns.hpp"
#include "exact_group.hpp"
#include "packed_array.hpp"

#include "../operators.hpp"

namespace wf {

// Of f64 a whole line: with two words sums of what is off by 4 bytes or more took 13 % longer on an H200.
template <class Element>
constexpr unsigned words_behind = sizeof(Element) == 8 ? 4 : words_across<Element>;

// A word of -0, which stands for what is not there, and one of an edge and -0.
template <class Element>
struct filler {
    using bits = typename float_layout<Element>::bits;
    using word = std::remove_reference_t<decltype(element_pack<Element>::words[0])>;
    static constexpr auto minus_zero = uint64_t(1) << (8 * sizeof(bits) - 1);
    static constexpr auto none = word(sizeof(bits) == 2 ? minus_zero << 16 | minus_zero : minus_zero);
    static __device__ __forceinline__ word with(Element edge) { return word(none ^ minus_zero) | bits_as<bits>(edge); }
};

// The packs p, p + step, ... of which there are fewer than so many. Behind the last one each edge counts as a pack,
// with -0 for the rest of it, as for what is not there. No load waits for a branch: a short array begins with them.
template <unsigned Packs, class Element, bool Aligned>
__device__ __forceinline__ void load_some(const packed_array<Element, Aligned> &source, unsigned p, unsigned step,
                                          element_pack<Element> (&packs)[Packs]) {
    using fill = filler<Element>;
#pragma unroll
    for (unsigned k = 0; k < Packs; k++) {
        for (auto &each : packs[k].words)
            each = fill::none;
        if (p + k * step < source.packs())
            packs[k] = source.template load<words_behind<Element>>(p, k * step);
    }
    if (p + (Packs - 1) * step < source.packs() || source.edges() == 0)
        return;
    const auto edge_at = [&](unsigned k) { return p + k * step - source.packs(); }; // of a pack it is larger than any
    if constexpr (Aligned) { // a thread has one at the most: a wave has more lanes (launch_exact_packs)
        unsigned edge = ~0u;
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            edge = edge_at(k) < source.edges() ? edge_at(k) : edge;
        if (edge == ~0u)
            return;
        const auto word = fill::with(source.read(source.index_of_edge(edge)));
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            packs[k].words[0] = edge_at(k) == edge ? word : packs[k].words[0];
    } else {
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            if (edge_at(k) < source.edges())
                packs[k].words[0] = fill::with(source.read(source.index_of_edge(edge_at(k))));
    }
}

// The same with less to do for packs that are all there, as most of a long array's.
template <unsigned Packs, class Element, bool Aligned>
__device__ __forceinline__ void load_more(const packed_array<Element, Aligned> &source, unsigned p, unsigned step,
                                          element_pack<Element> (&packs)[Packs]) {
    if (p + (Packs - 1) * step < source.packs()) {
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            packs[k] = source.template load<words_behind<Element>>(p, k * step);
    } else if constexpr (sizeof(Element) < 8) {
        load_some(source, p, step, packs);
    } else { // as above, sums of 2^20 f64 took 6 % longer; as here, those of bf16 took 3 %
        using fill = filler<Element>;
#pragma unroll
        for (unsigned k = 0; k < Packs; k++) {
            const unsigned here = p + k * step, edge = here - source.packs();
            for (auto &each : packs[k].words)
                each = fill::none;
            if (here < source.packs())
                packs[k] = source.template load<words_behind<Element>>(p, k * step);
            else if (edge < source.edges())
                packs[k].words[0] = fill::with(source.read(source.index_of_edge(edge)));
        }
    }
}

// A window for doubles: two, the upper of 51 bits, the lower of 42. A number is added to one and a half times the power
// of two of which the last place is the upper window's; what that rounds off is added to such a number of the lower
// window. So the bits of the two sums are integers in the windows' units, but for those of the constants (Demmel and
// Hida, Collange et al.: docs/exact.md). BothWays: whether anything is left is found out by rounding that both ways,
// which takes an addition less.
template <bool BothWays>
class double_window {
  public:
    // Numbers that are held end so many bits above the base; of those below 0 also some that round to its end.
    static constexpr int end = 93;
    static constexpr unsigned most_numbers = 4095; // each adds up to 2^51 to the sum of 64 bits

    // base: the position of the lower window's unit.
    explicit __device__ __forceinline__ double_window(int base)
        : upper_(constant(base + upper_unit)), lower_(constant(base)) {}

    // flags becomes other than 0 in its upper 12 bits, or rest other than 0, if x is not held exactly.
    __device__ __forceinline__ void add(double x, uint32_t &flags, uint32_t &rest) {
        const double t = x + upper_, r = x - (t - upper_);
        const auto t_bits = bits_as<uint64_t>(t);
        upper_sum_ += t_bits;
        flags |= uint32_t(t_bits >> 32) ^ uint32_t(bits_as<uint64_t>(upper_) >> 32);
        if constexpr (BothWays) {
            const auto below = bits_as<uint64_t>(add_down(r, lower_)), above = bits_as<uint64_t>(add_up(r, lower_));
            lower_sum_ += below;
            rest |= uint32_t(below) ^ uint32_t(above); // of neighbours the last bits differ
        } else {
            const double u = r + lower_, v = (u - lower_) - r; // +0 for -0, too
            const auto v_bits = bits_as<uint64_t>(v);
            lower_sum_ += bits_as<uint64_t>(u);
            rest |= uint32_t(v_bits >> 32) | uint32_t(v_bits);
        }
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
static_assert(double_window<false>::end <= window_end, "the sum of all threads stays below 2^127");

// InF64: doubles go to a window of doubles; others are added in f64, a group at a time, whose sum does, if it is exact.
// Else: elements go to a window of integers. What does not fit goes to the tile's columns, by the group or by the pack.
template <class Element, bool Squares, bool InF64, unsigned Width>
class exact_terms {
  public:
    using layout = term_layout<Element, Squares>;
    using bits = typename layout::bits;
    using columns = exact_columns<layout>;
    using doubles = double_window<rounds_both_ways<Width>>;
    static constexpr unsigned in_pack = element_pack<Element>::size;
    static constexpr bool in_f64 = InF64;
    // Whether a group is taken before it is known where the window lies.
    static constexpr bool takes_anywhere = InF64 && sizeof(Element) < 8;
    // Whether take() says when it needs a pack no more.
    static constexpr bool gives_back = takes_anywhere && group_gives_back<Width, Element>;
    // Whether take() tells what the elements are (exact_group.hpp).
    static constexpr bool tells_elements = takes_anywhere && group_tells_elements<Width>;
    template <unsigned Packs>
    static constexpr unsigned all_of = (1u << Packs) - 1; // bit p is for pack p

    // keep: the bits of an element that count; the sign does not where magnitudes are added.
    __device__ __forceinline__ exact_terms(const columns &misfits, bits keep) : columns_(misfits), keep_(keep) {}

    // Where the window lies: before a group is added, and before it is taken but where it takes_anywhere.
    __device__ __forceinline__ void put_window(int base) {
        base_ = base;
        window_ = doubles(base);
    }

    // Takes a group, of which nothing is needed afterwards: so the next one can be on its way when this one is added.
    // That of f64 is added here. If it gives_back, added(p, sum) is called once pack p is in the sum; if it
    // tells_elements, the listener hears them.
    template <unsigned Packs, class Listener, class Added>
    __device__ __forceinline__ void take(const element_pack<Element> (&packs)[Packs], Listener &listener,
                                         const Added &added) {
        if constexpr (InF64) {
            if constexpr (sizeof(Element) == 8) {
                begin_next(Packs * in_pack);
#pragma unroll
                for (const element_pack<Element> &pack : packs)
#pragma unroll
                    for (unsigned k = 0; k < in_pack; k++)
                        next_.add(bits_as<double>(bits_as<uint64_t>(pack[k]) & keep_), flags_, rest_);
                misfits_ = keep_next<Packs>(); // now: nvcc else copies the packs twice
            } else {
                sum_ = group_sum<Width>(packs, keep_, fits_, listener, added);
            }
        } else {
            misfits_ = 0;
#pragma unroll
            for (unsigned p = 0; p < Packs; p++)
                misfits_ |= add_pack(packs[p]) ? 0 : 1u << p;
        }
    }
    // Adds it, if that is not done. Which packs fit no window, and are not added.
    template <unsigned Packs>
    __device__ __forceinline__ unsigned add_taken() {
        if constexpr (InF64 && sizeof(Element) < 8) {
            begin_next(1);
            next_.add(sum_, flags_, rest_);
            misfits_ = keep_next<Packs>();
        }
        return misfits_;
    }
    // Of a group that does not fit as a whole, each pack of which each element does. Which are left.
    template <unsigned Packs>
    __device__ __forceinline__ unsigned add_one_by_one(element_pack<Element> (&packs)[Packs], unsigned left) {
        if constexpr (InF64) {
#pragma unroll 1
            for (unsigned p = 0; p < Packs; p++) {
                left ^= add_pack(packs[0]) ? 1u << p : 0;
                move_round(packs);
            }
        }
        return left;
    }
    // The packs of those. All lanes of the wave take part.
    template <unsigned Packs>
    __device__ __forceinline__ void add_to_columns(const tiled_index &tidx, element_pack<Element> (&packs)[Packs],
                                                   unsigned left) {
        columns_.template make_room<Width, Packs * in_pack>(tidx);
        if (__builtin_expect(left == all_of<Packs> && all_finite(packs), 1)) {
#pragma unroll column_packs_at_a_time
            for (unsigned p = 0; p < Packs; p++) {
                add_to_column(tidx, packs[0]);
                move_round(packs);
            }
        } else {
            WF_EXACT_LOOP
            for (unsigned p = 0; p < Packs; p++) {
                if ((left >> p & 1) != 0)
                    add_each_to_column(tidx, packs[0]);
                move_round(packs);
            }
        }
        spilled_ = spilled_ || left != 0;
    }
    // Whether any element is not -0. Where NaN are ignored they do not count.
    static __device__ __forceinline__ bool any_but_minus_zero(const element_pack<Element> &pack, bits keep,
                                                              bool ignores_nan) {
        constexpr bits infinity = bits(bits(layout::most_exponent) << (float_layout<Element>::digits - 1));
        bool any = false;
#pragma unroll
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = bits_as<bits>(pack[k]) & keep;
            const bool is_nan = bits(element & bits(~minus_zero)) > infinity;
            any = any || (element != minus_zero && !(is_nan && ignores_nan));
        }
        return any;
    }
    // Whether a window that was empty so many groups before holds another one for sure; and what empties it. How many
    // of them did fit must not count: that differs from lane to lane, and where a ballot is of the lanes that are there
    // (AMD), those that left the loop around it before others would be out of step from there on.
    template <unsigned Packs>
    static __device__ __forceinline__ bool has_room(unsigned groups) {
        constexpr unsigned numbers = sizeof(Element) == 8 ? Packs * in_pack : 1;
        return !InF64 || groups < doubles::most_numbers / numbers;
    }
    __device__ __forceinline__ void make_room() {
        if constexpr (InF64)
            total_ = total_ + window_.take(count_);
        count_ = 0;
    }
    // What the window has had, once it is empty.
    __device__ __forceinline__ const wide &sum() const {
        return total_;
    }
    __device__ __forceinline__ bool spilled() const {
        return spilled_;
    }

  private:
    // The exponents of f64's subnormals and of what is not finite are in no window (window_sample).
    static constexpr bool window_misses_ends = layout::digits == 53;
    static constexpr bits minus_zero = bits(bits(1) << (8 * sizeof(bits) - 1));

    __device__ __forceinline__ void begin_next(unsigned numbers) {
        numbers_ = numbers;
        next_ = window_;
        flags_ = rest_ = 0;
    }

    template <unsigned Packs>
    __device__ __forceinline__ unsigned keep_next() {
        if (!fits_ || !doubles::fits(flags_, rest_))
            return all_of<Packs>;
        window_ = next_;
        count_ += numbers_;
        return 0;
    }

    // All of it, or nothing: false.
    __device__ __forceinline__ bool add_pack(const element_pack<Element> &pack) {
        constexpr auto reach = unsigned(window_end - layout::digits);
        wide sum = {0, 0};
        bool fits = true;
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        // AMD's scalar registers hold the conditions.
        [[maybe_unused]] constexpr unsigned at_a_time = Squares ? 1 : 2;
#pragma unroll at_a_time
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = take_first<bits>(halves) & keep_;
            unsigned exponent = unsigned(element >> (float_layout<Element>::digits - 1)) & layout::most_exponent;
            const bool is_zero = bits(element << 1) == 0;
            uint64_t significand = (element & (layout::hidden - 1)) | layout::hidden;
            if constexpr (!window_misses_ends) {
                fits = fits && exponent != layout::most_exponent;
                if (exponent == 0) { // subnormals end where the least normal numbers do
                    significand ^= layout::hidden;
                    exponent = 1;
                }
            }
            const int shift = layout::position_of(int(exponent)) - base_;
            fits = fits && (unsigned(shift) <= reach || is_zero);
            if constexpr (Squares)
                significand *= significand;
            const wide term = shifted(is_zero ? 0 : significand, shift & 127);
            sum = sum + (!Squares && (element & minus_zero) != 0 ? -term : term);
        }
        total_ = total_ + (fits ? sum : wide{0, 0});
        return fits;
    }

    template <unsigned Packs>
    static __device__ __forceinline__ bool all_finite(const element_pack<Element> (&packs)[Packs]) {
        uint32_t specials = 0; // a truth value of each lane would take scalar registers
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (unsigned k = 0; k < in_pack; k++)
                specials |= columns::is_finite(bits_as<bits>(pack[k])) ? 0u : 1u;
        return specials == 0;
    }
    __device__ __forceinline__ void add_to_column(const tiled_index &tidx, const element_pack<Element> &pack) const {
        constexpr unsigned at_a_time = in_pack < 4 ? in_pack : 4;
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
#pragma unroll 1
        for (unsigned k = 0; k < in_pack; k += at_a_time) {
#pragma unroll
            for (unsigned i = 0; i < at_a_time; i++)
                columns_.add(tidx, bits(take_first<bits>(halves) & keep_));
        }
    }
    __device__ __forceinline__ void add_each_to_column(const tiled_index &tidx,
                                                       const element_pack<Element> &pack) const {
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        WF_EXACT_LOOP
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = bits(take_first<bits>(halves) & keep_);
            if (columns::is_finite(element))
                columns_.add(tidx, element);
            else
                columns_.count_special(tidx, element);
        }
    }

    columns columns_;
    bits keep_;
    int base_ = 0;
    // In f64: the windows, how many numbers they have, and what becomes of them if the group that was taken fits.
    doubles window_{0}, next_{0};
    unsigned count_ = 0, numbers_ = 0;
    double sum_ = 0;
    bool fits_ = true;
    uint32_t flags_ = 0, rest_ = 0;
    // The packs of that group that do not fit.
    unsigned misfits_ = 0;
    wide total_ = {0, 0};
    bool spilled_ = false;
};

// Where the window lies: the largest of some elements a few bits below its top, for what they add up to. A guess: what
// does not fit is slower, not wrong. A window that holds every element of the type needs none.
template <class Terms, class Element, unsigned Width, bool Aligned>
class window_sample {
    using layout = typename Terms::layout;
    using bits = typename layout::bits;
    static constexpr int end = Terms::in_f64 ? Terms::doubles::end : window_end, guard = 8;

  public:
    static constexpr bool holds_all =
        layout::position_of(layout::most_exponent) + layout::digits + guard - end <= layout::position_of(1);

    // Loads it, in the first wave alone: in all of them, all SMs would ask the cache for the same few lines. An element
    // for each lane: whole packs would take registers that the first group needs.
    __device__ __forceinline__ window_sample(const tiled_index &tidx, const packed_array<Element, Aligned> &source,
                                             bool everywhere) {
        if constexpr (!holds_all) {
            if (everywhere || tidx.local < Width) {
                const unsigned lane = everywhere ? lane_of<Width>(tidx) : tidx.local;
                const unsigned packs = source.packs(), p = unsigned(uint64_t(packs) * lane / Width);
                if (packs + source.edges() > 0)
                    element_ = bits_as<bits>(source.read(packs > 0 ? source.index_of(p) : source.index_of_edge(0)));
            }
        }
    }
    // In that wave, or in any.
    __device__ __forceinline__ int base(const tiled_index &tidx) const {
        if constexpr (holds_all) {
            return layout::position_of(1);
        } else {
            constexpr unsigned digits = float_layout<Element>::digits;
            const unsigned here = unsigned(element_ >> (digits - 1)) & layout::most_exponent;
            const unsigned exponent = wave_largest<Width>(tidx, here == layout::most_exponent ? 0 : here);
            const bool is_usual = exponent != 0; // of zeros, and of what is not finite, any window will do
            const int base =
                layout::position_of(is_usual ? int(exponent) : layout::bias) + layout::digits + guard - end;
            // So that the constants of a window of doubles are doubles, and no exponent of infinity is in another.
            constexpr int most_base = 1900;
            return base < 0 ? 0 : base < most_base ? base : most_base;
        }
    }

  private:
    bits element_ = 0;
};

} // namespace wf
#endif
