/* wavefold: folds arrays on wavefronts, on AMD GPUs, NVIDIA GPUs and plain CPUs, behind one C API.
 *
 * This header is what most programs need; wavefold_message.h, wavefold_mpi.h and wavefold_nccl.h are about arrays that
 * are spread over ranks, wavefold_watch.h about what kernels did. It compiles as C11 and as C++17 and needs no vendor
 * header.
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
 *               including one caused by your own kernel, is reported and not cleared. On AMD program and library share
 *               the runtime's last error: reductions, descriptions, scans and sorts, also of no elements (but for
 *               wf_scan_async and wf_sort_async, which have nothing to queue then), report one that the program has not
 *               fetched, do nothing, and do not clear it; but before ROCm 7 any other call, of whoever, replaces it,
 *               the allocations and copies of this library too. hipErrorNotReady, as a query answers, is no error.
 *               What fails in queued work is reported by the next call that waits.
 *   NULL:       A null handle given to a destroy or free function is a no-op.
 *   process:    The library never prints, never exits and never installs a signal handler. The calling thread's current
 *               device of CUDA or HIP is what it was before. A call takes up to 128 KiB of its stack.
 */
#ifndef WAVEFOLD_H
#define WAVEFOLD_H

#include <stddef.h>
#include <stdint.h>

#define WF_VERSION_MAJOR 0
#define WF_VERSION_MINOR 2
#define WF_VERSION_PATCH 0

#if defined(__GNUC__)
#define WF_API __attribute__((visibility("default")))
#else
#define WF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------- */

/* X(name, value, text): the one list from which the enumeration, the names and the texts are made. */
#define WF_STATUS_MAP(X)                                                                                               \
    X(OK, 0, "success")                                                                                                \
    X(INVALID_ARGUMENT, -1, "an argument is out of its range")                                                         \
    X(UNSUPPORTED, -2, "the request is valid, but this build or device does not support it")                           \
    X(OUT_OF_MEMORY, -3, "not enough memory on the host or on the device")                                             \
    X(NO_DEVICE, -4, "no such device")                                                                                 \
    X(BACKEND_UNAVAILABLE, -5, "the backend's module is not installed or could not be loaded")                         \
    X(BACKEND_MISMATCH, -6, "the backend's module was built for another version of the library")                       \
    X(DEVICE_ERROR, -7, "the device's runtime reported an error")                                                      \
    X(KERNEL_FAULT, -8, "the host device caught a kernel breaking a rule (race, divergent barrier, bad index)")        \
    X(ENGINE_ERROR, -9, "the engine that joins the ranks (MPI, NCCL, RCCL) reported an error")

typedef enum wf_status {
#define WF_STATUS_ENUM(name, value, text) WF_##name = value,
    WF_STATUS_MAP(WF_STATUS_ENUM)
#undef WF_STATUS_ENUM
} wf_status;

/* Static text, never NULL, also for a value that is no wf_status. */
WF_API const char *wf_status_string(wf_status status);
/* Static name such as "WF_OK", never NULL. */
WF_API const char *wf_status_name(wf_status status);
/* One sentence about the last call on this thread that failed; "" if none failed. Never NULL.
 *   memory:   the library's; valid until the next call on this thread that fails */
WF_API const char *wf_last_error(void);

/* The version of the library that runs: "0.2.0". WF_VERSION_* are those of the header. Static text. */
WF_API const char *wf_version(void);

/* ---- Element types, operators, and what can be folded with what ---------------------------------------------- */

/* X(ENUM, name, C type). f16 is IEEE 754's binary16, bf16 the upper half of a binary32; in C both are their
 * bits. */
#define WF_TYPE_MAP(X)                                                                                                 \
    X(F32, f32, float)                                                                                                 \
    X(F64, f64, double)                                                                                                \
    X(I32, i32, int32_t)                                                                                               \
    X(I64, i64, int64_t)                                                                                               \
    X(U32, u32, uint32_t)                                                                                              \
    X(U64, u64, uint64_t)                                                                                              \
    X(I8, i8, int8_t)                                                                                                  \
    X(I16, i16, int16_t)                                                                                               \
    X(U8, u8, uint8_t)                                                                                                 \
    X(U16, u16, uint16_t)                                                                                              \
    X(F16, f16, uint16_t)                                                                                              \
    X(BF16, bf16, uint16_t)

typedef enum wf_type {
#define WF_TYPE_ENUM(ENUM, name, ctype) WF_##ENUM,
    WF_TYPE_MAP(WF_TYPE_ENUM)
#undef WF_TYPE_ENUM
        WF_TYPE_COUNT
} wf_type;

/* X(ENUM, name, scalars): scalars is how many numbers of the type an element has.
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
#define WF_OP_MAP(X)                                                                                                   \
    X(SUM, sum, 1)                                                                                                     \
    X(MIN, min, 1)                                                                                                     \
    X(MAX, max, 1)                                                                                                     \
    X(PRODUCT, product, 1)                                                                                             \
    X(MEAN, mean, 1)                                                                                                   \
    X(MINMAX, minmax, 1)                                                                                               \
    X(ARGMIN, argmin, 1)                                                                                               \
    X(ARGMAX, argmax, 1)                                                                                               \
    X(AND, and, 1)                                                                                                     \
    X(OR, or, 1)                                                                                                       \
    X(XOR, xor, 1)                                                                                                     \
    X(MATMUL, matmul, 4)                                                                                               \
    X(AFFINE, affine, 2)                                                                                               \
    X(ASUM, asum, 1)                                                                                                   \
    X(SUMSQ, sumsq, 1)

typedef enum wf_op {
#define WF_OP_ENUM(ENUM, name, scalars) WF_##ENUM,
    WF_OP_MAP(WF_OP_ENUM)
#undef WF_OP_ENUM
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
    wf_accuracy accuracy;   /* WF_ACCURACY_EXACT or WF_ACCURACY_FAST, as asked for. Of WF_ACCURACY_BEST: EXACT where
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
/* The device as it is now: memory_free_bytes is asked anew. */
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

/* ---- Exact sums in parts ------------------------------------------------------------------------------------ */

enum { WF_SUM_STATE_VERSION = 1, WF_SUM_LIMBS = 68, WF_SUM_STATE_BYTES = 600 };

/* An exact sum before it is rounded: 75 numbers of 64 bits, which add up. The sum of the states of two arrays, number
 * by number, is a state of both: MPI_SUM over MPI_INT64_T, ncclSum over ncclInt64 and a loop all merge states. Every
 * element type has the same state, so sums of f16 and of f64 may be merged.
 *
 *   limbs:       the finite terms come to the sum of limb[k] 2^(32 k - 1074)
 *   normalised:  merged is 1, limbs but the last are in [0, 2^32), others is 0 or 1. That form is unique, so equal
 *                states compare equal by memcmp. wf_sum_state_accumulate and wf_sum_state_normalise leave it.
 *   headroom:    up to 2^31 - 1 normalised states may be added up; wf_sum_state_merge normalises when need be
 *   versions:    Version 1 is this; a state of another version is refused. A state that this version wrote will be read
 *                by every later one. */
typedef struct wf_sum_state {
    int64_t version; /* WF_SUM_STATE_VERSION times merged */
    int64_t merged;  /* how many normalised states have been added up */
    int64_t count;   /* terms, of any value */
    int64_t nans, positive_infinities, negative_infinities;
    int64_t others; /* not 0: some term is not -0 */
    int64_t limb[WF_SUM_LIMBS];
} wf_sum_state;

/* The state of no terms, normalised. NULL is a no-op. */
WF_API void wf_sum_state_init(wf_sum_state *state);

/* Adds the terms of count elements at in to the state, and normalises it.
 *   what:     sum, mean or asum of floats, or sumsq of f16, bf16 and f32; its accumulator and accuracy are not heeded
 *   state:    a state. wf_sum_state_accumulate: host memory; it has not changed on failure.
 *             wf_sum_state_accumulate_async: memory that the device can read and write, aligned to 8 bytes. What is no
 *             state there, which wf_sum_state_round will tell, is not changed, nor is one that would have 2^63 terms or
 *             come to more than any sum.
 *   the rest: as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count,
                                         wf_sum_state *state);
WF_API wf_status wf_sum_state_accumulate_async(wf_context *context, const wf_reduce_spec *what, const void *in,
                                               size_t count, wf_sum_state *state, void *stream);

/* What follows takes host memory, and fails with WF_INVALID_ARGUMENT for what can be no state of this version. A number
 * that was changed, and makes another state, is not noticed. */

/* Adds other to state, which may be the same. */
WF_API wf_status wf_sum_state_merge(wf_sum_state *state, const wf_sum_state *other);
WF_API wf_status wf_sum_state_normalise(wf_sum_state *state);
/* The sum, or with WF_MEAN the mean, rounded once.
 *   state:    made by wf_sum_state_init; one of zeros alone is refused
 *   op:       WF_SUM, which asum and sumsq are as well, or WF_MEAN
 *   type:     f16, bf16, f32 or f64
 *   result:   wf_type_size(type) bytes, of any alignment */
WF_API wf_status wf_sum_state_round(const wf_sum_state *state, wf_op op, wf_type type, void *result);
/* The state, normalised, as WF_SUM_STATE_BYTES bytes that are the same on every machine: its numbers in the order of
 * the structure, each with the lowest byte first; and back. */
WF_API wf_status wf_sum_state_write(const wf_sum_state *state, unsigned char *bytes);
WF_API wf_status wf_sum_state_read(wf_sum_state *state, const unsigned char *bytes);

/* ---- Streams ------------------------------------------------------------------------------------------------ */

/* Gives back the workspaces that the context keeps for the stream and for what was captured from it.
 *   when:     none of that work runs or will be replayed; before the stream is destroyed, if the program makes many
 *   handle:   It is all that is known of a stream, and a new one may have that of one that was destroyed: what was
 *             captured from that one is given back as well. So a stream whose graphs are still replayed is to live, if
 *             others are forgotten. */
WF_API void wf_context_forget_stream(wf_context *context, void *stream);

/* ---- Tuning ------------------------------------------------------------------------------------------------- */

/* wf_reduce and wf_describe take the shape of their launch from a table for the device; on the host device, where the
 * CPU folds with no launch, the number of threads. One table is built into the library. wf_tune measures another and
 * leaves it in a file, which every context of the same device uses from then on. The table decides how fast a fold is,
 * and on a GPU in which order fast sums add floats: results of two launch tables differ as those of two devices; those
 * of two thread tables are the same. What is built in alone, where it was measured, and not tuned: launch tables for
 * exact sums, whose results depend on none, for argmin, argmax, minmax and descriptions, and for minima and maxima of
 * f16, bf16 and f32; and beside the built-in tables of an NVIDIA GPU of compute capability 9 the sizes, around 100 KiB,
 * at which a cluster of processors folds an array as one tile.
 *
 *   folder:   the one that the environment's WAVEFOLD_CACHE names, else wavefold in XDG_CACHE_HOME, if that is
 *             absolute, else .cache/wavefold in HOME
 *   file:     its name is made from the device's; it is read when a context is created. A symbolic link of that name
 *             is neither read nor written through; the umask says who may read a new one.
 *   secure:   a program that has more privileges than its caller, such as one that is set-user-ID, has no folder
 *   ignored:  a file that cannot be read, that is not complete and right to the last character, or that was made for
 *             another device or version of the library. Then the built-in table is used, and wf_context_get_tuning says
 *             why. */

enum { WF_MOST_TUNING_ROWS = 32 };

/* How arrays of up to a size are folded. */
typedef struct wf_tuning_row {
    uint64_t bytes;               /* of the largest array; ascending from row to row, UINT64_MAX in the last */
    uint32_t tile_size;           /* threads of a tile: a power of two */
    uint32_t loads;               /* 16-byte loads of each thread */
    uint32_t tiles_per_processor; /* tiles for each multiprocessor, at most; beyond that, threads load more */
} wf_tuning_row;

typedef struct wf_tuning_info {
    wf_status status;   /* WF_OK; WF_UNSUPPORTED: a file of another device or version was ignored; WF_INVALID_ARGUMENT:
                           a file was ignored for another reason */
    uint32_t is_tuned;  /* 1: the table in use was measured; 0: it is built in */
    uint32_t row_count; /* of the launch table in use; 0 for the host device, which folds with no launch */
    wf_tuning_row rows[WF_MOST_TUNING_ROWS];
    /* The host device's thread table, 0 for others: what a thread must have of an array to share in its fold, in bytes.
     * Helpers stay awake for a moment after a fold, and watch for the next one. */
    uint64_t awake_bytes;  /* each thread, where the helpers are awake */
    uint64_t asleep_bytes; /* each helper that must be woken */
    char path[1024];       /* the file that is read, whether or not it is there; "" if there is no folder for it */
    char detail[1024];     /* a sentence about all this */
} wf_tuning_info;

/* The table that the context uses, and where it is from. */
WF_API wf_status wf_context_get_tuning(const wf_context *context, wf_tuning_info *info);

/* How wf_tune measures. Zero-initialised: everything, and the table is kept. */
typedef struct wf_tune_spec {
    uint64_t most_bytes; /* the largest array that is measured: 4 KiB to 256 MiB; 0: 256 MiB. For arrays larger than the
                            largest power of two up to there, the built-in table stays; what is found at 256 MiB holds
                            for all that it does not tell from those. On the host device 16 KiB at the least, what is
                            beyond 16 MiB is not measured, and the table holds for all arrays: it wakes threads for
                            smaller ones than the built-in table only if arrays up to those were measured. */
    uint32_t dry_run;    /* not 0: this context uses the table, but no file is written */
} wf_tune_spec;

/* Called before each size is measured: arrays of so many bytes, when done of steps sizes are done. It must not use the
 * context. A thread that is cancelled ends when wf_tune is done, not in here. The processor's modes of floats are those
 * with which programs start, whatever the caller has set. */
typedef void wf_tune_progress(void *user, uint64_t bytes, uint32_t done, uint32_t steps);

/* Measures which shapes fold arrays of 4 KiB, 8 KiB, ... most_bytes fastest on the context's device; on the host
 * device, how long folds by one thread, two, four, ... all of them take. Then writes the file and has the context use
 * the table. Blocks.
 *   spec:      may be NULL: everything
 *   progress:  may be NULL; user is passed on to it
 *   time:      a few seconds; on a slow device about a second for each size. Nothing else should run on the device.
 *   threads:   no other call may use the context meanwhile, not from another thread either
 *   measured:  The fast sum of f32; the other reductions move the same bytes, and all but a GPU's exact sums take the
 *              same table. A shape other than the built-in table's is taken where it is at least 2 % faster in two
 *              comparisons: for arrays whose time is that of the launch, nothing changes. On the host device arrays
 *              are in the cache if it holds them, and the shares are those with which folds of all sizes take least, in
 *              the geometric mean. Where a helper pays nowhere, it is taken to from twice the largest array on, but not
 *              before the built-in table says.
 *   memory:    On a GPU the arrays lie in up to 512 MiB of device memory, at most half of what is free, so that caches
 *              hold none of them. Where that is too short for the largest arrays, they are left out as if most_bytes
 *              said so. On the host device 16 MiB.
 *   fails:     Table and file stay as they were.
 *              WF_UNSUPPORTED: the host device with one CPU, in a process that may not run on all CPUs, or might not
 *              when the context was made, or where its threads made nothing faster.
 *              WF_OUT_OF_MEMORY. WF_DEVICE_ERROR.
 *              WF_INVALID_ARGUMENT: most_bytes out of range, or a folder that cannot be written, which is mostly found
 *              before anything is measured. */
WF_API wf_status wf_tune(wf_context *context, const wf_tune_spec *spec, wf_tune_progress *progress, void *user);

/* ---- The ladder --------------------------------------------------------------------------------------------- */

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
 *             In device memory: aligned to the type; may be NULL if count is 0. It must not overlap in, unless it is in
 *             itself, for a scan or a sort of keys.
 *   report:   may be NULL
 *   memory:   The workspace belongs to the context and is kept for the next call. It is at most as large as in, and a
 *             few KiB or a line per tile. sequential copies in to host memory, and asks nobody whether that has room:
 *             where Linux promises more than there is, it ends the process.
 *   fails:    WF_UNSUPPORTED: as wf_rung_supports says. WF_INVALID_ARGUMENT: no such index, a parameter out of range,
 *             arrays that are not aligned or overlap. WF_OUT_OF_MEMORY.
 *             WF_DEVICE_ERROR, WF_KERNEL_FAULT: the device failed; a result in device memory is left undefined. */
WF_API wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in,
                             size_t count, void *result, wf_rung_report *report);

/* Reads an array once, as fast as the device can: the ceiling for every rung. Blocks.
 *   in:       device memory, aligned to 16 bytes
 *   bytes:    of the array; rounded down to a multiple of 16
 *   seconds:  how long that took. WF_UNSUPPORTED on a device that counts accesses (watched) */
WF_API wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds);

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
