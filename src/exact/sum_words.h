/* A sum as a long integer: words of radix 2^32, kept in signed 64 bits, so that they add up without carries. Word 0
 * begins at 2^-1074, the least double. C, C++ and device code. */
#ifndef WAVEFOLD_EXACT_SUM_WORDS_H
#define WAVEFOLD_EXACT_SUM_WORDS_H

#include "round_sum.h"
#include "wavefold_sum.h"

enum { WF_SUM_UNIT = -1074 }; /* the exponent of word 0's lowest bit */

/* Adds, or subtracts, significand 2^(WF_SUM_UNIT + position); at most 2^31 times before words are carried. */
WF_EXACT_FUNCTION void wf_add_significand(int64_t *words, uint64_t significand, int position, bool negative) {
    const int word = position / 32, shift = position % 32;
    const uint64_t low = significand << shift, high = shift == 0 ? 0 : significand >> (64 - shift);
    const int64_t sign = negative ? -1 : 1;
    words[word] += sign * (int64_t)(low & UINT32_MAX);
    words[word + 1] += sign * (int64_t)(low >> 32);
    if (high != 0)
        words[word + 2] += sign * (int64_t)high;
}

/* Every word but the last into [0, 2^32); the last has the sign. What is carried is rounded down, as all
 * compilers here shift a negative number; of a division three times as many instructions would wait for each other.
 * Most words of a sum of few terms are 0, and wait for nothing. */
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

/* parts: the highest word that is not 0, number top, and the four below it, 0 where there is none. has_lower: some word
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

/* Of carried words: the magnitude, and whether the sum is below 0. Negative words are turned round meanwhile. */
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
    /* Five words from the top on hold 128 bits from the top bit on. */
    uint64_t parts[5];
    for (int i = 0; i < 5; i++)
        parts[i] = top >= i ? (uint64_t)words[top - i] : 0;
    int64_t lower = 0;
    WF_EXACT_LOOP_BY_4
    for (int i = 0; i < top - 4; i++)
        lower |= words[i];
    return wf_magnitude_of_top(parts, top, lower != 0);
}

/* What is known of a sum beside its finite terms. */
typedef struct wf_sum_counts {
    int64_t count, nans, positive_infinities, negative_infinities;
    int64_t others; /* not 0: some term is not -0 */
} wf_sum_counts;

/* A state's numbers before its limbs. */
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

/* Which of those, in the order of a state, are none of states of this version that were added up; -1: none. */
WF_EXACT_FUNCTION int wf_flaw_of_head(const wf_sum_head *head) {
    const wf_sum_counts *const of = &head->counts;
    if (head->merged < 1 || head->merged > INT32_MAX)
        return 1;
    if (head->version != head->merged * WF_SUM_STATE_VERSION)
        return 0;
    if (of->nans < 0 || of->nans > of->count)
        return 3;
    if (of->positive_infinities < 0 || of->positive_infinities > of->count)
        return 4;
    if (of->negative_infinities < 0 || of->negative_infinities > of->count)
        return 5;
    return of->others < 0 || of->others > of->count ? 6 : -1;
}

/* Whether limb i is none of such states', which are so many; has_others: of which some term is not -0. */
WF_EXACT_FUNCTION bool wf_is_flawed_limb(int i, int64_t limb, int64_t merged, bool has_others) {
    const bool is_last = i == WF_SUM_LIMBS - 1;
    const int64_t most = merged << 32;
    /* A sum of 2^63 doubles has 17 bits there; each state below 0 takes 1 off. */
    const int64_t most_of_last = ((int64_t)1 << 18) + merged;
    return limb >= (is_last ? most_of_last : most) || limb < (is_last ? -most_of_last : 0) ||
           (!has_others && limb != 0);
}

/* Which of a state's 75 numbers no states of this version add up to; -1: none. */
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

/* Whether the last limb, with all others carried into it, is no state's. */
WF_EXACT_FUNCTION bool wf_last_overflows(int64_t last) {
    const int64_t most = ((int64_t)1 << 18) + 1; /* as of one normalised state */
    return last >= most || last < -most;
}

/* Whether the last limb is out of its bounds when the others are carried into it: then no states of this version add up
 * to this one, though none of its numbers has a flaw alone. */
WF_EXACT_FUNCTION bool wf_state_overflows(const wf_sum_state *state) {
    int64_t carried = 0;
    WF_EXACT_LOOP
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++)
        carried = (carried + state->limb[i]) / ((int64_t)1 << 32); /* none is below 0 */
    return wf_last_overflows(state->limb[WF_SUM_LIMBS - 1] + carried);
}

/* The bits of a sum that needs no arithmetic: true; or false. A mean of no terms is NaN. */
WF_EXACT_FUNCTION bool wf_special_sum(const wf_sum_counts *of, bool averages, wf_float_format format, uint64_t *bits) {
    const uint64_t infinity = wf_infinity_of(format);
    const bool is_nan = of->nans != 0 || (of->positive_infinities != 0 && of->negative_infinities != 0);
    if (is_nan || (averages && of->count == 0))
        *bits = infinity | UINT64_C(1) << (format.digits - 2); /* quiet, positive, with no payload */
    else if (of->positive_infinities != 0 || of->negative_infinities != 0)
        *bits = of->positive_infinities != 0 ? infinity : infinity | wf_sign_of(format);
    else if (of->count != 0 && of->others == 0)
        *bits = wf_sign_of(format); /* -0 */
    else
        return false;
    return true;
}

/* The bits of a sum, or a mean, that does. */
WF_EXACT_FUNCTION uint64_t wf_rounded_finite_sum(wf_magnitude x, bool negative, const wf_sum_counts *of, bool averages,
                                                 wf_float_format format) {
    const uint64_t bits = wf_rounded_magnitude(x, averages ? (uint64_t)of->count : 1, format);
    return negative ? bits | wf_sign_of(format) : bits; /* of a sum of 0 it is not */
}

/* The bits of any sum, or mean. */
WF_EXACT_FUNCTION uint64_t wf_rounded_total(wf_magnitude x, bool negative, const wf_sum_counts *of, bool averages,
                                            wf_float_format format) {
    uint64_t bits;
    if (wf_special_sum(of, averages, format, &bits))
        return bits;
    return wf_rounded_finite_sum(x, negative, of, averages, format);
}

/* The same of words, which are carried; changes them. */
WF_EXACT_FUNCTION uint64_t wf_rounded_sum(int64_t *words, const wf_sum_counts *of, bool averages,
                                          wf_float_format format) {
    bool negative;
    const wf_magnitude x = wf_magnitude_of_words(words, &negative);
    return wf_rounded_total(x, negative, of, averages, format);
}

#endif
