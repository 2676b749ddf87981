// multi_block: many tiles, and a second launch that joins them.
//
// Idea:   a launch is a barrier of the whole grid. The first leaves one result per tile; the second folds those in one
//         tile.
// Limit:  memory; for small arrays the second launch.
// Beside: single_block
// Change: each tile writes a result of its own. The same kernel runs twice: on every multiprocessor, then in one tile.
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

    T total = strided_fold<1>(tidx, source, fold);
    tile_data[tid] = total;
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tid < s)
            tile_data[tid] = total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = total;
}

} // namespace wf
