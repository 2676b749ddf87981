/* One launch of a reduction, of an array or a part of it. Counts are in elements. */
#ifndef WAVEFOLD_REDUCE_REQUEST_H
#define WAVEFOLD_REDUCE_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"
#include "wavefold_sum.h"

typedef enum wf_reduce_kind {
    WF_REDUCE_VALUES,   /* fast sums, and all other commutative operators */
    WF_REDUCE_EXACT,    /* exact sums of floats */
    WF_REDUCE_DESCRIBE, /* wf_describe; for floats it contains an exact sum */
    WF_REDUCE_ORDERED   /* operators that do not commute */
} wf_reduce_kind;

/* The result of an exact sum. */
typedef enum wf_exact_result {
    WF_EXACT_ROUNDED, /* the rounded sum or mean */
    WF_EXACT_STATE,   /* the sum's normalised wf_sum_state */
    WF_EXACT_ADDED,   /* the sum is added to the wf_sum_state in result, which is normalised; an invalid one stays */
    WF_EXACT_MESSAGE  /* a message's check words, followed by the normalised wf_sum_state */
} wf_exact_result;

enum {
    WF_REDUCE_VALUE_BYTES = 16,   /* the largest value that a tile of VALUES publishes */
    WF_DESCRIBE_VALUE_BYTES = 64, /* the same for DESCRIBE */
    WF_EXACT_VALUE_BYTES = 20,    /* the same for EXACT */
    WF_CARRY_BYTES = 88,          /* the largest intermediate result that a launch passes to the next */
    WF_DESCRIBE_FLOATS_TILE = 256 /* the most threads of a tile of DESCRIBE of floats */
};

/* Words of an exact sum in device memory: the limbs, and the counts of NaN, +infinity, -infinity and terms other than
 * -0. */
#define WF_SUM_WORDS (WF_SUM_LIMBS + 4)

/* The most bytes of one launch: 2^31 loads of 16 bytes. ORDERED has no such limit. */
#define WF_REDUCE_BYTES ((uint64_t)1 << 35)

/* Packs of 16 bytes that a thread takes at once in a kernel for a single tile. Many: sums of elements of 4 bytes and
 * more, min and max of integers of 4 bytes and more. Few: all others, which took longer with many on an H200. */
#define WF_MANY_SHORT_PACKS 4u
#define WF_FEW_SHORT_PACKS 2u
/* The same for the cluster tile of an exact sum. */
#define WF_EXACT_SHORT_PACKS 4u

typedef struct wf_reduce_request {
    wf_launch_head head;
    wf_reduce_kind kind;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* exact sums: the type of the rounded result */
    wf_nan nan;
    uint32_t is_cluster; /* the launch is one cluster tile, in blocks of tile_size threads */
    const void *source;
    uint64_t source_count;
    void *result; /* one result */
    /* source points to element `first` of whole_count. All launches of a reduction have the same number of tiles, and
     * the launch with is_last writes the result. ORDERED takes only whole arrays. */
    uint64_t first, whole_count;
    uint32_t is_first, is_last;
    const void *of_none;    /* the result for no elements; unused by EXACT */
    void *notice;           /* if not NULL, notice_number is written here after the result */
    uint64_t notice_number; /* ORDERED gives no notice */
    /* In the workspace, zeros between launches. ticket: the number of tiles that have started. tile_status: the words
     * that tiles publish, one for every WF_STATUS_VALUE_BYTES of a tile's value; aligned to 16 bytes. */
    void *ticket;
    void *tile_status;
    uint64_t tile_status_words;
    void *carry;    /* the intermediate result of earlier launches: WF_CARRY_BYTES in words */
    void *partials; /* ORDERED: an element for each tile */
    /* EXACT, and DESCRIBE of floats. sum_words: WF_SUM_WORDS of 64 bits, zeros between reductions: terms that do not
     * fit the value of a tile, and (instead of carry) the sum of earlier launches. */
    wf_exact_result exact_result;
    void *sum_words;
    uint32_t in_f64;  /* 1: the device is fast in f64 */
    uint32_t request; /* WF_EXACT_MESSAGE: the number in the check words */
} wf_reduce_request;

#endif
