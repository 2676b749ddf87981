// wave_tile: one wave, one cell of tile memory per lane.
//
// Idea:   within a wave a barrier of the wave is enough; each step folds the upper half of what is left onto the lower.
// Limit:  one wave's share of the memory bandwidth. Right for a handful of elements, within a larger kernel.
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

    tile_data[lane] = strided_fold<1>(tidx, source, fold);
    wave_barrier();

#pragma unroll
    for (unsigned s = Width / 2; s > 0; s /= 2) {
        if (lane < s)
            tile_data[lane] = fold(tile_data[lane], tile_data[lane + s]);
        wave_barrier();
    }

    if (lane == 0)
        result[0] = tile_data[0];
}

} // namespace wf
