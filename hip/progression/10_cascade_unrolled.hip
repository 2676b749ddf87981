// cascade_unrolled: the cascade, with the unrolled tree.
//
// Idea:   a fixed number of tiles strides over the array. Each ends with a tree that the compiler has unrolled.
// Limit:  memory latency, as for cascade. A tile runs its tree once: there is little left to win in it.
// Beside: unrolled_full
// Change: a thread's two elements become a share of the array. cascade spells that loop out; here it is one word,
//         strided_fold (grid.hpp), as in most of the reductions that follow.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Tile>
__global__ void __launch_bounds__(largest_tile) cascade_unrolled(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    T total = strided_fold<1>(tidx, source, fold);
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
