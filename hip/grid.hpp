// Words for a whole grid: a thread's share of an array, atomic folds into one cell, and who is the last tile. A
// platform's file offers:
//
//   last_tile(tidx, ticket)  true in every thread of the tile that comes last; there, what the first threads of all
//                            tiles wrote before is visible. The ticket goes back to 0, so that the launch can be
//                            repeated, or replayed in a graph
#ifndef WAVEFOLD_GRID_HPP
#define WAVEFOLD_GRID_HPP

#include "atomic.hpp"
#include "operators.hpp"
#include "tile.hpp"
#include "wave.hpp"

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_grid.hpp"
#else
#include "gpu/gpu_grid.hpp"
#endif

namespace wf {

// Folds this thread's share: the grid strides over the array, Loads elements at a time, up to 64 bytes of loads in
// flight. What lies before the first aligned address, and behind the last whole load, goes one element each to the
// first threads.
template <unsigned Loads, class T, class Op>
__device__ __forceinline__ T strided_fold(const tiled_index &tidx, const array_view<const T> &source, const Op &fold) {
    using elements = pack<T, Loads>;
    constexpr unsigned in_flight = sizeof(elements) > 16 ? 2 : 4; // more would not fit a thread's registers
    const size_t threads = size_t(tidx.tiles) * tidx.tile_size;
    const size_t head = source.template aligned_from<Loads>();
    const size_t packs = (source.size() - head) / Loads;
    const auto load = [&](size_t p) { return source.template load<Loads>(head + p * Loads); };
    const auto fold_pack = [&](const elements &loaded) {
        T folded = loaded.element[0];
#pragma unroll
        for (unsigned k = 1; k < Loads; k++)
            folded = fold(folded, loaded.element[k]);
        return folded;
    };

    T total = tidx.global < head ? T(source[tidx.global]) : Op::identity();
    size_t p = tidx.global;
    for (; p + (in_flight - 1) * threads < packs; p += in_flight * threads) {
        elements loaded[in_flight];
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++)
            loaded[k] = load(p + k * threads);
        T folded = fold_pack(loaded[0]);
#pragma unroll
        for (unsigned k = 1; k < in_flight; k++)
            folded = fold(folded, fold_pack(loaded[k]));
        total = fold(total, folded);
    }
    for (; p < packs; p += threads)
        total = fold(total, fold_pack(load(p)));
    const size_t rest = head + packs * Loads + tidx.global;
    return rest < source.size() ? fold(total, source[rest]) : total;
}

// Folds a tile's part of an array in order, if tiles of them share it; thread 0 has the result. Each wave takes a
// stretch of neighbouring elements row by row: lanes read neighbours, fold them in the order of lanes, and append what
// comes of it. Uses one cell of tile_data per wave; a barrier must lie between two calls.
template <unsigned Width, class T, class View, class Op>
__device__ __forceinline__ T ordered_fold(const tiled_index &tidx, const tile_static<T> &tile_data, const View &source,
                                          unsigned tile, unsigned tiles, const Op &fold) {
    constexpr unsigned in_flight = sizeof(T) > 16 ? 2 : 4;
    const unsigned waves = tidx.tile_size / Width;
    const unsigned lane = lane_of<Width>(tidx);
    const size_t rows = (source.size() + Width - 1) / Width;
    const size_t all_waves = size_t(tiles) * waves;
    const size_t stretch = (rows + all_waves - 1) / all_waves;
    const size_t first = (size_t(tile) * waves + wave_of<Width>(tidx)) * stretch;
    const size_t end = first + stretch < rows ? first + stretch : rows;

    T total = Op::identity();
    for (size_t row = first; row < end; row += in_flight) {
        T values[in_flight];
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++) {
            const size_t i = (row + k) * Width + lane;
            values[k] = row + k < end && i < source.size() ? T(source[i]) : Op::identity();
        }
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++)
            total = fold(total, wave_reduce_ordered<Width>(tidx, values[k], fold)); // right in lane 0, unused elsewhere
    }
    if (lane == 0)
        tile_data[wave_of<Width>(tidx)] = total;
    tidx.barrier.wait();

    if (wave_of<Width>(tidx) == 0) {
        total = lane < waves ? T(tile_data[lane]) : Op::identity();
        total = wave_reduce_ordered<Width>(tidx, total, fold);
    }
    return total;
}

// The tile's number in the order in which tiles start, counted on from launch to launch until the ticket is cleared: a
// tile may wait for those before it, which have started. Passed on in a cell of tile memory that nothing else uses.
__device__ __forceinline__ unsigned draw_number(const tiled_index &tidx, const ticket_view &ticket,
                                                const tile_static<unsigned> &tile_data, unsigned cell) {
    if (tidx.local == 0)
        tile_data[cell] = count_up(ticket);
    tidx.barrier.wait();
    return tile_data[cell];
}

} // namespace wf
#endif
