// thread_terms: a thread's part of an exact sum, which takes packs.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_TERMS_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_TERMS_HPP

#include "../../operators.hpp"
#include "../packed_array.hpp"
#include "thread_double_window.hpp"
#include "thread_group_sum.hpp"
#include "tile_columns.hpp"

namespace wf {

// InF64: doubles go to a double_window; smaller floats are added in f64, a group at a time, and a group's sum goes to a
// double_window if it is exact. Otherwise: elements go to a window of integers. Groups or packs that do not fit the
// window go to the tile's columns.
template <class Element, bool Squares, bool InF64, unsigned Width>
class thread_terms {
  public:
    using element_type = Element;
    using layout = term_layout<Element, Squares>;
    using bits = typename layout::bits;
    using columns = tile_columns<layout>;
    using doubles = double_window<rounds_both_ways<Width>>;
    static constexpr unsigned width = Width, in_pack = element_pack<Element>::size;
    static constexpr bool squares = Squares, in_f64 = InF64;
    // Whether take() may precede put_window().
    static constexpr bool takes_anywhere = InF64 && sizeof(Element) < 8;
    // Whether take() reports each pack that it needs no longer.
    static constexpr bool gives_back = takes_anywhere && group_gives_back<Width, Element>;
    // Whether take() passes each element to the listener (thread_group_sum.hpp).
    static constexpr bool passes_elements = takes_anywhere && group_passes_elements<Width>;
    template <unsigned Packs>
    static constexpr unsigned all_of = (1u << Packs) - 1; // bit p is for pack p

    // keep: the bits of an element that count: all, or for magnitudes all but the sign.
    __device__ __forceinline__ thread_terms(const columns &misfits, bits keep) : columns_(misfits), keep_(keep) {}

    // Must precede add_taken(), and take() unless it takes_anywhere.
    __device__ __forceinline__ void put_window(int base) {
        base_ = base;
        window_ = doubles(base);
    }

    // Takes a group. Its packs are not needed afterwards, so the next group can be loaded while add_taken() adds this
    // one. (f64 is added here.) If it gives_back, calls added(p, sum) once pack p is in the sum.
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
                misfits_ = keep_next<Packs>(); // here: otherwise nvcc copies the packs twice
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
    // Adds the group to the window. Result: the packs that do not fit and are not added, a bit for each.
    template <unsigned Packs>
    __device__ __forceinline__ unsigned add_taken() {
        if constexpr (InF64 && sizeof(Element) < 8) {
            begin_next(1);
            next_.add(sum_, flags_, rest_);
            misfits_ = keep_next<Packs>();
        }
        return misfits_;
    }
    // Of a group that does not fit, adds each pack that fits as a whole. Result: the packs that are left.
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
    // Adds the packs that are left. Called by all lanes of the wave.
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
    // True if any element is not -0. Ignored NaN do not count.
    static __device__ __forceinline__ bool any_but_minus_zero(const element_pack<Element> &pack, bits keep,
                                                              bool ignores_nan) {
        bool any = false;
#pragma unroll
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = bits_as<bits>(pack[k]) & keep;
            const bool is_nan = bits(element & bits(~minus_zero)) > layout::infinity;
            any = any || (element != minus_zero && !(is_nan && ignores_nan));
        }
        return any;
    }
    // True if a window that has taken n groups since make_room() holds another one. Groups that did not fit count, too,
    // so that the result is wave-uniform: lanes that left the loop alone would miss ballots on AMD.
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
    // The sum of all that fits the window, after make_room().
    __device__ __forceinline__ const wide &sum() const {
        return total_;
    }
    // True if terms were added to the columns.
    __device__ __forceinline__ bool spilled() const {
        return spilled_;
    }
    __device__ __forceinline__ bits keep() const {
        return keep_;
    }

  private:
    // No window reaches the exponents of f64's subnormals, infinities and NaN (window_sample).
    static constexpr bool window_misses_ends = layout::digits == 53;
    static constexpr bits minus_zero = layout::sign;

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

    // Adds all of the pack, or nothing: false.
    __device__ __forceinline__ bool add_pack(const element_pack<Element> &pack) {
        constexpr auto reach = unsigned(window_end - layout::digits);
        wide sum = {0, 0};
        bool fits = true;
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        // More would take more of AMD's scalar registers, which hold the conditions.
        [[maybe_unused]] constexpr unsigned at_a_time = Squares ? 1 : 2;
#pragma unroll at_a_time
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = take_first<bits>(halves) & keep_;
            unsigned exponent = layout::exponent_of(element);
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
        uint32_t specials = 0; // a bool would take AMD's scalar registers
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
    // In f64: the windows and their count of numbers, and what they become if the group that was taken fits.
    doubles window_{0}, next_{0};
    unsigned count_ = 0, numbers_ = 0;
    double sum_ = 0;
    bool fits_ = true;
    uint32_t flags_ = 0, rest_ = 0;
    // The packs of that group that do not fit, a bit for each.
    unsigned misfits_ = 0;
    wide total_ = {0, 0};
    bool spilled_ = false;
};

} // namespace wf
#endif
