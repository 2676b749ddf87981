/* One launch of a reduction by key: a step before, or instead of, a reduction of segments. */
#ifndef WAVEFOLD_BY_KEY_REQUEST_H
#define WAVEFOLD_BY_KEY_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* X(NAME, name): the kernels. */
#define WF_BY_KEY_STEP_MAP(X)                                                                                          \
    X(COUNT_RUNS, count_runs)       /* runs that begin in each tile's chunk */                                         \
    X(WRITE_RUNS, write_runs)       /* the offset and the key of each run */                                           \
    X(LENGTHS, lengths_of_segments) /* the difference of each two offsets */                                           \
    X(CHECK_INDICES, check_indices) /* the first index outside of the bins */                                          \
    X(COUNT_INDICES, count_indices) /* how often each bin occurs */                                                    \
    X(BINS, bins_of_indices)        /* the bin of each element, in 32 bits */                                          \
    X(JOIN, join_arrays)            /* one array of two */                                                             \
    X(BIN_OFFSETS, offsets_of_bins) /* where each bin begins in the sorted array */

typedef enum wf_by_key_step {
#define WF_BY_KEY_STEP_ENUM(NAME, name) WF_BY_KEY_##NAME,
    WF_BY_KEY_STEP_MAP(WF_BY_KEY_STEP_ENUM)
#undef WF_BY_KEY_STEP_ENUM
} wf_by_key_step;

enum {
    WF_BY_KEY_TILE = 256,        /* threads */
    WF_BY_KEY_ROWS = 4,          /* elements that a lane of WRITE_RUNS takes at once */
    WF_BY_KEY_MOST_CHUNKS = 2048 /* tiles of COUNT_RUNS: each tile of WRITE_RUNS adds up their counts */
};

typedef struct wf_by_key_request {
    wf_launch_head head;
    wf_by_key_step step;
    uint32_t element_bytes; /* of source */
    const void *source;     /* keys, indices, sorted bins, or JOIN: the second array */
    uint64_t count;         /* of source */
    uint64_t first_tile;
    /* Of runs. */
    uint64_t chunk;     /* keys for each tile */
    void *chunk_counts; /* a word of 64 bits for each tile */
    void *unique_keys;  /* NULL: not wanted */
    void *runs;         /* their number, of 64 bits; NULL: not wanted */
    uint64_t room;      /* for runs */
    uint32_t fills;     /* offsets behind the last run become count: those segments are empty */
    /* Of bins. */
    uint64_t bins;
    uint64_t sign_bit;   /* of a signed index; else 0 */
    uint64_t bins_first; /* BINS: result i < bins_first is i, and later ones those of indices */
    void *first_bad;     /* CHECK_INDICES: of 64 bits, all ones before */
    const void *first;   /* JOIN: the first array, of first_count elements */
    uint64_t first_count;
    void *offsets; /* of 64 bits: room + 1, or bins + 1 */
    void *result;  /* LENGTHS, COUNT_INDICES: of 64 bits; BINS: of 32; JOIN: as source */
    uint64_t results;
} wf_by_key_request;

#endif
