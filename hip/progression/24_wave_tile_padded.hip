// wave_tile_padded: one wave, no conditions in its steps.
//
// Idea:   half a wave of cells behind the wave's own holds the identity, so every lane can fold in every step. Nobody
//         uses what the upper lanes compute.
// Limit:  one wave's share of the memory bandwidth. A step is a load, a fold and a store, with no test.
// Beside: wave_tile
// Change: the steps' "if" is gone. Reading and writing are apart: a lane's cell is another lane's operand.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) wave_tile_padded(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned lane = tidx.local;

    T total = strided_fold<1>(tidx, source, fold);
    tile_data[lane] = total;
    if (lane < Width / 2)
        tile_data[Width + lane] = Op::identity();
    wave_barrier();

#pragma unroll
    for (unsigned s = Width / 2; s > 0; s /= 2) {
        total = fold(total, tile_data[lane + s]);
        wave_barrier();
        tile_data[lane] = total;
        wave_barrier();
    }

    if (lane == 0)
        result[0] = total;
}

} // namespace wf
