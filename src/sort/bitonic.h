/* Batcher's bitonic networks, for wf_sort and for the ladder. */
#ifndef WAVEFOLD_SORT_BITONIC_H
#define WAVEFOLD_SORT_BITONIC_H

#include "launch.h"
#include "sorting.h"

/* Queue the launches. stepwise: one pass for each stride that is longer than a tile. registers: several strides per
 * pass, in registers, with a fixed tile size. */
wf_status wf_sort_stepwise(const wf_queue *queue, const wf_sorting *sorting, uint32_t tile_size);
wf_status wf_sort_registers(const wf_queue *queue, const wf_sorting *sorting);
uint32_t wf_sort_registers_tile_size(const wf_sorting *sorting); /* threads */

#endif
