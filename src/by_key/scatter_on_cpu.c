/* wf_scatter_reduce on the CPU: the same steps as by kernels, in memory that is allocated for the call. */
#include "scatter.h"

#include "algebra.h"
#include "sort/sorting.h"
#include "status.h"
#include "wf_context.h"

#include <stdlib.h>
#include <string.h>

/* The bin of index i; plan->bins: it is outside of them. */
static uint64_t bin_of(const wf_scatter_plan *plan, uint64_t sign_bit, uint64_t i) {
    uint64_t index = 0;
    switch (wf_type_size(plan->index_type)) {
    case 1:
        index = ((const uint8_t *)plan->indices)[i];
        break;
    case 2:
        index = ((const uint16_t *)plan->indices)[i];
        break;
    case 4:
        index = ((const uint32_t *)plan->indices)[i];
        break;
    default:
        index = ((const uint64_t *)plan->indices)[i];
        break;
    }
    return (index & sign_bit) != 0 || index >= plan->bins ? plan->bins : index;
}

static wf_status check_indices(const wf_scatter_plan *plan) {
    const uint64_t sign_bit = wf_scatter_sign_bit(plan);
    for (uint64_t i = 0; i < plan->count; i++)
        if (bin_of(plan, sign_bit, i) == plan->bins)
            return wf_scatter_refuse(plan, i);
    return WF_OK;
}

static void count(const wf_scatter_plan *plan) {
    const uint64_t sign_bit = wf_scatter_sign_bit(plan);
    uint64_t *const counts = plan->result;
    if (!plan->onto && plan->bins != 0)
        memset(counts, 0, (size_t)plan->bins * sizeof *counts);
    for (uint64_t i = 0; i < plan->count; i++) {
        const uint64_t bin = bin_of(plan, sign_bit, i);
        if (bin != plan->bins)
            counts[bin]++;
    }
}

typedef struct scatter_memory {
    uint32_t *bins;
    uint64_t *offsets;
    char *values;
} scatter_memory;

/* Elements of the bins first, then the others in their order. */
static void join(const wf_scatter_plan *plan, scatter_memory *memory) {
    const uint64_t sign_bit = wf_scatter_sign_bit(plan), of_bins = plan->onto ? plan->bins : 0;
    for (uint64_t b = 0; b < of_bins; b++)
        memory->bins[b] = (uint32_t)b;
    for (uint64_t i = 0; i < plan->count; i++)
        memory->bins[of_bins + i] = (uint32_t)bin_of(plan, sign_bit, i);
    if (of_bins != 0)
        memcpy(memory->values, plan->result, (size_t)of_bins * plan->value_bytes);
    if (plan->count != 0)
        memcpy(memory->values + of_bins * plan->value_bytes, plan->of.values, (size_t)plan->count * plan->value_bytes);
}

static void set_offsets(const wf_scatter_plan *plan, const uint32_t *sorted, uint64_t elements, uint64_t *offsets) {
    uint64_t bin = 0;
    for (uint64_t i = 0; i < elements; i++)
        while (bin <= sorted[i] && bin <= plan->bins)
            offsets[bin++] = i;
    while (bin <= plan->bins)
        offsets[bin++] = elements;
}

static wf_status reduce(const wf_scatter_plan *plan, scatter_memory *memory) {
    const wf_context *context = plan->context;
    const uint64_t elements = wf_scatter_elements(plan);
    const wf_sorting sorting = {.type = WF_U32,
                                .value_bytes = (uint32_t)plan->value_bytes,
                                .end_bit = wf_scatter_bits(plan),
                                .count = elements,
                                .source_keys = memory->bins,
                                .source_values = memory->values,
                                .keys = memory->bins,
                                .values = memory->values};
    join(plan, memory);
    if (elements != 0) {
        const wf_status status = context->backend->sort(context->device, &sorting, context->threads);
        if (status != WF_OK)
            return wf_backend_fail(context, status, "sorting by bins");
    }
    set_offsets(plan, memory->bins, elements, memory->offsets);
    return wf_by_key_reduce_on_cpu(context, &plan->of, memory->values, elements, memory->offsets, plan->bins,
                                   plan->result);
}

wf_status wf_scatter_on_cpu(const wf_scatter_plan *plan) {
    const wf_status status = plan->checks ? check_indices(plan) : WF_OK;
    if (status != WF_OK)
        return status;
    if (plan->of.plan == NULL) {
        count(plan);
        return WF_OK;
    }
    const size_t elements = (size_t)wf_scatter_elements(plan);
    scatter_memory memory = {.bins = malloc(elements * sizeof *memory.bins + 1),
                             .offsets = malloc(((size_t)plan->bins + 1) * sizeof *memory.offsets),
                             .values = malloc(elements * plan->value_bytes + 1)};
    const bool has_memory = memory.bins != NULL && memory.offsets != NULL && memory.values != NULL;
    const wf_status reduced =
        has_memory ? reduce(plan, &memory)
                   : wf_fail(WF_OUT_OF_MEMORY, "no host memory to sort %zu elements by their bins", elements);
    free(memory.bins);
    free(memory.offsets);
    free(memory.values);
    return reduced;
}
