// sum_of_state(): what a joined state comes to, by a wave. One thread, as the host does it, takes some ten
// microseconds, as each limb waits for the carry of the one before. Here limbs are added up as an adder adds bits: who
// makes a carry, and who passes one on, are two words of bits, whose sum says where carries go.
#ifndef WAVEFOLD_MESSAGE_WAVE_STATE_HPP
#define WAVEFOLD_MESSAGE_WAVE_STATE_HPP

#include "../reduce/exact/exact_value.hpp"
#include "../wave.hpp"
#include "wavefold_sum.h"

#include "message/message_words.h"

namespace wf {

// A bit for each limb.
template <unsigned Width, unsigned Rows>
__device__ __forceinline__ wide limbs_that(const tiled_index &tidx, const bool (&mine)[Rows]) {
    wide said = {0, 0};
#pragma unroll
    for (unsigned k = 0; k < Rows; k++) {
        const uint64_t row = ballot<Width>(tidx, mine[k]);
        const unsigned at = k * Width;
        if (at < 64)
            said.low |= row << at;
        else
            said.high |= row << (at - 64);
    }
    return said;
}
__device__ __forceinline__ bool has_bit(const wide &bits, unsigned i) {
    return ((i < 64 ? bits.low >> i : bits.high >> (i - 64)) & 1) != 0;
}
__device__ __forceinline__ int highest_bit(const wide &bits) { // 0 if there is none
    return bits.high != 0 ? 127 - leading_zeros(bits.high) : bits.low != 0 ? 63 - leading_zeros(bits.low) : 0;
}
__device__ __forceinline__ int lowest_bit(const wide &bits) {
    const uint64_t low = bits.low & (uint64_t(0) - bits.low), high = bits.high & (uint64_t(0) - bits.high);
    return highest_bit({low, low != 0 ? 0 : high});
}

// Of a sum of normalised states; lane 0 has the answer. cells: WF_SUM_LIMBS of tile memory.
template <unsigned Width>
__device__ __forceinline__ wf_joined_sum sum_of_state(const tiled_index &tidx, const uint64_t *state,
                                                      const tile_static<int64_t> &cells) {
    constexpr unsigned rows = (WF_SUM_LIMBS + Width - 1) / Width, last = WF_SUM_LIMBS - 1;
    const auto *const limbs = reinterpret_cast<const int64_t *>(state) + WF_STATE_WORDS - WF_SUM_LIMBS;
    const unsigned lane = lane_of<Width>(tidx);
    int64_t digit[rows];
    bool makes[rows], passes[rows], is_not_zero[rows], is_negative_last[rows];
#pragma unroll
    for (unsigned k = 0; k < rows; k++) {
        const unsigned i = lane + k * Width;
        const int64_t own = i <= last ? limbs[i] : 0, below = i > 0 && i <= last ? limbs[i - 1] : 0;
        digit[k] = (i < last ? own & int64_t(UINT32_MAX) : own) + (below >> 32);
        makes[k] = i < last && digit[k] >> 32 != 0;
        passes[k] = i < last && digit[k] == int64_t(UINT32_MAX);
    }
    const wide make = limbs_that<Width>(tidx, makes), pass = limbs_that<Width>(tidx, passes);
    const wide either = {make.low | pass.low, make.high | pass.high}, added = either + make;
    const wide carried = {added.low ^ pass.low, added.high ^ pass.high}; // either ^ make is pass
#pragma unroll
    for (unsigned k = 0; k < rows; k++) {
        const unsigned i = lane + k * Width;
        digit[k] += has_bit(carried, i) ? 1 : 0;
        digit[k] = i < last ? digit[k] & int64_t(UINT32_MAX) : digit[k];
        is_not_zero[k] = digit[k] != 0;
        is_negative_last[k] = i == last && digit[k] < 0;
    }
    const bool negative = !is_zero(limbs_that<Width>(tidx, is_negative_last));
    const auto lowest = unsigned(lowest_bit(limbs_that<Width>(tidx, is_not_zero)));
#pragma unroll
    for (unsigned k = 0; k < rows; k++) {
        const unsigned i = lane + k * Width;
        if (negative && i >= lowest) {
            digit[k] = i == lowest ? -digit[k] : ~digit[k];
            digit[k] = i < last ? digit[k] & int64_t(UINT32_MAX) : digit[k];
        }
        is_not_zero[k] = i <= last && digit[k] != 0;
        if (i <= last)
            cells[i] = digit[k];
    }
    const wide magnitude = limbs_that<Width>(tidx, is_not_zero);
    wave_barrier();
    wf_joined_sum sum = {};
    if (lane != 0)
        return sum;
    const int top = highest_bit(magnitude);
    uint64_t parts[5];
#pragma unroll
    for (int k = 0; k < 5; k++)
        parts[k] = top >= k ? uint64_t(int64_t(cells[unsigned(top - k)])) : 0;
    sum.magnitude = wf_magnitude_of_top(parts, top, !is_zero(magnitude) && lowest_bit(magnitude) < top - 4);
    sum.negative = negative;
    sum.counts = {int64_t(state[2]), int64_t(state[3]), int64_t(state[4]), int64_t(state[5]), int64_t(state[6])};
    return sum;
}

} // namespace wf
#endif
