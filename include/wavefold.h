/* wavefold: folds arrays on wavefronts, on AMD GPUs, NVIDIA GPUs and plain CPUs, behind one C API.
 *
 * This header is what most programs need. Others add to it: wavefold_sum.h exact sums in parts, wavefold_tune.h launch
 * tables, wavefold_ladder.h the teaching kernels, wavefold_watch.h what kernels did, and wavefold_message.h,
 * wavefold_mpi.h and wavefold_nccl.h arrays that are spread over ranks. All compile as C11 and as C++17 and need no
 * vendor header.
 *
 * What holds for every function, unless its own lines say otherwise:
 *
 *   units:      count is in elements, bytes in bytes, seconds in seconds.
 *   memory:     "Device memory" is memory from wf_malloc of the same context, or what the vendor's runtime allocated
 *               on the same device. Copies, scans, sorts and rungs refuse an array that starts in a block of wf_malloc
 *               and runs past its end. On the host device they refuse all other memory, so that mistakes show there.
 *   alignment:  Arrays are aligned to their type: wf_type_size bytes.
 *   stream:     A function without a stream is done when it returns. An _async function queues its work on stream and
 *               returns. stream is a hipStream_t or cudaStream_t of the context's device, or NULL: the context's own
 *               queue, which wf_reduce, wf_describe, wf_scan, wf_sort and the copies wait for.
 *               Until queued work is done, its results may not be used, its arrays neither changed nor freed, and the
 *               context not destroyed.
 *               The host device has no streams: there stream must be NULL, and the work is done on return.
 *   threads:    A context is used by one thread at a time. Exceptions are reductions and descriptions: they may run
 *               beside each other, and beside every other call but wf_tune and wf_context_destroy.
 *               Different contexts are independent. Functions without a context may be called from any thread.
 *   fails:      A function that can fail returns a wf_status. On failure nothing that it was given has changed, out
 *               parameters included, and wf_last_error() says in a sentence what was wrong, the limit and the remedy.
 *               WF_INVALID_ARGUMENT: a NULL that is not allowed, or a value that is out of its range.
 *               WF_DEVICE_ERROR: the device failed, in this call or before it. An earlier sticky device error,
 *               including one caused by your own kernel, is reported and not cleared. What fails in queued work is
 *               reported by the next call that waits.
 *               AMD: program and library share the runtime's last error. Reductions, descriptions, scans and sorts
 *               report a pending one, do nothing, and leave it pending; wf_scan_async and wf_sort_async of no elements
 *               do not look. Before ROCm 7 other HIP calls, this library's allocations and copies too, may replace it.
 *               hipErrorNotReady, as a query answers, is no error.
 *   NULL:       A null handle given to a destroy or free function is a no-op.
 *   process:    The library never prints, exits, or installs a signal handler. It leaves the calling thread's current
 *               CUDA or HIP device as it was, and takes up to 128 KiB of the thread's stack.
 */
#ifndef WAVEFOLD_H
#define WAVEFOLD_H

#include <stddef.h>
#include <stdint.h>

#define WF_VERSION_MAJOR 0
#define WF_VERSION_MINOR 3
#define WF_VERSION_PATCH 0
#define WF_VERSION_NUMBER (WF_VERSION_MAJOR * 10000 + WF_VERSION_MINOR * 100 + WF_VERSION_PATCH)

#if defined(__GNUC__)
#define WF_API __attribute__((visibility("default")))
#else
#define WF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------- */

typedef enum wf_status {
    WF_OK = 0,                   /* success */
    WF_INVALID_ARGUMENT = -1,    /* an argument is out of its range */
    WF_UNSUPPORTED = -2,         /* the request is valid, but this build or device does not support it */
    WF_OUT_OF_MEMORY = -3,       /* not enough memory on the host or on the device */
    WF_NO_DEVICE = -4,           /* no such device */
    WF_BACKEND_UNAVAILABLE = -5, /* the backend's module is not installed or could not be loaded */
    WF_BACKEND_MISMATCH = -6,    /* the backend's module was built for another version of the library */
    WF_DEVICE_ERROR = -7,        /* the device's runtime reported an error */
    WF_KERNEL_FAULT = -8, /* the host device caught a kernel breaking a rule (race, divergent barrier, bad index) */
    WF_ENGINE_ERROR = -9, /* the engine that joins the ranks (MPI, NCCL, RCCL) reported an error */
} wf_status;

/* Static text, never NULL, also for a value that is no wf_status. */
WF_API const char *wf_status_string(wf_status status);
/* Static name such as "WF_OK", never NULL. */
WF_API const char *wf_status_name(wf_status status);
/* One sentence about the last call on this thread that failed; "" if none failed. Never NULL.
 *   memory:   the library's; valid until the next call on this thread that fails */
WF_API const char *wf_last_error(void);

/* The version of the library that runs: "0.3.0" (static text), and as a number like WF_VERSION_NUMBER. WF_VERSION_* are
 * those of the header. */
WF_API const char *wf_version(void);
WF_API uint32_t wf_version_number(void);

/* ---- Element types, operators, and what can be folded with what ---------------------------------------------- */

/* Names are "f32", ...; the C type of an element stands behind each. */
typedef enum wf_type {
    WF_F32,  /* float */
    WF_F64,  /* double */
    WF_I32,  /* int32_t */
    WF_I64,  /* int64_t */
    WF_U32,  /* uint32_t */
    WF_U64,  /* uint64_t */
    WF_I8,   /* int8_t */
    WF_I16,  /* int16_t */
    WF_U8,   /* uint8_t */
    WF_U16,  /* uint16_t */
    WF_F16,  /* uint16_t: the bits of an IEEE 754 binary16 */
    WF_BF16, /* uint16_t: the upper half of the bits of a binary32 */
    WF_TYPE_COUNT
} wf_type;

/* Operators. An element is one number, but for matmul (four) and affine (two).
 *
 * sum, product     integers wrap (two's complement)
 * product          of floats: partial products may overflow or underflow where the product itself would not, and which
 *                  partial products there are depends on the device. With a zero among finite elements wf_reduce gives
 *                  that zero (its sign that of the real product); wf_reduce_async and ranks may give NaN.
 * mean             the sum divided by the count
 * asum             the sum of magnitudes; the magnitude of the accumulator's least integer wraps
 * sumsq            the sum of squares; squares are rounded, or wrap, in the accumulator
 * min, max         IEEE 754-2019's minimum and maximum: -0 is less than +0; NaN: see wf_nan
 * minmax           both, in this order
 * argmin, argmax   what min or max gives, and the lowest index at which it stands
 * and, or, xor     of bits, of integers alone
 * matmul           2x2 matrices (a b; c d), stored a, b, c, d: the product of the first, the second, ... in this order
 * affine           maps x -> a x + b, stored a, b: the map that applies the first, then the second, ...: the step of a
 *                  linear recurrence
 *
 * matmul and affine are the ordered operators: associative, but not commutative.
 *   rungs:    only those that keep the order take them
 *   types:    i32 (wrapping), f32 and f64
 *   floats:   elements should be finite: identities are folded in, and 0 times infinity is NaN
 *
 * Folding no elements gives the identity:
 *   sum, asum, sumsq 0
 *   or, xor          0
 *   product          1
 *   and              all bits set
 *   mean             NaN
 *   min              the type's largest value, for floats +infinity; NaN under WF_NAN_IGNORE
 *   max              the type's smallest value, for floats -infinity; NaN under WF_NAN_IGNORE
 *   argmin, argmax   the same, with index UINT64_MAX
 *   matmul, affine   the identity matrix; the map x -> x */
typedef enum wf_op {
    WF_SUM,
    WF_MIN,
    WF_MAX,
    WF_PRODUCT,
    WF_MEAN,
    WF_MINMAX,
    WF_ARGMIN,
    WF_ARGMAX,
    WF_AND,
    WF_OR,
    WF_XOR,
    WF_MATMUL,
    WF_AFFINE,
    WF_ASUM,
    WF_SUMSQ,
    WF_OP_COUNT
} wf_op;

/* The type in which sums (sum, mean, asum, sumsq) and product are folded; of exact sums, which are the default of
 * floats (see wf_accuracy), the type into which they are rounded.
 *   default:  exact sums: the element's own type, so the sum of f16 is an f16.
 *             All others: elements of 4 and 8 bytes: their own type; narrower integers: i64 or u64; f16 and bf16: f32;
 *             the mean of integers of 4 or 8 bytes: f64
 *   others:   exact sums: f32 or f64, for every type of elements.
 *             All others: a type of the same kind (signed, unsigned, float) with at least 4 bytes and at least the
 *             element's. The mean of integers takes f64 for all of them, and i64 or u64 for those of up to 4 bytes,
 *             which is exact while the sum does not wrap.
 *   accuracy: An accumulator does not change it: the sum of f32 with WF_ACCUMULATE_F64 is exact, and rounded into an
 *             f64. It makes the result's type the same for all accuracies. */
typedef enum wf_accumulator {
    WF_ACCUMULATE_DEFAULT,
    WF_ACCUMULATE_I32,
    WF_ACCUMULATE_I64,
    WF_ACCUMULATE_U32,
    WF_ACCUMULATE_U64,
    WF_ACCUMULATE_F32,
    WF_ACCUMULATE_F64
} wf_accumulator;

/* What a NaN among the elements does to min, max, minmax, argmin and argmax. */
typedef enum wf_nan {
    WF_NAN_PROPAGATE, /* the result is NaN; argmin and argmax give the index of the first one */
    WF_NAN_IGNORE     /* NaN is passed over; if there is nothing else, the result is NaN, with index UINT64_MAX */
} wf_nan;

/* How sums (sum, mean, asum, sumsq) of floats are rounded. By default they are exact, wherever there is an exact sum.
 * product, matmul and affine of floats round at each step, and are refused if they are to be exact; means of integers
 * round in f64, whatever this says. All other results are exact.
 *
 * An exact sum is the real sum of all finite terms, rounded once, to nearest even, into the type of the result; an
 * exact mean is the real quotient, rounded once. So the bits are the same on every device, for every order of the
 * elements, however they are divided among launches, devices and machines, and in every version of the library.
 *   there is:    sum, mean and asum of f16, bf16, f32, f64; sumsq of f16, bf16, f32, whose squares f64 holds
 *   result:      in the element's own type, unless the accumulator says f32 or f64
 *   NaN:         a NaN among the terms, or infinities of both signs: the quiet NaN without sign and payload
 *   infinities:  of one sign: that infinity
 *   overflow:    infinity, if the sum itself, rounded, is beyond the largest finite number: the sum of
 *                {MAX, MAX, -MAX} is MAX
 *   zeros:       -0 if every term is -0; every other sum that is 0 is +0, that of no elements too
 *   subnormals:  count, whatever the processor is set to do with them; so does no mode of rounding matter */
typedef enum wf_accuracy {
    WF_ACCURACY_BEST, /* the default: exact where there is an exact sum, else fast; wf_reduction_get_info says which */
    WF_ACCURACY_FAST, /* in the accumulator, in the order that suits the device; the sum of f16 or bf16 is an f32 */
    WF_ACCURACY_EXACT /* rounded once, or WF_UNSUPPORTED */
} wf_accuracy;

/* A fold: what is folded, and how. Zero-initialised: the exact sum of f32, as an f32. */
typedef struct wf_reduce_spec {
    wf_type type;
    wf_op op;
    wf_accumulator accumulator;
    wf_nan nan;
    wf_accuracy accuracy;
} wf_reduce_spec;

typedef struct wf_reduction_info {
    uint32_t element_bytes; /* of one element */
    wf_type accumulator;    /* as chosen, or the default; of exact sums the type of the result */
    wf_type result_type;    /* of each value in the result. sums, product: the accumulator; mean: that, or f64
                               if that is an integer. Others: the element's type */
    wf_accuracy accuracy;   /* WF_ACCURACY_EXACT or WF_ACCURACY_FAST, as requested. Of WF_ACCURACY_BEST: EXACT where
                               there is an exact sum, FAST for all else, integers too */
    uint32_t result_values; /* 2 for minmax and affine, 4 for matmul, else 1 */
    uint32_t has_index;     /* 1 for argmin and argmax: the result is a wf_indexed_f32, or its like for the type */
    uint32_t result_bytes;  /* of values and index together; at most 32 */
} wf_reduction_info;

/* The result of argmin and argmax: the value, and the lowest index at which it stands. f16 and bf16 are their bits. */
typedef struct wf_indexed_f32 {
    float value;
    uint64_t index;
} wf_indexed_f32;
typedef struct wf_indexed_f64 {
    double value;
    uint64_t index;
} wf_indexed_f64;
typedef struct wf_indexed_i32 {
    int32_t value;
    uint64_t index;
} wf_indexed_i32;
typedef struct wf_indexed_i64 {
    int64_t value;
    uint64_t index;
} wf_indexed_i64;
typedef struct wf_indexed_u32 {
    uint32_t value;
    uint64_t index;
} wf_indexed_u32;
typedef struct wf_indexed_u64 {
    uint64_t value;
    uint64_t index;
} wf_indexed_u64;
typedef struct wf_indexed_i8 {
    int8_t value;
    uint64_t index;
} wf_indexed_i8;
typedef struct wf_indexed_i16 {
    int16_t value;
    uint64_t index;
} wf_indexed_i16;
typedef struct wf_indexed_u8 {
    uint8_t value;
    uint64_t index;
} wf_indexed_u8;
typedef struct wf_indexed_u16 {
    uint16_t value;
    uint64_t index;
} wf_indexed_u16;
typedef wf_indexed_u16 wf_indexed_f16;
typedef wf_indexed_u16 wf_indexed_bf16;

/* What a fold takes and gives: the one table of what can be folded.
 *   fails:    WF_UNSUPPORTED: what is not in the table; wf_last_error() has the reason */
WF_API wf_status wf_reduction_get_info(const wf_reduce_spec *what, wf_reduction_info *info);

/* Static name ("f32", "sum"), or NULL for a value outside the enumeration. */
WF_API const char *wf_type_name(wf_type type);
WF_API const char *wf_op_name(wf_op op);
/* Bytes of one number of the type, to which its arrays are aligned; 0 for a value outside the enumeration. */
WF_API size_t wf_type_size(wf_type type);

/* ---- Devices ------------------------------------------------------------------------------------------------ */

/* What became of a backend's module. */
typedef struct wf_backend_info {
    char name[16];     /* "host", "nvidia", "amd" */
    wf_status status;  /* WF_OK: loaded, though it may have found no device */
    uint32_t devices;  /* how many devices it offers */
    char detail[1024]; /* the module's file, or why it is not there, or why it offers no device */
    /* The vendor's runtime that does the work, with its version; "" if there is none. NVIDIA: part of the module. AMD:
     * with its file. It is the libamdhip64.so that the process has already; else that of ROCM_PATH, even if it is
     * older; else the one with the highest number in its name that the dynamic linker finds or that lies in /opt/rocm*,
     * and one without a number last. Preloading is the sure way to name one. One of ROCm 5 is not called, and there are
     * no devices, if the module has no code for one of the machine's GPUs: that version ends the process then. */
    char runtime[1024];
} wf_backend_info;

typedef struct wf_device_info {
    char id[32];               /* what wf_context_create takes: "nvidia:0", "host:64" */
    char backend[16];          /* "host", "nvidia", "amd" */
    char name[128];            /* the vendor's name of the device */
    uint32_t wave_width;       /* lanes of a wavefront: 32 or 64 */
    uint32_t multiprocessors;  /* compute units; on the host device, threads that run tiles */
    uint32_t max_tile_size;    /* threads of a tile, at most */
    uint32_t max_tiles;        /* tiles of one launch at max_tile_size, at most */
    uint32_t capability_major; /* NVIDIA: compute capability; AMD: the gfx number's; host: 0 */
    uint32_t capability_minor;
    uint32_t driver_version; /* as the vendor encodes it; host: 0 */
    uint32_t runtime_version;
    uint32_t f32_atomics_flush; /* 1 if atomic additions of f32 take subnormals for 0 (NVIDIA), else 0 */
    uint32_t f64_ratio;         /* how many times as fast as f64 arithmetic that of f32 is: 2 on GPUs for computing, 32
                                   or 64 on others; the host device: 2 with 64 lanes, 32 with 32, to play either */
    uint64_t memory_bytes;      /* all of the device's memory */
    uint64_t memory_free_bytes; /* what was free at the time of the call */
} wf_device_info;

/* The backends and the devices that there are, numbered from 0.
 *   found:    at the first call that needs them; they stay as found. A device that is named needs its backend alone:
 *             "host" makes no vendor's runtime ready
 *   modules:  looked for in the folder that the environment's WAVEFOLD_BACKEND_PATH names; programs of raised
 *             privileges ignore it. Without it in the folder wavefold/ beside the library, then in the folder in which
 *             they were installed; for a program that the static library is part of, in the latter alone.
 *   fails:    WF_INVALID_ARGUMENT: no such index. wf_device_get_info: WF_DEVICE_ERROR, too. */
WF_API size_t wf_backend_count(void);
WF_API wf_status wf_backend_get_info(size_t index, wf_backend_info *info);
WF_API size_t wf_device_count(void);
WF_API wf_status wf_device_get_info(size_t index, wf_device_info *info);

/* ---- Context: one device, its queue and its workspace ------------------------------------------------------- */

typedef struct wf_context wf_context;

/* Opens a device.
 *   context:  the new context; the caller frees it with wf_context_destroy
 *   device:   "auto" or NULL: the first GPU, else the host. "nvidia:0", "amd:1"; "nvidia" is "nvidia:0".
 *             "host[:LANES[:SCHEDULE]]": LANES is 32 or 64 (default). SCHEDULE is the order in which the host device
 *             runs the lanes of a tile: "forward" (default), "reverse", "random" or "random=SEED", a
 *             number of up to 19 digits.
 *             "watched[:LANES[:SCHEDULE]]": the same by kernels alone, each access counted: see wavefold_watch.h.
 *   fails:    WF_INVALID_ARGUMENT: an unknown name or setting. WF_NO_DEVICE: no such device.
 *             WF_BACKEND_UNAVAILABLE, WF_BACKEND_MISMATCH: its module cannot be used. WF_OUT_OF_MEMORY.
 *             WF_DEVICE_ERROR. */
WF_API wf_status wf_context_create(wf_context **context, const char *device);
/* Frees the context, and the device memory that it still has. */
WF_API void wf_context_destroy(wf_context *context);
/* The device as it is now: memory_free_bytes is queried again. */
WF_API wf_status wf_context_get_device(const wf_context *context, wf_device_info *info);

/* Allocates a block of device memory; wf_free frees it.
 *   memory:   device memory, aligned to 256 bytes, contents undefined. It lives until wf_free with the same context, or
 *             as long as the context. wf_free ignores NULL.
 *   bytes:    may be 0
 *   fails:    wf_malloc: WF_OUT_OF_MEMORY.
 *             wf_free: WF_INVALID_ARGUMENT for memory that is no block of the context (freed before, or not from
 *             wf_malloc); nothing is freed. */
WF_API wf_status wf_malloc(wf_context *context, void **memory, size_t bytes);
WF_API wf_status wf_free(wf_context *context, void *memory);
/* Copy bytes between host and device memory, and block until that is done. The ranges must not overlap.
 *   fails:    WF_INVALID_ARGUMENT: device starts in a block and the bytes run past its end; on the host device, also
 *             an address that is in no block. Nothing is copied.
 *             WF_DEVICE_ERROR; what the copy was to fill is then undefined */
WF_API wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes);
WF_API wf_status wf_copy_to_host(wf_context *context, void *host, const void *device, size_t bytes);

/* ---- Reductions --------------------------------------------------------------------------------------------- */

/* Folds count elements at in into *result.
 *
 *   in:        any byte address; ordered operators: aligned to the type. May be NULL if count is 0. Not changed.
 *              wf_reduce: device memory, other memory that the device reads (cudaMalloc, hipMalloc, pinned), or plain
 *              host memory, which is copied to the device in pieces of up to 64 MiB.
 *              wf_reduce_async: memory that the device can read.
 *   result:    wf_reduction_get_info's result_bytes: 4 for the sum of f32, 2 for that of f16, if no accumulator and no
 *              accuracy is named.
 *              wf_reduce: host memory, of any alignment. It has not changed on failure.
 *              wf_reduce_async: memory that the device can write: device memory or pinned host memory; on the host
 *              device host memory. Aligned to the result's type, with an index to 8 bytes.
 *   waiting:   wf_reduce blocks. For up to 200 us it watches for the result, which the device writes into the host's
 *              memory; after that the vendor's runtime waits.
 *   stream:    wf_reduce_async and wf_describe_async queue one launch; several for an array of more than 32 GiB. It
 *              allocates no memory and waits for nothing, but of what comes in parts a context has one at a time: calls
 *              for more than 32 GiB take turns, and so do those that copy plain host memory. A call that queues has its
 *              turn until it has queued, one that blocks until it has its result. It can be captured into a graph,
 *              which can be replayed any number of times.
 *   first use: By its default (CUDA_MODULE_LOADING=LAZY) CUDA loads a kernel's code when it is first launched, and it
 *              then runs when all that runs on the device has ended. If something that runs waits for its result,
 *              neither ends: make such a call before, or set CUDA_MODULE_LOADING=EAGER for the process.
 *   order:     As that of all work in a stream: nothing is read or written before what was queued earlier has ended.
 *              On NVIDIA GPUs of compute capability 9 and newer kernels start early, and wait for that themselves. If
 *              the program's own kernels in the stream start early, too (by
 *              cudaLaunchAttributeProgrammaticStreamSerialization), each must call cudaGridDependencySynchronize(): one
 *              before a call, or what was queued before that kernel may still run; one behind it, before it touches
 *              what was queued earlier, by this call or before. Graphs have edges with data then, in which CUDA's
 *              queries without data (cudaErrorLossyQuery) fail.
 *   threads:   Both may be called from several threads with one context at the same time, and for several streams.
 *   workspace: The context keeps one for each stream and one for each capture of a stream, 64 in all, where tiles leave
 *              values for each other. Each serves one reduction at a time, as work in one stream is ordered. So one
 *              captured graph must not run in two streams at once: capture it for each.
 *              wf_context_forget_stream gives workspaces back.
 *   lifetime:  The context must live until all queued work is done, and as long as any graph that was captured with
 *              it is replayed.
 *   rounding:  Exact sums, the default of floats: once, as wf_accuracy says. The same elements give the same bits on
 *              every device, in any order, from any address.
 *              Fast sums and products of floats are folded in the accumulator. The order depends on the device, count
 *              and in modulo 128 bytes, not on timing: the same call on the same device gives the same bits every time.
 *              The error is at most (1 + u)^depth - 1 times the sum of the terms' magnitudes. depth is what the rung
 *              wavefold reports for the same tiles; on the host device at most 1024 + count / 65536. sumsq rounds each
 *              square first: depth is 1 more, and a square below the normal numbers may lose half the smallest one.
 *   fails:     WF_INVALID_ARGUMENT: a NULL that is not allowed; an array or result that is not aligned; a stream of
 *              another device (found with CUDA 12.8 or ROCm 5.6 and newer, unless it is being captured; else it runs
 *              unnoticed); one that was destroyed, where the vendor's runtime finds that out, which not all versions
 *              do; the stream of each thread (cudaStreamPerThread), which can have no workspace.
 *              wf_reduce: memory of another device.
 *              WF_UNSUPPORTED: what is not in wf_reduction_get_info's table.
 *              WF_OUT_OF_MEMORY: no room on the device for pieces of host memory, or all workspaces are taken.
 *              WF_DEVICE_ERROR. */
WF_API wf_status wf_reduce(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result);
WF_API wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count,
                                 void *result, void *stream);

/* A number of any type, exactly: floats as f64, signed integers as i64, unsigned integers as u64. */
typedef union wf_number {
    double f64;
    int64_t i64;
    uint64_t u64;
} wf_number;

/* What is described. Zero-initialised: f32, propagating NaN.
 *   WF_NAN_PROPAGATE:  one NaN makes everything NaN but count; argmin and argmax give the index of the first one
 *   WF_NAN_IGNORE:     NaN are left out of everything, count included */
typedef struct wf_describe_spec {
    wf_type type;
    wf_nan nan;
} wf_describe_spec;

typedef struct wf_description {
    uint64_t count;          /* elements described */
    wf_number sum;           /* integers wrap, in 64 bits; floats: in f64, as said below; 0 if count is 0 */
    wf_number min, max;      /* if count is 0 as the operators give of no elements */
    uint64_t argmin, argmax; /* the lowest index at which it stands; UINT64_MAX if count is 0 */
    double mean;             /* NaN if count is 0; of floats: as said below */
    double variance;         /* of the population: the mean of squared distances from the mean; NaN if count is 0. For
                                that of a sample multiply by count / (count - 1) */
} wf_description;

/* Describes count elements at in: all of wf_description in one pass over the data, on GPUs in one launch.
 *   result:    wf_describe: host memory. wf_describe_async: memory that the device can write, aligned to 8 bytes.
 *   sum, mean: Of floats exact, each rounded once into f64, with infinities and zeros as wf_accuracy says.
 *   variance:  Of integers it and the mean are a few roundings off the exact ones, with the same bits on every device,
 *              whatever the caller's mode of rounding. Of floats a large mean does not drown it. NaN if the mean is not
 *              finite, 0 of one number, infinite where f64 holds no sum of the squares. On GPUs squares are added up
 *              about one pivot, the median of three finite elements (0 if 2048 that lie apart have none; in an array of
 *              more than 32 GiB they are looked for in its first part, in plain host memory in its first 64 MiB), so
 *              that it is off by as many more roundings as the mean of these squares is larger than it. On the CPU
 *              they are, chunk by chunk, about the chunk's mean, and joined by the formula of Chan, Golub and LeVeque
 *              (1983, "Algorithms for computing the sample variance").
 *   the rest:  as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_describe(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                             wf_description *result);
WF_API wf_status wf_describe_async(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                                   wf_description *result, void *stream);

/* ---- Streams ------------------------------------------------------------------------------------------------ */

/* Gives back the workspaces that the context keeps for the stream and for what was captured from it.
 *   when:     none of that work runs or will be replayed; before the stream is destroyed, if the program makes many
 *   handle:   It is all that is known of a stream, and a new one may have that of one that was destroyed: what was
 *             captured from that one is given back as well. So a stream whose graphs are still replayed is to live, if
 *             others are forgotten. */
WF_API void wf_context_forget_stream(wf_context *context, void *stream);

/* ---- Scans -------------------------------------------------------------------------------------------------- */

/* What is scanned, and how. Zero-initialised: the inclusive sum of f32.
 *   result:     result i is the fold of elements 0 to i; exclusive: of elements 0 to i - 1, so result 0 is the identity
 *   operators:  sum, min and max of f32, f64, i32 and i64, and the ordered ones: a scan by affine solves a linear
 *               recurrence
 *   order:      of the elements, kept
 *   NaN:        spreads from where it stands */
typedef struct wf_scan_spec {
    wf_type type;
    wf_op op;
    uint32_t exclusive; /* not 0: element i is left out of result i */
} wf_scan_spec;

/* Scans count elements at in to count elements at result.
 *
 *   in, result: Device memory, aligned to the type; may be NULL if count is 0. They must not overlap, unless they are
 *               the same: then the scan is in place. Fastest where both are aligned to 16 bytes, or lie equally far
 *               behind that.
 *   stream:     wf_scan blocks; wf_scan_async queues. A call can be captured into a graph once a call of the same count
 *               and element size has been made. The graph may be replayed until some call on this context needs a
 *               larger workspace, even if that call fails.
 *   threads:    Calls of one context, and replays of what was captured from it, must not run at the same time: give
 *               each stream a context of its own, or order the streams by events. The context is used by one thread at
 *               a time.
 *   memory:     The workspace has twice an element for each tile of 8 KiB to 32 KiB, in all less than a hundredth of
 *               the array. It belongs to the context, grows with the first call that needs more, and is cleared on the
 *               stream by every call.
 *   rounding:   Integers, min and max give the same bits every time. Which partial results of floats are folded first
 *               depends on timing, so the last bits of a sum can differ from run to run. The error is at most
 *               (1 + u)^depth - 1 times the sum of magnitudes up to there. depth is what the rung look_back reports: up
 *               to some 270, and the number of tiles.
 *   fails:      WF_UNSUPPORTED: other operators and types. WF_INVALID_ARGUMENT: whatever else is refused.
 *               WF_OUT_OF_MEMORY: the workspace cannot grow. Then result has not changed.
 *               WF_DEVICE_ERROR, WF_KERNEL_FAULT: the device failed; result is left undefined, in too if it is the
 *               same.
 *   source:     Merrill and Garland (2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 *               NVR-2016-002). It does not rely on tiles going on at the same time. */
WF_API wf_status wf_scan(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result);
WF_API wf_status wf_scan_async(wf_context *context, const wf_scan_spec *what, const void *in, size_t count,
                               void *result, void *stream);

/* ---- Sorts -------------------------------------------------------------------------------------------------- */

/* What is sorted, and how. Zero-initialised: f32, the smallest first, keys alone. The rungs that sort have the same
 * order.
 *   integers:    by value
 *   floats:      by value, -0 before +0, and NaN behind everything else, of either sign and whatever its payload
 *   descending:  the reverse: NaN comes first
 *   bits:        those of every key survive, those of NaN too
 *   stability:   none: where keys are equal, or both NaN, nothing is promised about the order of their values; but each
 *                value stays with its key
 *   result:      the same for the same input, on every device */
typedef struct wf_sort_spec {
    wf_type type;         /* of the keys: 4 or 8 bytes */
    uint32_t descending;  /* not 0: the largest first */
    uint32_t value_bytes; /* of the value that goes with each key: 4 or 8, or 0 for none */
} wf_sort_spec;

/* Sorts count keys in place, and moves values[i] along with keys[i].
 *
 *   keys:     device memory, aligned to their type; may be NULL if count is 0
 *   values:   device memory, aligned to value_bytes; must not overlap keys. NULL if value_bytes is 0; may be NULL if
 *             count is 0.
 *   memory:   nothing is allocated
 *   order:    as wf_reduce's
 *   stream:   wf_sort blocks; wf_sort_async queues
 *   threads:  calls for one context come from one thread at a time, also when their streams differ
 *   fails:    WF_UNSUPPORTED: types of 1 and 2 bytes. WF_INVALID_ARGUMENT: whatever else is refused. Then nothing has
 *             changed.
 *             WF_DEVICE_ERROR, WF_KERNEL_FAULT: the device failed; keys and values are left undefined.
 *   time:     some (log2 n)^2 / 2 steps of n / 2 comparisons each, so prefer a radix sort where n is large and
 *             speed is all
 *   source:   Batcher's bitonic network (Sorting networks and their applications, AFIPS 1968), as the ladder's
 *             bitonic_registers */
WF_API wf_status wf_sort(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count);
WF_API wf_status wf_sort_async(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count,
                               void *stream);

#ifdef __cplusplus
}
#endif
#endif
