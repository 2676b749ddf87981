// Runs of equal keys: where each begins, and its key.
//
// Each tile has a chunk of the array. A first launch counts the runs that begin in each chunk; in the second each tile
// adds up the counts of the chunks before its own, and so knows where its runs go. No tile waits for another.
#include "../grid.hpp"
#include "../tile.hpp"
#include "../wave.hpp"
#include "by_key/request.h"

namespace wf {

template <class U>
struct run_list {
    array_view<const U> keys;
    uint64_t chunk;
    array_view<uint64_t> counts; // of the chunks
    uint64_t first_tile;         // of the launch

    __device__ __forceinline__ bool begins_at(uint64_t i, uint64_t end) const {
        return i < end && (i == 0 || keys[i] != keys[i - 1]);
    }
    __device__ __forceinline__ uint64_t end_of(uint64_t tile) const {
        return (tile + 1) * chunk < keys.size() ? (tile + 1) * chunk : keys.size();
    }
};

template <class U, unsigned Width>
__global__ void __launch_bounds__(WF_BY_KEY_TILE) count_runs(run_list<U> list) {
    const tiled_index tidx;
    const tile_static<int64_t> tile_data(tidx);
    const uint64_t tile = list.first_tile + tidx.tile, end = list.end_of(tile);
    int64_t begun = 0;
    for (uint64_t i = tile * list.chunk + tidx.local; i < end; i += WF_BY_KEY_TILE)
        begun += list.begins_at(i, end);
    begun = tile_reduce<Width>(tidx, tile_data, begun, sum<int64_t>());
    if (tidx.local == 0)
        list.counts[tile] = uint64_t(begun);
}

// The sum of what each thread has, in all threads of the tile.
template <unsigned Width>
__device__ __forceinline__ uint64_t sum_of_tile(const tiled_index &tidx, const tile_static<int64_t> &tile_data,
                                                uint64_t mine) {
    tidx.barrier.wait(); // between two uses of tile_data
    const int64_t total = tile_reduce<Width>(tidx, tile_data, int64_t(mine), sum<int64_t>());
    tidx.barrier.wait();
    if (tidx.local == 0)
        tile_data[0] = total;
    tidx.barrier.wait();
    return uint64_t(tile_data[0]);
}

struct run_target {
    void *unique_keys; // NULL: not wanted
    array_view<uint64_t> offsets, runs;
    uint64_t room;
    uint32_t fills;
};

template <class U, unsigned Width>
__global__ void __launch_bounds__(WF_BY_KEY_TILE) write_runs(run_list<U> list, run_target to) {
    constexpr unsigned rows = WF_BY_KEY_ROWS, waves = WF_BY_KEY_TILE / Width;
    const tiled_index tidx;
    const tile_static<int64_t> tile_data(tidx);
    const uint64_t tile = list.first_tile + tidx.tile, end = list.end_of(tile), chunks = list.counts.size();
    uint64_t counted = 0, counted_before = 0;
    for (uint64_t t = tidx.local; t < chunks; t += WF_BY_KEY_TILE) {
        const uint64_t of_chunk = list.counts[t];
        counted += of_chunk;
        counted_before += t < tile ? of_chunk : 0;
    }
    const uint64_t runs = sum_of_tile<Width>(tidx, tile_data, counted);
    uint64_t before = sum_of_tile<Width>(tidx, tile_data, counted_before);
    const array_view<U> unique(static_cast<U *>(to.unique_keys), to.unique_keys != nullptr ? to.room : 0);

    // A wave takes `rows` rows of neighbours, each lane one of a row.
    const unsigned wave = wave_of<Width>(tidx), lane = lane_of<Width>(tidx);
    const uint64_t lanes_before = (uint64_t(1) << lane) - 1;
    for (uint64_t first = tile * list.chunk; first < end; first += rows * WF_BY_KEY_TILE) {
        const uint64_t mine = first + wave * rows * Width + lane;
        uint64_t begun[rows];
        unsigned of_wave = 0;
#pragma unroll
        for (unsigned r = 0; r < rows; r++) {
            begun[r] = ballot<Width>(tidx, list.begins_at(mine + r * Width, end));
            of_wave += count_lanes(begun[r]);
        }
        tidx.barrier.wait(); // those of the last step have been read
        if (lane == 0)
            tile_data[wave] = of_wave;
        tidx.barrier.wait();
        uint64_t place = before;
        for (unsigned w = 0; w < waves; w++) {
            const auto of_other = uint64_t(tile_data[w]);
            place += w < wave ? of_other : 0;
            before += of_other;
        }
#pragma unroll
        for (unsigned r = 0; r < rows; r++) {
            const uint64_t run = place + count_lanes(begun[r] & lanes_before), i = mine + r * Width;
            if ((begun[r] >> lane & 1) != 0 && run < to.offsets.size()) {
                to.offsets[run] = i;
                if (run < unique.size())
                    unique[run] = list.keys[i];
            }
            place += count_lanes(begun[r]);
        }
    }

    const uint64_t last = to.fills != 0 ? to.room : runs; // the last offset to set
    for (uint64_t i = runs + tile * WF_BY_KEY_TILE + tidx.local; i <= last && i <= to.room;
         i += chunks * WF_BY_KEY_TILE)
        to.offsets[i] = list.keys.size();
    if (tile == 0 && tidx.local == 0 && to.runs.size() != 0)
        to.runs[0] = runs;
}

template <class Offset>
__global__ void __launch_bounds__(WF_BY_KEY_TILE)
    lengths_of_segments(array_view<const Offset> offsets, array_view<uint64_t> lengths, uint64_t first_tile) {
    const tiled_index tidx;
    const uint64_t i = (first_tile + tidx.tile) * WF_BY_KEY_TILE + tidx.local;
    if (i < lengths.size())
        lengths[i] = offsets[i + 1] - offsets[i];
}

} // namespace wf
