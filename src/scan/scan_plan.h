/* The plan of a scan: a request that a CPU runs, or from which launches are made. */
#ifndef WAVEFOLD_SCAN_SCAN_PLAN_H
#define WAVEFOLD_SCAN_SCAN_PLAN_H

#include "launch.h"
#include "request.h"
#include "wavefold_scan.h"

#include <stdbool.h>

/* Checks that scans take the spec; *info becomes its facts. */
wf_status wf_scan_check_spec(const wf_scan_spec *spec, wf_reduction_info *info);
/* Checks all arguments of a call; axes->reduced names the dimension that is scanned. */
wf_status wf_scan_plan_of(const wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                          void *result, wf_scan_request *made);

/* The same for segments of an array; flags and begins are left to the caller. */
wf_status wf_scan_plan_of_segments(const wf_context *context, const wf_scan_spec *spec, const void *in, size_t count,
                                   void *result, wf_scan_request *made);

/* Queues the launches, also where the CPU could scan. of: the request, of some elements. */
wf_status wf_scan_queue(const wf_queue *queue, const void *of);
/* Operations on the longest path to a result, at the most. */
uint64_t wf_scan_depth(const wf_scan_request *request);
/* Runs the request on the CPU, or queues it; stream is used if is_async. */
wf_status wf_scan_run(wf_context *context, const wf_scan_request *request, bool is_async, void *stream);

#endif
