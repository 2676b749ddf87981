// finish_exact_sum(): what becomes of a sum, by one thread of the launch.
#ifndef WAVEFOLD_REDUCE_EXACT_FINISH_HPP
#define WAVEFOLD_REDUCE_EXACT_FINISH_HPP

#include "exact_value.hpp"

namespace wf {

// What becomes of the sum.
struct exact_request {
    uint8_t digits, exponent_bits; // of the type into which it is rounded
    uint8_t averages, result;      // wf_exact_result
    uint8_t is_first, is_last;     // of the launches that the sum takes
    uint8_t is_usual;              // one launch takes it all, and the sum is rounded to the element's own type
    uint64_t count;                // of elements in all launches
    int64_t *words; // WF_SUM_WORDS: of the sum, then nans, positive_infinities, negative_infinities and others
};

__device__ __forceinline__ void store_sum(void *result, wf_float_format format, uint64_t bits) {
    const int bytes = (format.digits + format.exponent_bits) / 8;
    if (bytes == 8)
        *static_cast<uint64_t *>(result) = bits;
    else if (bytes == 4)
        *static_cast<uint32_t *>(result) = uint32_t(bits);
    else
        *static_cast<uint16_t *>(result) = uint16_t(bits);
}

// Where all terms are in the window.
__device__ __forceinline__ uint64_t round_window(const wide &total, int base, const wf_sum_counts &counts,
                                                 bool averages, wf_float_format format) {
    uint64_t bits;
    if (wf_special_sum(&counts, averages, format, &bits))
        return bits;
    const wide magnitude = magnitude_of(total);
    const wf_magnitude x = {magnitude.high, magnitude.low, WF_SUM_UNIT + base, false};
    return wf_rounded_finite_sum(x, is_negative(total), &counts, averages, format);
}

__device__ __forceinline__ void add_to_words(int64_t *words, const wide &total, int base, bool others) {
    const bool negative = is_negative(total);
    const wide magnitude = magnitude_of(total);
    if (magnitude.low != 0)
        wf_add_significand(words, magnitude.low, base, negative);
    if (magnitude.high != 0)
        wf_add_significand(words, magnitude.high, base + 64, negative);
    words[WF_SUM_LIMBS + 3] += others ? 1 : 0;
}

// The words become a state, or are added to one.
__device__ __forceinline__ void put_state(const exact_request &want, const wf_sum_counts &counts, wf_sum_state *state) {
    const bool adds = want.result == WF_EXACT_ADDED;
    if (adds && (wf_flaw_of_state(state) >= 0 || state->count > INT64_MAX - counts.count))
        return; // no state, or one that would not be
    if (adds)
        wf_carry_words(state->limb); // it may be the sum of many
    const wf_sum_counts none = {0, 0, 0, 0, 0};
    wf_sum_counts before = none;
    if (adds)
        before = {state->count, state->nans, state->positive_infinities, state->negative_infinities, state->others};
#pragma unroll 1
    for (int i = 0; i < WF_SUM_LIMBS; i++)
        state->limb[i] = (adds ? state->limb[i] : 0) + want.words[i];
    wf_carry_words(state->limb);
    state->version = WF_SUM_STATE_VERSION;
    state->merged = 1;
    state->count = before.count + counts.count;
    state->nans = before.nans + counts.nans;
    state->positive_infinities = before.positive_infinities + counts.positive_infinities;
    state->negative_infinities = before.negative_infinities + counts.negative_infinities;
    state->others = before.others != 0 || counts.others != 0 ? 1 : 0;
}

// By one thread. false: later parts follow, and the words wait for them.
template <class Element>
__device__ __forceinline__ bool finish_exact_sum(const exact_request &want, const wide &total, uint32_t flags, int base,
                                                 void *result) {
    const bool is_spilled = (flags & exact_spilled) != 0, others = (flags & exact_others) != 0;
    const auto terms = int64_t(want.count);
    const wf_float_format format = {want.digits, want.exponent_bits};
    const wf_sum_counts in_window = {terms, 0, 0, 0, others ? 1 : 0};
    if (want.is_usual != 0 && !is_spilled) { // again, and shorter: what a small sum waits for
        constexpr wf_float_format own = {float_layout<Element>::digits, float_layout<Element>::exponent_bits};
        store_sum(result, own, round_window(total, base, in_window, false, own));
        return true;
    }
    if (want.is_first != 0 && want.is_last != 0 && !is_spilled && want.result == WF_EXACT_ROUNDED) {
        store_sum(result, format, round_window(total, base, in_window, want.averages != 0, format));
        return true;
    }
    int64_t *const words = want.words;
    add_to_words(words, total, base, others);
    wf_carry_words(words);
    if (want.is_last == 0)
        return false;
    const wf_sum_counts counts = {terms, words[WF_SUM_LIMBS], words[WF_SUM_LIMBS + 1], words[WF_SUM_LIMBS + 2],
                                  words[WF_SUM_LIMBS + 3]};
    if (want.result == WF_EXACT_ROUNDED)
        store_sum(result, format, wf_rounded_sum(words, &counts, want.averages != 0, format));
    else
        put_state(want, counts, static_cast<wf_sum_state *>(result));
#pragma unroll 1
    for (int i = 0; i < WF_SUM_WORDS; i++)
        words[i] = 0;
    return true;
}

} // namespace wf
#endif
