// exact: the sum of floats, rounded once.
//
// Idea:   each thread adds its terms to its window, a private wide integer whose range holds the terms of most arrays.
//         Terms outside the window go to longer integers in the tile's memory. Integer sums do not depend on the order.
// Limit:  memory bandwidth; for small arrays also the time of the final rounding.
// Change: from the rung wavefold: a tile publishes a window, and adds terms outside it to words in device memory.
//
// Two kernels for arrays of any length: exact, and exact_or_short, which has a fast path for arrays that fit one load
// step of one tile. exact_long.hip and exact_cluster.hip have the other variants. Parts, by level:
//
// - thread: thread_share.hpp (packs and their loads), thread_sum.hpp (the loop), thread_terms.hpp (the window)
// - tile: tile_memory.hpp, tile_part.hpp, tile_columns.hpp (terms outside the window), tile_short_window.hpp
// - grid: grid_parts.hpp (from tile to tile), grid_finish_sum.hpp (rounds and stores)
// - extra_accumulator.hpp: a second reduction over the same loads
#include "grid_parts.hpp"
#include "thread_sum.hpp"
#include "tile_short_window.hpp"

namespace wf {

template <class Policy, bool TriesShort>
__device__ __forceinline__ void sum_of_any(const exact_arguments<Policy> &arguments) {
    local_arguments<Policy> given = arguments;
    const tiled_index tidx(given.shape);
    const tile_memory<Policy> memory(tidx);
    if (tidx.tiles == 1) // one tile draws no ticket: the next kernel may start
        let_next_kernel_start();
    wait_for_earlier_kernels();
    const typename Policy::window sample(tidx, given.source, false); // loaded first: the window's base depends on it
    exact_request want = given.want;
    reduce_result<void> to = given.to;
    const typename Policy::extra::operators operators(want, to.number);
    typename Policy::template accumulator<false> extra(tidx, given, want, operators, tile_memory<Policy>::bytes);
    extra.load_sample();
    const unsigned number = draw_tile_number(tidx, given.ticket);

    loads_to_registers<Policy> loads(tidx, given.source);
    if constexpr (TriesShort) { // after the loads: the fetch of its instructions overlaps them
        using tile = short_tile<false>;
        if (extra.takes_short() && tile::holds(tidx, given.source)) {
            if (try_short<tile>(tidx, given, loads.group(), memory, extra, to.result) == short_stored)
                return notify_host<Policy>(tidx, to, tidx.local == 0);
            extra.forget();
        }
    }
    thread_sum<Policy, loads_to_registers<Policy>> mine(tidx, memory, sample, kept_bits(given), loads, extra);
    mine.add_all();

    const bool leads = is_first_thread(tidx);
    if (leads)
        memory.put_word(number); // stored here, as the ticket arrives about when the elements do
    exact_part part = tile_part(tidx, memory, mine.part(given, want.ignores_nan != 0), extra, want.words);
    if (tidx.tiles > 1 && !join_tiles(tidx, memory, given, leads, extra, part))
        return;
    finish_grid<Policy>(tidx, want, to, leads, extra, part, mine.base());
}

// On an H200 three tiles at once, of 256 threads with 80 registers, are faster than four with 64, and than two with
// 128.
template <class Policy>
__global__ void WF_BOUNDS(Policy::extra::largest_tile, Policy::extra::threads_at_once)
    exact(const exact_arguments<Policy> given) {
    sum_of_any<Policy, false>(given);
}

template <class Policy>
__global__ void WF_BOUNDS(Policy::extra::largest_tile, Policy::extra::threads_at_once)
    exact_or_short(const exact_arguments<Policy> given) {
    sum_of_any<Policy, true>(given);
}

} // namespace wf
