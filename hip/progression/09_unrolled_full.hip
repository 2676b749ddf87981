// unrolled_full: make the tile size known to the compiler.
//
// Idea:   the tile size is a template parameter. Every loop has a known length, and is unrolled completely.
// Limit:  the tree. Each tile still runs one, with its barriers, for two elements per thread.
// Beside: unrolled_wave
// Change: Tile takes the place of tidx.tile_size. The loop that was left is gone from the machine code, with its tests.
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Tile>
__global__ void __launch_bounds__(largest_tile) unrolled_full(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    const size_t i = size_t(tidx.tile) * Tile * 2 + tid;
    const size_t j = i + Tile;
    const T lower = i < source.size() ? source[i] : Op::identity();
    const T upper = j < source.size() ? source[j] : Op::identity();
    T total = fold(lower, upper);
    tile_data[tid] = total;
    tidx.barrier.wait();

#pragma unroll
    for (unsigned s = Tile / 2; s >= Width; s /= 2) {
        if (tid < s)
            tile_data[tid] = total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid < Width) {
#pragma unroll
        for (unsigned s = Width / 2; s > 0; s /= 2) {
            if (tid < s)
                tile_data[tid] = total = fold(total, tile_data[tid + s]);
            wave_barrier();
        }
    }

    if (tid == 0)
        partials[tidx.tile] = total;
}

} // namespace wf
