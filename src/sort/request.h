/* One pass of a sorting network or of a radix sort. Counts are in records: keys, each with its value if there are
 * values. */
#ifndef WAVEFOLD_SORT_REQUEST_H
#define WAVEFOLD_SORT_REQUEST_H

#include "launch_head.h"
#include "row_list.h"
#include "wavefold.h"

/* X(NAME, name): the passes. TILE and STEP use one thread for two records; in the REGISTERS passes each thread holds
 * 2^WF_REGISTER_BITS records in registers. RADIX_COUNT counts the digits of all RADIX passes; RADIX_SHORT sorts rows
 * that fit into a tile. RANK sorts rows that fit into a wave's registers. LONGEST finds the length of the longest
 * segment, NUMBER the row of each place, and MOVE moves values, or positions in their rows, to the places of an
 * order. */
#define WF_SORT_PASS_MAP(X)                                                                                            \
    X(TILE, bitonic_tile)                                                                                              \
    X(STEP, bitonic_step)                                                                                              \
    X(REGISTERS_SORT, bitonic_registers_sort)                                                                          \
    X(REGISTERS_MERGE, bitonic_registers_merge)                                                                        \
    X(REGISTERS_ACROSS_4, bitonic_registers_across_4)                                                                  \
    X(REGISTERS_ACROSS_8, bitonic_registers_across_8)                                                                  \
    X(RADIX_COUNT, radix_count)                                                                                        \
    X(RADIX, radix)                                                                                                    \
    X(RADIX_SHORT, short_radix)                                                                                        \
    X(RANK, rank_rows)                                                                                                 \
    X(LONGEST, longest_segment)                                                                                        \
    X(NUMBER, number_rows)                                                                                             \
    X(MOVE, move_values)

typedef enum wf_sort_pass {
#define WF_SORT_PASS_ENUM(NAME, name) WF_SORT_##NAME,
    WF_SORT_PASS_MAP(WF_SORT_PASS_ENUM)
#undef WF_SORT_PASS_ENUM
} wf_sort_pass;

/* A tile of the REGISTERS passes has 2^WF_REGISTER_TILE_BITS records: 32 KiB. A record is a key, or a key and a value,
 * both aligned to the longer one. */
#define WF_REGISTER_BITS 4u
#define WF_REGISTER_TILE_BITS(record_bytes) ((record_bytes) == 4 ? 13u : (record_bytes) == 8 ? 12u : 11u)

/* The radix sort's tuning: bits of a digit, threads of a tile (whole waves; kernels do not ask for the number of tiles,
 * which AMD's code has of powers of two alone), and keys of a thread. A tile's keys, its waves' counts and 3 KiB more
 * must fit into WF_TILE_MEMORY. */
#define WF_RADIX_BITS 8u
#define WF_RADIX_TILE 384u
#define WF_RADIX_KEYS(key_bytes) ((key_bytes) == 8 ? 10u : (key_bytes) == 4 ? 20u : 18u)
#define WF_RADIX_COUNT_TILE 256u /* threads of RADIX_COUNT, a power of two */
#define WF_ROW_TILE 256u         /* threads of RANK, LONGEST, NUMBER and MOVE */
#define WF_RANK_KEYS 256u        /* of a row, at the most, for RANK */

#define WF_RADIX_VALUES (1u << WF_RADIX_BITS) /* of a digit */
#define WF_RADIX_MOST_PASSES 8u
#define WF_RADIX_COUNT_BITS 29u /* of a count that tiles publish: a launch has fewer keys than 2 to the power of this */

typedef struct wf_sort_request {
    wf_launch_head head;
    wf_sort_pass pass;
    wf_type type;
    uint32_t value_bytes; /* 0: there are no values; networks take 4 and 8, radix sorts also 1, 2 and 16 */
    uint32_t descending;
    const void *source_keys;
    const void *source_values; /* NULL: the values are positions */
    void *keys, *values;       /* may be the source, but not of RADIX. keys: NULL if only the values are wanted */
    uint64_t count;
    /* The pass merges sorted halves of blocks, its shortest stride is stride, and its tiles count from first_tile. */
    uint64_t first_tile, block, stride;
    uint32_t is_first, is_last; /* first and last pass of the sort */
    /* Radix sorts: bits begin_bit to end_bit - 1 of the codes, digit_bits in each of the passes. */
    uint32_t begin_bit, end_bit, digit_bits, passes, number; /* number: of this pass */
    /* In the workspace. ticket, counts and tile_status are zeros before the first launch of a sort. counts and starts
     * have WF_RADIX_VALUES words for each pass; of RADIX, starts and next_starts are this pass's, for this launch and
     * for the next one. tile_status: WF_RADIX_VALUES / 2 words for each tile of the array. */
    void *ticket, *counts, *starts, *next_starts, *tile_status;
    uint64_t tile_status_words;
    uint32_t polls; /* polls of an unpublished tile before a tile counts that tile's digits itself */
    /* Rows. RADIX_SHORT and RANK: the launch's first part is first_tile. result_count: of the target; 0: count. */
    wf_row_list list;
    uint64_t result_count;
    uint32_t lanes; /* RANK: that share a row, a power of two */
    /* NUMBER, MOVE: count places; the key's type is that of the words of order, the element at each place; NULL: the
     * places themselves. NUMBER writes keys, MOVE values. */
    const void *order;
} wf_sort_request;

#endif
