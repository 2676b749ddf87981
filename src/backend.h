/* The interface of a backend's module: a table of functions, with an ABI number.
 *
 * A module (libwavefold-host.so, libwavefold-nvidia.so, libwavefold-amd.so) exports wavefold_backend(). The library
 * calls it and compares the ABI number, which is the table's first member. It reads the rest only if the
 * numbers agree. */
#ifndef WAVEFOLD_BACKEND_H
#define WAVEFOLD_BACKEND_H

#include "reduce/thread_table.h"
#include "wavefold.h"
#include "wavefold_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Increment the number in the top byte with every change to this file or to a request. New types, operators and
 * algorithms change the ABI number by themselves. */
#define WF_BACKEND_ABI                                                                                                 \
    (UINT32_C(26) << 24 | (uint32_t)WF_TYPE_COUNT << 16 | (uint32_t)WF_OP_COUNT << 8 | (uint32_t)WF_ALGORITHM_COUNT)

/* X(NAME, name, request): the algorithms. src/name/request.h defines an algorithm's request; hip/name/launch.hpp
 * launches its kernels. */
#define WF_ALGORITHM_MAP(X)                                                                                            \
    X(REDUCE, reduce, wf_reduce_request)                                                                               \
    X(AXES, axes, wf_axes_request)                                                                                     \
    X(SCAN, scan, wf_scan_request)                                                                                     \
    X(LOOK_BACK, look_back, wf_look_back_request)                                                                      \
    X(BY_KEY, by_key, wf_by_key_request)                                                                               \
    X(SORT, sort, wf_sort_request)                                                                                     \
    X(MESSAGE, message, wf_message_request)                                                                            \
    X(LADDER, ladder, wf_ladder_request)

typedef enum wf_algorithm {
#define WF_ALGORITHM_ENUM(NAME, name, request) WF_ALGORITHM_##NAME,
    WF_ALGORITHM_MAP(WF_ALGORITHM_ENUM)
#undef WF_ALGORITHM_ENUM
        WF_ALGORITHM_COUNT
} wf_algorithm;

struct wf_reduce_request;
struct wf_axes_request;
struct wf_scan_request;
struct wf_sorting;
struct wf_row_sorting;

typedef enum wf_direction { WF_TO_DEVICE, WF_TO_HOST, WF_WITHIN_DEVICE } wf_direction;

typedef struct wf_backend {
    uint32_t abi; /* WF_BACKEND_ABI */
    const char *name;
    uint32_t wide_tile;  /* at most this many threads in a tile that describes integers */
    uint32_t exact_tile; /* at most this many threads in a tile of an exact sum */
    /* Cluster tiles, with waves of 32 lanes: the number of blocks, and at most this many threads in each; 0: none. */
    uint32_t cluster_blocks, cluster_block;

    /* A sentence about the last failure on this thread; never NULL. */
    const char *(*message)(void);

    /* The vendor's runtime with its version and file, valid after device_count; "" if none is in use. The pointer is
     * NULL for a backend that needs no runtime. */
    const char *(*runtime)(void);

    /* device_count never fails: if it is 0, message() has the reason. */
    uint32_t (*device_count)(void);
    wf_status (*device_info)(uint32_t ordinal, wf_device_info *info);

    /* setting: the text after the ordinal in the device's name, or "". */
    wf_status (*open)(uint32_t ordinal, const char *setting, void **device);
    void (*close)(void *device);

    wf_status (*allocate)(void *device, size_t bytes, void **memory);
    void (*release)(void *device, void *memory);
    wf_status (*copy)(void *device, void *to, const void *from, size_t bytes, wf_direction direction);

    /* Reports a pending error of the program on this thread, and leaves it pending. The pointer is NULL for a backend
     * without a vendor's runtime. */
    wf_status (*earlier_error)(void *device);

    /* stream: a stream of the vendor's runtime; NULL: the device's own queue, the only one of the host device. Work
     * runs in the order of its stream. copy, finish and timer_stop wait for the device's own queue, and report its
     * errors. */
    wf_status (*launch)(void *device, void *stream, wf_algorithm algorithm, const void *request);
    wf_status (*clear)(void *device, void *stream, void *memory, size_t bytes); /* sets to zeros */
    wf_status (*read)(void *device, const void *from, size_t bytes);
    wf_status (*finish)(void *device);

    /* Reduces on the CPU without kernels; NULL for a backend that reduces by kernels. It uses the fields that
     * wf_reduce_request_on_cpu sets. The result is host memory, not changed on failure. threads chooses the number of
     * threads. */
    wf_status (*reduce)(void *device, const struct wf_reduce_request *request, wf_thread_table threads);
    /* The same along axes, or of segments if the request has begins. Results may have changed on failure. */
    wf_status (*reduce_axes)(void *device, const struct wf_axes_request *request, wf_thread_table threads);
    /* Sorts likewise. Nothing has changed on failure. */
    wf_status (*sort)(void *device, const struct wf_sorting *sorting, wf_thread_table threads);
    /* Sorts rows or segments, or the first elements of each, likewise. */
    wf_status (*sort_rows)(void *device, const struct wf_row_sorting *sorting, wf_thread_table threads);

    /* Scans, in the same way. */
    wf_status (*scan)(void *device, const struct wf_scan_request *request, wf_thread_table threads);

    /* Allocates host memory that kernels write while the host reads. here: its address on the host; there: in kernels.
     * */
    wf_status (*share)(void *device, size_t bytes, void **here, void **there);
    void (*unshare)(void *device, void *here);
    /* *there becomes the address at which kernels read this memory, or NULL if they cannot. */
    wf_status (*reaches)(void *device, const void *memory, const void **there);
    /* *number becomes a number for the graph into which the stream is being captured; 0: it is not being captured. */
    wf_status (*capture)(void *device, void *stream, uint64_t *number);

    /* Queues a delay of some microseconds: launches queued meanwhile follow without waiting for the host, so that a
     * measured time contains no launch overhead. NULL for a backend without a queue. */
    wf_status (*hold)(void *device);
    /* The time between start and stop on the device's own clock. timer_stop waits for the queue. */
    wf_status (*timer_start)(void *device);
    wf_status (*timer_stop)(void *device, double *seconds);

    /* See wavefold_watch.h; NULL for a backend that does not count accesses. */
    wf_status (*watch_start)(void *device, int keeps_events);
    wf_status (*watch_get)(void *device, wf_watch *watch);
} wf_backend;

typedef const wf_backend *wf_backend_entry(void);
#define WF_BACKEND_ENTRY "wavefold_backend"

#ifdef __cplusplus
}
#endif
#endif
