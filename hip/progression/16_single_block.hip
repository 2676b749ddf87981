// single_block: one tile does it all.
//
// Idea:   the tile strides over the array and ends with one tree: one launch, no communication between tiles.
// Limit:  one multiprocessor's share of the memory bandwidth. Right for a few thousand elements, in a larger kernel.
// Beside: cascade
// Change: there is one tile, so its result is the answer. strided_fold (grid.hpp) is cascade's loop in one word.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) single_block(array_view<const T> source, array_view<T> result) {
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
        result[0] = total;
}

} // namespace wf
