// single_block_ordered: one tile, for operators that do not commute.
//
// Idea:   each wave folds a stretch of neighbouring elements in order. The waves' results are joined in the order of
//         the waves. (Threads that stride over the array bring far elements together.)
// Limit:  one multiprocessor's share of the memory bandwidth. A row of lanes costs a fold of the wave.
// Beside: single_block
// Change: the strides become stretches, and the tree becomes folds of waves, both in one word: ordered_fold (grid.hpp).
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) single_block_ordered(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);

    const T total = ordered_fold<Width>(tidx, tile_data, source, 0, 1, Op());
    if (tidx.local == 0)
        result[0] = total;
}

} // namespace wf
