/* Scans along a dimension of an array, and of segments.
 *
 *   float sums[ROWS * COLUMNS]; // of each row, up to each element
 *   const wf_axes rows = {.dimensions = 2, .reduced = 1u << 1, .counts = {ROWS, COLUMNS}};
 *   wf_scan_axes(context, &(wf_scan_spec){.reduce = {.type = WF_F32}}, &rows, matrix, sums);
 *
 * What wavefold.h says of every function, and of wf_scan, holds here, too. */
#ifndef WAVEFOLD_SCAN_H
#define WAVEFOLD_SCAN_H

#include "wavefold_axes.h"
#include "wavefold_segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scans an array along one dimension: a result for each element.
 *   axes:    as for wf_reduce_axes, with two differences: exactly one bit of reduced is set, that of the dimension
 *            which is scanned; result_strides counts for all dimensions, and without it results are in C order of all
 *            of them.
 *   in:      the element at index 0 of every dimension; aligned to the type. Memory that the device reads.
 *   result:  the result at index 0 of every dimension; aligned as for wf_scan. Memory that the device writes. Equal to
 *            in, with results as long as elements, and the same strides (in place), or apart from it.
 *   index:   argmin, argmax: along the scanned dimension
 *   bits:    A row's results depend on its elements alone: not on the other rows, nor on its place.
 *   memory:  GPUs: as for wf_scan; rows of little more than a tile up to an eighth of the array
 *   stream:  wf_scan_axes blocks; wf_scan_axes_async queues
 *   time:    GPUs: best where the scanned dimension is the innermost of the array, or there are many rows. A few rows
 *            whose elements lie far apart take a line of memory for each element.
 *   fails:   as wf_reduce_axes and wf_scan */
WF_API wf_status wf_scan_axes(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                              void *result);
WF_API wf_status wf_scan_axes_async(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                                    void *result, void *stream);

/* Scans each segment of an array: results start anew where one begins, from the initial value on.
 *   segments: lie one behind the other: begins are the indices of their first elements, and need no order. Elements
 *             before the least are a segment of their own. count begins are read; ends must be NULL and flags 0. An
 *             offset that is not less than count of the array begins nothing.
 *   flags:    wf_scan_flagged: a byte for each element, not 0 where a segment begins; memory that the device reads.
 *             Reverse scans go from the last element of each segment to its first, all the same.
 *   index:    argmin, argmax: in the array
 *   bits:     the same on every device and in every run; those of floats depend on where segments lie in the array
 *   apart:    The result must not overlap begins or flags.
 *   memory:   GPUs: up to an eighth of the array; wf_scan_segments also a byte for each element
 *   stream:   wf_scan_segments and wf_scan_flagged block; their _async queue, and can be captured
 *   source:   Blelloch (1990), "Prefix sums and their applications"
 *   the rest: as for wf_scan */
WF_API wf_status wf_scan_segments(wf_context *context, const wf_scan_spec *spec, const wf_segments *segments,
                                  const void *in, size_t count, void *result);
WF_API wf_status wf_scan_segments_async(wf_context *context, const wf_scan_spec *spec, const wf_segments *segments,
                                        const void *in, size_t count, void *result, void *stream);
WF_API wf_status wf_scan_flagged(wf_context *context, const wf_scan_spec *spec, const uint8_t *flags, const void *in,
                                 size_t count, void *result);
WF_API wf_status wf_scan_flagged_async(wf_context *context, const wf_scan_spec *spec, const uint8_t *flags,
                                       const void *in, size_t count, void *result, void *stream);

#ifdef __cplusplus
}
#endif
#endif
