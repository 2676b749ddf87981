/* Operations on states of exact sums, for the library and the CPU's kernels. */
#ifndef WAVEFOLD_EXACT_SUM_STATE_H
#define WAVEFOLD_EXACT_SUM_STATE_H

#include "sum_words.h"
#include "wavefold_sum.h"

#include <string.h>

static inline wf_float_format wf_format_of(wf_type type) {
    const wf_type_facts facts = wf_facts_of_type(type);
    const wf_float_format format = {facts.digits, facts.exponent_bits};
    return format;
}

/* As wf_sum_state_init. */
static inline void wf_start_state(wf_sum_state *state) {
    memset(state, 0, sizeof *state);
    state->version = WF_SUM_STATE_VERSION;
    state->merged = 1;
}

/* As wf_sum_state_normalise, for a valid state. */
static inline void wf_normalise_state(wf_sum_state *state) {
    wf_carry_words(state->limb);
    state->others = state->others != 0;
    state->merged = 1;
    state->version = WF_SUM_STATE_VERSION;
}

static inline void wf_add_state(wf_sum_state *state, const wf_sum_state *other) {
    state->version += other->version;
    state->merged += other->merged;
    state->count += other->count;
    state->nans += other->nans;
    state->positive_infinities += other->positive_infinities;
    state->negative_infinities += other->negative_infinities;
    state->others += other->others;
    for (int i = 0; i < WF_SUM_LIMBS; i++)
        state->limb[i] += other->limb[i];
}

/* The bits of the sum or the mean in a float type. The state must be normalised, and is changed. */
static inline uint64_t wf_round_state(wf_sum_state *state, bool averages, wf_type type) {
    const wf_sum_counts counts = {state->count, state->nans, state->positive_infinities, state->negative_infinities,
                                  state->others};
    return wf_rounded_sum(state->limb, &counts, averages, wf_format_of(type));
}

#endif
