// grid_words: the grid's sum as words (src/exact/sum_words.h), for sums that no window holds. A wave computes with
// them: each lane has a few words, so that all are carried at once. One thread would take microseconds: as long as a
// whole reduction of a small array.
#ifndef WAVEFOLD_REDUCE_EXACT_GRID_WORDS_HPP
#define WAVEFOLD_REDUCE_EXACT_GRID_WORDS_HPP

#include "../../atomic.hpp"
#include "../../wave.hpp"
#include "exact_value.hpp"
#include "wavefold_sum.h"

namespace wf {

// Word i of an integer in units of 2^(WF_SUM_UNIT + position), in two's complement: the last word has the sign. The
// integer must not reach beyond the last word.
__device__ __forceinline__ int64_t word_of(const wide &integer, int position, unsigned i) {
    const unsigned digit = i - unsigned(position) / 32, shift = unsigned(position) % 32;
    const uint64_t beyond = is_negative(integer) ? ~uint64_t(0) : 0;
    // Shifted up by less than a word: each pair holds two words.
    const uint64_t pairs[3] = {integer.low << shift, integer.high << shift | integer.low >> 32 >> (32 - shift),
                               beyond << shift | integer.high >> 32 >> (32 - shift)};
    const uint64_t pair = digit < 2 ? pairs[0] : digit < 4 ? pairs[1] : digit < 6 ? pairs[2] : beyond;
    const uint32_t word = i < unsigned(position) / 32 ? 0 : uint32_t(digit % 2 == 0 ? pair : pair >> 32);
    return i == WF_SUM_LIMBS - 1 ? int64_t(int32_t(word)) : int64_t(word);
}

// All lanes of the wave call each function, and get the same result.
template <unsigned Width>
class grid_words {
  public:
    explicit __device__ __forceinline__ grid_words(const tiled_index &tidx) : tidx_(tidx) {}

    // Takes what tiles and launches have added to device memory, and clears it there.
    __device__ __forceinline__ void take(const array_view<int64_t> &from) {
        device_fence(); // the additions of all tiles are visible
        each([&](unsigned i, int64_t &mine) {
            if (i < WF_SUM_WORDS) {
                mine = from[i];
                from[i] = 0;
            }
        });
    }
    __device__ __forceinline__ void put(const array_view<int64_t> &to) const {
        each([&](unsigned i, int64_t mine) {
            if (i < WF_SUM_WORDS)
                to[i] = mine;
        });
    }
    // The integer's limits are those of word_of().
    __device__ __forceinline__ void add(const wide &integer, int position) {
        each([&](unsigned i, int64_t &mine) { mine += i < WF_SUM_LIMBS ? word_of(integer, position, i) : 0; });
    }
    __device__ __forceinline__ void add(const grid_words &others) {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            words_[k] += others.words_[k];
    }
    // others: some term is not -0.
    __device__ __forceinline__ void add_others(bool others) {
        each([&](unsigned i, int64_t &mine) { mine += i == WF_SUM_LIMBS + 3 && others ? 1 : 0; });
    }
    // The limbs of a state, without its counts.
    __device__ __forceinline__ void take_limbs(const array_view<int64_t> &from) {
        each([&](unsigned i, int64_t &mine) {
            if (i < WF_SUM_LIMBS)
                mine = from[i];
        });
    }
    __device__ __forceinline__ void put_limbs(const array_view<int64_t> &to) const {
        each([&](unsigned i, int64_t mine) {
            if (i < WF_SUM_LIMBS)
                to[i] = mine;
        });
    }

    // Carries: every limb but the last is in [0, 2^32) then.
    __device__ __forceinline__ void carry() {
        // In two rounds, what is above 32 bits goes to the next limb. Limbs are in [-1, 2^32] then.
        for (unsigned round = 0; round < 2; round++) {
            const unsigned lane = lane_of<Width>(tidx_);
            int64_t of_last_lane = 0; // of the words before these
            each([&](unsigned i, int64_t &mine) {
                const int64_t up = i < last ? mine >> 32 : 0;
                const int64_t of_lane_before = shuffle<Width>(up, (lane + Width - 1) % Width);
                mine += (lane != 0 ? of_lane_before : of_last_lane) - up * radix;
                of_last_lane = of_lane_before;
            });
        }
        // -1 borrows from the next limb, and makes 0 borrow, too; then 2^32 carries, and makes 2^32 - 1 carry.
        ripple(-1, 0, -1);
        ripple(radix, radix - 1, 1);
    }
    // True if no state holds the carried limbs.
    __device__ __forceinline__ bool overflows() const {
        return wf_last_overflows(word(last));
    }
    // The magnitude of carried limbs, and whether the sum is negative. Negates the limbs of a negative sum.
    __device__ __forceinline__ wf_magnitude magnitude(bool &negative) {
        negative = word(last) < 0;
        wide those = not_zero();
        if (negative) {
            // From the lowest limb on that is not 0, all digits are inverted, and 1 is added to that limb.
            const unsigned lowest = lowest_of(those);
            each([&](unsigned i, int64_t &mine) {
                const int64_t turned = (i < last ? radix - 1 : -1) - mine + (i == lowest ? 1 : 0);
                mine = i < lowest || i > last ? mine : turned;
            });
            those = not_zero();
        }
        const int top = is_zero(those) ? 0 : int(highest_of(those));
        uint64_t parts[5]; // these hold 128 bits from the top bit on
#pragma unroll
        for (int k = 0; k < 5; k++)
            parts[k] = top >= k ? uint64_t(word(unsigned(top - k))) : 0;
        return wf_magnitude_of_top(parts, top, !is_zero(those) && int(lowest_of(those)) < top - 4);
    }
    // The words behind the limbs.
    __device__ __forceinline__ wf_sum_counts counts(uint64_t count) const {
        return {int64_t(count), word(WF_SUM_LIMBS), word(WF_SUM_LIMBS + 1), word(WF_SUM_LIMBS + 2),
                word(WF_SUM_LIMBS + 3)};
    }
    __device__ __forceinline__ int64_t word(unsigned i) const {
        int64_t of_row = words_[0];
#pragma unroll
        for (unsigned k = 1; k < of_lane; k++)
            of_row = i / Width == k ? words_[k] : of_row;
        return broadcast<Width>(of_row, i % Width);
    }
    // True if flawed(i, limb) is true for any limb.
    template <class Flawed>
    __device__ __forceinline__ bool any_limb(const Flawed &flawed) const {
        bool any = false;
        each([&](unsigned i, int64_t mine) { any = any || (i < WF_SUM_LIMBS && flawed(i, mine)); });
        return ballot<Width>(tidx_, any) != 0;
    }

  private:
    static constexpr unsigned of_lane = (WF_SUM_WORDS + Width - 1) / Width, last = WF_SUM_LIMBS - 1;
    static constexpr int64_t radix = int64_t(1) << 32;
    static_assert(WF_SUM_LIMBS < 128 && Width >= 32, "bits of a wide");

    // Calls visit(i, mine) for each word i of this lane.
    template <class Visit>
    __device__ __forceinline__ void each(const Visit &visit) {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            visit(k * Width + lane_of<Width>(tidx_), words_[k]);
    }
    template <class Visit>
    __device__ __forceinline__ void each(const Visit &visit) const {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            visit(k * Width + lane_of<Width>(tidx_), words_[k]);
    }
    // Bit i is is(limb i).
    template <class Is>
    __device__ __forceinline__ wide limbs_that(const Is &is) const {
        uint64_t halves[2] = {0, 0};
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++) {
            const bool here = k * Width + lane_of<Width>(tidx_) < WF_SUM_LIMBS && is(words_[k]);
            halves[k * Width / 64] |= ballot<Width>(tidx_, here) << k * Width % 64;
        }
        return {halves[0], halves[1]};
    }
    __device__ __forceinline__ wide not_zero() const {
        return limbs_that([](int64_t limb) { return limb != 0; });
    }
    static __device__ __forceinline__ bool has_bit(const wide &bits, unsigned i) {
        return ((i < 64 ? bits.low : bits.high) >> i % 64 & 1) != 0;
    }
    static __device__ __forceinline__ unsigned highest_of(const wide &bits) {
        return bits.high != 0 ? 127 - unsigned(leading_zeros(bits.high)) : 63 - unsigned(leading_zeros(bits.low));
    }
    static __device__ __forceinline__ unsigned lowest_of(const wide &bits) {
        const uint64_t half = bits.low != 0 ? bits.low : bits.high;
        return (bits.low != 0 ? 63 : 127) - unsigned(leading_zeros(half & (0 - half)));
    }
    // A limb equal to begins gives one to the next limb, and a limb equal to passes_on does if it gets one. All at
    // once, as the carries of an addition: both summands have the bits of the first kind, one also those of the second.
    __device__ __forceinline__ void ripple(int64_t begins, int64_t passes_on, int64_t one) {
        const wide both = limbs_that([=](int64_t limb) { return limb == begins; });
        const wide either = limbs_that([=](int64_t limb) { return limb == passes_on; });
        const wide sum = wide{both.low | either.low, both.high | either.high} + both;
        const wide get_one = {sum.low ^ either.low, sum.high ^ either.high};
        each([&](unsigned i, int64_t &mine) {
            mine += i <= last && has_bit(get_one, i) ? one : 0;
            const bool gives_one = one < 0 ? mine < 0 : mine >= radix;
            mine -= i < last && gives_one ? one * radix : 0;
        });
    }

    const tiled_index &tidx_;
    int64_t words_[of_lane] = {};
};

} // namespace wf
#endif
