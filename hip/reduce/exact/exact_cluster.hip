// exact_cluster: exact.hip for an array that one cluster tile takes at once. Sums go from block to block in tile
// memory, without a grid's join, device memory or ticket. If the array does not fit, its first block adds it the long
// way.
#include "grid_parts.hpp"
#include "thread_sum.hpp"
#include "tile_short_window.hpp"

namespace wf {

// The outcome in the first block, in its first wave.
template <class Policy, class Extra>
__device__ __forceinline__ short_outcome add_cluster(const exact_arguments<Policy> &given,
                                                     const tile_memory<Policy> &memory, Extra &extra) {
    const tiled_index tidx((over_cluster()));
    element_pack<typename Policy::element> packs[loads_in_flight];
    load_some(given.source, tidx.local, tidx.tile_size, packs);
    return try_short<short_tile<true>>(tidx, given, {packs, tidx.local, tidx.tile_size}, memory, extra,
                                       given.to.result);
}

// Stores a sum that is 0; its sign depends on others: terms other than -0. Returns true in the first wave, which
// stores.
template <class Policy>
__device__ __forceinline__ bool store_zero(const tiled_index &tidx, const tile_memory<Policy> &memory, bool others,
                                           const exact_arguments<Policy> &given) {
    constexpr unsigned width = Policy::width;
    const auto &cells = memory.cells; // one for each wave
    const unsigned lane = lane_of<width>(tidx);
    const uint64_t lanes = ballot<width>(tidx, others);
    if (lane == 0)
        cells[wave_of<width>(tidx)] = lanes != 0 ? 1 : 0;
    tidx.barrier.wait();
    if (wave_of<width>(tidx) != 0)
        return false;
    const unsigned of_wave = lane < tidx.tile_size / width ? unsigned(cells[lane]) : 0;
    others = ballot<width>(tidx, of_wave != 0) != 0;
    const wf_float_format to = usual_format<typename Policy::element>(given.want);
    if (lane == 0)
        store_sum(given.to.result, to, others ? 0 : uint64_t(1) << (to.digits + to.exponent_bits - 1));
    return true;
}

// Tries the array at once. Returns true if the sum is stored, or another block adds it.
template <class Policy, class Extra>
__device__ __forceinline__ bool sum_of_cluster(const tiled_index &tidx, const tile_memory<Policy> &memory,
                                               const exact_arguments<Policy> &given, Extra &extra) {
    const bool leads = tidx.local == 0;
    short_outcome outcome = short_left;
    if (extra.takes_short())
        outcome = add_cluster(given, memory, extra);
    if (tidx.tile != 0)
        return true;
    if (outcome == short_stored) // the first wave need not wait for the others
        notify_host<Policy>(tidx, given.to, leads);
    wave_barrier();
    if (leads)
        memory.put_word(outcome);
    tidx.barrier.wait();
    outcome = short_outcome(memory.word());
    if (outcome == short_is_zero) {
        const bool others = has_others<Policy>(given.shape, given.source, kept_bits(given), false);
        if (store_zero(tidx, memory, others, given))
            notify_host<Policy>(tidx, given.to, leads);
    }
    return outcome != short_left;
}

template <class Policy>
__global__ void WF_BOUNDS(Policy::extra::largest_tile, Policy::extra::largest_tile)
    exact_cluster(const exact_arguments<Policy> arguments) {
    if constexpr (can_cluster) {
        local_arguments<Policy> given = arguments;
        const tiled_index tidx(given.shape);
        const tile_memory<Policy> memory(tidx);
        wait_for_earlier_kernels();
        let_next_kernel_start();
        const typename Policy::window sample(tidx, given.source, false);
        exact_request want = given.want;
        reduce_result<void> to = given.to;
        const typename Policy::extra::operators operators(want, to.number);
        typename Policy::template accumulator<false> extra(tidx, given, want, operators, tile_memory<Policy>::bytes);
        extra.load_sample();
        if (sum_of_cluster(tidx, memory, given, extra))
            return;

        extra.forget();
        loads_to_registers<Policy> loads(tidx, given.source);
        thread_sum<Policy, loads_to_registers<Policy>> mine(tidx, memory, sample, kept_bits(given), loads, extra);
        mine.add_all();
        exact_part part = tile_part(tidx, memory, mine.part(given, want.ignores_nan != 0), extra, want.words);
        finish_grid<Policy>(tidx, want, to, is_first_thread(tidx), extra, part, mine.base());
    }
}

} // namespace wf
