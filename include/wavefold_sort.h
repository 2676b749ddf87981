/* Sorts of rows and of segments, and the largest or smallest elements of each row.
 *
 *   float *scores, *best; // device memory of wf_malloc: ROWS * COLUMNS numbers, and ROWS * 8
 *   uint32_t *columns;    // ROWS * 8
 *   wf_sort_rows(context, &(wf_sort_spec){.type = WF_F32}, scores, NULL, ROWS, COLUMNS);
 *   wf_top_k(context, &(wf_top_k_spec){.type = WF_F32, .k = 8, .position_bytes = 4}, scores, ROWS, COLUMNS, best,
 *            columns);
 *
 * What wavefold.h says of every function, and of wf_sort, holds here, too. */
#ifndef WAVEFOLD_SORT_H
#define WAVEFOLD_SORT_H

#include "wavefold_segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts each row by itself, in place: rows of `length` keys, which lie one behind the other without gaps.
 *   spec:      as for wf_sort; flags are 0
 *   keys:      device memory for rows * length keys; values likewise
 *   positions: wf_argsort_rows: positions[i] becomes the index, in its row, of the key that wf_sort_rows would move to
 *              place i. spec.value_bytes is 4 or 8. The keys stay as they are.
 *   bits:      the same on every device
 *   memory:    GPUs: none for short rows: up to 3840 keys of 8 bytes, 7680 of 4, 6912 of 1 and 2. One or two longer
 *              rows, and rows of 2^20 keys and more: as wf_sort of one row. Else 24 to 32 bytes for each key of all
 *              rows, from 2^32 keys on 48, and 100 KiB.
 *   stream:    wf_sort_rows and wf_argsort_rows block; their _async queue, and can be captured
 *   fails:     as wf_sort and wf_argsort. WF_UNSUPPORTED: WF_SORT_IN_PLACE. */
WF_API wf_status wf_sort_rows(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t rows,
                              size_t length);
WF_API wf_status wf_sort_rows_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values,
                                    size_t rows, size_t length, void *stream);
WF_API wf_status wf_argsort_rows(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                                 size_t rows, size_t length);
WF_API wf_status wf_argsort_rows_async(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                                       size_t rows, size_t length, void *stream);

/* Sorts each segment of an array by itself, in place.
 *   segments:  lie one behind the other: begins has count + 1 offsets, which do not decrease; ends is NULL, flags are
 *              0. Segments may be empty. What lies before the first and behind the last offset stays as it is.
 *              Offsets that decrease, or are larger than count of the array, are undefined behaviour.
 *   longest:   no segment is longer; 0: the caller does not know. A segment that is longer is undefined behaviour.
 *   positions: counted from the segment's first element; of elements outside of segments they stay as they are
 *   apart:     begins must not overlap keys, values or positions
 *   time:      GPUs: best if all segments are short (see wf_sort_rows). If longest is 0, blocking calls find it on the
 *              device first; the _async ones sort as if one segment were long.
 *   the rest:  as for wf_sort_rows */
WF_API wf_status wf_sort_segments(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                                  void *keys, void *values, size_t count, size_t longest);
WF_API wf_status wf_sort_segments_async(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                                        void *keys, void *values, size_t count, size_t longest, void *stream);
WF_API wf_status wf_argsort_segments(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                                     const void *keys, void *positions, size_t count, size_t longest);
WF_API wf_status wf_argsort_segments_async(wf_context *context, const wf_sort_spec *spec, const wf_segments *segments,
                                           const void *keys, void *positions, size_t count, size_t longest,
                                           void *stream);

/* A selection. Zero-initialised but for k: the largest f32. */
typedef struct wf_top_k_spec {
    wf_type type;            /* any */
    uint32_t smallest;       /* not 0: the smallest elements */
    uint64_t k;              /* results of each row */
    uint32_t position_bytes; /* 4 or 8: positions are unsigned integers of so many bytes; 0: none are written */
    uint32_t reserved[3];    /* 0 */
} wf_top_k_spec;

/* Writes the k largest, or smallest, elements of each row, in order.
 *   order:     that of wf_sort, descending unless smallest is set: a NaN counts as larger than every number, +0 as
 *              larger than -0. Of equal elements the lowest position comes first.
 *   in:        rows * length elements, rows one behind the other; device memory. Not changed.
 *   values:    device memory for rows * k elements
 *   positions: device memory for rows * k indices in the row, aligned to position_bytes; NULL if that is 0. All three
 *              arrays are apart.
 *   bits:      the same on every device
 *   launches:  GPUs: one for short rows (see wf_sort_rows). Longer ones are cut into short parts, and further launches
 *              select from the parts' results: one for 129,280 f32 and k up to 451. If k is more than half of the
 *              longest short row, long rows are sorted instead.
 *   memory:    GPUs: for long rows twice their parts' results; if they are sorted, 24 to 32 bytes for each element
 *   stream:    wf_top_k blocks; wf_top_k_async queues, and can be captured
 *   fails:     WF_INVALID_ARGUMENT: also k above length. WF_UNSUPPORTED: positions of 4 bytes for longer rows than they
 *              can number. WF_OUT_OF_MEMORY, WF_DEVICE_ERROR, WF_KERNEL_FAULT. */
WF_API wf_status wf_top_k(wf_context *context, const wf_top_k_spec *spec, const void *in, size_t rows, size_t length,
                          void *values, void *positions);
WF_API wf_status wf_top_k_async(wf_context *context, const wf_top_k_spec *spec, const void *in, size_t rows,
                                size_t length, void *values, void *positions, void *stream);

#ifdef __cplusplus
}
#endif
#endif
