/* Exact sums in parts: states that add up, in any order and on any machine, and are rounded once.
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_SUM_H
#define WAVEFOLD_SUM_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_SUM_STATE_VERSION = 1, WF_SUM_LIMBS = 68, WF_SUM_STATE_BYTES = 600 };

/* An exact sum before it is rounded: 75 numbers of 64 bits, which add up. The sum of the states of two arrays, number
 * by number, is a state of both: MPI_SUM over MPI_INT64_T, ncclSum over ncclInt64 and a loop all merge states. Every
 * element type has the same state, so sums of f16 and of f64 may be merged.
 *
 *   limbs:       the finite terms come to the sum of limb[k] 2^(32 k - 1074)
 *   normalised:  merged is 1, limbs but the last are in [0, 2^32), others is 0 or 1. That form is unique, so equal
 *                states compare equal by memcmp. wf_sum_state_accumulate and wf_sum_state_normalise leave it.
 *   headroom:    up to 2^31 - 1 normalised states may be added up; wf_sum_state_merge normalises when need be
 *   versions:    Version 1 is this; a state of another version is refused. A state that this version wrote will be read
 *                by every later one. */
typedef struct wf_sum_state {
    int64_t version; /* WF_SUM_STATE_VERSION times merged */
    int64_t merged;  /* how many normalised states have been added up */
    int64_t count;   /* terms, of any value */
    int64_t nans, positive_infinities, negative_infinities;
    int64_t others; /* not 0: some term is not -0 */
    int64_t limb[WF_SUM_LIMBS];
} wf_sum_state;

/* The state of no terms, normalised. NULL is a no-op. */
WF_API void wf_sum_state_init(wf_sum_state *state);

/* Adds the terms of count elements at in to the state, and normalises it.
 *   spec:     sum, mean or asum of floats, or sumsq of f16, bf16 and f32; its accumulator and accuracy are ignored
 *   state:    a state. wf_sum_state_accumulate: host memory; it has not changed on failure.
 *             wf_sum_state_accumulate_async: memory that the device can read and write, aligned to 8 bytes. What is no
 *             state there, which wf_sum_state_round will tell, is not changed, nor is one that would have 2^63 terms or
 *             come to more than any sum.
 *   the rest: as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                         wf_sum_state *state);
WF_API wf_status wf_sum_state_accumulate_async(wf_context *context, const wf_reduce_spec *spec, const void *in,
                                               size_t count, wf_sum_state *state, void *stream);

/* What follows takes host memory, and fails with WF_INVALID_ARGUMENT for what can be no state of this version. A number
 * that was changed, and makes another state, is not noticed. */

/* Adds other to state, which may be the same. */
WF_API wf_status wf_sum_state_merge(wf_sum_state *state, const wf_sum_state *other);
WF_API wf_status wf_sum_state_normalise(wf_sum_state *state);
/* The sum, or with WF_MEAN the mean, rounded once.
 *   state:    made by wf_sum_state_init: a struct of zeros is no state, and is refused
 *   op:       WF_SUM, which asum and sumsq are as well, or WF_MEAN
 *   type:     f16, bf16, f32 or f64
 *   result:   of any alignment; result_bytes is wf_type_size(type) */
WF_API wf_status wf_sum_state_round(const wf_sum_state *state, wf_op op, wf_type type, void *result,
                                    size_t result_bytes);
/* The state, normalised, as WF_SUM_STATE_BYTES bytes that are the same on every machine: its numbers in the order of
 * the structure, each with the lowest byte first; and back. */
WF_API wf_status wf_sum_state_write(const wf_sum_state *state, unsigned char *bytes);
WF_API wf_status wf_sum_state_read(wf_sum_state *state, const unsigned char *bytes);

#ifdef __cplusplus
}
#endif
#endif
