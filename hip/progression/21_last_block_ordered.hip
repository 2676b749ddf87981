// last_block_ordered: one launch over the whole grid, for operators that do not commute.
//
// Idea:   tiles take stretches of the array in the order of their numbers. The tile that draws the last ticket folds
//         their results in the same order. The answer depends neither on which tile that was nor on who came first.
// Limit:  a fold of the wave for each row of lanes.
// Beside: last_block
// Change: ordered_fold takes the place of strided_fold and tile_reduce, before the guard and behind it.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile)
    last_block_ordered(array_view<const T> source, array_view<T> partials, array_view<T> result, ticket_view ticket) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);

    T total = ordered_fold<Width>(tidx, tile_data, source, tidx.tile, tidx.tiles, Op());
    if (tidx.local == 0)
        partials[tidx.tile] = total;

    if (!last_tile(tidx, ticket))
        return;
    total = ordered_fold<Width>(tidx, tile_data, partials, 0, 1, Op());
    if (tidx.local == 0)
        result[0] = total;
}

} // namespace wf
