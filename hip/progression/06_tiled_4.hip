// tiled_4: fold once while loading.
//
// Idea:   each thread loads two elements, a tile apart, and folds them on the way: half as many tiles.
// Limit:  the tree. Its barriers and its loop still cost more than the two loads of a thread.
// Beside: tiled_3
// Change: a tile covers two elements per thread. A thread keeps what it has folded in a register: a step reads one
//         cell, where tiled_3's reads two.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) tiled_4(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    const size_t i = size_t(tidx.tile) * tidx.tile_size * 2 + tid;
    const size_t j = i + tidx.tile_size;
    const T lower = i < source.size() ? source[i] : Op::identity();
    const T upper = j < source.size() ? source[j] : Op::identity();
    T total = fold(lower, upper);
    tile_data[tid] = total;
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tid < s)
            tile_data[tid] = total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = tile_data[0];
}

} // namespace wf
