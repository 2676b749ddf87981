// tiled_3: address tile memory in sequence.
//
// Idea:   each step folds the upper half of what is left onto the lower: neighbouring lanes touch neighbouring cells.
// Limit:  idle threads. Half of the tile loads one element each, and then never adds anything.
// Beside: tiled_2
// Change: the stride shrinks where it grew. No two lanes meet in a bank.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) tiled_3(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    tile_data[tid] = tidx.global < source.size() ? source[tidx.global] : Op::identity();
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
