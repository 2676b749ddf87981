/* The plan of a reduction, and the requests that are made from it. */
#ifndef WAVEFOLD_REDUCE_PLAN_H
#define WAVEFOLD_REDUCE_PLAN_H

#include "launch_table.h"
#include "request.h"
#include "sequential.h"

#include <stdbool.h>

/* Made by one of the functions below. */
typedef struct wf_reduce_plan {
    wf_reduce_spec spec; /* descriptions use only type and nan */
    bool describes, is_exact;
    wf_exact_result exact_result;
    uint32_t request; /* for WF_EXACT_MESSAGE */
    wf_type accumulator;
    size_t element_bytes, value_bytes, result_bytes, result_alignment;
    union {
        wf_result result;
        wf_description description;
    } of_none; /* the result for no elements, unless the result is a state */
} wf_reduce_plan;

wf_status wf_reduce_plan_of(const wf_reduce_spec *spec, wf_reduce_plan *plan);
/* An exact sum whose result is a state, or is added to one. */
wf_status wf_reduce_plan_of_state(const wf_reduce_spec *spec, wf_exact_result result, wf_reduce_plan *plan);
wf_status wf_reduce_plan_of_description(const wf_describe_spec *spec, wf_reduce_plan *plan);

/* "sum of f32", for messages. */
typedef struct wf_plan_text {
    char text[64];
} wf_plan_text;
wf_plan_text wf_plan_name(const wf_reduce_plan *plan);

/* Writes the result for no elements: result_bytes. */
void wf_put_fold_of_none(const wf_reduce_plan *plan, void *result);

/* A device counts as fast in f64 if its f32 is at most this many times as fast. */
enum { WF_FAST_F64_RATIO = 4 };

/* short_packs of wf_launch_needs: the packs of 16 bytes that a thread of a single tile takes at once
 * (hip/reduce/thread_reduce.hpp), if they are fewer than for sums of f32, with which launch tables are measured; else
 * 0. */
uint32_t wf_short_packs(const wf_reduce_plan *plan);
/* Packs that a thread of a cluster tile takes at once; 0: this reduction has no cluster tile. */
uint32_t wf_cluster_packs(const wf_reduce_plan *plan);

/* The request for elements first to first + count - 1 of `whole` elements; source points to element first. The launch
 * with the last element writes the result. All launches of a reduction share a shape and a workspace. */
wf_reduce_request wf_reduce_request_of(const wf_context *context, const wf_reduce_plan *plan, wf_launch_shape shape,
                                       void *workspace, const void *source, uint64_t first, uint64_t count,
                                       uint64_t whole, void *result);

/* The request for a backend's reduce function. */
wf_reduce_request wf_reduce_request_on_cpu(const wf_reduce_plan *plan, const void *source, uint64_t count,
                                           void *result);

#endif
