// block_atomic: one atomic operation per tile.
//
// Idea:   the tile folds as in wave_two_pass. Its first thread folds the tile's result into the answer.
// Limit:  memory: the atomic operations are few. For floats the result depends on their order.
// Beside: wave_atomic
// Change: a tile has one atomic operation, where each of its waves had one. That costs a barrier, and a cell of tile
//         memory per wave.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) block_atomic(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

    T total = strided_fold<Loads>(tidx, source, fold);
    total = tile_reduce<Width>(tidx, tile_data, total, fold);
    if (tidx.local == 0)
        atomic_fold(result, 0, total, fold);
}

} // namespace wf
