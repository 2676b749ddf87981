/* A sum as a long integer: words of radix 2^32 in signed 64 bits, which are added without carries. The unit of word 0
 * is 2^-1074, the smallest double. C, C++ and device code. */
#ifndef WAVEFOLD_EXACT_SUM_WORDS_H
#define WAVEFOLD_EXACT_SUM_WORDS_H

#include "round_sum.h"
#include "wavefold_sum.h"

enum { WF_SUM_UNIT = -1074 }; /* the exponent of word 0's lowest bit */

/* Adds or subtracts significand 2^(WF_SUM_UNIT + position); at most 2^31 times before words are carried. */
WF_EXACT_FUNCTION void wf_add_significand(int64_t *words, uint64_t significand, int position, bool negative) {
    const int word = position / 32, shift = position % 32;
    const uint64_t low = significand << shift, high = shift == 0 ? 0 : significand >> (64 - shift);
    const int64_t sign = negative ? -1 : 1;
    words[word] += sign * (int64_t)(low & UINT32_MAX);
    words[word + 1] += sign * (int64_t)(low >> 32);
    if (high != 0)
        words[word + 2] += sign * (int64_t)high;
}

/* Carries: every word but the last becomes one of [0, 2^32); the last has the sign. The carry is rounded down by an
 * arithmetic shift, which all supported compilers generate; a division would be three times as many dependent
 * instructions. Zero words, the most in a sum of few terms, are skipped. */
WF_EXACT_FUNCTION void wf_carry_words(int64_t *words) {
    int64_t carried = 0;
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++) {
        if ((carried | words[i]) == 0)
            continue;
        carried += words[i];
        words[i] = carried & UINT32_MAX;
        carried >>= 32;
    }
    words[WF_SUM_LIMBS - 1] += carried;
}

/* parts: word `top`, the highest that is not 0, and the four words below it (0 if there are none). has_lower: a word
 * below those is not 0. */
WF_EXACT_FUNCTION wf_magnitude wf_magnitude_of_top(const uint64_t *parts, int top, bool has_lower) {
    wf_magnitude x;
    x.high = parts[0] << 32 | parts[1];
    x.low = parts[2] << 32 | parts[3];
    x.exponent = WF_SUM_UNIT + 32 * (top - 3);
    x.has_rest = false;
    if (x.high == 0 && x.low == 0)
        return x;
    const int zeros = wf_leading_zeros(x.high); /* less than 32: the top word is not 0 */
    x = wf_with_top_bit(x);
    const uint64_t fifth = parts[4] << 32;
    if (zeros > 0)
        x.low |= fifth >> (64 - zeros);
    x.has_rest = has_lower || fifth << zeros != 0;
    return x;
}

/* The magnitude of carried words; *negative: the sum is below 0. Negates the words in place if it is. */
WF_EXACT_FUNCTION wf_magnitude wf_magnitude_of_words(int64_t *words, bool *negative) {
    *negative = words[WF_SUM_LIMBS - 1] < 0;
    if (*negative) {
        WF_EXACT_LOOP_BY_4
        for (int i = 0; i < WF_SUM_LIMBS; i++)
            words[i] = -words[i];
        wf_carry_words(words);
    }
    int top = WF_SUM_LIMBS - 1;
    WF_EXACT_LOOP
    while (top > 0 && words[top] == 0)
        top--;
    /* The five highest words contain the 128 highest bits. */
    uint64_t parts[5];
    for (int i = 0; i < 5; i++)
        parts[i] = top >= i ? (uint64_t)words[top - i] : 0;
    int64_t lower = 0;
    WF_EXACT_LOOP_BY_4
    for (int i = 0; i < top - 4; i++)
        lower |= words[i];
    return wf_magnitude_of_top(parts, top, lower != 0);
}

/* Counts of a sum's terms. */
typedef struct wf_sum_counts {
    int64_t count, nans, positive_infinities, negative_infinities;
    int64_t others; /* not 0: some term is not -0 */
} wf_sum_counts;

/* The numbers of a state before its limbs. */
typedef struct wf_sum_head {
    int64_t merged, version;
    wf_sum_counts counts;
} wf_sum_head;
WF_EXACT_FUNCTION wf_sum_head wf_head_of_state(const wf_sum_state *state) {
    const wf_sum_head head = {
        state->merged,
        state->version,
        {state->count, state->nans, state->positive_infinities, state->negative_infinities, state->others}};
    return head;
}

/* The position, in the state, of a number that no sum of normalised states of this version has; -1: no such number. */
WF_EXACT_FUNCTION int wf_flaw_of_head(const wf_sum_head *head) {
    const wf_sum_counts *const counts = &head->counts;
    if (head->merged < 1 || head->merged > INT32_MAX)
        return 1;
    if (head->version != head->merged * WF_SUM_STATE_VERSION)
        return 0;
    if (counts->nans < 0 || counts->nans > counts->count)
        return 3;
    if (counts->positive_infinities < 0 || counts->positive_infinities > counts->count)
        return 4;
    if (counts->negative_infinities < 0 || counts->negative_infinities > counts->count)
        return 5;
    return counts->others < 0 || counts->others > counts->count ? 6 : -1;
}

/* True if limb i is out of range for the sum of `merged` normalised states. has_others: a term is not -0. */
WF_EXACT_FUNCTION bool wf_is_flawed_limb(int i, int64_t limb, int64_t merged, bool has_others) {
    const bool is_last = i == WF_SUM_LIMBS - 1;
    const int64_t most = merged << 32;
    /* A sum of 2^63 doubles has 17 bits in the last limb; each negative state subtracts 1. */
    const int64_t most_of_last = ((int64_t)1 << 18) + merged;
    return limb >= (is_last ? most_of_last : most) || limb < (is_last ? -most_of_last : 0) ||
           (!has_others && limb != 0);
}

/* The position of a number, of the state's 75, that is out of range; -1: all are in range. */
WF_EXACT_FUNCTION int wf_flaw_of_state(const wf_sum_state *state) {
    const wf_sum_head head = wf_head_of_state(state);
    const int flaw = wf_flaw_of_head(&head);
    if (flaw >= 0)
        return flaw;
    WF_EXACT_LOOP
    for (int i = 0; i < WF_SUM_LIMBS; i++)
        if (wf_is_flawed_limb(i, state->limb[i], head.merged, head.counts.others != 0))
            return 7 + i;
    return -1;
}

/* True if the last limb, after carrying, is out of range. */
WF_EXACT_FUNCTION bool wf_last_overflows(int64_t last) {
    const int64_t most = ((int64_t)1 << 18) + 1; /* the limit of one normalised state */
    return last >= most || last < -most;
}

/* True if carrying puts the last limb out of range: the state is invalid although each of its numbers is in range. */
WF_EXACT_FUNCTION bool wf_state_overflows(const wf_sum_state *state) {
    int64_t carried = 0;
    WF_EXACT_LOOP
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++)
        carried = (carried + state->limb[i]) / ((int64_t)1 << 32); /* no limb but the last is negative */
    return wf_last_overflows(state->limb[WF_SUM_LIMBS - 1] + carried);
}

/* NaN, infinities and -0: sets *bits and returns true; false for all other sums. A mean of no terms is NaN. */
WF_EXACT_FUNCTION bool wf_special_sum(const wf_sum_counts *counts, bool averages, wf_float_format format,
                                      uint64_t *bits) {
    const uint64_t infinity = wf_infinity_of(format);
    const bool is_nan = counts->nans != 0 || (counts->positive_infinities != 0 && counts->negative_infinities != 0);
    if (is_nan || (averages && counts->count == 0))
        *bits = infinity | UINT64_C(1) << (format.digits - 2); /* quiet, positive, without payload */
    else if (counts->positive_infinities != 0 || counts->negative_infinities != 0)
        *bits = counts->positive_infinities != 0 ? infinity : infinity | wf_sign_of(format);
    else if (counts->count != 0 && counts->others == 0)
        *bits = wf_sign_of(format); /* -0 */
    else
        return false;
    return true;
}

/* The bits of any other sum or mean. */
WF_EXACT_FUNCTION uint64_t wf_rounded_finite_sum(wf_magnitude x, bool negative, const wf_sum_counts *counts,
                                                 bool averages, wf_float_format format) {
    const uint64_t bits = wf_rounded_magnitude(x, averages ? (uint64_t)counts->count : 1, format);
    return negative ? bits | wf_sign_of(format) : bits; /* a sum of 0 is not negative */
}

/* The bits of any sum or mean. */
WF_EXACT_FUNCTION uint64_t wf_rounded_total(wf_magnitude x, bool negative, const wf_sum_counts *counts, bool averages,
                                            wf_float_format format) {
    uint64_t bits;
    if (wf_special_sum(counts, averages, format, &bits))
        return bits;
    return wf_rounded_finite_sum(x, negative, counts, averages, format);
}

/* The bits of a sum or mean from carried words, which are changed. */
WF_EXACT_FUNCTION uint64_t wf_rounded_sum(int64_t *words, const wf_sum_counts *counts, bool averages,
                                          wf_float_format format) {
    bool negative;
    const wf_magnitude x = wf_magnitude_of_words(words, &negative);
    return wf_rounded_total(x, negative, counts, averages, format);
}

#endif
