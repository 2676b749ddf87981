/* Reductions of two arrays in one pass: weighted sums, dot products, norms, reductions under a mask.
 *
 *   float dot;
 *   wf_dot(context, &(wf_reduce_spec){.type = WF_F32}, x, y, count, &dot, sizeof dot);
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_PAIRS_H
#define WAVEFOLD_PAIRS_H

#include "wavefold_axes.h"
#include "wavefold_segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the second array does with the elements of the first.
 * WF_WEIGHTS   numbers of the spec's type: wf_op WF_SUM gives the sum of products. f16, bf16, f32: the real sum of the
 *              real products, rounded once. f64: each product is rounded first, since f64 does not hold it, and their
 *              sum is rounded once; WF_ACCURACY_EXACT is refused. Integers wrap. No weighted mean exists yet: divide
 *              by the sum of the weights.
 * WF_MASK      bytes: an element counts where its byte is not 0. Every operator but matmul and affine. The index of
 *              argmin and argmax is that among all elements of the row. A row in which nothing counts has the result
 *              for no elements. mean divides by the number of elements that count, and is rounded once; integers of 8
 *              bytes are rounded to f64 first. Products of f16, bf16 and f32 are computed in f64. */
typedef enum wf_second_kind { WF_WEIGHTS, WF_MASK } wf_second_kind;

/* The second array has the shape of the first.
 *   data:     the element at index 0 of every dimension; aligned to its type. Memory that the device reads.
 *   strides:  in elements of this array, as those of wf_axes; 0 repeats an element. Ignored unless has_strides is not
 *             0: then the array is in C order, without gaps. */
typedef struct wf_second {
    wf_second_kind kind;
    uint32_t has_strides;
    const void *data;
    int64_t strides[WF_MOST_DIMENSIONS];
    uint32_t reserved[6]; /* 0 */
} wf_second;

/* wf_reduce_axes with a second array, whose elements belong to those of in. What wavefold_axes.h says holds here, too.
 *   result:  must not overlap the second array either
 *   stream:  wf_reduce_axes_with blocks; wf_reduce_axes_with_async queues
 *   fails:   as wf_reduce_axes; WF_UNSUPPORTED: an operator that the kind does not take */
WF_API wf_status wf_reduce_axes_with(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes,
                                     const void *in, const wf_second *second, void *result, size_t result_bytes);
WF_API wf_status wf_reduce_axes_with_async(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes,
                                           const void *in, const wf_second *second, void *result, size_t result_bytes,
                                           void *stream);

/* wf_reduce_segments with a second array, whose elements belong to those of in. What wavefold_segments.h says holds
 * here, too.
 *   second:  count elements, in one dimension: strides[0] counts
 *   result:  must not overlap the second array either
 *   index:   argmin, argmax: counted from the segment's first element, also of those that do not count
 *   time:    GPUs load single elements. Segments with ends of their own have few lanes, however long they are.
 *   stream:  wf_reduce_segments_with blocks; wf_reduce_segments_with_async queues, and can be captured
 *   fails:   as wf_reduce_segments; WF_UNSUPPORTED: an operator that the kind does not take */
WF_API wf_status wf_reduce_segments_with(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                         const void *in, size_t count, const wf_second *second, void *result,
                                         size_t result_bytes);
WF_API wf_status wf_reduce_segments_with_async(wf_context *context, const wf_reduce_spec *spec,
                                               const wf_segments *segments, const void *in, size_t count,
                                               const wf_second *second, void *result, size_t result_bytes,
                                               void *stream);

/* The sum of the products of x and y: WF_WEIGHTS in one dimension.
 *   spec:    op is WF_SUM
 *   x, y:    arrays of count elements, which may be one array; memory that the device reads
 *   result:  memory that the device writes; wf_reduction_get_info's result_bytes
 *   stream:  wf_dot blocks; wf_dot_async queues */
WF_API wf_status wf_dot(wf_context *context, const wf_reduce_spec *spec, const void *x, const void *y, size_t count,
                        void *result, size_t result_bytes);
WF_API wf_status wf_dot_async(wf_context *context, const wf_reduce_spec *spec, const void *x, const void *y,
                              size_t count, void *result, size_t result_bytes, void *stream);

/* The Euclidean norm of x: the root of the sum of squares. It overflows or underflows only if the norm itself does.
 *   type:    f16, bf16, f32 or f64; the result has it, too
 *   x:       an array of count elements; memory that the device reads
 *   result:  memory that the device writes; wf_type_size(type) bytes
 *   error:   f16, bf16, f32: the exact sum is rounded to f64, its root to f64 and then to the type: at most 0.5001
 *            units in the last place. f64: elements are scaled by a power of two, and each square is rounded: at most
 *            2 units. The norm of no elements is 0. A NaN gives NaN, else an infinity gives infinity.
 *   stream:  wf_nrm2 blocks; wf_nrm2_async queues. f64: two reductions, of which the first finds the scale.
 *   fails:   WF_UNSUPPORTED: types of integers */
WF_API wf_status wf_nrm2(wf_context *context, wf_type type, const void *x, size_t count, void *result,
                         size_t result_bytes);
WF_API wf_status wf_nrm2_async(wf_context *context, wf_type type, const void *x, size_t count, void *result,
                               size_t result_bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
