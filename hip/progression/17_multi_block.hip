// multi_block: many tiles, and a second launch that joins them.
//
// Idea:   a launch is a barrier of the whole grid: the first leaves one result per tile, the second folds those in one
//         tile.
// Limit:  memory; for small arrays the second launch.
// Change: single_block's kernel on every multiprocessor, twice.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) multi_block(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    tile_data[tid] = strided_fold<1>(tidx, source, fold);
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tid < s)
            tile_data[tid] = fold(tile_data[tid], tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = tile_data[0];
}

} // namespace wf
