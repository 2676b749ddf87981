// finish_exact_sum(): rounds and stores the grid's sum, or its state, by one wave of the launch.
#ifndef WAVEFOLD_REDUCE_EXACT_GRID_FINISH_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_GRID_FINISH_SUM_HPP

#include "../../atomic.hpp"
#include "../../wave.hpp"
#include "exact_request.hpp"
#include "exact_rounding.hpp"
#include "grid_words.hpp"
#include "wavefold_sum.h"

#include "message/message_part.h"

#include <cstddef>

namespace wf {

// Stores the words as a state, or adds them to a state; flawed states stay as they are. Called by a wave.
template <unsigned Width>
__device__ __forceinline__ void put_state(const tiled_index &tidx, const exact_request &want, grid_words<Width> words,
                                          wf_sum_counts counts, void *result) {
    const bool leads = lane_of<Width>(tidx) == 0;
    auto *message = static_cast<uint64_t *>(result);
    for (int i = 0; i < WF_MESSAGE_CHECK_WORDS && want.result == WF_EXACT_MESSAGE; i++, message++)
        if (leads)
            *message = wf_message_check_word(i, want.request);
    auto *const state = reinterpret_cast<wf_sum_state *>(message);
    const array_view<int64_t> limbs(state->limb, WF_SUM_LIMBS);
    if (want.result == WF_EXACT_ADDED) {
        const wf_sum_head before = wf_head_of_state(state);
        if (wf_flaw_of_head(&before) >= 0 || before.counts.count > INT64_MAX - counts.count)
            return;
        grid_words<Width> there(tidx);
        there.take_limbs(limbs);
        if (there.any_limb([&before](unsigned i, int64_t limb) {
                return wf_is_flawed_limb(int(i), limb, before.merged, before.counts.others != 0);
            }))
            return;
        there.carry(); // the state may be a sum of states
        words.add(there);
        words.carry();
        if (there.overflows() || words.overflows())
            return;
        counts.count += before.counts.count;
        counts.nans += before.counts.nans;
        counts.positive_infinities += before.counts.positive_infinities;
        counts.negative_infinities += before.counts.negative_infinities;
        counts.others |= before.counts.others;
    }
    wave_barrier(); // all lanes have read the state
    words.put_limbs(limbs);
    if (!leads)
        return;
    state->version = WF_SUM_STATE_VERSION;
    state->merged = 1;
    state->count = counts.count;
    state->nans = counts.nans;
    state->positive_infinities = counts.positive_infinities;
    state->negative_infinities = counts.negative_infinities;
    state->others = counts.others != 0 ? 1 : 0;
}

// Stores the sum of one window as a state, or as a message with a state. No lane waits for a carry.
template <unsigned Width>
__device__ __forceinline__ void put_window(const tiled_index &tidx, const exact_request &want, const wide &total,
                                           int base, bool others, void *result) {
    constexpr unsigned counts = WF_MESSAGE_CHECK_WORDS, limbs = counts + WF_SUM_STATE_BYTES / 8 - WF_SUM_LIMBS;
    constexpr unsigned words = limbs + WF_SUM_LIMBS;
    const unsigned left_out = want.result == WF_EXACT_MESSAGE ? 0 : counts;
    const array_view<uint64_t> message(static_cast<uint64_t *>(result) - left_out, words);
#pragma unroll 1
    for (unsigned i = left_out + lane_of<Width>(tidx); i < words; i += Width) {
        message[i] = i < counts        ? wf_message_check_word(int(i), want.request)
                     : i == counts     ? uint64_t(WF_SUM_STATE_VERSION)
                     : i == counts + 1 ? 1
                     : i == counts + 2 ? want.count
                     : i == limbs - 1  ? (others ? 1u : 0u)
                     : i < limbs       ? 0
                                       : uint64_t(word_of(total, base, i - limbs));
    }
}

// The carried words of a sum that one window does not hold: what tiles and launches have added, and this window. If
// launches follow, the words stay in device memory for them.
template <unsigned Width>
__device__ __forceinline__ grid_words<Width> all_words(const tiled_index &tidx, const exact_request &want,
                                                       const wide &total, int base, bool others) {
    const array_view<int64_t> sum_words(want.words, WF_SUM_WORDS);
    grid_words<Width> words(tidx);
    words.take(sum_words);
    words.add(total, base);
    words.add_others(others);
    words.carry();
    if (want.is_last == 0)
        words.put(sum_words);
    return words;
}
__device__ __forceinline__ wf_magnitude magnitude_in_window(const wide &total, int base) {
    const wide magnitude = magnitude_of(total);
    return {magnitude.high, magnitude.low, WF_SUM_UNIT + base, false};
}

__device__ __forceinline__ void store_rounded(const exact_request &want, const wf_magnitude &x, bool negative,
                                              const wf_sum_counts &counts, void *result) {
    const wf_float_format format = {want.digits, want.exponent_bits};
    store_sum(result, format, wf_rounded_total(x, negative, &counts, want.averages != 0, format));
}

// finish_exact_sum() for sums that one window does not hold, sums of several launches, and sums added to a state.
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool finish_words(const exact_request want, const wide total, int base, bool others,
                                            void *result) {
    const tiled_index tidx;
    grid_words<Width> words = all_words<Width>(tidx, want, total, base, others);
    if (want.is_last == 0)
        return false;
    const wf_sum_counts counts = words.counts(want.count);
    if (want.result == WF_EXACT_ROUNDED) {
        bool negative;
        const wf_magnitude x = words.magnitude(negative);
        if (lane_of<Width>(tidx) == 0)
            store_rounded(want, x, negative, counts, result);
    } else {
        put_state<Width>(tidx, want, words, counts, result);
    }
    return true;
}

// finish_exact_sum() for any sum. Out of line, because usual sums of small arrays would wait until these instructions
// are fetched.
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool finish_any_sum(const exact_request want, const wide total, uint32_t flags, int base,
                                              void *result) {
    const tiled_index tidx;
    const bool others = (flags & exact_others) != 0, adds = want.result == WF_EXACT_ADDED;
    if (want.is_first == 0 || want.is_last == 0 || (flags & exact_spilled) != 0 || adds)
        return finish_words<Width>(want, total, base, others, result);
    if (want.result != WF_EXACT_ROUNDED) {
        put_window<Width>(tidx, want, total, base, others, result);
    } else if (lane_of<Width>(tidx) == 0) {
        const wf_sum_counts counts = {int64_t(want.count), 0, 0, 0, others ? 1 : 0};
        store_rounded(want, magnitude_in_window(total, base), is_negative(total), counts, result);
    }
    return true;
}

// Called by a wave, with the total in every lane. Returns false if launches follow, for which want.words wait.
template <class Element, unsigned Width>
__device__ __forceinline__ bool finish_exact_sum(const tiled_index &tidx, const exact_request &want, const wide &total,
                                                 uint32_t flags, int base, void *result) {
    const wf_float_format to = usual_format<Element>(want);
    uint64_t bits;
    if (__builtin_expect(
            want.is_usual != 0 && (flags & exact_spilled) == 0 && round_usual<Element>(total, base, to, bits), 1)) {
        if (lane_of<Width>(tidx) == 0)
            store_sum(result, to, bits);
        return true;
    }
    return finish_any_sum<Width>(want, total, flags, base, result);
}

} // namespace wf
#endif
