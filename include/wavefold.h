/* wavefold: folds arrays on wavefronts, on AMD GPUs, NVIDIA GPUs and plain CPUs, behind one C API.
 *
 * This header is the whole public API. It compiles as C11 and as C++17 and needs no vendor header.
 *
 * Conventions, unless a function says otherwise:
 * - Every function that can fail returns a wf_status. On failure nothing it was given has changed, out
 *   parameters included, and wf_last_error() tells in a sentence what was wrong, with the limit and the remedy.
 * - A null handle given to a destroy or free function is a no-op.
 * - "count" is in elements, "bytes" in bytes.
 * - "device memory" is memory from wf_malloc of the same context. Nothing else may be passed for it, but where a function
 *   says so.
 * - A context may be used by one thread at a time, but for reductions and descriptions, which may run beside each other
 *   and beside anything else but wf_tune and wf_context_destroy; different contexts are independent. Functions without a context
 *   may be called from any thread.
 * - The library never prints, never exits and never installs a signal handler.
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
    X(KERNEL_FAULT, -8, "the host device caught a kernel breaking a rule (race, divergent barrier, bad index)")

typedef enum wf_status {
#define WF_STATUS_ENUM(name, value, text) WF_##name = value,
    WF_STATUS_MAP(WF_STATUS_ENUM)
#undef WF_STATUS_ENUM
} wf_status;

/* Static text, never NULL, also for values that are no wf_status. */
WF_API const char *wf_status_string(wf_status status);
/* Static name such as "WF_OK", never NULL. */
WF_API const char *wf_status_name(wf_status status);
/* What the last failed call on this thread said: one sentence, never NULL, "" if none failed. Valid until the next
 * call on this thread that fails. */
WF_API const char *wf_last_error(void);

/* "0.2.0": the version of the library that runs; WF_VERSION_* are those of the header. */
WF_API const char *wf_version(void);

/* ---- Element types, operators, and what can be folded with what ---------------------------------------------- */

/* X(ENUM, name, C type). f16 is IEEE 754's binary16 and bf16 the upper half of a binary32; in C both are their bits. */
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
 * sum, product     of integers wrap (two's complement)
 * mean             the sum divided by the count
 * asum             the sum of magnitudes; the magnitude of the least integer of the accumulator wraps
 * sumsq            the sum of squares; squares are rounded, or wrap, in the accumulator
 * min, max         IEEE 754-2019's minimum and maximum: -0 is less than +0; for NaN see wf_nan
 * minmax           both, in this order
 * argmin, argmax   what min or max gives, and the lowest index at which it stands
 * and, or, xor     of bits, of integers alone
 * matmul           2x2 matrices (a b; c d), stored a, b, c, d: the product of the first, the second, ... in this order
 * affine           maps x -> a x + b, stored a, b: the map that applies the first, then the second, ...: the step of a
 *                  linear recurrence
 *
 * matmul and affine are ordered: they are associative but do not commute, and only rungs that keep the order take them.
 * They are there for i32 (wrapping), f32 and f64; floats among their elements should be finite, since identities are
 * folded in, and 0 times infinity is NaN.
 *
 * Folding no elements gives the identity: 0 for sum, asum, sumsq, or, xor; 1 for product; all bits set for and; NaN for mean; the
 * type's largest value (for floats +infinity) for min, its smallest for max, NaN for either under WF_NAN_IGNORE;
 * the same with index UINT64_MAX for argmin and argmax; the identity matrix; the map x -> x. */
#define WF_OP_MAP(X)                                                                                                   \
    X(SUM, sum, 1)                                                                                                     \
    X(MIN, min, 1)                                                                                                     \
    X(MAX, max, 1)                                                                                                     \
    X(PRODUCT, product, 1)                                                                                             \
    X(MEAN, mean, 1)                                                                                                   \
    X(ASUM, asum, 1)                                                                                                   \
    X(SUMSQ, sumsq, 1)                                                                                                 \
    X(MINMAX, minmax, 1)                                                                                               \
    X(ARGMIN, argmin, 1)                                                                                               \
    X(ARGMAX, argmax, 1)                                                                                               \
    X(AND, and, 1)                                                                                                     \
    X(OR, or, 1)                                                                                                       \
    X(XOR, xor, 1)                                                                                                     \
    X(MATMUL, matmul, 4)                                                                                               \
    X(AFFINE, affine, 2)

typedef enum wf_op {
#define WF_OP_ENUM(ENUM, name, scalars) WF_##ENUM,
    WF_OP_MAP(WF_OP_ENUM)
#undef WF_OP_ENUM
        WF_OP_COUNT
} wf_op;

/* The type in which sums (sum, mean, asum, sumsq) and product are folded. The default is the element's own type if that has 4 or 8 bytes,
 * i64 or u64 for narrower integers, f32 for f16 and bf16; for the mean of integers of 4 or 8 bytes f64. Another one must
 * be of the same kind (signed, unsigned, float) and no narrower than 4 bytes or the element. The mean of integers takes
 * f64 for all, and i64 or u64 for those of up to 4 bytes: exact while the sum does not wrap. */
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
    WF_NAN_PROPAGATE, /* the result is NaN; argmin and argmax give the first one's index */
    WF_NAN_IGNORE     /* it is passed over; NaN only if there is nothing else, and then index UINT64_MAX */
} wf_nan;

/* How sum, product and mean of floats are rounded; of everything else, the result is exact whatever this says. */
typedef enum wf_accuracy {
    WF_ACCURACY_BEST, /* the best there is; today that is fast */
    WF_ACCURACY_FAST, /* in the accumulator, in the order that suits the device */
    WF_ACCURACY_EXACT /* rounded once: WF_UNSUPPORTED as yet */
} wf_accuracy;

/* A fold: what is folded, and how. Zero-initialised: the sum of f32. */
typedef struct wf_reduce_spec {
    wf_type type;
    wf_op op;
    wf_accumulator accumulator;
    wf_nan nan;
    wf_accuracy accuracy;
} wf_reduce_spec;

typedef struct wf_reduction_info {
    uint32_t element_bytes; /* of one element; arrays must be aligned to the type, wf_type_size */
    wf_type accumulator;    /* as chosen, or the default */
    wf_type result_type; /* of each value in the result: sum, product: the accumulator; mean: that, or f64 if it is an
                               integer; else the element's */
    uint32_t result_values; /* 2 for minmax and affine, 4 for matmul, else 1 */
    uint32_t has_index;     /* 1 for argmin and argmax: a uint64_t follows, 8 bytes behind the result's start */
    uint32_t result_bytes;  /* of all that; 32 at the most */
} wf_reduction_info;

/* The one table of what can be folded. WF_UNSUPPORTED, with the reason in wf_last_error(), for what is not in it. */
WF_API wf_status wf_reduction_get_info(const wf_reduce_spec *what, wf_reduction_info *info);

/* Static name ("f32", "sum"), or NULL for a value outside the enumeration. */
WF_API const char *wf_type_name(wf_type type);
WF_API const char *wf_op_name(wf_op op);
/* Bytes of one number, 0 for a value outside the enumeration. Arrays must be aligned to it. */
WF_API size_t wf_type_size(wf_type type);

/* ---- Devices ------------------------------------------------------------------------------------------------ */

/* What became of a backend's module: "host", "nvidia", "amd". */
typedef struct wf_backend_info {
    char name[16];
    wf_status status;  /* WF_OK: loaded (though it may have found no device) */
    uint32_t devices;  /* how many devices it offers */
    char detail[1024]; /* the module's file, or why it is not there, or why it offers no device */
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
    uint64_t memory_bytes;      /* all of the device's memory */
    uint64_t memory_free_bytes; /* what was free when asked */
} wf_device_info;

/* Backends and devices are found at the first call that needs them and stay as found. The modules are looked for in the
 * folder that the environment's WAVEFOLD_BACKEND_PATH names (programs of raised privileges ignore it); without it in the
 * folder wavefold/ beside the library, and then in the one in which they were to be installed: the only one for a
 * program that the static library is part of. */
WF_API size_t wf_backend_count(void);
WF_API wf_status wf_backend_get_info(size_t index, wf_backend_info *info);
WF_API size_t wf_device_count(void);
WF_API wf_status wf_device_get_info(size_t index, wf_device_info *info);

/* ---- Context: one device, its queue and its workspace ------------------------------------------------------- */

typedef struct wf_context wf_context;

/* device: "auto" (the first GPU, else the host), "nvidia:0", "amd:1", "nvidia" (= "nvidia:0"), or
 * "host[:LANES[:SCHEDULE]]": LANES 32 or 64 (default), SCHEDULE "forward" (default), "reverse", "random" or
 * "random=SEED": the order in which the host device runs the lanes of a tile. NULL is "auto".
 * The caller frees *context with wf_context_destroy. */
WF_API wf_status wf_context_create(wf_context **context, const char *device);
WF_API void wf_context_destroy(wf_context *context);
/* The device as it is now: memory_free_bytes is asked anew. */
WF_API wf_status wf_context_get_device(const wf_context *context, wf_device_info *info);

/* Device memory, aligned to 256 bytes, contents undefined; bytes may be 0. Freed by wf_free with the same context,
 * or with the context. */
WF_API wf_status wf_malloc(wf_context *context, void **memory, size_t bytes);
WF_API void wf_free(wf_context *context, void *memory);
/* Both block until the copy is done. The ranges must not overlap. */
WF_API wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes);
WF_API wf_status wf_copy_to_host(wf_context *context, void *host, const void *device, size_t bytes);

/* ---- Reductions --------------------------------------------------------------------------------------------- */

/* Folds count elements at in into *result.
 *
 * in is device memory, or any other memory that the device reads (cudaMalloc, hipMalloc, pinned), or plain host memory,
 * which is copied to the device in pieces of up to 64 MiB. It may be NULL if count is 0, and need not be aligned: it may
 * start at any byte, but for the ordered operators, whose elements must be aligned to the type. in is not changed.
 * result has wf_reduction_get_info's result_bytes.
 *
 * wf_reduce blocks; result is host memory, aligned to nothing. On failure *result has not changed. Up to 200 us it watches
 * for the result, which the device writes into the host's memory; after that the vendor's runtime waits.
 *
 * wf_reduce_async queues one launch on stream (more of an array of more than 32 GiB) and returns: a hipStream_t or
 * cudaStream_t of the context's device, or NULL for the context's own queue, which wf_reduce and the copies wait for.
 * result is memory that the device can write: device memory, or pinned host memory, aligned to the result's type, 8 bytes
 * with an index; and in memory that it can read. No memory is allocated, nothing waits, and the call can be captured into
 * a graph, and that be replayed any number of times. The host device has no streams: there
 * stream must be NULL, result is host memory, and the work is done on return. Until it is done, result may not be used,
 * and in neither changed nor freed.
 *
 * Both may be called from several threads with one context at the same time, and for several streams. What tiles leave
 * for each other lies in a place that the context keeps for each stream, and for each capture of a stream: work in one
 * stream is ordered, so a place serves one reduction at a time. So one captured graph must not run in two streams at
 * once: capture it for each. A context has 64 such places; wf_context_forget_stream gives them back. The context must live
 * until all queued work is done, and as long as any graph that was captured with it is replayed. The stream of each thread
 * (cudaStreamPerThread) has no place, and is refused.
 *
 * Sums, products and means of floats are folded in the accumulator, in an order that depends on the device, on count, and
 * on in modulo 128 bytes, but not on timing: the same call gives the same bits, on the same device, every time. The error
 * is at most (1 + u)^depth - 1 times the sum of magnitudes, with depth as the rung wavefold reports it for the same tiles;
 * on the host device it is no more than 512, and a 65536th of count.
 *
 * WF_INVALID_ARGUMENT for a stream of another device, NULL where it must not be, and a result that is not aligned;
 * WF_UNSUPPORTED for what is not in the table; WF_OUT_OF_MEMORY if the pieces of host memory find no room on the device,
 * or all places are taken; WF_DEVICE_ERROR if the device failed, also before this call: a kernel of the program's own
 * that broke it is told, and stays told; so is an error that the program has not fetched from the runtime, where it shares that with the
 * library (AMD). Memory of another device is refused by wf_reduce. Calls for more than 32 GiB wait for each other while they
 * queue. What fails in queued work is told by the next call that waits. */
WF_API wf_status wf_reduce(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count, void *result);
WF_API wf_status wf_reduce_async(wf_context *context, const wf_reduce_spec *what, const void *in, size_t count,
                                 void *result, void *stream);

/* A number of any type: floats as f64, signed integers as i64, unsigned ones as u64; always exact. */
typedef union wf_number {
    double f64;
    int64_t i64;
    uint64_t u64;
} wf_number;

/* What is described. Zero-initialised: f32, and NaN propagate: one makes everything but count NaN (argmin and argmax give
 * the first one's index). Under WF_NAN_IGNORE they are left out of everything, count included. */
typedef struct wf_describe_spec {
    wf_type type;
    wf_nan nan;
} wf_describe_spec;

typedef struct wf_description {
    uint64_t count; /* elements described */
    wf_number sum;  /* integers wrap, in 64 bits; floats are added in f64 */
    wf_number min, max;
    uint64_t argmin, argmax; /* the lowest index at which it stands; UINT64_MAX if count is 0 */
    double mean;             /* NaN if count is 0 */
    double variance;         /* of the population: the mean of squared distances from the mean; NaN if count is 0. Of a
                                sample: times count / (count - 1) */
} wf_description;

/* All of these in one pass over the data, with everything as for wf_reduce and wf_reduce_async; result of the latter is
 * memory that the device can write, aligned to 8 bytes. Of no elements: sum 0, min and max as the operators give.
 * The variance is gathered about a pivot for each thread and joined by the formula of Chan, Golub and LeVeque (1983,
 * "Algorithms for computing the sample variance"), so that a large mean does not drown it, as far as f64 tells the elements
 * apart: 64-bit integers beyond 2^53 are rounded to it first. */
WF_API wf_status wf_describe(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                             wf_description *result);
WF_API wf_status wf_describe_async(wf_context *context, const wf_describe_spec *what, const void *in, size_t count,
                                   wf_description *result, void *stream);

/* Gives back the places that the context keeps for the stream and for what was captured from it. To be called before the
 * stream is destroyed if the program makes many, when none of that work runs or will be replayed. */
WF_API void wf_context_forget_stream(wf_context *context, void *stream);

/* ---- Tuning ------------------------------------------------------------------------------------------------- */

/* wf_reduce and wf_describe take the shape of their launch from a table of the device's. The library has one built in;
 * wf_tune measures another, which it leaves in a file in the user's cache folder, and which every context of the same
 * device uses from then on. On the table depends how fast a fold is, and the order in which floats are added: results
 * differ as they do from device to device.
 *
 * The file's folder is the one that the environment's WAVEFOLD_CACHE names, else wavefold in XDG_CACHE_HOME, else
 * .cache/wavefold in HOME; its name is made from the device's. It is read when a context is created. One that cannot be
 * read, that is not complete and right to the last character, or that was made for another device or version of the
 * library, is ignored: the table that is built in is used, and wf_context_get_tuning says why. */

enum { WF_MOST_TUNING_ROWS = 32 };

/* Arrays of up to so many bytes are folded by tiles of tile_size threads, each of which loads so many times 16 bytes,
 * until there are so many tiles for each multiprocessor; then threads load more. */
typedef struct wf_tuning_row {
    uint64_t bytes;     /* ascending; the last row's is UINT64_MAX */
    uint32_t tile_size; /* threads: a power of two */
    uint32_t loads;
    uint32_t tiles_per_processor;
} wf_tuning_row;

typedef struct wf_tuning_info {
    wf_status status;   /* WF_OK; or why a file was ignored: WF_UNSUPPORTED if it is of another device or version, else
                         WF_INVALID_ARGUMENT */
    uint32_t is_tuned;  /* 1: the table in use was measured; 0: it is built in, or the device needs none */
    uint32_t row_count; /* of the table in use; 0 for the host device, which folds with no launch */
    wf_tuning_row rows[WF_MOST_TUNING_ROWS];
    char path[1024];   /* the file that is read, whether or not it is there; "" if there is no folder for it */
    char detail[1024]; /* a sentence about all this */
} wf_tuning_info;

WF_API wf_status wf_context_get_tuning(const wf_context *context, wf_tuning_info *info);

/* How wf_tune measures. Zero-initialised: everything, and the table is kept. */
typedef struct wf_tune_spec {
    uint64_t
        most_bytes;   /* the largest array that is measured: 4 KiB to 256 MiB; 0: 256 MiB. For arrays beyond the largest
                            power of two in it, the built-in table stays. */
    uint32_t dry_run; /* not 0: this context uses the table, but no file is written */
} wf_tune_spec;

/* Called before arrays of so many bytes are measured, when done of steps sizes are. It must not use the context. */
typedef void wf_tune_progress(void *user, uint64_t bytes, uint32_t done, uint32_t steps);

/* Measures which shapes fold arrays of 4 KiB, 8 KiB, ... most_bytes fastest on the context's device; then writes the
 * file and has the context use the table. spec and progress may be NULL; user is passed on to progress. Blocks, for a
 * few seconds, or about a second for each size on a slow device. Nothing else should run on the device meanwhile, and no
 * other call may use the context, not from another thread either.
 *
 * What is measured is the sum of f32; the other reductions move the same bytes, and take the same table. The arrays lie
 * in up to 512 MiB of device memory, half of what is free at the most, so that caches hold none of them; if memory is
 * too short for the largest ones, they are left out as if most_bytes said so. A shape other than the built-in table's is
 * taken where it is at least 2 % faster in two comparisons: for arrays whose time is that of the launch, nothing
 * changes.
 *
 * WF_UNSUPPORTED for the host device, WF_INVALID_ARGUMENT for most_bytes out of range and for a folder that cannot be
 * written (mostly before anything is measured), WF_OUT_OF_MEMORY, WF_DEVICE_ERROR: then table and file stay as they
 * were. */
WF_API wf_status wf_tune(wf_context *context, const wf_tune_spec *spec, wf_tune_progress *progress, void *user);

/* ---- The ladder --------------------------------------------------------------------------------------------- */

enum { /* which of wf_rung_options' parameters a rung heeds */
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
    uint32_t is_highlight; /* 1 for what a first look should show: the C++ AMP family, and the best of each other */
    double accesses; /* elements read and written in device memory per input element, for large n and defaults; 0 if
                              it depends on n */
} wf_rung_info;

WF_API size_t wf_rung_count(void);
WF_API wf_status wf_rung_get_info(size_t index, wf_rung_info *info);
/* The rung's index; WF_INVALID_ARGUMENT for an unknown name, with the nearest known one in wf_last_error(). */
WF_API wf_status wf_rung_find(const char *name, size_t *index);

/* Zero-initialised: f32, sum, and every parameter at its default. */
typedef struct wf_rung_options {
    wf_type type;
    wf_op op;                   /* sorts have none and ignore it */
    wf_accumulator accumulator; /* reductions; scans take the default alone, sorts ignore it */
    wf_nan nan;                 /* the same */
    uint32_t tile_size;         /* threads of a tile: a power of two, 2 to the device's max_tile_size; 0: 256 */
    uint32_t tiles;             /* tiles of rungs with a fixed number of them: 1 to 65536; 0: chosen for the device */
    uint32_t window;            /* elements folded by one thread of simple_2: 2 to 1024; 0: 8 */
    uint32_t exclusive;         /* scans: element i of the result leaves element i out; 0: takes it in */
    uint32_t descending;        /* sorts: the largest first; 0: the smallest first */
} wf_rung_options;

/* WF_OK if the rung can do it, with any parameters; else WF_UNSUPPORTED with the reason, and with rungs that can, in
 * wf_last_error(). The whole of wf_reduce_spec's table is taken by sequential and, but for the ordered operators, by
 * wavefold; every other reduction takes sum, min and max of f32, f64, i32 and i64 in their own type, propagating NaN. */
WF_API wf_status wf_rung_supports(size_t index, const wf_rung_options *options);

typedef struct wf_rung_report {
    uint32_t launches;  /* kernels launched; 0 for a rung that runs on the CPU */
    uint32_t tile_size; /* as used; 0 where the rung has none */
    uint32_t tiles;
    uint32_t window;
    uint64_t threads; /* threads of the largest launch */
    uint64_t depth;   /* operations on the longest path from an element to the result: a float sum's error is at most
                         (1 + u)^depth - 1 times the sum of magnitudes, u = 2^-24 or 2^-53 (Higham, Accuracy and
                         Stability of Numerical Algorithms, 2nd ed., section 4.2). 0 for sorts. */
    uint64_t flushes; /* operations that may take subnormal f32 for 0 (see f32_atomics_flush): each adds at most
                         3·2^-126 to the error of an f32 sum */
    double device_seconds; /* from the first launch to the end of the last (sequential: the loop alone) */
    double total_seconds;  /* the same, and the copy of the partial results to the host and their fold there */
} wf_rung_report;

/* Runs rung number index on count elements at in (device memory, aligned to the type). Blocks. What result is depends on
 * the rung's kind:
 *   WF_RUNG_REDUCES      host memory, one result: wf_reduction_get_info's result_bytes
 *   WF_RUNG_SCANS        device memory, count elements
 *   WF_RUNG_SORTS        device memory, count elements
 *   WF_RUNG_SORTS_PAIRS  device memory, count elements, and right behind them count uint32_t: where each stood in in
 * Device memory must be aligned to the type, and must not overlap in, but for a scan or a sort of keys whose result is in
 * itself. Else in is not changed: rungs that work in place do so on a copy, made before the clock starts. If the device fails
 * (WF_DEVICE_ERROR, WF_KERNEL_FAULT), a result in device memory is left undefined. The workspace
 * (as large as in, and a few KiB or a line per tile, at the most) belongs to the context and is kept for the next call.
 * report may be NULL. in and a result in device memory may be NULL if count is 0. */
WF_API wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in,
                             size_t count, void *result, wf_rung_report *report);

/* Reads bytes (device memory, aligned to 16) once, as fast as the device can, and gives the seconds that took: the
 * ceiling for every rung. bytes is rounded down to a multiple of 16. Blocks. */
WF_API wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds);

/* ---- Scans -------------------------------------------------------------------------------------------------- */

/* What is scanned, and how. Zero-initialised: the inclusive sum of f32.
 *
 * Result i is the fold of elements 0 to i; exclusive: of elements 0 to i - 1, so that result 0 is the identity. The
 * operators are sum, min and max of f32, f64, i32 and i64, and the ordered ones: a scan by affine solves a linear
 * recurrence. A scan keeps the order of the elements. NaN spreads from where it stands. */
typedef struct wf_scan_spec {
    wf_type type;
    wf_op op;
    uint32_t exclusive; /* not 0: element i is left out of result i */
} wf_scan_spec;

/* Scans count elements at in to count elements at result. Both are device memory and must be aligned to the type, and
 * they must not overlap, unless they are the same: then the scan is in place. Both may be NULL if count is 0. It is
 * fastest where both are aligned to 16 bytes, or lie equally far behind that.
 *
 * wf_scan blocks. wf_scan_async queues the work on stream and returns: a hipStream_t or cudaStream_t of the context's
 * device, or NULL for the context's own queue, which wf_scan and the copies wait for. The host device has no streams:
 * there stream must be NULL, and the work is done on return. Until it is, result may not be used, and neither array
 * changed or freed.
 *
 * The workspace (twice an element for each tile of 8 KiB to 32 KiB, in all less than a hundredth of the array) belongs
 * to the context, grows with the first call that needs more, and is cleared on the stream by every call. So a call can
 * be captured into a graph once a call of the same count and element has been made, and the graph be replayed for as long
 * as no call of the context needs a larger workspace, whether or not it gets one. Calls of one context, and replays of what was captured from it, must not run
 * at the same time: give each stream a context of its own, or order the streams by events. The context is used by one
 * thread at a time, as everywhere.
 *
 * WF_UNSUPPORTED for other operators and types, WF_INVALID_ARGUMENT for whatever else is refused, WF_OUT_OF_MEMORY if
 * the workspace cannot grow: then result has not changed. If the device fails (WF_DEVICE_ERROR, WF_KERNEL_FAULT), result
 * is left undefined, in too if it is the same; what fails in queued work is told by the next call that waits.
 *
 * Integers, min and max give the same bits every time. Which partial results of floats are folded first depends on
 * timing, so the last bits of a sum can differ from run to run; the error is at most (1 + u)^depth - 1 times the sum of
 * magnitudes up to there, with depth as the rung look_back reports it (up to some 270, and the number of tiles).
 *
 * The method is the single pass with decoupled look-back of Merrill and Garland (2016, "Single-pass Parallel Prefix
 * Scan with Decoupled Look-back", NVIDIA NVR-2016-002). It does not rely on tiles going on at the same time. */
WF_API wf_status wf_scan(wf_context *context, const wf_scan_spec *what, const void *in, size_t count, void *result);
WF_API wf_status wf_scan_async(wf_context *context, const wf_scan_spec *what, const void *in, size_t count,
                               void *result, void *stream);

/* ---- Sorts -------------------------------------------------------------------------------------------------- */

/* What is sorted, and how. Zero-initialised: f32, the smallest first, keys alone.
 *
 * The order, also that of the rungs that sort: integers by value; floats by value, -0 before +0, and NaN, of either sign
 * and whatever its payload, behind everything else. Descending is the reverse: NaN comes first. The bits of every key
 * survive, those of NaN too. Sorts are not stable: where keys are equal, or both NaN, nothing is promised about the
 * order of their values; but each value stays with its key. The same input gives the same result on every device. */
typedef struct wf_sort_spec {
    wf_type type;         /* of the keys: 4 or 8 bytes */
    uint32_t descending;  /* not 0: the largest first */
    uint32_t value_bytes; /* of the value that goes with each key: 4 or 8, or 0 for none */
} wf_sort_spec;

/* Sorts count keys in place, and moves values[i] along with keys[i]. Both are device memory; keys must be aligned to
 * their type, values to value_bytes, and they must not overlap. values must be NULL if value_bytes is 0; both may be
 * NULL if count is 0. No memory is allocated.
 *
 * wf_sort blocks. wf_sort_async queues the work on stream and returns: a hipStream_t or cudaStream_t of the context's
 * device, or NULL for the context's own queue, which wf_sort and the copies wait for. The host device has no streams:
 * there stream must be NULL, and the work is done on return. Until it is, neither array may be used or freed. Calls for
 * the same context must come from one thread at a time, also when their streams differ.
 *
 * WF_UNSUPPORTED for types of 1 and 2 bytes, WF_INVALID_ARGUMENT for whatever else is refused: then nothing has
 * changed. If the device fails (WF_DEVICE_ERROR, WF_KERNEL_FAULT), keys and values are left undefined; what fails in queued
 * work is told by the next call that waits.
 *
 * It takes some (log2 n)^2 / 2 steps of n / 2 comparisons each, so prefer a radix sort where n is large and speed is all:
 * Batcher's bitonic network (Sorting networks and their applications, AFIPS 1968), as the ladder's bitonic_registers. */
WF_API wf_status wf_sort(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count);
WF_API wf_status wf_sort_async(wf_context *context, const wf_sort_spec *what, void *keys, void *values, size_t count,
                               void *stream);

#ifdef __cplusplus
}
#endif
#endif
