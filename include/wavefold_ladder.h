/* The ladder: the teaching kernels, from the C++ AMP sample to the kernels of wf_reduce. Each step is a rung, which
 * runs and is reported alone.
 *
 * The rules for every function in wavefold.h hold here, too. */
#ifndef WAVEFOLD_LADDER_H
#define WAVEFOLD_LADDER_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { /* the parameters of wf_rung_options that a rung uses */
       WF_RUNG_TILE = 1,
       WF_RUNG_TILES = 2,
       WF_RUNG_WINDOW = 4,
       WF_RUNG_WHOLE_WAVES = 8, /* the tile size must be a multiple of the device's wave width */
       WF_RUNG_EXCLUSIVE = 16,
       WF_RUNG_DESCENDING = 32,
       WF_RUNG_ROW_LENGTH = 64
};

/* The last three reduce parts of the array, each to a result of its own. */
typedef enum wf_rung_kind {
    WF_RUNG_REDUCES,
    WF_RUNG_SCANS,
    WF_RUNG_SORTS,
    WF_RUNG_SORTS_PAIRS,
    WF_RUNG_ROWS,    /* rows of row_length elements; the last row may be shorter */
    WF_RUNG_COLUMNS, /* element i belongs to column i % row_length */
    WF_RUNG_SEGMENTS /* rows of unequal lengths, row_length on average */
} wf_rung_kind;

/* All strings are static. */
typedef struct wf_rung_info {
    const char *name;      /* "tiled_1" */
    const char *family;    /* "amp" */
    const char *seed;      /* the source of the kernel: a document or lecture */
    const char *idea;      /* one line: what the kernel does */
    const char *limit;     /* one line: the expected bottleneck */
    wf_rung_kind kind;     /* also the kind of wf_rung_run's result */
    uint32_t parameters;   /* WF_RUNG_* that it uses, or'ed */
    uint32_t is_highlight; /* 1 for a selection: the C++ AMP family, the best rung of each other family, and exact */
    double accesses;       /* elements read and written in device memory per input element, for large n and default
                              parameters; 0 if the number depends on n */
} wf_rung_info;

/* Rungs are numbered from 0.
 *   fails:    WF_INVALID_ARGUMENT: no such index */
WF_API size_t wf_rung_count(void);
WF_API wf_status wf_rung_get_info(size_t index, wf_rung_info *info);
/* Finds a rung's index by its name.
 *   fails:    WF_INVALID_ARGUMENT: an unknown name; wf_last_error() suggests a similar one, if there is one */
WF_API wf_status wf_rung_find(const char *name, size_t *index);

/* Zero-initialised: f32, sum, and every parameter at its default. All rungs but exact reduce with WF_ACCURACY_FAST. */
typedef struct wf_rung_options {
    wf_type type;
    wf_op op;                   /* sorts have none and ignore it */
    wf_accumulator accumulator; /* reductions; scans take only the default, sorts ignore it */
    wf_nan nan;                 /* reductions; scans take only the default, sorts ignore it */
    uint32_t tile_size;         /* threads of a tile: a power of two from 2 to the device's max_tile_size; 0: 256. The
                                   rung exact takes at most 256 or 512, depending on the device. */
    uint32_t tiles;             /* for rungs with a fixed number of tiles: 1 to 65536; 0: chosen for the device */
    uint32_t window;            /* simple_2: elements that one thread combines, 2 to 1024; 0: 8 */
    uint32_t exclusive;         /* scans: not 0: result i combines elements 0 to i - 1; 0: elements 0 to i */
    uint32_t descending;        /* sorts: not 0: the largest first; 0: the smallest first */
    uint32_t row_length;        /* rungs that reduce rows: elements of a row; 0: 64 */
    uint32_t reserved[6];       /* 0 */
} wf_rung_options;

/* Returns WF_OK if the rung supports the reduction, scan or sort of the options.
 *   sequential:  every reduction that wf_reduction_get_info accepts with WF_ACCURACY_FAST
 *   wavefold:    the same, except the ordered operators
 *   exact:       sum and asum of floats, sumsq of f16, bf16 and f32, rounded once into the result type of the fast sum
 *   others:      reductions take sum, min and max of f32, f64, i32 and i64 in their own type, propagating NaN
 *   fails:       WF_UNSUPPORTED: wf_last_error() has the reason, and rungs that support it */
WF_API wf_status wf_rung_supports(size_t index, const wf_rung_options *options);

typedef struct wf_rung_report {
    uint32_t launches;  /* kernels launched; 0 for a rung that runs on the CPU, and for an empty array */
    uint32_t tile_size; /* as used; 0 if the rung has no tile size */
    uint32_t tiles;
    uint32_t window;
    uint64_t threads;      /* of the largest launch */
    uint64_t depth;        /* operations on the longest path from an element to the result; 0 for sorts and for exact
                              sums. The error of any other float sum is at most (1 + u)^depth - 1 times the sum of
                              magnitudes, u = 2^-24 or 2^-53 (Higham, Accuracy and Stability of Numerical Algorithms,
                              2nd ed., section 4.2). */
    uint64_t flushes;      /* operations that may flush subnormal f32 to 0 (see f32_atomics_flush): each adds at most
                              3·2^-126 to the error of an f32 sum */
    double device_seconds; /* from the first launch to the end of the last (sequential: the loop alone) */
    double total_seconds;  /* device_seconds, plus copying the partial results to the host and combining them there */
} wf_rung_report;

/* Runs rung number index on count elements at in. Blocks.
 *   in:       device memory, aligned to the type; NULL is allowed if count is 0. Not changed unless it is also result:
 *             rungs that work in place use a copy, made before the clock starts.
 *   result:   WF_RUNG_REDUCES: one result in host memory, of wf_reduction_get_info's result_bytes for WF_ACCURACY_FAST.
 *             WF_RUNG_SCANS, WF_RUNG_SORTS: count elements in device memory. WF_RUNG_SORTS_PAIRS: the same, followed by
 *             count uint32_t, the index of each element in `in`. WF_RUNG_ROWS, WF_RUNG_SEGMENTS: count / row_length
 *             elements, rounded up, in device memory; WF_RUNG_COLUMNS: the smaller one of row_length and count. In
 *             device memory: aligned as `in`; it may equal `in` for scans and sorts of keys, and must not overlap it
 *             otherwise.
 *   report:   may be NULL
 *   segments: The rung makes the lengths, from 0 to 3.6 row lengths; docs/progression.md has the rule.
 *   memory:   The context keeps the workspace: at most the size of the array, plus a few KiB or a line per tile;
 *             segments: 8 bytes for each segment more.
 *             Warning: sequential copies the array to host memory; if Linux overcommits, this may end the process.
 *   fails:    WF_UNSUPPORTED: see wf_rung_supports. WF_INVALID_ARGUMENT: a bad index or parameter; arrays that are
 *             misaligned or overlap. WF_OUT_OF_MEMORY. WF_DEVICE_ERROR, WF_KERNEL_FAULT: a result in device memory is
 *             undefined. */
WF_API wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in,
                             size_t count, void *result, size_t result_bytes, wf_rung_report *report);

/* Measures how fast the device reads an array once: the ceiling for every rung. Blocks.
 *   in:       device memory, aligned to 16 bytes
 *   bytes:    size of the array; rounded down to a multiple of 16
 *   seconds:  the time
 *   fails:    WF_UNSUPPORTED on a device that counts accesses (watched) */
WF_API wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
