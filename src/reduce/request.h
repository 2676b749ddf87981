/* One launch of a reduction of one array, or of a part of one. Counts are in elements. */
#ifndef WAVEFOLD_REDUCE_REQUEST_H
#define WAVEFOLD_REDUCE_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"
#include "wavefold_sum.h"

typedef enum wf_reduce_kind {
    WF_REDUCE_VALUES,   /* fast sums, and every operator that commutes */
    WF_REDUCE_EXACT,    /* sums of floats that are rounded once */
    WF_REDUCE_DESCRIBE, /* wf_describe; of floats with an exact sum */
    WF_REDUCE_ORDERED   /* operators that do not commute */
} wf_reduce_kind;

/* What becomes of an exact sum. */
typedef enum wf_exact_result {
    WF_EXACT_ROUNDED, /* it is rounded, or its mean is */
    WF_EXACT_STATE,   /* result is a wf_sum_state, which becomes the sum's, normalised */
    WF_EXACT_ADDED,   /* the sum is added to it, and that normalised; what is no state is left alone */
    WF_EXACT_MESSAGE  /* the same as STATE, behind the check of a message, which begins at result */
} wf_exact_result;

enum {
    WF_REDUCE_VALUE_BYTES = 16,   /* of the value that a tile of VALUES publishes, at the most; */
    WF_DESCRIBE_VALUE_BYTES = 64, /* of DESCRIBE; */
    WF_EXACT_VALUE_BYTES = 20,    /* of EXACT */
    WF_CARRY_BYTES = 88,          /* of what a part leaves for the next one */
    WF_DESCRIBE_FLOATS_TILE = 256 /* threads of a tile of DESCRIBE, of floats, at the most */
};

/* What an exact sum leaves in device memory between tiles: the words of the sum, and how many NaN, +infinities,
 * -infinities and terms other than -0 there were. */
#define WF_SUM_WORDS (WF_SUM_LIMBS + 4)

/* Bytes that one launch takes, at the most: 2^31 loads of 16. ORDERED has no such limit. */
#define WF_REDUCE_BYTES ((uint64_t)1 << 35)

/* Packs of 16 bytes that a thread takes at once in a kernel for arrays of one tile. Many: sums of elements of 4 bytes
 * and more, minima and maxima of such integers. Few: all others, which took longer on an H200 with many. */
#define WF_MANY_SHORT_PACKS 4u
#define WF_FEW_SHORT_PACKS 2u
/* The same of an exact sum's cluster tile. */
#define WF_EXACT_SHORT_PACKS 4u

typedef struct wf_reduce_request {
    wf_launch_head head;
    wf_reduce_kind kind;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* of an exact sum the type into which it is rounded */
    wf_nan nan;
    uint32_t is_cluster; /* the only tile is a cluster tile, in blocks of tile_size threads */
    const void *source;
    uint64_t source_count;
    void *result; /* one */
    /* The elements at source start at index first of whole_count. All launches of one reduction have as many tiles, and
     * the launch that is_last writes the result. ORDERED takes whole arrays. */
    uint64_t first, whole_count;
    uint32_t is_first, is_last;
    const void *of_none;    /* the result of no elements; not of EXACT */
    void *notice;           /* where notice_number is written once the result is there, or NULL */
    uint64_t notice_number; /* ORDERED gives no notice */
    /* In the workspace, zeros between launches: how many tiles have started, and the words that tiles publish to each
     * other, a word for every WF_STATUS_VALUE_BYTES of each tile's value, at an address that 16 divides. */
    void *ticket;
    void *tile_status;
    uint64_t tile_status_words;
    void *carry;    /* the value of the parts before, WF_CARRY_BYTES in words */
    void *partials; /* ORDERED: an element for each tile */
    /* EXACT, and DESCRIBE of floats. sum_words: WF_SUM_WORDS of 64 bits, 0 between reductions: what does not fit the
     * value of a tile, and, instead of carry, the sum of the parts before. */
    wf_exact_result exact_result;
    void *sum_words;
    uint32_t in_f64;  /* the device is fast in f64 */
    uint32_t request; /* for the check of WF_EXACT_MESSAGE */
} wf_reduce_request;

#endif
