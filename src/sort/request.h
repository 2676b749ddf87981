/* One pass of a sorting network. Counts are in records: keys, each with its value if there are values. */
#ifndef WAVEFOLD_SORT_REQUEST_H
#define WAVEFOLD_SORT_REQUEST_H

#include "launch_head.h"
#include "wavefold.h"

/* X(NAME, name): the passes. TILE and STEP use one thread for two records; in the others each thread holds
 * 2^WF_REGISTER_BITS records in registers. */
#define WF_SORT_PASS_MAP(X)                                                                                            \
    X(TILE, bitonic_tile)                                                                                              \
    X(STEP, bitonic_step)                                                                                              \
    X(REGISTERS_SORT, bitonic_registers_sort)                                                                          \
    X(REGISTERS_MERGE, bitonic_registers_merge)                                                                        \
    X(REGISTERS_ACROSS_4, bitonic_registers_across_4)                                                                  \
    X(REGISTERS_ACROSS_8, bitonic_registers_across_8)

typedef enum wf_sort_pass {
#define WF_SORT_PASS_ENUM(NAME, name) WF_SORT_##NAME,
    WF_SORT_PASS_MAP(WF_SORT_PASS_ENUM)
#undef WF_SORT_PASS_ENUM
} wf_sort_pass;

/* A tile of the REGISTERS passes has 2^WF_REGISTER_TILE_BITS records: 32 KiB. A record is a key, or a key and a value,
 * both aligned to the longer one. */
#define WF_REGISTER_BITS 4u
#define WF_REGISTER_TILE_BITS(record_bytes) ((record_bytes) == 4 ? 13u : (record_bytes) == 8 ? 12u : 11u)

typedef struct wf_sort_request {
    wf_launch_head head;
    wf_sort_pass pass;
    wf_type type;
    uint32_t value_bytes; /* 0: there are no values */
    uint32_t descending;
    const void *source_keys;
    const void *source_values; /* NULL: the values are positions */
    void *keys, *values;       /* may be the source */
    uint64_t count;
    /* The pass merges sorted halves of blocks, its shortest stride is stride, and its tiles count from first_tile. */
    uint64_t first_tile, block, stride;
    uint32_t is_first, is_last; /* first and last pass of the sort */
} wf_sort_request;

#endif
