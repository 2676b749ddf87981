/* The steps of reductions by key, and what their files share. */
#ifndef WAVEFOLD_BY_KEY_STEPS_H
#define WAVEFOLD_BY_KEY_STEPS_H

#include "launch.h"
#include "reduce/plan.h"
#include "request.h"

/* What is reduced: elements, or their number if plan is NULL. */
typedef struct wf_by_key_values {
    const wf_reduce_plan *plan;
    const void *values;
    size_t result_bytes; /* of one result */
    size_t result_alignment;
} wf_by_key_values;

/* Plans a reduction; spec NULL: a count. plan is room for the plan. */
wf_status wf_by_key_values_of(const wf_reduce_spec *spec, const void *values, size_t count, wf_reduce_plan *plan,
                              wf_by_key_values *made);

/* Launches a step of one thread for each of `items`, in several launches if necessary. */
wf_status wf_by_key_launch(const wf_queue *queue, wf_by_key_request *request, uint64_t items);
/* Launches a step whose tiles stride over `items`. */
wf_status wf_by_key_launch_striding(const wf_queue *queue, wf_by_key_request *request, uint64_t items);
/* Results for segments of an array, whose offsets (of 64 bits) are in device memory: reductions, or lengths. */
wf_status wf_by_key_reduce(const wf_queue *queue, const wf_by_key_values *of, const void *values, uint64_t count,
                           void *offsets, uint64_t segments, void *result);
/* The bytes of room that wf_by_key_reduce takes at the most. */
size_t wf_by_key_reduce_bytes(const wf_by_key_values *of, uint64_t count);
/* The same on the CPU, without launches. */
wf_status wf_by_key_reduce_on_cpu(const wf_context *context, const wf_by_key_values *of, const void *values,
                                  uint64_t count, const uint64_t *offsets, uint64_t segments, void *result);

#endif
