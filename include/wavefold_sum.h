/* Exact sums in parts: states that add up, in any order and on any machine, and are rounded once.
 *
 * The rules for every function in wavefold.h hold here, too. */
#ifndef WAVEFOLD_SUM_H
#define WAVEFOLD_SUM_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_SUM_STATE_VERSION = 1, WF_SUM_LIMBS = 68, WF_SUM_STATE_BYTES = 600 };

/* An exact sum before it is rounded: 75 numbers of 64 bits. States are merged by adding them number by number: with
 * MPI_SUM over MPI_INT64_T, with ncclSum over ncclInt64, or in a loop. All element types share one kind of state, so
 * sums of f16 and of f64 may be merged.
 *
 *   limbs:       the finite terms sum to the sum of limb[k] 2^(32 k - 1074)
 *   normalised:  merged is 1, every limb but the last is in [0, 2^32), and others is 0 or 1. This form is unique, so
 *                memcmp compares states. wf_sum_state_accumulate and wf_sum_state_normalise produce it.
 *   headroom:    up to 2^31 - 1 normalised states may be added; wf_sum_state_merge normalises if it must
 *   versions:    this is version 1. States of other versions are refused; later versions will read this one. */
typedef struct wf_sum_state {
    int64_t version; /* WF_SUM_STATE_VERSION times merged */
    int64_t merged;  /* number of normalised states that were added */
    int64_t count;   /* number of terms, of any value */
    int64_t nans, positive_infinities, negative_infinities;
    int64_t others; /* not 0 if at least one term is not -0 */
    int64_t limb[WF_SUM_LIMBS];
} wf_sum_state;

/* Sets *state to the normalised state of no terms. NULL is a no-op. */
WF_API void wf_sum_state_init(wf_sum_state *state);

/* Adds the terms of count elements at in to the state, and normalises it.
 *   spec:     sum, mean or asum of floats, or sumsq of f16, bf16 and f32; its accumulator and accuracy are ignored
 *   state:    wf_sum_state_accumulate: host memory, not changed on failure. wf_sum_state_accumulate_async: memory that
 *             the device reads and writes, aligned to 8 bytes. The queued work leaves an invalid state as it is
 *             (wf_sum_state_round reports it), and also a state that would get 2^63 terms or a sum beyond its limits.
 *   the rest: as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                         wf_sum_state *state);
WF_API wf_status wf_sum_state_accumulate_async(wf_context *context, const wf_reduce_spec *spec, const void *in,
                                               size_t count, wf_sum_state *state, void *stream);

/* The functions below take host memory. They fail with WF_INVALID_ARGUMENT for an invalid state; they cannot detect a
 * changed number that makes another valid state. */

/* Adds other to state; both may be the same object. */
WF_API wf_status wf_sum_state_merge(wf_sum_state *state, const wf_sum_state *other);
WF_API wf_status wf_sum_state_normalise(wf_sum_state *state);
/* Writes the sum or the mean, rounded once.
 *   state:    started by wf_sum_state_init; a struct of zeros is refused
 *   op:       WF_SUM (also for states of asum and sumsq) or WF_MEAN
 *   type:     f16, bf16, f32 or f64
 *   result:   of any alignment; result_bytes is wf_type_size(type) */
WF_API wf_status wf_sum_state_round(const wf_sum_state *state, wf_op op, wf_type type, void *result,
                                    size_t result_bytes);
/* Write the normalised state as WF_SUM_STATE_BYTES bytes, and read it back. The bytes are the same on every machine:
 * the numbers in the order of the structure, each with the lowest byte first. */
WF_API wf_status wf_sum_state_write(const wf_sum_state *state, unsigned char *bytes);
WF_API wf_status wf_sum_state_read(wf_sum_state *state, const unsigned char *bytes);

#ifdef __cplusplus
}
#endif
#endif
