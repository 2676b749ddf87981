/* What a backend's module gives the library: one table of functions, and a number that says which table.
 *
 * A module (libwavefold-host.so, libwavefold-nvidia.so, libwavefold-amd.so) exports wavefold_backend(). The library
 * calls it, compares the ABI number, and reads on only if it is its own: the number is first, so that it can be read
 * whatever follows.
 */
#ifndef WAVEFOLD_BACKEND_H
#define WAVEFOLD_BACKEND_H

#include "reduce/thread_table.h"
#include "wavefold.h"
#include "wavefold_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raise its first number with every change to this file or to a request. A type, operator or algorithm more changes it
 * by itself. */
#define WF_BACKEND_ABI                                                                                                 \
    (UINT32_C(20) << 24 | (uint32_t)WF_TYPE_COUNT << 16 | (uint32_t)WF_OP_COUNT << 8 | (uint32_t)WF_ALGORITHM_COUNT)

/* X(NAME, name, request): what devices launch. An algorithm is a folder src/name, whose request.h has its request, and
 * a folder hip/name, whose launch.hpp launches its kernels. */
#define WF_ALGORITHM_MAP(X)                                                                                            \
    X(REDUCE, reduce, wf_reduce_request)                                                                               \
    X(SCAN, scan, wf_scan_request)                                                                                     \
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

typedef enum wf_direction { WF_TO_DEVICE, WF_TO_HOST, WF_WITHIN_DEVICE } wf_direction;

typedef struct wf_backend {
    uint32_t abi; /* WF_BACKEND_ABI */
    const char *name;
    uint32_t wide_tile;  /* threads of a tile that describes integers, at the most; */
    uint32_t exact_tile; /* of an exact sum's */
    /* Of a cluster tile, where waves have 32 lanes: its blocks, and their threads, at the most; 0: there are none. */
    uint32_t cluster_blocks, cluster_block;

    /* A sentence about the last failure on this thread; never NULL. */
    const char *(*message)(void);

    /* Which of the vendor's runtimes does the work, with its version and where it is, once devices were counted; "" if
     * none does. NULL where none is needed. */
    const char *(*runtime)(void);

    /* Counting devices never fails: none is 0, and message() says why. */
    uint32_t (*device_count)(void);
    wf_status (*device_info)(uint32_t ordinal, wf_device_info *info);

    /* setting is what stood after the ordinal in the device's name ("" if nothing did). */
    wf_status (*open)(uint32_t ordinal, const char *setting, void **device);
    void (*close)(void *device);

    wf_status (*allocate)(void *device, size_t bytes, void **memory);
    void (*release)(void *device, void *memory);
    wf_status (*copy)(void *device, void *to, const void *from, size_t bytes, wf_direction direction);

    /* WF_OK, or the error that the program's own work has left on this thread, which stays there. NULL where there is
     * no work but the library's. */
    wf_status (*earlier_error)(void *device);

    /* Work is queued in order on stream, which is one of the vendor's; NULL is the device's own, the only one that the
     * host device has. copy, finish and timer_stop wait for all work on the device's own, and report what failed. */
    wf_status (*launch)(void *device, void *stream, wf_algorithm algorithm, const void *request);
    wf_status (*clear)(void *device, void *stream, void *memory, size_t bytes); /* to zeros */
    wf_status (*read)(void *device, const void *from, size_t bytes);
    wf_status (*finish)(void *device);

    /* Reduces on the CPU, with no kernel; NULL where kernels do it. Of the request it takes what is reduced, how, and
     * result, which is host memory and has not changed on failure; threads says how many share the work. */
    wf_status (*reduce)(void *device, const struct wf_reduce_request *request, wf_thread_table threads);

    /* Host memory that kernels write while the host reads: its address here and there. */
    wf_status (*share)(void *device, size_t bytes, void **here, void **there);
    void (*unshare)(void *device, void *here);
    /* The address at which kernels read this memory; NULL if they cannot. */
    wf_status (*reaches)(void *device, const void *memory, const void **there);
    /* A number for what the stream is being captured into; 0 if nothing is captured. */
    wf_status (*capture)(void *device, void *stream, uint64_t *number);

    /* Queues some microseconds of work that does nothing: what is queued meanwhile follows without waiting for the
     * host, so that a time between marks has no launch overhead in it. NULL where nothing waits in a queue. */
    wf_status (*hold)(void *device);
    /* The time between the two marks on the device's own clock; stop finishes the queue. */
    wf_status (*timer_start)(void *device);
    wf_status (*timer_stop)(void *device, double *seconds);

    /* As wavefold_watch.h says; NULL where kernels are not watched. */
    wf_status (*watch_start)(void *device, int keeps_events);
    wf_status (*watch_get)(void *device, wf_watch *watch);
} wf_backend;

typedef const wf_backend *wf_backend_entry(void);
#define WF_BACKEND_ENTRY "wavefold_backend"

#ifdef __cplusplus
}
#endif
#endif
