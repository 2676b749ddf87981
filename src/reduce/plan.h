/* The plan of a reduction, and the requests that it becomes. */
#ifndef WAVEFOLD_REDUCE_PLAN_H
#define WAVEFOLD_REDUCE_PLAN_H

#include "launch_table.h"
#include "request.h"
#include "sequential.h"

#include <stdbool.h>

/* What is folded; made by one of the functions below. */
typedef struct wf_reduce_plan {
    wf_reduce_spec spec; /* of a description, type and nan alone */
    bool describes, is_exact;
    wf_exact_result exact_result;
    uint32_t request; /* of WF_EXACT_MESSAGE */
    wf_type accumulator;
    size_t element_bytes, value_bytes, result_bytes, result_alignment;
    union {
        wf_result result;
        wf_description description;
    } of_none; /* the result of no elements, where that is no state */
} wf_reduce_plan;

wf_status wf_reduce_plan_of(const wf_reduce_spec *spec, wf_reduce_plan *plan);
/* An exact sum that becomes a state, or is added to one. */
wf_status wf_reduce_plan_of_state(const wf_reduce_spec *spec, wf_exact_result result, wf_reduce_plan *plan);
wf_status wf_reduce_plan_of_description(const wf_describe_spec *spec, wf_reduce_plan *plan);

/* "sum of f32", for messages. */
typedef struct wf_plan_text {
    char text[64];
} wf_plan_text;
wf_plan_text wf_plan_name(const wf_reduce_plan *plan);

/* The result of no elements: result_bytes. */
void wf_put_fold_of_none(const wf_reduce_plan *plan, void *result);

/* A device is fast in f64 if its f32 is at most this many times as fast. */
enum { WF_FAST_F64_RATIO = 4 };

/* Packs of 16 bytes that a thread of a tile by itself takes at once there (short_packs of hip/reduce/thread_reduce.hpp)
 * if these are fewer than those of sums of f32, with which launch tables are measured; else 0. */
uint32_t wf_short_packs(const wf_reduce_plan *plan);
/* The same of a cluster tile; 0: there is none for such a fold. */
uint32_t wf_cluster_packs(const wf_reduce_plan *plan);

/* The launch of elements first to first + count - 1 of whole, at source; the one with the last element writes the
 * result. All launches of a reduction have one shape and one workspace. */
wf_reduce_request wf_reduce_request_of(const wf_context *context, const wf_reduce_plan *plan, wf_launch_shape shape,
                                       void *workspace, const void *source, uint64_t first, uint64_t count,
                                       uint64_t whole, void *result);

/* What a backend's reduce takes. */
wf_reduce_request wf_reduce_request_on_cpu(const wf_reduce_plan *plan, const void *source, uint64_t count,
                                           void *result);

#endif
