/* The host side of the rungs that sort. */
#include "ladder_table.h"
#include "sort/bitonic.h"
#include "sort/radix.h"
#include "wavefold_ladder.h"
#include "wf_context.h"

#include <stdbool.h>

static wf_sorting sorting_of(const wf_rung *rung, const wf_rung_run_args *args) {
    const bool has_positions = rung->info.kind == WF_RUNG_SORTS_PAIRS;
    return (wf_sorting){.type = args->options.type,
                        .descending = args->options.descending,
                        .value_bytes = has_positions ? sizeof(uint32_t) : 0,
                        .count = args->count,
                        .source_keys = args->in,
                        .keys = args->result,
                        .values = has_positions ? (char *)args->result + args->count * args->info.element_bytes : NULL};
}

wf_status wf_run_bitonic(const wf_rung *rung, const wf_rung_run_args *args) {
    const wf_sorting sorting = sorting_of(rung, args);
    wf_status status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_sort_stepwise(&args->queue, &sorting, args->options.tile_size);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

wf_status wf_run_bitonic_registers(const wf_rung *rung, const wf_rung_run_args *args) {
    const wf_sorting sorting = sorting_of(rung, args);
    args->report->tile_size = wf_sort_registers_tile_size(&sorting);
    wf_status status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_sort_registers(&args->queue, &sorting);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}

wf_status wf_run_radix(const wf_rung *rung, const wf_rung_run_args *args) {
    const wf_sorting sorting = sorting_of(rung, args);
    void *workspace;
    args->report->tile_size = wf_radix_tile_size();
    wf_status status = wf_workspace(args->context, wf_radix_bytes(&sorting), &workspace);
    if (status == WF_OK)
        status = wf_start_clock(args->context);
    if (status == WF_OK)
        status = wf_radix_run(&args->queue, &sorting, workspace);
    return status == WF_OK ? wf_stop_clock(args, NULL) : status;
}
