/* The ladder as data: one row per rung, in order. */
#ifndef WAVEFOLD_LADDER_LADDER_TABLE_H
#define WAVEFOLD_LADDER_LADDER_TABLE_H

#include "rung.h"
#include "wavefold_ladder.h"

extern const wf_rung wf_ladder[];
extern const size_t wf_ladder_length;

/* The exact version of the options' sum, with the same result type. It exists only if wf_reduction_is_exact is true. */
wf_reduce_spec wf_exact_sum_of(const wf_rung_options *options, const wf_reduction_info *info);

/* The drivers: run_reductions.c, run_scans.c, run_sorts.c and run_rows.c. */
wf_status wf_run_sequential(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_in_place(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_tiled(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_grid(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_wavefold(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_scan_levels(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_look_back(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_scan_fixed_order(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_bitonic(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_bitonic_registers(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_radix(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_rows(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_columns(const wf_rung *rung, const wf_rung_run_args *args);
wf_status wf_run_segments(const wf_rung *rung, const wf_rung_run_args *args);

/* Waits for the launches and reports their time. *stopped becomes the time of their end; it may be NULL. Later work on
 * the host is added to total_seconds. */
wf_status wf_stop_clock(const wf_rung_run_args *args, double *stopped);

#endif
