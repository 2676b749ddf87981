/* The plan of wf_scatter_reduce, for kernels and for the CPU. */
#ifndef WAVEFOLD_BY_KEY_SCATTER_H
#define WAVEFOLD_BY_KEY_SCATTER_H

#include "steps.h"
#include "wavefold_by_key.h"

#include <stdbool.h>

typedef struct wf_scatter_plan {
    wf_context *context;
    wf_reduce_plan reduction;
    wf_by_key_values of; /* its plan is `reduction`, or NULL */
    size_t value_bytes;
    wf_type index_type;
    const void *indices;
    uint64_t count, bins;
    void *result;
    bool onto, checks; /* WF_SCATTER_ONTO, WF_CHECK_INDICES */
} wf_scatter_plan;

/* Checks a call, and completes a plan that has its context, arrays and count. */
wf_status wf_scatter_plan_of(const wf_reduce_spec *spec, const wf_scatter *scatter, size_t result_bytes,
                             wf_scatter_plan *plan);

/* The elements that are reduced: those of the bins come first. */
static inline uint64_t wf_scatter_elements(const wf_scatter_plan *plan) {
    return plan->count + (plan->onto ? plan->bins : 0);
}
/* The sign bit of an index, or 0. */
uint64_t wf_scatter_sign_bit(const wf_scatter_plan *plan);
/* The bits that tell the bins, and what is outside of them, apart. */
uint32_t wf_scatter_bits(const wf_scatter_plan *plan);
/* Refuses the index at place i. */
wf_status wf_scatter_refuse(const wf_scatter_plan *plan, uint64_t i);

wf_status wf_scatter_on_cpu(const wf_scatter_plan *plan);

#endif
