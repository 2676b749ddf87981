// grid_stride_atomic: accumulate in a register, fold the tile in two phases per step, end with an atomic operation.
//
// Idea:   a student's version: every step of the tree first reads into a register, waits, then writes, and waits again,
//         so that no thread writes what another still has to read.
// Limit:  memory; twice the barriers that the tree needs, since with sequential addressing nobody writes what others
//         read in the same step.
// Change: cascade's tree with its phases apart, and atomic operations instead of the host's fold.
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

    tile_data[tid] = strided_fold<1>(tidx, source, fold);
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        T folded = Op::identity();
        if (tid < s)
            folded = fold(tile_data[tid], tile_data[tid + s]);
        tidx.barrier.wait();
        if (tid < s)
            tile_data[tid] = folded;
        tidx.barrier.wait();
    }

    if (tid == 0)
        atomic_fold(result, 0, T(tile_data[0]), fold);
}

} // namespace wf
