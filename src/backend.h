/* What a backend's module gives the library: one table of functions, and a number that says which table.
 *
 * A module (libwavefold-host.so, libwavefold-nvidia.so, libwavefold-amd.so) exports wavefold_backend(). The library
 * calls it, compares the ABI number, and reads on only if it is its own: the number is first, so that it can be read
 * whatever follows.
 */
#ifndef WAVEFOLD_BACKEND_H
#define WAVEFOLD_BACKEND_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raise it with every change to this file, or to the enumerations of wavefold.h. */
#define WF_BACKEND_ABI 1u

/* X(name, shape): every kernel of the ladder, once. The shape says which fields of wf_launch it takes:
 *   IN_PLACE  data, tail, stride, first, window
 *   TILED     source, result */
#define WF_KERNEL_MAP(X)                                                                                               \
    X(simple_1, IN_PLACE)                                                                                              \
    X(simple_2, IN_PLACE)                                                                                              \
    X(tiled_1, TILED)                                                                                                  \
    X(tiled_2, TILED)                                                                                                  \
    X(tiled_3, TILED)                                                                                                  \
    X(tiled_4, TILED)                                                                                                  \
    X(cascade, TILED)

typedef enum wf_kernel {
#define WF_KERNEL_ENUM(name, shape) WF_KERNEL_##name,
    WF_KERNEL_MAP(WF_KERNEL_ENUM)
#undef WF_KERNEL_ENUM
        WF_KERNEL_COUNT
} wf_kernel;

/* One launch of one kernel. Counts are in elements. */
typedef struct wf_launch {
    wf_kernel kernel;
    wf_type type;
    wf_op op;
    uint32_t tiles;
    uint32_t tile_size;
    /* TILED: each tile writes result[its number] */
    const void *source;
    uint64_t source_count;
    void *result;
    /* IN_PLACE: threads first to stride - 1 fold data[i], data[i + stride], ... into data[i]; the last one folds what
     * lies beyond into *tail */
    void *data;
    uint64_t data_count;
    void *tail;
    uint64_t first;
    uint64_t stride;
    uint32_t window;
} wf_launch;

typedef enum wf_direction { WF_TO_DEVICE, WF_TO_HOST, WF_WITHIN_DEVICE } wf_direction;

typedef struct wf_backend {
    uint32_t abi; /* WF_BACKEND_ABI */
    const char *name;

    /* A sentence about the last failure on this thread; never NULL. */
    const char *(*message)(void);

    /* Counting devices never fails: none is 0, and message() says why. */
    uint32_t (*device_count)(void);
    wf_status (*device_info)(uint32_t ordinal, wf_device_info *info);

    /* setting is what stood after the ordinal in the device's name ("" if nothing did). */
    wf_status (*open)(uint32_t ordinal, const char *setting, void **device);
    void (*close)(void *device);

    wf_status (*allocate)(void *device, size_t bytes, void **memory);
    void (*release)(void *device, void *memory);
    wf_status (*copy)(void *device, void *to, const void *from, size_t bytes, wf_direction direction);

    /* Work is queued in order. copy and timer_stop wait for all of it, and report what failed in it. */
    wf_status (*launch)(void *device, const wf_launch *launch);
    wf_status (*read)(void *device, const void *from, size_t bytes);

    /* The time between the two marks on the device's own clock; stop finishes the queue. */
    wf_status (*timer_start)(void *device);
    wf_status (*timer_stop)(void *device, double *seconds);
} wf_backend;

typedef const wf_backend *wf_backend_entry(void);
#define WF_BACKEND_ENTRY "wavefold_backend"

#ifdef __cplusplus
}
#endif
#endif
