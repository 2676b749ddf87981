/* Scans along a dimension of an array.
 *
 *   float sums[ROWS * COLUMNS]; // of each row, up to each element
 *   const wf_axes rows = {.dimensions = 2, .reduced = 1u << 1, .counts = {ROWS, COLUMNS}};
 *   wf_scan_axes(context, &(wf_scan_spec){.reduce = {.type = WF_F32}}, &rows, matrix, sums);
 *
 * What wavefold.h says of every function, and of wf_scan, holds here, too. */
#ifndef WAVEFOLD_SCAN_H
#define WAVEFOLD_SCAN_H

#include "wavefold_axes.h"

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
 *   memory:  GPUs: as for wf_scan
 *   stream:  wf_scan_axes blocks; wf_scan_axes_async queues
 *   time:    GPUs: best where the scanned dimension is the innermost of the array, or there are many rows. A few rows
 *            whose elements lie far apart take a line of memory for each element.
 *   fails:   as wf_reduce_axes and wf_scan */
WF_API wf_status wf_scan_axes(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                              void *result);
WF_API wf_status wf_scan_axes_async(wf_context *context, const wf_scan_spec *spec, const wf_axes *axes, const void *in,
                                    void *result, void *stream);

#ifdef __cplusplus
}
#endif
#endif
