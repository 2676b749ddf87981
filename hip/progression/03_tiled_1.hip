// tiled_1: fold a tile in tile memory, interleaved.
//
// Idea:   each tile reads its elements once, folds them in tile memory, and writes one partial result.
// Limit:  divergence. Every 2nd, then every 4th, 8th ... thread works: waves run the steps for ever fewer of their
//         lanes. And the modulo is slow.
// Beside: simple_1
// Change: a halving was a launch, and is a step of a tile now. Partial results stay on the chip: simple_1 sends them
//         through device memory.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) tiled_1(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    tile_data[tid] = tidx.global < source.size() ? source[tidx.global] : Op::identity();
    tidx.barrier.wait();

    for (unsigned s = 1; s < tidx.tile_size; s *= 2) {
        if (tid % (2 * s) == 0)
            tile_data[tid] = fold(tile_data[tid], tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = tile_data[0];
}

} // namespace wf
