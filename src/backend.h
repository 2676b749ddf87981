/* What a backend's module gives the library: one table of functions, and a number that says which table.
 *
 * A module (libwavefold-host.so, libwavefold-nvidia.so, libwavefold-amd.so) exports wavefold_backend(). The library
 * calls it, compares the ABI number, and reads on only if it is its own: the number is first, so that it can be read
 * whatever follows.
 */
#ifndef WAVEFOLD_BACKEND_H
#define WAVEFOLD_BACKEND_H

#include "ladder/ladder_map.h"
#include "message/message_part.h"
#include "reduce/thread_table.h"
#include "wavefold.h"
#include "wavefold_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raise its first number with every change to this file. A type, operator or rung more changes it by itself. */
#define WF_BACKEND_ABI                                                                                                 \
    (UINT32_C(19) << 24 | (uint32_t)WF_TYPE_COUNT << 16 | (uint32_t)WF_OP_COUNT << 8 | (uint32_t)WF_KERNEL_COUNT)

/* X(name, shape, function, loads, folds): every kernel of the ladder, and of what else the library launches, once. The
 * shape says which fields of wf_launch it takes, and its template parameters besides type and operator; ladder_map.h
 * says the rest.
 *   NONE      it is never launched: a rung that has no kernel of its name
 *   IN_PLACE  data, data_count, tail, first, stride, window
 *   TILED     source, result
 *   WAVES     source, result; wave width, loads
 *   UNROLLED  source, result; wave width, tile size
 *   TICKET    source, partials, result, ticket; wave width, loads
 *   REDUCE    source, result, tile_status, ticket, with accumulator, nan, whole_count, of_none, notice and
 *             notice_number, and first, is_first, is_last; its template parameters are an operator of
 *             reduce_operators.hpp, or describe.hpp's, and the width
 *   EXACT     as REDUCE, but of_none; accumulator is the type into which the sum is rounded, and exact_result,
 *             sum_words and in_f64 say what else may become of it, and how; describe of floats takes the last two, too
 *   SCAN      source, result, partials, span, exclusive
 *   PREFIXES  source, result, span
 *   LOOK_BACK source, result, tile_status, ticket, exclusive, polls; wave width, loads
 *   MESSAGE   message alone: a tile for each of its entries
 *   BITONIC   source, result and the sort's fields; instead of type and operator, the words of key and value
 *   REGISTERS the same; the tile's bits, and loads: a pass across tiles does so many times four steps */
#define WF_KERNEL_OF_RUNG(X, kernel, suffix, family, shape, loads, folds, ...)                                         \
    X(kernel##suffix, shape, kernel, loads, folds)
#define WF_KERNEL_OF(X, kernel, suffix, shape, loads, folds) X(kernel##suffix, shape, kernel, loads, folds)
#define WF_KERNEL_MAP(X) WF_LADDER(WF_KERNEL_OF_RUNG, X) WF_OTHER_KERNELS(WF_KERNEL_OF, X)

/* The reductions, or sorts, that a kernel is built for. */
enum {
    WF_FOLDS_NOTHING = 0,
    WF_FOLDS_CORE = 1,    /* sum, min and max of f32, f64, i32 and i64, in their own type, propagating NaN */
    WF_FOLDS_ORDERED = 3, /* these, and the ordered operators */
    WF_FOLDS_WIDE = 5,    /* all of wf_reduce_spec's table but the ordered operators */
    WF_FOLDS_ALL = 7,     /* all of it */
    WF_FOLDS_EXACT = 32,  /* sums of floats that are rounded once */
    WF_FOLDS_KEYS = 8,    /* sorts of 4 or 8 bytes, alone or with values of 4 bytes */
    WF_FOLDS_RECORDS = 24 /* and with values of 8 bytes */
};

enum {
    WF_REDUCE_VALUE_BYTES = 16,    /* of the value that a tile of REDUCE publishes, at the most; */
    WF_DESCRIBE_VALUE_BYTES = 64,  /* for describe */
    WF_EXACT_VALUE_BYTES = 20,     /* for exact */
    WF_CARRY_BYTES = 88,           /* of what a part of REDUCE leaves for the next one */
    WF_DESCRIBE_FLOATS_TILE = 256, /* threads of a tile of describe, of floats, at the most */
    WF_STATUS_VALUE_BYTES = 4,     /* of value per 64-bit status word */
    WF_TILE_MEMORY = 48 * 1024     /* bytes that a tile may use: what every device grants without asking */
};

/* What an exact sum leaves in device memory between tiles: the words of the sum, and how many NaN, +infinities,
 * -infinities and terms other than -0 there were. */
#define WF_SUM_WORDS (WF_SUM_LIMBS + 4)

/* Bytes that one launch of REDUCE takes, at the most: 2^31 loads of 16. */
#define WF_REDUCE_BYTES ((uint64_t)1 << 35)

/* Packs of 16 bytes that a thread takes at once in a kernel for arrays of one tile. Many: sums of elements of 4 bytes
 * and more, minima and maxima of such integers. Few: all others, which took longer on an H200 with many. */
#define WF_MANY_SHORT_PACKS 4u
#define WF_FEW_SHORT_PACKS 2u
/* The same of an exact sum's tile that is spread. */
#define WF_EXACT_SHORT_PACKS 4u

/* A tile of the REGISTERS kernels has 2^WF_REGISTER_TILE_BITS records: 32 KiB of them. Each of its threads holds
 * 2^WF_REGISTER_BITS. A record is a key, or a key and a value, each aligned to the longer. */
#define WF_REGISTER_BITS 4u
#define WF_REGISTER_TILE_BITS(record_bytes) ((record_bytes) == 4 ? 13u : (record_bytes) == 8 ? 12u : 11u)

typedef enum wf_kernel {
#define WF_KERNEL_ENUM(name, shape, function, loads, folds) WF_KERNEL_##name,
    WF_KERNEL_MAP(WF_KERNEL_ENUM)
#undef WF_KERNEL_ENUM
        WF_KERNEL_COUNT
} wf_kernel;

/* What becomes of an exact sum. */
typedef enum wf_exact_result {
    WF_EXACT_ROUNDED, /* it is rounded, or its mean is */
    WF_EXACT_STATE,   /* result is a wf_sum_state, which becomes the sum's, normalised */
    WF_EXACT_ADDED,   /* the sum is added to it, and that normalised; what is no state is left alone */
    WF_EXACT_MESSAGE  /* the same as STATE, behind the check of a message, which begins at result */
} wf_exact_result;

/* One launch of one kernel. Counts are in elements. */
typedef struct wf_launch {
    wf_kernel kernel;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* the type itself, but for kernels built for wide reductions */
    wf_nan nan;
    uint32_t tiles;
    uint32_t tile_size;
    uint32_t is_spread;  /* REDUCE, EXACT: the only tile is spread, in blocks of tile_size threads */
    uint32_t wave_width; /* the device's */
    /* All but IN_PLACE */
    const void *source;
    uint64_t source_count;
    void *result; /* one element per tile, or one in all; scans: one per element of source */
    uint64_t result_count;
    /* TICKET: what the tiles leave for the last one, and the unsigned that tells which that is, 0 between launches */
    void *partials; /* SCAN: what each tile's elements fold to */
    void *ticket;   /* LOOK_BACK, REDUCE: how many tiles have started, 0 before the first launch */
    /* REDUCE: an array may be folded in several launches, all of as many tiles. The elements of this one start at index
     * first of whole_count; the launch that is_last writes result. of_none: the result of no elements. notice: where
     * notice_number is written once the result is there, or NULL. */
    void *carry; /* words for one value, likewise: what the parts before came to */
    uint64_t whole_count;
    const void *of_none;
    void *notice;
    uint64_t notice_number;
    /* EXACT: WF_SUM_WORDS of 64 bits, 0 between folds: what does not fit the value of a tile, and, instead of carry,
     * what the parts before came to. */
    wf_exact_result exact_result;
    void *sum_words;
    uint32_t in_f64;  /* the device is fast in f64 */
    uint32_t request; /* for the check of WF_EXACT_MESSAGE */
    /* Scans: a power of two of elements per tile (LOOK_BACK knows its own), and whether result i leaves element i out.
     * PREFIXES folds source[t] onto elements t * span to (t + 1) * span - 1 of result. */
    uint32_t span;
    uint32_t exclusive;
    /* LOOK_BACK, REDUCE: the words that tiles publish to each other, 0 before the first launch, at an address that 16
     * divides. There is a word for every WF_STATUS_VALUE_BYTES of an element, or of REDUCE's value, of each tile, and
     * tiles use so many at the most. LOOK_BACK: polls is how often a tile polls
     * another in vain before it helps itself. */
    void *tile_status;
    uint64_t tile_status_words;
    uint32_t polls;
    /* IN_PLACE: threads first to stride - 1 fold data[i], data[i + stride], ... into data[i]; the last one folds what
     * lies beyond into *tail */
    void *data;
    uint64_t data_count;
    void *tail;
    uint64_t first;
    uint64_t stride;
    uint32_t window;
    /* BITONIC, REGISTERS: source and result, which may be the same, have source_count keys. Values go with them if
     * value_bytes is not 0. The pass merges sorted halves of blocks, and its shortest stride is stride; tile numbers
     * count from first. */
    const void *source_values; /* NULL: positions */
    void *result_values;
    uint32_t value_bytes;
    uint32_t descending;
    uint32_t is_first; /* pass of the sort, or part of the fold */
    uint32_t is_last;
    uint64_t block;
    const wf_message_part *message; /* MESSAGE; read by the time of return */
    wf_thread_table threads;        /* no kernel: reduce takes it */
} wf_launch;

typedef enum wf_direction { WF_TO_DEVICE, WF_TO_HOST, WF_WITHIN_DEVICE } wf_direction;

typedef struct wf_backend {
    uint32_t abi; /* WF_BACKEND_ABI */
    const char *name;
    uint32_t wide_tile;  /* threads of a tile of describe, of integers, at the most; */
    uint32_t exact_tile; /* of exact */
    /* Of a tile that is spread over processors, where waves have 32 lanes: its blocks, and their threads, at the most;
     * 0: none is. */
    uint32_t spread_blocks, spread_block;

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
    wf_status (*launch)(void *device, void *stream, const wf_launch *launch);
    wf_status (*clear)(void *device, void *stream, void *memory, size_t bytes); /* to zeros */
    wf_status (*read)(void *device, const void *from, size_t bytes);
    wf_status (*finish)(void *device);

    /* Reduces on the CPU, with no kernel; NULL where kernels do it. The launch's type, op, accumulator, nan, source,
     * source_count, result and exact_result say what, and whether its kernel is describe or exact; threads, by how
     * many. result is host memory, and has not changed on failure. */
    wf_status (*reduce)(void *device, const wf_launch *what);

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
