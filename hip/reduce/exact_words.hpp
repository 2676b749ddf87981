// The words of a sum that no window holds (src/exact/sum_words.h), by a wave: each lane has a few of them, so that all
// are carried at once. One thread by itself would take microseconds: as long as a small array takes in all.
#ifndef WAVEFOLD_REDUCE_EXACT_WORDS_HPP
#define WAVEFOLD_REDUCE_EXACT_WORDS_HPP

#include "../atomic.hpp"
#include "../wave.hpp"
#include "exact_value.hpp"
#include "wavefold_sum.h"

namespace wf {

// Word i of an integer in units of 2^(WF_SUM_UNIT + position), in two's complement: the last word has the sign. Not for
// integers that reach beyond the last word.
__device__ __forceinline__ int64_t word_of(const wide &integer, int position, unsigned i) {
    const unsigned digit = i - unsigned(position) / 32, shift = unsigned(position) % 32;
    const uint64_t beyond = is_negative(integer) ? ~uint64_t(0) : 0;
    // Up by less than a word: two words each.
    const uint64_t pairs[3] = {integer.low << shift, integer.high << shift | integer.low >> 32 >> (32 - shift),
                               beyond << shift | integer.high >> 32 >> (32 - shift)};
    const uint64_t pair = digit < 2 ? pairs[0] : digit < 4 ? pairs[1] : digit < 6 ? pairs[2] : beyond;
    const uint32_t word = i < unsigned(position) / 32 ? 0 : uint32_t(digit % 2 == 0 ? pair : pair >> 32);
    return i == WF_SUM_LIMBS - 1 ? int64_t(int32_t(word)) : int64_t(word);
}

// All lanes of the wave take part in each of these, and have what they answer.
template <unsigned Width>
class exact_words {
  public:
    explicit __device__ __forceinline__ exact_words(const tiled_index &tidx) : tidx_(tidx) {}

    // What tiles and launches have added, which is no more there.
    __device__ __forceinline__ void take(const array_view<int64_t> &from) {
        device_fence(); // what tiles have added is there
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
    // What word_of() can tell.
    __device__ __forceinline__ void add(const wide &integer, int position) {
        each([&](unsigned i, int64_t &mine) { mine += i < WF_SUM_LIMBS ? word_of(integer, position, i) : 0; });
    }
    __device__ __forceinline__ void add(const exact_words &others) {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            words_[k] += others.words_[k];
    }
    // That some term is not -0.
    __device__ __forceinline__ void add_others(bool others) {
        each([&](unsigned i, int64_t &mine) { mine += i == WF_SUM_LIMBS + 3 && others ? 1 : 0; });
    }
    // Limbs alone, as they are somewhere else.
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

    // Every limb but the last into [0, 2^32).
    __device__ __forceinline__ void carry() {
        // Twice what is above 32 bits goes to the next one. Limbs are in [-1, 2^32] then.
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
    // Of limbs that are carried: whether no state is as large.
    __device__ __forceinline__ bool overflows() const {
        return wf_last_overflows(word(last));
    }
    // Of such: the magnitude, and whether the sum is below 0. Turns limbs below 0 round.
    __device__ __forceinline__ wf_magnitude magnitude(bool &negative) {
        negative = word(last) < 0;
        wide those = not_zero();
        if (negative) {
            // Of limbs from the lowest one on that is not 0 all digits are turned round, and 1 is added to that.
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
    // Beside the limbs.
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
    // Whether any limb is what flawed(i, limb) says.
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

    // what(i, mine) for each word i, which is this lane's.
    template <class What>
    __device__ __forceinline__ void each(const What &what) {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            what(k * Width + lane_of<Width>(tidx_), words_[k]);
    }
    template <class What>
    __device__ __forceinline__ void each(const What &what) const {
#pragma unroll
        for (unsigned k = 0; k < of_lane; k++)
            what(k * Width + lane_of<Width>(tidx_), words_[k]);
    }
    // Bit i is for limb i.
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
    // A limb that is what begins gives one to the next, and one that is what passes on does, if it gets one. All at
    // once: where two numbers are added that both have the bits of those, and one the bits of these, it is what is
    // carried.
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
