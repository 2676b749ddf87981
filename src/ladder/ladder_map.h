/* The list of rungs. The ladder's own kernels (kernel_map.h), their instances (hip/ladder/launch.hpp) and the rungs as
 * data (ladder_table.c) are generated from these rows.
 *
 * RUNG(X, kernel, suffix, family, shape, loads, folds, parameters, accesses, seed, idea, limit, ...): a rung; its name
 * is the kernel followed by the suffix. X is passed to RUNG.
 *   kernel      the template in hip/progression/, hip/reduce/ or hip/scan/
 *   shape       the fields of wf_ladder_request that the kernel takes: see kernel_map.h. NONE: the rung runs on the
 *               host, or launches another algorithm's kernel
 *   loads       elements that a thread takes at a time: in one load if the number is a template parameter, else in
 *               separate loads. wavefold, exact: the bytes of a load
 *   folds       the reductions or sorts for which the kernel is built: WF_FOLDS_* of kernel_map.h
 *   family, parameters, accesses, seed, idea, limit
 *               as in wf_rung_info
 *   ...         further fields of wf_rung: the host side */
#ifndef WAVEFOLD_LADDER_LADDER_MAP_H
#define WAVEFOLD_LADDER_LADDER_MAP_H

/* The lines of a row: the kernel, the seed, the idea, the limit, the host side. */
/* clang-format off */
#define WF_LADDER(RUNG, X)                                                                                             \
    RUNG(X, sequential, , amp, NONE, 0, ALL, 0, 1.0,                                                                   \
         "C++ AMP sample",                                                                                             \
         "one CPU thread adds the elements in order",                                                                  \
         "latency of one addition; every addition waits for the one before",                                           \
         .run = wf_run_sequential, .info.is_highlight = 1)                                                             \
    RUNG(X, simple_1, , amp, IN_PLACE, 1, CORE, 0, 3.0,                                                                \
         "C++ AMP sample",                                                                                             \
         "log2 n launches; each folds the second half of the array onto the first",                                    \
         "memory traffic: two reads and one write per fold, and a launch per halving",                                 \
         .run = wf_run_in_place, .info.is_highlight = 1)                                                               \
    RUNG(X, simple_2, , amp, IN_PLACE, 1, CORE, WF_RUNG_WINDOW, 9.0 / 7.0,                                             \
         "C++ AMP sample",                                                                                             \
         "each thread folds a window of 8 elements, so fewer launches and fewer writes",                               \
         "memory traffic of 9/7 accesses per element; the tail is folded by one thread",                               \
         .run = wf_run_in_place, .info.is_highlight = 1)                                                               \
    RUNG(X, tiled_1, , amp, TILED, 1, CORE, WF_RUNG_TILE, 257.0 / 255.0,                                               \
         "C++ AMP sample; lecture reduce 1",                                                                           \
         "a tile folds in tile memory; every 2nd, 4th, 8th ... thread works",                                          \
         "divergence: each wave runs every step for fewer and fewer lanes, and a slow modulo",                         \
         .run = wf_run_tiled, .info.is_highlight = 1)                                                                  \
    RUNG(X, tiled_2, , amp, TILED, 1, CORE, WF_RUNG_TILE, 257.0 / 255.0,                                               \
         "C++ AMP sample; lecture reduce 2",                                                                           \
         "the working threads are neighbours: whole waves only wait; the index strides",                               \
         "bank conflicts: stride 2, 4, 8 ... puts lanes into the same bank",                                           \
         .run = wf_run_tiled, .info.is_highlight = 1)                                                                  \
    RUNG(X, tiled_3, , amp, TILED, 1, CORE, WF_RUNG_TILE, 257.0 / 255.0,                                               \
         "C++ AMP sample; lecture reduce 3",                                                                           \
         "sequential addressing: neighbouring threads touch neighbouring cells",                                       \
         "idle threads: half of the tile never adds anything",                                                         \
         .run = wf_run_tiled, .info.is_highlight = 1)                                                                  \
    RUNG(X, tiled_4, , amp, TILED, 2, CORE, WF_RUNG_TILE, 513.0 / 511.0,                                               \
         "C++ AMP sample; lecture reduce 4",                                                                           \
         "each thread folds two elements while loading: half the tiles",                                               \
         "barriers and loop overhead per tile still outweigh two loads per thread",                                    \
         .run = wf_run_tiled, .info.is_highlight = 1)                                                                  \
    RUNG(X, cascade, , amp, TILED, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES, 1.0,                                         \
         "C++ AMP sample; lecture reduce 7",                                                                           \
         "a fixed number of tiles strides over the array; one launch, one tree per tile",                              \
         "memory latency: how many loads are in flight",                                                               \
         .run = wf_run_grid, .info.is_highlight = 1)                                                                   \
    RUNG(X, unrolled_wave, , code, WAVES, 2, CORE, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES, 513.0 / 511.0,                  \
         "lecture reduce 5",                                                                                           \
         "the last wave finishes with barriers of its own, unrolled",                                                  \
         "the steps before, which loop and stop the whole tile",                                                       \
         .run = wf_run_tiled)                                                                                          \
    RUNG(X, unrolled_full, , code, UNROLLED, 2, CORE, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES, 513.0 / 511.0,               \
         "lecture reduce 6",                                                                                           \
         "the tile size is a template parameter: every loop is unrolled",                                              \
         "one tree with its barriers for two elements per thread",                                                     \
         .run = wf_run_tiled)                                                                                          \
    RUNG(X, cascade_unrolled, , code, UNROLLED, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,      \
         "lecture reduce 7",                                                                                           \
         "the cascade with the unrolled tree",                                                                         \
         "memory latency, as for cascade",                                                                             \
         .run = wf_run_grid, .info.is_highlight = 1)                                                                   \
    RUNG(X, wave_two_pass, , wave, WAVES, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,            \
         "shuffle reductions",                                                                                         \
         "waves fold by shuffles; a second launch folds the tiles' results",                                           \
         "memory; for small arrays the second launch",                                                                 \
         .run = wf_run_grid, .join = WF_JOIN_SECOND_LAUNCH)                                                            \
    RUNG(X, wave_two_pass, _v2, wave, WAVES, 2, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,         \
         "shuffle reductions",                                                                                         \
         "waves fold by shuffles; a second launch folds the tiles' results; 2-wide loads",                             \
         "memory; for small arrays the second launch",                                                                 \
         .run = wf_run_grid, .join = WF_JOIN_SECOND_LAUNCH)                                                            \
    RUNG(X, wave_two_pass, _v4, wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,         \
         "shuffle reductions",                                                                                         \
         "waves fold by shuffles; a second launch folds the tiles' results; 4-wide loads",                             \
         "memory; for small arrays the second launch",                                                                 \
         .run = wf_run_grid, .join = WF_JOIN_SECOND_LAUNCH)                                                            \
    RUNG(X, wave_atomic, , wave, WAVES, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,              \
         "shuffle reductions",                                                                                         \
         "each wave folds into one cell with an atomic operation",                                                     \
         "the atomic operations on one address",                                                                       \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, wave_atomic, _v2, wave, WAVES, 2, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,           \
         "shuffle reductions",                                                                                         \
         "each wave folds into one cell with an atomic operation; 2-wide loads",                                       \
         "the atomic operations on one address",                                                                       \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, wave_atomic, _v4, wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,           \
         "shuffle reductions",                                                                                         \
         "each wave folds into one cell with an atomic operation; 4-wide loads",                                       \
         "the atomic operations on one address",                                                                       \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, block_atomic, , wave, WAVES, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,             \
         "shuffle reductions",                                                                                         \
         "each tile folds into one cell with an atomic operation",                                                     \
         "memory",                                                                                                     \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, block_atomic, _v2, wave, WAVES, 2, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,          \
         "shuffle reductions",                                                                                         \
         "each tile folds into one cell with an atomic operation; 2-wide loads",                                       \
         "memory",                                                                                                     \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, block_atomic, _v4, wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,          \
         "shuffle reductions",                                                                                         \
         "each tile folds into one cell with an atomic operation; 4-wide loads",                                       \
         "memory",                                                                                                     \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC, .info.is_highlight = 1)                                           \
    RUNG(X, wave_all_reduce, , wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,          \
         "shuffle reductions",                                                                                         \
         "every wave folds the waves' results, so every thread has the tile's; 4-wide loads",                          \
         "memory",                                                                                                     \
         .run = wf_run_grid, .join = WF_JOIN_SECOND_LAUNCH)                                                            \
    RUNG(X, three_fields, , wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,             \
         "shuffle reductions",                                                                                         \
         "three thirds of the array folded at once, interleaved",                                                      \
         "memory; one wave fold's latency per tile",                                                                   \
         .run = wf_run_grid, .results = 3)                                                                             \
    RUNG(X, three_fields_apart, , wave, WAVES, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,       \
         "shuffle reductions",                                                                                         \
         "three thirds of the array folded one after the other",                                                       \
         "memory; three wave folds' latency per tile",                                                                 \
         .run = wf_run_grid, .results = 3)                                                                             \
    RUNG(X, single_block, , grid, TILED, 1, CORE, WF_RUNG_TILE, 1.0,                                                   \
         "reductions for associative operators",                                                                       \
         "one tile strides over the array; one launch",                                                                \
         "one multiprocessor's share of the bandwidth",                                                                \
         .run = wf_run_grid, .grid = WF_GRID_ONE_TILE)                                                                 \
    RUNG(X, multi_block, , grid, TILED, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES, 1.0,                                    \
         "reductions for associative operators",                                                                       \
         "a fixed number of tiles; a second launch joins them",                                                        \
         "memory; for small arrays the second launch",                                                                 \
         .run = wf_run_grid, .join = WF_JOIN_SECOND_LAUNCH)                                                            \
    RUNG(X, last_block, , grid, TICKET, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,              \
         "reductions for associative operators",                                                                       \
         "one launch; the tile that draws the last ticket joins the others",                                           \
         "memory; a fence and a ticket per tile",                                                                      \
         .run = wf_run_grid, .join = WF_JOIN_TICKET)                                                                   \
    RUNG(X, last_block, _v4, grid, TICKET, 4, CORE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,           \
         "reductions for associative operators",                                                                       \
         "one launch; the tile that draws the last ticket joins the others; 4-wide loads",                             \
         "memory; a fence and a ticket per tile",                                                                      \
         .run = wf_run_grid, .join = WF_JOIN_TICKET, .info.is_highlight = 1)                                           \
    RUNG(X, grid_stride_atomic, , grid, TILED, 1, CORE, WF_RUNG_TILE | WF_RUNG_TILES, 1.0,                             \
         "grid-stride reduction",                                                                                      \
         "the tree's reads and writes in separate phases; an atomic finish",                                           \
         "memory; twice the barriers that the tree needs",                                                             \
         .run = wf_run_grid, .join = WF_JOIN_ATOMIC)                                                                   \
    RUNG(X, single_block_ordered, , ordered, WAVES, 1, ORDERED, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES, 1.0,               \
         "reductions for associative operators",                                                                       \
         "one tile keeps the order: each wave folds a stretch of neighbours",                                          \
         "one multiprocessor's share of the bandwidth; a wave's fold per row of lanes",                                \
         .run = wf_run_grid, .grid = WF_GRID_ONE_TILE)                                                                 \
    RUNG(X, last_block_ordered, , ordered, TICKET, 1, ORDERED, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,\
         "reductions for associative operators",                                                                       \
         "one launch keeps the order: tiles take stretches, the last one joins them",                                  \
         "a wave's fold per row of lanes",                                                                             \
         .run = wf_run_grid, .join = WF_JOIN_TICKET, .info.is_highlight = 1)                                           \
    RUNG(X, wave_tile, , one_wave, WAVES, 1, CORE, 0, 1.0,                                                             \
         "reductions for associative operators",                                                                       \
         "one wave folds in tile memory with barriers of the wave",                                                    \
         "one wave's share of the bandwidth",                                                                          \
         .run = wf_run_grid, .grid = WF_GRID_ONE_WAVE)                                                                 \
    RUNG(X, wave_tile_ordered, , one_wave, WAVES, 1, ORDERED, 0, 1.0,                                                  \
         "reductions for associative operators",                                                                       \
         "one wave folds in lane order, each lane a stretch of neighbours",                                            \
         "latency of one wave's loads",                                                                                \
         .run = wf_run_grid, .grid = WF_GRID_ONE_WAVE)                                                                 \
    RUNG(X, wave_tile_padded, , one_wave, WAVES, 1, CORE, 0, 1.0,                                                      \
         "reductions for associative operators",                                                                       \
         "no conditions: half a wave of cells holds the identity",                                                     \
         "one wave's share of the bandwidth",                                                                          \
         .run = wf_run_grid, .grid = WF_GRID_ONE_WAVE)                                                                 \
    RUNG(X, wave_registers, , one_wave, WAVES, 1, ORDERED, 0, 1.0,                                                     \
         "reductions for associative operators",                                                                       \
         "one wave folds in lane order by shuffles, with no tile memory",                                              \
         "latency of one wave's loads",                                                                                \
         .run = wf_run_grid, .grid = WF_GRID_ONE_WAVE)                                                                 \
    RUNG(X, block_by_waves, , one_wave, WAVES, 1, CORE, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES, 1.0,                       \
         "reductions for associative operators",                                                                       \
         "a tile folds by waves in tile memory: one barrier of the tile",                                              \
         "one multiprocessor's share of the bandwidth",                                                                \
         .run = wf_run_grid, .grid = WF_GRID_ONE_TILE, .info.is_highlight = 1)                                         \
    RUNG(X, wavefold, , beyond, NONE, 16, WIDE, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,             \
         "none",                                                                                                       \
         "every operator on every type in one launch; 16-byte loads",                                                  \
         "memory",                                                                                                     \
         .run = wf_run_wavefold, .info.is_highlight = 1)                                                               \
    RUNG(X, exact, , beyond, NONE, 16, EXACT, WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES, 1.0,                \
         "none",                                                                                                       \
         "the sum of floats, rounded once: added up as integers, which no order changes; 16-byte loads",               \
         "memory; for small arrays the rounding",                                                                      \
         .run = wf_run_wavefold, .info.is_highlight = 1)                                                               \
    RUNG(X, hillis_steele, , scan, SCAN, 1, ORDERED, WF_RUNG_TILE | WF_RUNG_EXCLUSIVE, 1281.0 / 255.0,                 \
         "lecture prefix sums",                                                                                        \
         "log2 steps, each of which reaches twice as far; the tiles' sums are scanned in turn",                        \
         "n log2 n folds; memory: every element is read and written twice",                                            \
         .run = wf_run_scan_levels, .info.kind = WF_RUNG_SCANS)                                                        \
    RUNG(X, blelloch, , scan, SCAN, 2, ORDERED, WF_RUNG_TILE | WF_RUNG_EXCLUSIVE, 2305.0 / 511.0,                      \
         "lecture prefix sums",                                                                                        \
         "up a tree of sums and down again, two elements per thread, no bank conflicts",                               \
         "barriers of two trees; memory: every element is read and written twice",                                     \
         .run = wf_run_scan_levels, .info.kind = WF_RUNG_SCANS)                                                        \
    RUNG(X, look_back, , scan, NONE, 0, ORDERED, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES | WF_RUNG_EXCLUSIVE, 2.0,   \
         "lecture prefix sums",                                                                                        \
         "one pass: a tile looks back at what those before it have published",                                         \
         "memory; which partial sums are folded first, and so a float's last bits, depends on timing",                 \
         .run = wf_run_look_back, .info.kind = WF_RUNG_SCANS, .info.is_highlight = 1)                                  \
    RUNG(X, bitonic, , sort, NONE, 0, KEYS, WF_RUNG_TILE | WF_RUNG_DESCENDING, 0.0,                                    \
         "lecture bitonic sort",                                                                                       \
         "a sorting network: steps within a tile in tile memory, every longer one in a launch",                        \
         "memory traffic: two accesses per element and long stride; 2^m tiles have m (m + 1) / 2",                     \
         .run = wf_run_bitonic, .info.kind = WF_RUNG_SORTS)                                                            \
    RUNG(X, bitonic_pairs, , sort, NONE, 0, KEYS, WF_RUNG_TILE | WF_RUNG_DESCENDING, 0.0,                              \
         "lecture bitonic sort",                                                                                       \
         "bitonic's network; each key takes its position along",                                                       \
         "memory traffic, of keys and positions",                                                                      \
         .run = wf_run_bitonic, .info.kind = WF_RUNG_SORTS_PAIRS)                                                      \
    RUNG(X, bitonic_registers, , sort, NONE, 0, RECORDS, WF_RUNG_DESCENDING, 0.0,                                      \
         "lecture bitonic sort",                                                                                       \
         "bitonic's network, four steps at a time in registers, eight in a pass over memory",                          \
         "memory traffic: a fifth of bitonic's passes are left",                                                       \
         .run = wf_run_bitonic_registers, .info.kind = WF_RUNG_SORTS, .info.is_highlight = 1)                          \
    RUNG(X, row_per_thread, , rows, ROWS, 1, CORE, WF_RUNG_TILE | WF_RUNG_ROW_LENGTH, 65.0 / 64,                       \
         "none",                                                                                                       \
         "each thread reduces a row of a matrix",                                                                      \
         "uncoalesced loads: neighbouring lanes read addresses a row apart; few threads for long rows",                \
         .run = wf_run_rows, .grid = WF_GRID_THREAD_A_ROW, .info.kind = WF_RUNG_ROWS)                                  \
    RUNG(X, row_per_wave, , rows, ROW_WAVES, 1, CORE,                                                                  \
         WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES | WF_RUNG_ROW_LENGTH, 65.0 / 64,                                           \
         "none",                                                                                                       \
         "each wave reduces a row: its lanes read neighbours, and shuffles join them",                                 \
         "memory; rows shorter than a wave leave lanes idle, and each row costs a wave's tree",                        \
         .run = wf_run_rows, .grid = WF_GRID_WAVE_A_ROW, .info.kind = WF_RUNG_ROWS, .info.is_highlight = 1)            \
    RUNG(X, row_per_tile, , rows, ROW_WAVES, 1, CORE,                                                                  \
         WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES | WF_RUNG_ROW_LENGTH, 65.0 / 64,                                           \
         "none",                                                                                                       \
         "each tile reduces a row; this suits rows of thousands of elements",                                          \
         "short rows: most threads are idle, and a barrier is paid for few elements",                                  \
         .run = wf_run_rows, .grid = WF_GRID_TILE_A_ROW, .info.kind = WF_RUNG_ROWS)                                    \
    RUNG(X, columns, , rows, COLUMNS, 1, CORE,                                                                         \
         WF_RUNG_TILE | WF_RUNG_TILES | WF_RUNG_WHOLE_WAVES | WF_RUNG_ROW_LENGTH, 1.0,                                 \
         "none",                                                                                                       \
         "lanes stand along the columns and walk down the rows; tile memory joins the waves",                          \
         "memory; fewer columns than a wave has lanes leave lanes idle",                                               \
         .run = wf_run_columns, .info.kind = WF_RUNG_COLUMNS)                                                          \
    RUNG(X, segments, , rows, SEGMENTS, 8, CORE, WF_RUNG_TILE | WF_RUNG_WHOLE_WAVES | WF_RUNG_ROW_LENGTH, 0.0,         \
         "merge-based sparse matrix-vector multiplication",                                                            \
         "rows of unequal lengths; each thread has an equal share of elements and row ends, found by a binary search", \
         "memory; each thread's search, and a second launch for rows that tiles cut",                                  \
         .run = wf_run_segments, .info.kind = WF_RUNG_SEGMENTS)                                                        \
    RUNG(X, radix, , sort, NONE, 0, KEYS, WF_RUNG_DESCENDING, 9.7,                                                     \
         "none",                                                                                                       \
         "a stable sort, eight bits in a pass: a key's place is a count, which tiles look back for",                   \
         "memory: each pass reads and writes every key; and the ballots that rank the keys of a wave",                 \
         .run = wf_run_radix, .info.kind = WF_RUNG_SORTS)                                                              \
    RUNG(X, scan_fixed_order, , scan, NONE, 0, ORDERED, WF_RUNG_EXCLUSIVE, 2.0,                                        \
         "none",                                                                                                       \
         "one pass in an order that depends on indices alone: a tile combines the same partial sums in every run",     \
         "memory; a tile waits for all tiles of its group, where look_back takes a prefix that happens to be there",   \
         .run = wf_run_scan_fixed_order, .info.kind = WF_RUNG_SCANS)
/* clang-format on */

#endif
