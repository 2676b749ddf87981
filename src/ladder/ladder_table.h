/* The ladder as data: one row per rung, in order. Read by the library, and through wf_rung_get_info by everybody. */
#ifndef WAVEFOLD_LADDER_LADDER_TABLE_H
#define WAVEFOLD_LADDER_LADDER_TABLE_H

#include "rung.h"
#include "wavefold_ladder.h"

extern const wf_rung wf_ladder[];
extern const size_t wf_ladder_length;

/* The same sum as the options', rounded once, into the same type; wf_reduction_is_exact says whether there is one. */
wf_reduce_spec wf_exact_sum_of(const wf_rung_options *options, const wf_reduction_info *info);

/* How rungs run: one function per shape of host side, in run_reductions.c, run_scans.c and run_sorts.c. */
wf_status wf_run_sequential(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_in_place(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_tiled(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_grid(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_wavefold(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_scan_levels(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_look_back(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_bitonic(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_bitonic_registers(const wf_rung *rung, const wf_rung_run_args *args);

/* Waits for the launches, and reports how long they took; stopped: when they ended, may be NULL. What the host does
 * then adds to total_seconds. */
wf_status wf_stop_clock(const wf_rung_run_args *args, double *stopped);

#endif
