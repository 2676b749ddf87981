/* Reductions along axes by kernels: which one, and its launches. */
#ifndef WAVEFOLD_AXES_LAUNCHES_H
#define WAVEFOLD_AXES_LAUNCHES_H

#include "launch.h"
#include "reduce/plan.h"
#include "request.h"

/* Chooses the regime of a complete request for a device whose waves have wave_width lanes. */
void wf_axes_choose(wf_axes_request *request, uint32_t wave_width);

/* Launches what a request needs. Its head, and what wf_axes_choose sets, need not be set. */
wf_status wf_axes_queue(const wf_queue *queue, const wf_axes_request *request);
/* The same, called by work that wf_staging_take_turn runs. of: the request. */
wf_status wf_axes_queue_in_turn(const wf_queue *queue, const void *of);
/* wf_axes_queue of segments: the request has begins, and rows, source and length are set. */
wf_status wf_segments_queue(const wf_queue *queue, const wf_axes_request *request);
/* A request of segments that lie one behind the other: rows of them, which begin at offsets of 64 bits. */
wf_axes_request wf_segments_request_of(const wf_reduce_plan *plan, const void *in, uint64_t count, const void *offsets,
                                       uint64_t rows, void *result);
/* The bytes of room that its launches take at the most. */
size_t wf_segments_room_bytes(const wf_axes_request *request);
/* wf_axes_queue of descriptions of rows: one kernel, no workspace. */
wf_status wf_describe_rows_queue(const wf_queue *queue, const wf_axes_request *request);

/* Bytes of the workspace for each value of a part: of sums of floats with its digits. */
size_t wf_axes_bytes_of_value(const wf_axes_request *request);
/* Launches a complete request, in several launches if it has too many tiles for one. */
wf_status wf_axes_launch(const wf_queue *queue, const wf_axes_request *request);
/* Launches what joins the values of rows' parts. rows: the request as it was before it was cut into parts. */
wf_status wf_axes_launch_join(const wf_queue *queue, const wf_axes_request *rows, const wf_axes_request *parts);
/* Device memory for request->all_values values and, behind them, the digits of those that are lost. */
wf_status wf_axes_make_room(const wf_queue *queue, wf_axes_request *request);

#endif
