/* Reductions and descriptions along axes of arrays of up to eight dimensions: rows, columns, and every other shape.
 *
 *   float sums[ROWS];
 *   const wf_axes rows = {.dimensions = 2, .reduced = 1u << 1, .counts = {ROWS, COLUMNS}};
 *   wf_reduce_axes(context, &(wf_reduce_spec){.type = WF_F32, .op = WF_SUM}, &rows, matrix, sums, sizeof sums);
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_AXES_H
#define WAVEFOLD_AXES_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_MOST_DIMENSIONS = 8 };

/* The shape of an array, and which of its dimensions are reduced. Dimension 0 is the outermost.
 *   strides:        in elements, from one index to the next; any sign, 0 repeats an element. Ignored unless has_strides
 *                   is not 0: then the array is in C order, without gaps.
 *   result_strides: in results, for the dimensions that are kept; those of reduced dimensions are ignored. Results must
 *                   not overlap. Ignored unless has_result_strides is not 0: then results are in C order of the kept
 *                   dimensions, without gaps. */
typedef struct wf_axes {
    uint32_t dimensions; /* 1 to WF_MOST_DIMENSIONS */
    uint32_t reduced;    /* bit d is set: dimension d is reduced; none: every element is reduced by itself */
    uint32_t has_strides, has_result_strides;
    uint64_t counts[WF_MOST_DIMENSIONS];
    int64_t strides[WF_MOST_DIMENSIONS];
    int64_t result_strides[WF_MOST_DIMENSIONS];
    uint32_t reserved[8]; /* 0 */
} wf_axes;

/* Reduces an array along its reduced dimensions: a result for each index of the kept ones.
 *   in:      the element at index 0 of every dimension; aligned to the type. Memory that the device reads.
 *   result:  the result at index 0 of every kept dimension; aligned to the result's type, with an index to 8 bytes.
 *            Memory that the device writes; the ranges of in and result must not overlap. result_bytes is the size of
 *            all results: the number of kept indices times wf_reduction_get_info's result_bytes; with result strides
 *            the bytes from the first to the last result.
 *   index:   argmin, argmax: of the elements that are reduced together, counted in C order
 *   empty:   A dimension of count 0 that is reduced gives the results for no elements.
 *   bits:    Exact sums, integers, extremes: a result depends on its elements alone, on every device. So do fast sums
 *            of floats: they are rounded once (sumsq of f64 rounds each square first). Products, matmul and affine of
 *            floats also depend on the shape and the device.
 *   memory:  GPUs: few long rows take a workspace, which the context keeps for each stream: at most an eighth of the
 *            array's size, or 1 MiB.
 *   stream:  wf_reduce_axes blocks; wf_reduce_axes_async queues
 *   fails:   WF_INVALID_ARGUMENT: a shape whose count or offsets overflow, result strides that overlap or interleave,
 *            and as for wf_reduce. WF_UNSUPPORTED: no such reduction. WF_OUT_OF_MEMORY. */
WF_API wf_status wf_reduce_axes(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                                void *result, size_t result_bytes);
WF_API wf_status wf_reduce_axes_async(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes,
                                      const void *in, void *result, size_t result_bytes, void *stream);

/* Describes the elements of each row: those that have the same index in every kept dimension.
 *   in:       as for wf_reduce_axes
 *   results:  a description for each row, laid out as the results of wf_reduce_axes; aligned to 8 bytes. Memory that
 *             the device writes; it must not overlap in. result_bytes is the size of all results.
 *   index:    argmin, argmax: within the row, counted in C order
 *   empty:    A dimension of count 0 that is reduced gives the descriptions of no elements.
 *   bits:     Those of wf_describe, except for which NaN min and max are, and the variance of floats. That has the same
 *             bits on every device: squares of distances from the mean are rounded to fixed-point numbers, whose sum is
 *             exact. Its error is at most 2^-49 + count * 2^-59 of it, unless it is about subnormal. It is NaN, 0 or
 *             infinite where wf_describe says so.
 *   time:     Rows of floats are read twice. One tile of a GPU, or one thread, describes a row, however long it is.
 *   memory:   CPU: each thread copies rows that have gaps, up to 16 at a time
 *   stream:   wf_describe_axes blocks; wf_describe_axes_async queues, and can be captured
 *   fails:    as wf_reduce_axes */
WF_API wf_status wf_describe_axes(wf_context *context, const wf_describe_spec *spec, const wf_axes *axes,
                                  const void *in, wf_description *results, size_t result_bytes);
WF_API wf_status wf_describe_axes_async(wf_context *context, const wf_describe_spec *spec, const wf_axes *axes,
                                        const void *in, wf_description *results, size_t result_bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
