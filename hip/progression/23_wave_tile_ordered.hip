// wave_tile_ordered: one wave, for operators that do not commute.
//
// Idea:   each lane folds a stretch of neighbouring elements. Each step folds neighbouring results: left stays left.
// Limit:  the latency of one wave's loads. Lanes read far apart, but a lane finds its next elements in the cache.
// Beside: wave_tile
// Change: lanes take stretches, not strides. The distance of the steps grows, from neighbours
//         outwards, where it shrank.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) wave_tile_ordered(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned lane = tidx.local;

    const size_t stretch = (source.size() + Width - 1) / Width;
    T total = Op::identity();
    for (size_t i = lane * stretch; i < (lane + 1) * stretch && i < source.size(); i++)
        total = fold(total, source[i]);
    tile_data[lane] = total;
    wave_barrier();

#pragma unroll
    for (unsigned s = 1; s < Width; s *= 2) {
        if (lane % (2 * s) == 0)
            tile_data[lane] = total = fold(total, tile_data[lane + s]);
        wave_barrier();
    }

    if (lane == 0)
        result[0] = total;
}

} // namespace wf
