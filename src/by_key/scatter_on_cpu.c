/* wf_scatter_reduce on the CPU: the same steps as by kernels, in memory that is allocated for the call. */
#include "scatter.h"

#include "algebra.h"
#include "sort/sorting.h"
#include "status.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdlib.h>
#include <string.h>

#define DEFINE_BINS(bits)                                                                                              \
    static void bins_of_##bits(const wf_scatter_plan *plan, uint64_t first, size_t count, uint32_t *bins) {            \
        const uint##bits##_t *const indices = (const uint##bits##_t *)plan->indices + first;                           \
        const uint64_t sign_bit = wf_scatter_sign_bit(plan);                                                           \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const uint64_t index = indices[i];                                                                         \
            bins[i] = (uint32_t)((index & sign_bit) != 0 || index >= plan->bins ? plan->bins : index);                 \
        }                                                                                                              \
    }
DEFINE_BINS(8)
DEFINE_BINS(16)
DEFINE_BINS(32)
DEFINE_BINS(64)

/* The bins of indices first to first + count - 1; plan->bins: the index is outside of them. */
static void bins_of(const wf_scatter_plan *plan, uint64_t first, size_t count, uint32_t *bins) {
    switch (wf_type_size(plan->index_type)) {
    case 1:
        bins_of_8(plan, first, count, bins);
        break;
    case 2:
        bins_of_16(plan, first, count, bins);
        break;
    case 4:
        bins_of_32(plan, first, count, bins);
        break;
    default:
        bins_of_64(plan, first, count, bins);
        break;
    }
}

enum { AT_ONCE = 1024 }; /* indices whose bins stay in a cache */

static wf_status check_indices(const wf_scatter_plan *plan) {
    uint32_t bins[AT_ONCE];
    for (uint64_t first = 0; first < plan->count; first += AT_ONCE) {
        const size_t some = (size_t)wf_smaller(AT_ONCE, plan->count - first);
        bins_of(plan, first, some, bins);
        for (size_t i = 0; i < some; i++)
            if (bins[i] == plan->bins)
                return wf_scatter_refuse(plan, first + i);
    }
    return WF_OK;
}

static void count(const wf_scatter_plan *plan) {
    uint64_t *const counts = plan->result;
    uint32_t bins[AT_ONCE];
    if (!plan->onto && plan->bins != 0)
        memset(counts, 0, (size_t)plan->bins * sizeof *counts);
    for (uint64_t first = 0; first < plan->count; first += AT_ONCE) {
        const size_t some = (size_t)wf_smaller(AT_ONCE, plan->count - first);
        bins_of(plan, first, some, bins);
        for (size_t i = 0; i < some; i++)
            if (bins[i] != plan->bins)
                counts[bins[i]]++;
    }
}

typedef struct scatter_memory {
    uint32_t *bins;
    uint64_t *offsets;
    char *values;
} scatter_memory;

/* Elements of the bins first, then the others in their order. */
static void join(const wf_scatter_plan *plan, scatter_memory *memory) {
    const uint64_t of_bins = plan->onto ? plan->bins : 0;
    for (uint64_t b = 0; b < of_bins; b++)
        memory->bins[b] = (uint32_t)b;
    bins_of(plan, 0, (size_t)plan->count, memory->bins + of_bins);
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
