// grid_stride_atomic: accumulate in a register, fold the tile in two phases per step, end with an atomic operation.
//
// Idea:   a student's version. Every step of the tree first reads into a register, waits, then writes, and waits again:
//         no thread writes what another still has to read.
// Limit:  memory; and twice the barriers that the tree needs. With sequential addressing nobody writes what others read
//         in the same step, so one phase would do.
// Beside: multi_block
// Change: the phases of the tree's steps are apart. An atomic operation per tile takes the place of the second launch.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) grid_stride_atomic(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    T total = strided_fold<1>(tidx, source, fold);
    tile_data[tid] = total;
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tid < s)
            total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
        if (tid < s)
            tile_data[tid] = total;
        tidx.barrier.wait();
    }

    if (tid == 0)
        atomic_fold(result, 0, total, fold);
}

} // namespace wf
