/* Reductions of segments: rows of unequal lengths, which lie one behind the other or anywhere in an array.
 *
 *   const uint64_t offsets[] = {0, 3, 3, 10};
 *   float sums[3]; // the second is 0
 *   const wf_segments segments = {.count = 3, .offset_bytes = 8, .begins = offsets};
 *   wf_reduce_segments(context, &(wf_reduce_spec){.type = WF_F32}, &segments, numbers, 10, sums, sizeof sums);
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_SEGMENTS_H
#define WAVEFOLD_SEGMENTS_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_CHECK_OFFSETS = 1 };

/* Which elements belong together.
 *   begins:  the index of each segment's first element. Without ends count + 1 of them: segment i ends where the next
 *            begins, and offsets must not decrease.
 *   ends:    the index behind each segment's last element; segments may overlap, and stand in any order. NULL: see
 *            begins.
 *   memory:  both arrays are memory that the device reads, aligned to offset_bytes */
typedef struct wf_segments {
    uint64_t count;
    uint32_t offset_bytes; /* 4 or 8: offsets are unsigned integers of so many bytes */
    uint32_t flags;        /* WF_CHECK_OFFSETS or 0 */
    const void *begins, *ends;
    uint32_t reserved[8]; /* 0 */
} wf_segments;

/* Reduces each segment.
 *   in:       count elements, aligned to the type. Memory that the device reads.
 *   result:   one for each segment, without gaps; aligned as for wf_reduce_axes. Memory that the device writes; it must
 *             not overlap in, nor the offsets. result_bytes is the size of all results.
 *   index:    argmin, argmax: counted from the segment's first element
 *   empty:    An empty segment gives the result for no elements.
 *   offsets:  A segment that ends before it begins, or behind the last element, is undefined behaviour, as in CUB.
 *             With WF_CHECK_OFFSETS wf_reduce_segments looks at all of them first, and refuses the first bad one.
 *   bits:     as for wf_reduce_axes
 *   memory:   GPUs: of arrays of more than 64 KiB a workspace, which the context keeps for each stream: about 1 % of
 *             the array's size
 *   stream:   wf_reduce_segments blocks; wf_reduce_segments_async queues, and can be captured
 *   fails:    WF_INVALID_ARGUMENT: as for wf_reduce; WF_CHECK_OFFSETS found a bad offset. WF_UNSUPPORTED: no such
 *             reduction; WF_CHECK_OFFSETS with wf_reduce_segments_async on a GPU. WF_OUT_OF_MEMORY. */
WF_API wf_status wf_reduce_segments(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                    const void *in, size_t count, void *result, size_t result_bytes);
WF_API wf_status wf_reduce_segments_async(wf_context *context, const wf_reduce_spec *spec, const wf_segments *segments,
                                          const void *in, size_t count, void *result, size_t result_bytes,
                                          void *stream);

#ifdef __cplusplus
}
#endif
#endif
