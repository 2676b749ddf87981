/* Reductions by key: of runs of equal keys, and of elements that are scattered to bins.
 *
 *   // On the CPU; a GPU takes device memory.
 *   const uint32_t keys[] = {2, 2, 5, 5, 5};
 *   const float numbers[] = {1, 2, 3, 4, 5};
 *   uint32_t unique[5]; // 2, 5
 *   float sums[5];      // 3, 12
 *   uint64_t runs;      // 2
 *   wf_reduce_by_key(context, &(wf_reduce_spec){.type = WF_F32}, WF_U32, keys, numbers, 5, unique, sums, sizeof sums,
 *                    &runs);
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_BY_KEY_H
#define WAVEFOLD_BY_KEY_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduces each run of equal keys: neighbours with the same bits. To reduce all elements of a key, sort first.
 *   spec:         any reduction of wf_reduce_segments. NULL: each result is the length of its run, as uint64_t.
 *   keys:         count keys of key_type, aligned to it. Memory that the device reads.
 *   values:       count elements, aligned to the type. Memory that the device reads. NULL if spec is NULL.
 *   unique_keys:  the key of each run; room for as many keys as result has room for. NULL: not wanted.
 *   result:       one for each run; memory that the device writes, aligned as for wf_reduce_axes. result_bytes is its
 *                 size, which says for how many runs it has room: further runs are left out. count results suffice.
 *   runs:         the number of all runs. wf_reduce_by_key: host memory. wf_reduce_by_key_async: memory that the device
 *                 writes, aligned to 8 bytes. What lies behind the results of the runs is undefined then.
 *   apart:        No output overlaps an input, or another output.
 *   index:        argmin, argmax: counted from the run's first element
 *   bits:         as for wf_reduce_segments: exact sums have the same bits on every device
 *   memory:       GPUs: 8 bytes for each run that result has room for, and 1 % of the array's size, in the stream's
 *                 workspace. The host device allocates it for the call.
 *   threads:      as for wf_reduce
 *   stream:       wf_reduce_by_key blocks; wf_reduce_by_key_async queues, and can be captured. It is fastest if result
 *                 has room for little more than the runs that there are.
 *   fails:        WF_INVALID_ARGUMENT, also if result_bytes is no multiple of a result's size. WF_UNSUPPORTED: no such
 *                 reduction. WF_OUT_OF_MEMORY: nothing has changed. WF_DEVICE_ERROR: all outputs are undefined. */
WF_API wf_status wf_reduce_by_key(wf_context *context, const wf_reduce_spec *spec, wf_type key_type, const void *keys,
                                  const void *values, size_t count, void *unique_keys, void *result,
                                  size_t result_bytes, uint64_t *runs);
WF_API wf_status wf_reduce_by_key_async(wf_context *context, const wf_reduce_spec *spec, wf_type key_type,
                                        const void *keys, const void *values, size_t count, void *unique_keys,
                                        void *result, size_t result_bytes, uint64_t *runs, void *stream);

/* Flags of a scatter.
 *   WF_SCATTER_ONTO:   result holds an element for each bin, which takes part. The result's type must be the element's.
 *   WF_CHECK_INDICES:  an index outside of the bins is an error. Without it such elements are left out. */
enum { WF_SCATTER_ONTO = 1, WF_CHECK_INDICES = 2 };

/* Where elements go.
 *   bins:        how many there are, at most 2^31
 *   index_type:  any integer type; a negative index is outside of the bins */
typedef struct wf_scatter {
    uint64_t bins;
    wf_type index_type;
    uint32_t flags;       /* WF_SCATTER_ONTO, WF_CHECK_INDICES, or 0 */
    uint32_t reserved[4]; /* 0 */
} wf_scatter;

/* Reduces the elements of each bin: result[b] combines all values[i] of which indices[i] is b.
 *   spec:      any reduction but argmin and argmax. NULL: the number of a bin's elements, as uint64_t (a histogram).
 *   indices:   count integers of index_type, aligned to it. Memory that the device reads.
 *   values:    count elements of at most 16 bytes, aligned to an element's size. Memory that the device reads. NULL if
 *              spec is NULL.
 *   result:    one for each bin; memory that the device writes, aligned as for wf_reduce_axes, with WF_SCATTER_ONTO
 *              to an element's size. It overlaps neither indices nor values. result_bytes is its size.
 *   empty:     A bin without elements gives the result for no elements.
 *   bits:      exact sums, integers and extremes: the same for any order of the elements, and on every device. Fast
 *              sums of floats: the same in every run. Ordered operators combine in the order of elements.
 *   memory:    GPUs: for each element 12 bytes and twice its size, and 8 bytes for each bin, in the stream's workspace.
 *              With WF_SCATTER_ONTO bins count as elements, and each takes three times its size. Counts need none. The
 *              host device allocates it for the call.
 *   threads:   as for wf_reduce
 *   stream:    wf_scatter_reduce blocks; wf_scatter_reduce_async queues, and can be captured
 *   fails:     WF_INVALID_ARGUMENT: also WF_CHECK_INDICES found an index outside of the bins. WF_UNSUPPORTED: no such
 *              reduction; more than 2^31 bins, or 2^32 - 1 elements and bins; WF_CHECK_INDICES with
 *              wf_scatter_reduce_async on a GPU. WF_OUT_OF_MEMORY. Then nothing has changed. WF_DEVICE_ERROR,
 *              WF_KERNEL_FAULT: result is undefined. */
WF_API wf_status wf_scatter_reduce(wf_context *context, const wf_reduce_spec *spec, const wf_scatter *scatter,
                                   const void *indices, const void *values, size_t count, void *result,
                                   size_t result_bytes);
WF_API wf_status wf_scatter_reduce_async(wf_context *context, const wf_reduce_spec *spec, const wf_scatter *scatter,
                                         const void *indices, const void *values, size_t count, void *result,
                                         size_t result_bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
