/* The host backend with one thing changed, as the environment's WAVEFOLD_WRAP says:
 *   small-grid  launches of 3 tiles at the most, so that every rung must cut its launches into pieces
 *   late-tiles  look_back's tiles start in their order, but the first half of a launch goes on only when the second half
 *               is done; and a tile folds the others' elements before it asks what they have told (of exclusive scans: when
 *               it has asked once)
 *   no-prefixes look_back's first half of a launch tells what its tiles fold to, but not what comes before them, so that the
 *               second half must look back to the start, over more tiles than a wave is wide
 *   fault       kernels get a result of no elements, so that they write outside
 * WAVEFOLD_WRAPPED names the real module. */
#define _GNU_SOURCE
#include "backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wf_backend wrapped, real;

static wf_status device_info_of_small_grid(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = real.device_info(ordinal, info);
    if (status == WF_OK)
        info->max_tiles = 3;
    return status;
}

/* The ticket is memory of this process: the tiles of a launch get the numbers that it is made to say. */
static wf_status launch_late(void *device, void *stream, const wf_launch *launch) {
    wf_launch changed = *launch;
    changed.polls = launch->exclusive != 0;
    if (launch->kernel != WF_KERNEL_look_back || launch->tiles < 2)
        return real.launch(device, stream, &changed);
    uint32_t *ticket = launch->ticket;
    const uint32_t first = *ticket, half = launch->tiles / 2;
    *ticket = first + half;
    changed.tiles = launch->tiles - half;
    wf_status status = real.launch(device, stream, &changed);
    *ticket = first;
    changed.tiles = half;
    if (status == WF_OK)
        status = real.launch(device, stream, &changed);
    *ticket = first + launch->tiles;
    return status;
}

/* So is what tiles tell: words of half a value and half what it is. */
static const uint64_t told_aggregate = UINT64_C(1) << 32, told_prefix = UINT64_C(2) << 32;

/* The words of an element; 0 for operators whose identity is not spelled out here. */
static size_t identity_of(const wf_launch *launch, uint32_t words[8]) {
    const size_t number = launch->type == WF_F32 || launch->type == WF_I32 ? 1 : 2;
    const size_t scalars = launch->op == WF_MATMUL ? 4 : launch->op == WF_AFFINE ? 2 : 1;
    const float f32 = 1;
    const double f64 = 1;
    memset(words, 0, 8 * sizeof *words);
    for (size_t k = 0; k < scalars && scalars > 1; k += 3) { /* 1 0 0 1, or 1 0 */
        words[k * number] = 1;
        if (launch->type != WF_I32)
            memcpy(words + k * number, number == 1 ? (const void *)&f32 : &f64, number * sizeof *words);
    }
    return launch->op == WF_SUM || scalars > 1 ? number * scalars : 0;
}

/* What the tiles from number first on fold to, each run alone behind one that says that there is nothing before it, with
 * its results thrown away. */
static wf_status find_aggregates(void *device, const wf_launch *launch, uint32_t first, uint32_t count,
                                 uint64_t *aggregates) {
    uint32_t identity[8];
    const size_t words = identity_of(launch, identity);
    wf_launch alone = *launch;
    wf_status status = real.allocate(device, launch->result_count * words * sizeof(uint32_t), &alone.result);
    if (status != WF_OK)
        return status;
    uint64_t *told = launch->told;
    alone.tiles = 1;
    for (uint32_t tile = first; status == WF_OK && tile < first + count; tile++) {
        for (size_t k = 0; k < words && tile > 0; k++)
            told[(tile - 1) * words + k] = told_prefix | identity[k];
        *(uint32_t *)launch->ticket = tile;
        status = real.launch(device, NULL, &alone);
        for (size_t k = 0; k < words; k++)
            aggregates[(tile - first) * words + k] = told_aggregate | (uint32_t)told[tile * words + k];
    }
    real.release(device, alone.result);
    return status;
}

static wf_status launch_without_prefixes(void *device, void *stream, const wf_launch *launch) {
    uint32_t identity[8];
    const size_t words = identity_of(launch, identity);
    if (launch->kernel != WF_KERNEL_look_back || launch->tiles < 2 || words == 0)
        return real.launch(device, stream, launch);
    uint32_t *ticket = launch->ticket;
    const uint32_t first = *ticket, half = launch->tiles / 2;
    uint64_t *told = launch->told, *before = malloc(launch->told_words * sizeof *told);
    uint64_t *aggregates = malloc(half * words * sizeof *aggregates);
    wf_status status = before != NULL && aggregates != NULL ? WF_OK : WF_OUT_OF_MEMORY;
    if (status == WF_OK) {
        memcpy(before, told, launch->told_words * sizeof *told);
        status = find_aggregates(device, launch, first, half, aggregates);
        memcpy(told, before, launch->told_words * sizeof *told);
    }
    *ticket = first;
    wf_launch changed = *launch;
    changed.tiles = half;
    if (status == WF_OK)
        status = real.launch(device, stream, &changed);
    if (status == WF_OK)
        memcpy(told + first * words, aggregates, half * words * sizeof *told);
    changed.tiles = launch->tiles - half;
    if (status == WF_OK)
        status = real.launch(device, stream, &changed);
    free(before);
    free(aggregates);
    return status;
}

static wf_status launch_at_fault(void *device, void *stream, const wf_launch *launch) {
    wf_launch changed = *launch;
    changed.result_count = 0;
    return real.launch(device, stream, &changed);
}

WF_API const wf_backend *wavefold_backend(void);
const wf_backend *wavefold_backend(void) {
    const char *file = getenv("WAVEFOLD_WRAPPED");
    const char *change = getenv("WAVEFOLD_WRAP");
    void *module = file != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    wf_backend_entry *entry = NULL;
    if (module != NULL)
        *(void **)&entry = dlsym(module, WF_BACKEND_ENTRY);
    if (entry == NULL || change == NULL)
        return NULL;
    real = wrapped = *entry();
    if (strcmp(change, "small-grid") == 0)
        wrapped.device_info = device_info_of_small_grid;
    if (strcmp(change, "late-tiles") == 0)
        wrapped.launch = launch_late;
    if (strcmp(change, "no-prefixes") == 0)
        wrapped.launch = launch_without_prefixes;
    if (strcmp(change, "fault") == 0)
        wrapped.launch = launch_at_fault;
    return &wrapped;
}
