// block_by_waves: a tile folds by waves, in tile memory.
//
// Idea:   each wave folds its own cells with barriers of the wave; then the first wave folds what the waves left.
// Limit:  one multiprocessor's share of the memory bandwidth, as single_block.
// Change: single_block's barriers of the tile become one.
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

    const auto fold_wave = [&](unsigned begin) {
        for (unsigned s = Width / 2; s > 0; s /= 2) {
            if (lane < s)
                tile_data[begin + lane] = fold(tile_data[begin + lane], tile_data[begin + lane + s]);
            wave_barrier();
        }
    };

    tile_data[tidx.local] = strided_fold<1>(tidx, source, fold);
    wave_barrier();
    fold_wave(first);
    tidx.barrier.wait();

    if (first == 0) {
        const unsigned waves = tidx.tile_size / Width;
        const T of_wave = lane < waves ? T(tile_data[lane * Width]) : Op::identity();
        wave_barrier(); // cell 0 is a wave's result, and others are written next
        tile_data[lane] = of_wave;
        wave_barrier();
        fold_wave(0);
        if (lane == 0)
            result[0] = tile_data[0];
    }
}

} // namespace wf
