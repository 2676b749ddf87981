// Elements that are scattered to bins: the bin of each, how many there are, and where each bin begins once they are
// sorted by bins. Atomic operations are of integers, so that their order does not matter.
#include "../grid.hpp"
#include "../tile.hpp"
#include "by_key/request.h"

namespace wf {

// I: an unsigned integer with the bits of an index.
template <class I>
struct index_list {
    array_view<const I> indices;
    uint64_t bins, sign_bit;

    // bins: the index is outside of them.
    __device__ __forceinline__ uint64_t bin(uint64_t i) const {
        const uint64_t index = indices[i];
        return (index & sign_bit) != 0 || index >= bins ? bins : index;
    }
};

struct lower_index {
    __device__ __forceinline__ uint64_t operator()(uint64_t a, uint64_t b) const { return a < b ? a : b; }
};

template <class I>
__global__ void __launch_bounds__(WF_BY_KEY_TILE) check_indices(index_list<I> list, array_view<uint64_t> first_bad) {
    const tiled_index tidx;
    const uint64_t step = uint64_t(tidx.tiles) * WF_BY_KEY_TILE;
    for (uint64_t i = tidx.global; i < list.indices.size(); i += step)
        if (list.bin(i) == list.bins) {
            atomic_fold(first_bad, 0, i, lower_index());
            break;
        }
}

// Few bins are counted in tile memory first.
template <class I>
__global__ void __launch_bounds__(WF_BY_KEY_TILE)
    count_indices(index_list<I> list, array_view<int64_t> counts, unsigned tile_bins) {
    const tiled_index tidx;
    const tile_static<uint32_t> tile_counts(tidx);
    for (unsigned b = tidx.local; b < tile_bins; b += WF_BY_KEY_TILE)
        tile_counts[b] = 0;
    tidx.barrier.wait();
    const uint64_t step = uint64_t(tidx.tiles) * WF_BY_KEY_TILE;
    for (uint64_t i = tidx.global; i < list.indices.size(); i += step) {
        const uint64_t bin = list.bin(i);
        if (bin == list.bins)
            continue;
        if (tile_bins != 0)
            tile_add(tile_counts, unsigned(bin), 1);
        else
            atomic_fold(counts, bin, int64_t(1), sum<int64_t>());
    }
    tidx.barrier.wait();
    for (unsigned b = tidx.local; b < tile_bins; b += WF_BY_KEY_TILE)
        if (tile_counts[b] != 0)
            atomic_fold(counts, b, int64_t(uint32_t(tile_counts[b])), sum<int64_t>());
}

template <class I>
__global__ void __launch_bounds__(WF_BY_KEY_TILE)
    bins_of_indices(index_list<I> list, array_view<uint32_t> bins, uint64_t bins_first, uint64_t first_tile) {
    const tiled_index tidx;
    const uint64_t i = (first_tile + tidx.tile) * WF_BY_KEY_TILE + tidx.local;
    if (i < bins.size())
        bins[i] = uint32_t(i < bins_first ? i : list.bin(i - bins_first));
}

template <class V>
__global__ void __launch_bounds__(WF_BY_KEY_TILE)
    join_arrays(array_view<const V> first, array_view<const V> second, array_view<V> joined, uint64_t first_tile) {
    const tiled_index tidx;
    const uint64_t i = (first_tile + tidx.tile) * WF_BY_KEY_TILE + tidx.local;
    if (i < joined.size())
        joined[i] = i < first.size() ? V(first[i]) : V(second[i - first.size()]);
}

// Offset b is the first place whose bin is not less than b, found by bisection: bins may be empty.
template <class Bin>
__global__ void __launch_bounds__(WF_BY_KEY_TILE)
    offsets_of_bins(array_view<const Bin> sorted, array_view<uint64_t> offsets, uint64_t first_tile) {
    const tiled_index tidx;
    const uint64_t bin = (first_tile + tidx.tile) * WF_BY_KEY_TILE + tidx.local;
    if (bin >= offsets.size())
        return;
    uint64_t first = 0, end = sorted.size();
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        if (sorted[middle] < bin)
            first = middle + 1;
        else
            end = middle;
    }
    offsets[bin] = first;
}

} // namespace wf
