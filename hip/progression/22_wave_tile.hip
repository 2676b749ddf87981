// wave_tile: one wave, one cell of tile memory per lane.
//
// Idea:   within a wave a barrier of the wave is enough. Each step folds the upper half of what is left onto the lower.
// Limit:  one wave's share of the memory bandwidth. Right for a handful of elements, within a larger kernel.
// Beside: single_block
// Change: the tile is one wave. Its barriers become the wave's, and its steps, of known number, are unrolled.
// Mended: the source has no barrier at all, and relies on lanes in lock step.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) wave_tile(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned lane = tidx.local;

    T total = strided_fold<1>(tidx, source, fold);
    tile_data[lane] = total;
    wave_barrier();

#pragma unroll
    for (unsigned s = Width / 2; s > 0; s /= 2) {
        if (lane < s)
            tile_data[lane] = total = fold(total, tile_data[lane + s]);
        wave_barrier();
    }

    if (lane == 0)
        result[0] = total;
}

} // namespace wf
