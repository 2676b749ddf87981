// The grid's level of an exact sum: tiles publish their parts, and the tile that started last joins and finishes them.
#ifndef WAVEFOLD_REDUCE_EXACT_GRID_PARTS_HPP
#define WAVEFOLD_REDUCE_EXACT_GRID_PARTS_HPP

#include "../../tile_status.hpp"
#include "tile_part.hpp"

namespace wf {

template <unsigned Width>
using exact_states = tile_status_array<exact_value, Width, true>;

// Adds the parts that the tiles have published; each thread reads some. Lanes of a wave leave the loop together: if
// they do not, the next steps take 0.5 us longer.
template <unsigned Width, class Extra>
__device__ __forceinline__ exact_part published_parts(const tiled_index &tidx, const exact_states<Width> &states,
                                                      Extra &extra) {
    constexpr uint32_t all_flags = exact_others | exact_spilled;
    // More tiles per step overlap latency, but cost registers.
    constexpr unsigned tiles_at_a_time = Extra::tiles_at_a_time;
    const unsigned lane = lane_of<Width>(tidx);
    exact_part part = {};
#pragma unroll 1
    for (unsigned first = tidx.local - lane; first < tidx.tiles; first += tiles_at_a_time * tidx.tile_size) {
        exact_value values[tiles_at_a_time];
        typename Extra::published others[tiles_at_a_time];
        bool is_there[tiles_at_a_time] = {};
        const auto load = [&](unsigned other, unsigned k) {
            const bool has_sum = states.load(other, values[k]) != tile_status::invalid;
            is_there[k] = extra.load(other, others[k]) && has_sum;
        };
#pragma unroll
        for (unsigned k = 0; k < tiles_at_a_time; k++)
            if (first + lane + k * tidx.tile_size < tidx.tiles)
                load(first + lane + k * tidx.tile_size, k);
#pragma unroll
        for (unsigned k = 0; k < tiles_at_a_time; k++) {
            const unsigned other = first + lane + k * tidx.tile_size;
            if (other >= tidx.tiles)
                break;
            while (!is_there[k]) {
                let_others_run();
                load(other, k);
            }
            part.flags |= values[k].words[0] & all_flags;
            values[k].words[0] &= ~all_flags;
            for (unsigned i = 0; i < exact_pieces; i++)
                part.pieces[i] += values[k].words[i];
            extra.join(others[k]);
            states.clear(other);
            extra.clear(other);
        }
        wave_barrier();
        carry(part.pieces);
    }
    return part;
}

// Publishes the tile's part. In the tile that started last, the part becomes the grid's; the other tiles end: false.
template <class Policy, class Extra>
__device__ __forceinline__ bool join_tiles(const tiled_index &tidx, const tile_memory<Policy> &memory,
                                           const exact_arguments<Policy> &given, bool leads, Extra &extra,
                                           exact_part &part) {
    constexpr unsigned width = Policy::width;
    const exact_states<width> states(Policy::extra::words_of_sums(given.tile_status_words, tidx.tiles));
    if (leads) {
        exact_value value;
        memcpy(value.words, part.pieces, sizeof value.words);
        value.words[0] |= part.flags;
        states.publish(tidx.tile, tile_status::aggregate, value);
    }
    extra.publish();
    if (memory.word() != tidx.tiles - 1)
        return false;
    if (given.want.lets_next_start != 0) // the other tiles are about to end
        let_next_kernel_start();
    if (leads)
        given.ticket[0] = 0;
    tidx.barrier.wait(); // between two sums of the tile
    part = published_parts<width>(tidx, states, extra);
    if ((part.flags & exact_spilled) != 0)
        device_fence(); // the words of those tiles are visible
    part = tile_sum<width>(tidx, memory.parts, part, extra, tidx.tiles, false);
    return true;
}

template <class Policy>
__device__ __forceinline__ void notify_host(const tiled_index &tidx, const reduce_result<void> &to, bool leads) {
    if (!Policy::extra::ends_in_one_wave && to.word != nullptr) {
        if (lane_of<Policy::width>(tidx) == 0)
            system_fence(); // behind this wave's stores: AMD's barriers need not wait for them
        tidx.barrier.wait();
    }
    if (leads && to.word != nullptr) {
        system_fence();
        write_word_for_host(to.word, to.number);
    }
}

// Rounds and stores the sum, or keeps it for the launches that follow.
template <class Policy, class Extra>
__device__ __forceinline__ void finish_grid(const tiled_index &tidx, const exact_request &want,
                                            const reduce_result<void> &to, bool leads, const Extra &extra,
                                            exact_part &part, int base) {
    constexpr bool in_one_wave = Policy::extra::ends_in_one_wave;
    if (in_one_wave && wave_of<Policy::width>(tidx) != 0)
        return;
    for (uint32_t &piece : part.pieces)
        opaque(piece); // not known to be wave-uniform: AMD's scalar registers are too few
    if (!extra.finish(joined(part.pieces), part.flags, base, to.result))
        return;
    if (in_one_wave && want.is_usual == 0 && to.word != nullptr) { // all lanes store a state
        system_fence();
        wave_barrier();
    }
    notify_host<Policy>(tidx, to, leads);
}

} // namespace wf
#endif
