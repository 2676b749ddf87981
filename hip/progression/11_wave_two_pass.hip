// wave_two_pass: fold within waves by shuffles, and launch twice.
//
// Idea:   a wave's lanes read each other's registers. Tile memory holds one value per wave, not one per thread. A
//         second launch of the same kernel, with one tile, folds the tiles' results.
// Limit:  memory, once loads are 2 or 4 elements wide; for small arrays the second launch.
// Beside: cascade_unrolled
// Change: the tree in tile memory becomes two folds of a wave with one barrier between: tile_reduce (wave.hpp).
// Diff:   longer, because one word takes the place of the whole tree.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) wave_two_pass(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

    T total = strided_fold<Loads>(tidx, source, fold);
    total = tile_reduce<Width>(tidx, tile_data, total, fold);
    if (tidx.local == 0)
        partials[tidx.tile] = total;
}

} // namespace wf
