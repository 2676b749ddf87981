/* wavefold: reduces, scans and sorts arrays on AMD GPUs, NVIDIA GPUs and plain CPUs, behind one C API.
 *
 * Most programs need this header alone. Further headers: wavefold_sum.h (exact sums in parts), wavefold_tune.h (launch
 * tables), wavefold_ladder.h (the teaching kernels), wavefold_watch.h (counts of kernels' accesses), and
 * wavefold_message.h, wavefold_mpi.h and wavefold_nccl.h (arrays that are spread over ranks). All compile as C11 and as
 * C++17, and need no vendor header.
 *
 *   wf_context *context;
 *   float sum;
 *   wf_context_create(&context, "auto");
 *   wf_reduce(context, &(wf_reduce_spec){.type = WF_F32, .op = WF_SUM}, numbers, count, &sum, sizeof sum);
 *   wf_context_destroy(context);
 *
 * These rules hold for every function, unless its own lines say otherwise (more in docs/calls.md):
 *
 *   units:      count is in elements, bytes in bytes, seconds in seconds.
 *   memory:     "Device memory" is memory from wf_malloc of the same context, or memory that the vendor's runtime
 *               allocated on the same device. Copies, scans, sorts and rungs refuse an array that runs past the end of
 *               its block of wf_malloc. On the host device every such array must lie in a block.
 *   alignment:  Arrays are aligned to their type: wf_type_size bytes.
 *   result:     result_bytes must equal the size of the result that the call writes.
 *   structs:    Zero-initialise them: zeros are the defaults, and reserved fields must be 0.
 *   stream:     A function without a stream blocks until its work is done. An _async function queues its work on
 *               stream and returns: until the work is done, results are undefined, and the caller must not change or
 *               free arrays or destroy the context. stream is a hipStream_t or cudaStream_t of the context's device,
 *               or NULL: the context's own queue; blocking functions wait for it. The host device has no streams:
 *               stream must be NULL, and the work is done on return.
 *   threads:    One thread at a time uses a context. Exception: reductions and descriptions may overlap each other and
 *               every other call but wf_tune and wf_context_destroy. Different contexts are independent. Functions
 *               without a context may be called from any thread.
 *   fails:      A function that can fail returns a wf_status. Then it has changed nothing, out parameters included, and
 *               wf_last_error() names the input, the limit and the remedy. WF_INVALID_ARGUMENT: a NULL that is not
 *               allowed, or a value out of its range. WF_DEVICE_ERROR: the device failed, now or earlier; a sticky
 *               error is reported and not cleared. Errors in queued work are reported by the next call that waits.
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

/* ---- Element types and operators ---------------------------------------------------------------------------- */

/* Names are "f32", ...; each comment is the C type of an element. */
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

/* Operators. An element is one number, but for matmul (four) and affine (two). docs/reductions.md has every pair of
 * type and operator, and the result for no elements.
 *
 * sum, product     integers wrap (two's complement); partial products of floats may overflow or underflow
 * mean             the sum divided by the count
 * asum, sumsq      the sum of magnitudes; of squares
 * min, max         IEEE 754-2019's minimum and maximum: -0 is less than +0; for NaN see wf_nan
 * minmax           both, in this order
 * argmin, argmax   the value of min or max, and the lowest index of that value
 * and, or, xor     of the bits of integers
 * matmul           the product of 2x2 matrices (a b; c d), stored a, b, c, d, in the order of the elements
 * affine           the composition of maps x -> a x + b, stored a, b: the first element's map is applied first
 *
 * matmul and affine are the ordered operators: associative, but not commutative. They take i32 (wrapping), f32 and f64;
 * floats should be finite: kernels combine elements with the identity, too, and 0 times infinity is NaN. */
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

/* The type in which fast sums (sum, mean, asum, sumsq) and products are computed, and into which exact sums are
 * rounded. A named accumulator gives the same result type for every accuracy.
 *   default, exact sums:  the element's type, so the sum of f16 is an f16
 *   default, fast:        elements of 4 and 8 bytes: their type; narrower integers: i64 or u64; f16 and bf16: f32; the
 *                         mean of integers of 4 or 8 bytes: f64
 *   named, exact sums:    f32 or f64
 *   named, fast:          the same kind, at least 4 bytes and no narrower than the element; the mean of integers: f64,
 *                         for elements of up to 4 bytes also i64 or u64, which is exact unless the sum wraps */
typedef enum wf_accumulator {
    WF_ACCUMULATE_DEFAULT,
    WF_ACCUMULATE_I32,
    WF_ACCUMULATE_I64,
    WF_ACCUMULATE_U32,
    WF_ACCUMULATE_U64,
    WF_ACCUMULATE_F32,
    WF_ACCUMULATE_F64
} wf_accumulator;

/* How min, max, minmax, argmin and argmax treat NaN. */
typedef enum wf_nan {
    WF_NAN_PROPAGATE, /* the result is NaN; argmin and argmax give the index of the first one */
    WF_NAN_IGNORE     /* NaN is skipped; if there is nothing else, the result is NaN, with index UINT64_MAX */
} wf_nan;

/* How sums (sum, mean, asum, sumsq) of floats are rounded. An exact sum is the real sum of all finite terms, rounded
 * once, to nearest even, into the type of the result; an exact mean is the real quotient, rounded once. So the bits are
 * the same on every device, for every order and division of the elements, and in every version of the library.
 *   exists for:  sum, mean and asum of f16, bf16, f32 and f64; sumsq of f16, bf16 and f32 (f64 holds their squares)
 *   NaN:         a NaN among the terms, or infinities of both signs: the quiet NaN without sign and payload
 *   infinities:  Infinities of one sign give that infinity. Overflow is decided for the whole sum: {MAX, MAX, -MAX}
 *                gives MAX.
 *   zeros:       -0 if every term is -0; every other zero sum, that of no elements too, is +0
 *   environment: subnormals count, and neither rounding modes nor flush-to-zero modes of the processor matter
 * product, matmul and affine of floats, and means of integers, round at each step. All other results are exact. */
typedef enum wf_accuracy {
    WF_ACCURACY_BEST, /* exact where an exact sum exists, else fast; wf_reduction_get_info reports which */
    WF_ACCURACY_FAST, /* rounded at each step, in an order of the device's; the sum of f16 or bf16 is an f32 */
    WF_ACCURACY_EXACT /* rounded once, or WF_UNSUPPORTED */
} wf_accuracy;

/* A reduction. Zero-initialised: the exact sum of f32, as an f32. */
typedef struct wf_reduce_spec {
    wf_type type;
    wf_op op;
    wf_accumulator accumulator;
    wf_nan nan;
    wf_accuracy accuracy;
    uint32_t reserved[3]; /* 0 */
} wf_reduce_spec;

typedef struct wf_reduction_info {
    uint32_t element_bytes; /* of one element */
    wf_type accumulator;    /* the spec's, or the default; of exact sums the type of the result */
    wf_type result_type;    /* of each value in the result. sums, product: the accumulator; mean: the accumulator, or
                               f64 if that is an integer type; other operators: the element's type */
    wf_accuracy accuracy;   /* WF_ACCURACY_EXACT or WF_ACCURACY_FAST. A request for WF_ACCURACY_BEST becomes EXACT if
                               an exact sum exists, else FAST; reductions of integers are FAST */
    uint32_t result_values; /* 2 for minmax and affine, 4 for matmul, else 1 */
    uint32_t has_index;     /* 1 for argmin and argmax: the result is a wf_indexed_TYPE */
    uint32_t result_bytes;  /* of values and index together; at most WF_RESULT_BYTES */
    uint32_t reserved[5];
} wf_reduction_info;

enum { WF_RESULT_BYTES = 32 }; /* a buffer of this size holds every result */

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

/* Reports which elements a reduction takes and which result it gives.
 *   fails:    WF_UNSUPPORTED: no such reduction; wf_last_error() has the reason */
WF_API wf_status wf_reduction_get_info(const wf_reduce_spec *spec, wf_reduction_info *info);

/* Static name ("f32", "sum"), or NULL for a value outside the enumeration. */
WF_API const char *wf_type_name(wf_type type);
WF_API const char *wf_op_name(wf_op op);
/* Bytes of one number of the type, to which its arrays are aligned; 0 for a value outside the enumeration. */
WF_API size_t wf_type_size(wf_type type);

/* ---- Devices ------------------------------------------------------------------------------------------------ */

/* A backend's module, and whether it could be loaded. */
typedef struct wf_backend_info {
    char name[16];     /* "host", "nvidia", "amd" */
    wf_status status;  /* WF_OK: loaded, though it may have found no device */
    uint32_t devices;  /* how many devices it offers */
    char detail[1024]; /* the module's file, or why it is not there, or why it offers no device */
    /* The vendor's runtime, with its version and, on AMD, its file (docs/amd.md: how it is chosen); "" without one. */
    char runtime[1024];
    uint64_t reserved[8];
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
    uint32_t f32_atomics_flush; /* 1 if atomic additions of f32 treat subnormals as 0 (NVIDIA), else 0 */
    uint32_t f64_ratio;         /* f32 throughput over f64 throughput: 2 on data-centre GPUs, 32 or 64 on others;
                                   host device: 2 with 64 lanes, 32 with 32 lanes, so that tests run both cases */
    uint64_t memory_bytes;      /* all of the device's memory */
    uint64_t memory_free_bytes; /* free at the time of the call */
    uint64_t reserved[8];
} wf_device_info;

/* Backends and devices, numbered from 0.
 *   found:    Backends are loaded at first use, and never again. Opening a named device loads its backend only: "host"
 *             initialises no vendor's runtime.
 *   modules:  in the folder that the environment variable WAVEFOLD_BACKEND_PATH names (setuid programs ignore it).
 *             Without it: in wavefold/ next to the shared library, then in the install folder; the static library
 *             searches the install folder only.
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
 *             "host[:LANES[:SCHEDULE]]": LANES is 32 or 64 (default). SCHEDULE is the order in which
 *             emulated kernels run the lanes of a tile: "forward" (default), "reverse", "random" or "random=SEED", a
 *             number of up to 19 digits. Reductions and descriptions run on the CPU's own kernels there.
 *             "watched[:LANES[:SCHEDULE]]": the host device with every access counted: see wavefold_watch.h.
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
 *             WF_DEVICE_ERROR; the destination is then undefined. */
WF_API wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes);
WF_API wf_status wf_copy_to_host(wf_context *context, void *host, const void *device, size_t bytes);

/* ---- Reductions --------------------------------------------------------------------------------------------- */

/* Reduces count elements at in to *result.
 *   in:        memory that the device can read, at any byte address (ordered operators: aligned to the type).
 *              wf_reduce also takes plain host memory, and copies it in pieces of up to 64 MiB. NULL is allowed if
 *              count is 0. Not changed.
 *   result:    result_bytes as wf_reduction_get_info reports: 4 for the sum of f32. wf_reduce: host memory of any
 *              alignment. wf_reduce_async: memory that the device writes, aligned to the result's type; argmin and
 *              argmax: to 8 bytes.
 *   launches:  one; several beyond 32 GiB, or for pieces of host memory. wf_reduce_async allocates nothing and can be
 *              captured into a graph (docs/calls.md).
 *   rounding:  Exact sums as wf_accuracy says. Fast sums and products: the same bits for the same call on the same
 *              device; docs/reductions.md has the bound of the error.
 *   fails:     WF_INVALID_ARGUMENT, WF_UNSUPPORTED, WF_DEVICE_ERROR. WF_OUT_OF_MEMORY: no staging buffer for host
 *              memory, or 64 streams and captures have workspaces already. */
WF_API wf_status wf_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                           size_t result_bytes);
WF_API wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                 void *result, size_t result_bytes, void *stream);

/* A number, converted without rounding: floats to f64, signed integers to i64, unsigned integers to u64. */
typedef union wf_number {
    double f64;
    int64_t i64;
    uint64_t u64;
} wf_number;

/* The request of wf_describe: count, sum, extremes, mean and variance. Zero-initialised: f32, NaN propagates.
 *   WF_NAN_PROPAGATE:  one NaN makes everything NaN but count; argmin and argmax give the index of the first one
 *   WF_NAN_IGNORE:     NaN are left out of everything, count included */
typedef struct wf_describe_spec {
    wf_type type;
    wf_nan nan;
    uint32_t reserved[2]; /* 0 */
} wf_describe_spec;

/* Its size is final: further statistics will have a struct of their own. */
typedef struct wf_description {
    uint64_t count;          /* elements described */
    wf_number sum;           /* integers: wraps in 64 bits; floats: exact, rounded once into f64; 0 if count is 0 */
    wf_number min, max;      /* if count is 0: the operators' results for no elements */
    uint64_t argmin, argmax; /* the lowest index of that value; UINT64_MAX if count is 0 */
    double mean;             /* of floats exact, rounded once; NaN if count is 0 */
    double variance;         /* of the population; of a sample: multiply by count / (count - 1). NaN if count is 0 */
} wf_description;

/* Describes count elements at in: all of wf_description in one pass over the data, on GPUs in one launch.
 *   result:    wf_describe: host memory. wf_describe_async: memory that the device writes, aligned to 8 bytes.
 *   variance:  Integers: variance and mean have an error of a few ulps, and the same bits on every device. Floats: the
 *              squares of x - pivot are added, so that a large mean does not cancel digits (docs/reductions.md); NaN
 *              if the mean is not finite, 0 for one number, infinite if the sum of squares overflows f64.
 *   source:    Chan, Golub and LeVeque (1983), "Algorithms for computing the sample variance"
 *   the rest:  as for wf_reduce and wf_reduce_async */
WF_API wf_status wf_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                             wf_description *result);
WF_API wf_status wf_describe_async(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                                   wf_description *result, void *stream);

/* ---- Streams ------------------------------------------------------------------------------------------------ */

/* Releases the workspaces that the context keeps for a stream and for its captures.
 *   requires: no queued work of the stream, and no further replay of its graphs. Call it before you destroy a stream if
 *             the program makes more than 64.
 *   handle:   A new stream may reuse the handle of a destroyed one: do not destroy a stream whose graphs are still
 *             replayed. */
WF_API void wf_context_forget_stream(wf_context *context, void *stream);

/* ---- Scans -------------------------------------------------------------------------------------------------- */

/* A scan. Zero-initialised: the inclusive sum of f32.
 *   reduce:      sum and product of every type; min, max, argmin and argmax, with both NaN rules; matmul and affine. A
 *                scan by affine solves a linear recurrence. No scan is exact: WF_ACCURACY_BEST is fast here.
 *   accumulator: sum and product: as of fast sums, and so are results: i64 or u64 for integers of 1 and 2 bytes, f32
 *                for f16 and bf16, else the element's type. Named: i64 or u64 for i32 or u32, f64 for f32.
 *   exclusive:   not 0: result i combines elements 0 to i - 1, and result 0 is the initial value
 *   reverse:     not 0: result i combines elements i to the last one
 *   as_elements: not 0: sums and products are rounded to nearest even to the element's type; integers wrap
 *   initial:     NULL, or host memory with what comes before the first element: of the accumulator's type for sum and
 *                product, else an element. NULL: the result for no elements. Not for argmin and argmax. */
typedef struct wf_scan_spec {
    wf_reduce_spec reduce;
    uint32_t exclusive;
    uint32_t reverse;
    uint32_t as_elements;
    uint32_t reserved[3]; /* 0 */
    const void *initial;
} wf_scan_spec;

/* Reports which elements a scan takes and which results it gives: result_bytes is that of one.
 *   fails:    WF_UNSUPPORTED: no such scan; wf_last_error() has the reason */
WF_API wf_status wf_scan_get_info(const wf_scan_spec *spec, wf_reduction_info *info);

/* Scans count elements at in to count results, in their order.
 *   in, result: device memory, aligned to the types; argmin and argmax: result to 8 bytes. NULL is allowed if count is
 *               0. They are apart, or equal (in place) where a result has as many bytes as an element. Fastest if both
 *               addresses are multiples of 16 bytes.
 *   bits:       the same on every device, in every run: the order in which elements combine is a function of their
 *               index alone (docs/reductions.md). So result i depends on elements 0 to i alone. NaN results are the
 *               quiet NaN without sign and payload.
 *   error:      of sums and products: docs/reductions.md has the bound
 *   stream:     wf_scan blocks; wf_scan_async queues, and can be captured
 *   threads:    calls of one context may run side by side
 *   memory:     GPUs: beyond 500 (matmul of f64) to 4000 sections of 8 to 32 KiB of elements a workspace, which the
 *               context keeps for each stream: some 4 bytes for each byte of a value, for each section
 *   fails:      WF_UNSUPPORTED: another operator, accumulator or accuracy. WF_INVALID_ARGUMENT. WF_OUT_OF_MEMORY:
 *               nothing has changed. WF_DEVICE_ERROR, WF_KERNEL_FAULT: result is undefined.
 *   source:     Merrill and Garland (2016), "Single-pass Parallel Prefix Scan with Decoupled Look-back"; Sklansky
 *               (1960), "Conditional-Sum Addition Logic" */
WF_API wf_status wf_scan(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count, void *result);
WF_API wf_status wf_scan_async(wf_context *context, const wf_scan_spec *spec, const void *in, size_t count,
                               void *result, void *stream);

/* ---- Sorts -------------------------------------------------------------------------------------------------- */

/* Flags of a sort. WF_SORT_IN_PLACE: by a sorting network (Batcher 1968), which needs no workspace and is not stable:
 * the order of the values of equal keys is unspecified, but the same in every run and on every GPU. Keys of 4 and 8
 * bytes, values of 0, 4 and 8, all bits. */
enum { WF_SORT_IN_PLACE = 1 };

/* A sort. Zero-initialised: f32 keys alone, the smallest first.
 *   order:       integers by value; floats by value, -0 before +0, and every NaN last: those without a sign by rising
 *                bits, then those with one by falling bits
 *   descending:  the reverse: NaN comes first
 *   bits:        every key keeps its bits, NaN too
 *   stability:   stable, also if descending: keys that are equal in all compared bits keep their order
 *   begin_bit,   sort integers by the bits begin_bit to end_bit - 1 alone, counted from the lowest. A sign bit is
 *   end_bit:     compared as a sign. Both 0: all bits. Floats: 0. */
typedef struct wf_sort_spec {
    wf_type type;         /* of the keys: any */
    uint32_t descending;  /* not 0: the largest first */
    uint32_t value_bytes; /* of the value that goes with each key: 1, 2, 4, 8 or 16, or 0 for none */
    uint32_t flags;       /* WF_SORT_IN_PLACE, or 0 */
    uint32_t begin_bit, end_bit;
    uint32_t reserved[2]; /* 0 */
} wf_sort_spec;

/* Sorts count keys in place, and moves values[i] along with keys[i].
 *   keys:     device memory; NULL is allowed if count is 0
 *   values:   device memory, aligned to value_bytes, apart from keys. NULL if value_bytes is 0.
 *   memory:   a copy of keys and values, 100 KiB, and 0.3 bytes for each key, in the stream's workspace. Short arrays,
 *             keys alone up to 2^20, and WF_SORT_IN_PLACE need none. The host device allocates it for the call.
 *   stream:   wf_sort blocks; wf_sort_async queues, and can be captured: the graph has a workspace of its own.
 *   threads:  calls for different streams may run at the same time
 *   fails:    WF_INVALID_ARGUMENT, WF_UNSUPPORTED, WF_OUT_OF_MEMORY: nothing has changed. WF_DEVICE_ERROR,
 *             WF_KERNEL_FAULT: keys and values are undefined.
 *   source:   Adinets and Merrill (2022), "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" */
WF_API wf_status wf_sort(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count);
WF_API wf_status wf_sort_async(wf_context *context, const wf_sort_spec *spec, void *keys, void *values, size_t count,
                               void *stream);

/* Writes the positions of the keys in sorted order: positions[i] becomes the index of the key that wf_sort would move
 * to place i. The keys stay as they are. As wf_sort, but:
 *   spec:       value_bytes is the size of a position, an unsigned integer of 4 or 8 bytes; flags are 0
 *   positions:  device memory for count positions, apart from keys
 *   memory:     two copies of the keys and one of the positions
 *   fails:      also WF_UNSUPPORTED: more keys than positions of 4 bytes can number */
WF_API wf_status wf_argsort(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                            size_t count);
WF_API wf_status wf_argsort_async(wf_context *context, const wf_sort_spec *spec, const void *keys, void *positions,
                                  size_t count, void *stream);

#ifdef __cplusplus
}
#endif
#endif
