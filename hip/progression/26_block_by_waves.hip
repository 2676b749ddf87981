// block_by_waves: a tile folds by waves, in tile memory.
//
// Idea:   each wave folds its own cells with barriers of the wave. Then the first wave folds what the waves left.
// Limit:  one multiprocessor's share of the memory bandwidth, as for single_block.
// Beside: wave_tile
// Change: every wave of a tile takes wave_tile's steps; after one barrier of the tile, the first wave takes them again.
// Diff:   longer, because the steps are run twice, and so become a function.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) block_by_waves(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned lane = lane_of<Width>(tidx);
    const unsigned first = tidx.local - lane; // cell of the wave's first lane

    const auto fold_wave = [&](T total, unsigned begin) {
        tile_data[begin + lane] = total;
        wave_barrier();
        for (unsigned s = Width / 2; s > 0; s /= 2) {
            if (lane < s)
                tile_data[begin + lane] = total = fold(total, tile_data[begin + lane + s]);
            wave_barrier();
        }
        return total;
    };

    T total = fold_wave(strided_fold<1>(tidx, source, fold), first);
    tidx.barrier.wait();

    if (first == 0) {
        const unsigned waves = tidx.tile_size / Width;
        total = fold_wave(lane < waves ? T(tile_data[lane * Width]) : Op::identity(), 0);
        if (lane == 0)
            result[0] = total;
    }
}

} // namespace wf
