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

/* So is what tiles tell: of each tile, the words of its own fold, and then those of its prefix. */
static wf_status launch_without_prefixes(void *device, void *stream, const wf_launch *launch) {
    wf_launch changed = *launch;
    if (launch->kernel != WF_KERNEL_look_back || launch->tiles < 2)
        return real.launch(device, stream, launch);
    const size_t number = launch->type == WF_F32 || launch->type == WF_I32 ? 4 : 8;
    const size_t scalars = launch->op == WF_MATMUL ? 4 : launch->op == WF_AFFINE ? 2 : 1;
    const size_t words = WF_TOLD_WORDS * number * scalars / 4;
    changed.tiles = launch->tiles / 2;
    wf_status status = real.launch(device, stream, &changed);
    const uint32_t told = *(const uint32_t *)launch->ticket;
    for (uint32_t tile = told - changed.tiles; tile < told; tile++)
        memset((uint64_t *)launch->told + tile * words + words / 2, 0, words / 2 * sizeof(uint64_t));
    changed.tiles = launch->tiles - changed.tiles;
    if (status == WF_OK)
        status = real.launch(device, stream, &changed);
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
