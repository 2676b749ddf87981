/* The ladder: every step from the C++ AMP sample to the kernels of wf_reduce, each run and reported by itself.
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_LADDER_H
#define WAVEFOLD_LADDER_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { /* which parameters of wf_rung_options a rung heeds */
       WF_RUNG_TILE = 1,
       WF_RUNG_TILES = 2,
       WF_RUNG_WINDOW = 4,
       WF_RUNG_WHOLE_WAVES = 8, /* its tile size must be a multiple of the device's wave width */
       WF_RUNG_EXCLUSIVE = 16,
       WF_RUNG_DESCENDING = 32
};

typedef enum wf_rung_kind { WF_RUNG_REDUCES, WF_RUNG_SCANS, WF_RUNG_SORTS, WF_RUNG_SORTS_PAIRS } wf_rung_kind;

/* All strings are static. */
typedef struct wf_rung_info {
    const char *name;      /* "tiled_1" */
    const char *family;    /* "amp" */
    const char *seed;      /* the document that it comes from */
    const char *idea;      /* one line: what it does */
    const char *limit;     /* one line: what should bound it */
    wf_rung_kind kind;     /* what it does, and so what wf_rung_run's result is */
    uint32_t parameters;   /* WF_RUNG_* it heeds, or'ed */
    uint32_t is_highlight; /* 1 for what a first look should show: the C++ AMP family, the best of each other, and
                              exact */
    double accesses;       /* elements read and written in device memory per input element, for large n and defaults; 0
                              if it depends on n */
} wf_rung_info;

/* The rungs, numbered from 0. WF_INVALID_ARGUMENT: no such index. */
WF_API size_t wf_rung_count(void);
WF_API wf_status wf_rung_get_info(size_t index, wf_rung_info *info);
/* The index of the rung of this name.
 *   fails:    WF_INVALID_ARGUMENT: an unknown name; wf_last_error() has the nearest known one, if one is near */
WF_API wf_status wf_rung_find(const char *name, size_t *index);

/* Zero-initialised: f32, sum, and every parameter at its default. Rungs fold as WF_ACCURACY_FAST says. */
typedef struct wf_rung_options {
    wf_type type;
    wf_op op;                   /* sorts have none and ignore it */
    wf_accumulator accumulator; /* reductions; scans take the default alone, sorts ignore it */
    wf_nan nan;                 /* reductions; scans take the default alone, sorts ignore it */
    uint32_t tile_size;         /* threads of a tile: a power of two, 2 to the device's max_tile_size; 0: 256.
                                   exact: 256 or 512 at the most, as the
                                   device has it */
    uint32_t tiles;             /* tiles of rungs with a fixed number of them: 1 to 65536; 0: chosen for the device */
    uint32_t window;            /* elements folded by one thread of simple_2: 2 to 1024; 0: 8 */
    uint32_t exclusive;         /* scans: element i of the result leaves element i out; 0: takes it in */
    uint32_t descending;        /* sorts: the largest first; 0: the smallest first */
    uint32_t reserved[7];       /* 0 */
} wf_rung_options;

/* WF_OK if the rung can do it, with any parameters.
 *   table:    sequential takes the whole of wf_reduction_get_info's table, wavefold all but the ordered operators, both
 *             as WF_ACCURACY_FAST has it. exact takes the sum and asum of floats, and the sumsq of f16, bf16 and f32,
 *             each rounded once, into the type that the others' result has.
 *             Every other reduction takes sum, min and max of f32, f64, i32 and i64 in their own type, propagating NaN.
 *   fails:    WF_UNSUPPORTED: it cannot; wf_last_error() has the reason, and rungs that can */
WF_API wf_status wf_rung_supports(size_t index, const wf_rung_options *options);

typedef struct wf_rung_report {
    uint32_t launches;  /* kernels launched; 0 where there is no need, as for a rung that runs on the CPU */
    uint32_t tile_size; /* as used; 0 where the rung has none */
    uint32_t tiles;
    uint32_t window;
    uint64_t threads;      /* of the largest launch */
    uint64_t depth;        /* operations on the longest path from an element to the result; 0 for sorts, and for a sum
                              that is rounded once: it is the nearest number to the exact one. The error of any other
                              float sum is at most (1 + u)^depth - 1 times the sum of magnitudes, u = 2^-24 or 2^-53
                              (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2). */
    uint64_t flushes;      /* operations that may take subnormal f32 for 0 (see f32_atomics_flush): each adds at most
                              3·2^-126 to the error of an f32 sum */
    double device_seconds; /* from the first launch to the end of the last (sequential: the loop alone) */
    double total_seconds;  /* the same, and the copy of the partial results to the host and their fold there */
} wf_rung_report;

/* Runs rung number index on count elements at in. Blocks.
 *   in:       device memory, aligned to the type; may be NULL if count is 0. Not changed, unless it is result, too:
 *             rungs that work in place do so on a copy, made before the clock starts.
 *   result:   depends on the rung's kind:
 *             WF_RUNG_REDUCES      host memory, one result: wf_reduction_get_info's result_bytes for
 *                                  WF_ACCURACY_FAST
 *             WF_RUNG_SCANS        device memory, count elements
 *             WF_RUNG_SORTS        device memory, count elements
 *             WF_RUNG_SORTS_PAIRS  device memory, count elements, and right behind them count uint32_t: where each
 *                                  stood in in
 *             result_bytes is the size of all that.
 *             In device memory: aligned to the type; may be NULL if count is 0. It must not overlap in, unless it is in
 *             itself, for a scan or a sort of keys.
 *   report:   may be NULL
 *   memory:   The workspace belongs to the context and is kept for the next call. It is at most as large as in, and a
 *             few KiB or a line per tile. sequential copies in to host memory without a check that it fits:
 *             where Linux promises more than there is, it ends the process.
 *   fails:    WF_UNSUPPORTED: as wf_rung_supports says. WF_INVALID_ARGUMENT: no such index, a parameter out of range,
 *             arrays that are not aligned or overlap. WF_OUT_OF_MEMORY.
 *             WF_DEVICE_ERROR, WF_KERNEL_FAULT: the device failed; a result in device memory is left undefined. */
WF_API wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in,
                             size_t count, void *result, size_t result_bytes, wf_rung_report *report);

/* Reads an array once, as fast as the device can: the ceiling for every rung. Blocks.
 *   in:       device memory, aligned to 16 bytes
 *   bytes:    of the array; rounded down to a multiple of 16
 *   seconds:  how long that took. WF_UNSUPPORTED on a device that counts accesses (watched) */
WF_API wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
